"""Go on with a model's table, by questions that were written for single pieces of code.

`python -m training.polish WORK --pairs DIR --model FILE --out FOLDER` takes the questions that `training.written` has
prepared: each has to find its piece among all those of its package and of some others. Mined pairs stand beside them,
so that nothing is forgotten of what comments have taught.
"""

import argparse
import json
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import msgspec
import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from lurcher_index.dense.static.modelfile import Model, read_model, write_model
from training.adam import Adam
from training.arrays import Data, Names, load, prepare
from training.batches import Sampling, compacted, draw_batch, epochs, kept_words
from training.calibration import calibrated
from training.card import read_sources, sources_table, used_sources
from training.evaluate import measured
from training.export import Release, rounded
from training.measure import embedded_queries, embedded_texts, parameters_of, unit
from training.network import Forward, Parameters, loss_and_gradients, one_of_many
from training.pairs import read_pairs
from training.train import averaged
from training.written import Pools, load_pools, read_written

SOURCES = Path(__file__).with_name("sources.tsv")


@dataclass(frozen=True)
class Plan:
    """The settings of a polishing; chosen by labelled questions about other repositories, by vectors alone."""

    steps: int = 150
    rate: float = 2e-3
    warm_up: int = 10
    last_rate: float = 0.05
    temperature: float = 0.08
    mined_temperature: float = 0.05
    packages: int = 48
    """Whose questions stand together in a step."""
    documents: int = 60
    """Pieces of each package in a step, besides those that are asked for: others every time."""
    path_dropped: float = 0.2
    query_dropped: float = 0.3
    seeds: tuple[int, ...] = (1, 2, 3)
    """One polishing each, from the same beginning; the tables are averaged."""
    mined: Sampling = field(default_factory=Sampling)


@dataclass(frozen=True)
class Drawn:
    """Questions and the pieces that they are held against; columns are the words that occur."""

    queries: sp.csr_array
    codes: sp.csr_array
    paths: sp.csr_array
    right: NDArray[np.int64]
    words: NDArray[np.int64]


def polish(
    pools: Pools, mined: Data, start: Parameters, plan: Plan, seed: int, path_weight: float,
    report: Callable[[int, float], object] = lambda *_: None,
) -> Parameters:  # fmt: skip
    """The parameters after all steps, from one order of packages and pairs."""
    table, query, document = (getattr(start, name).astype(np.float32) for name in ("table", "query", "document"))
    log_scale = np.array([-math.log(plan.mined_temperature)], np.float32)
    learning = Adam(table), Adam(query), Adam(document)
    draw = np.random.default_rng(seed)
    asked, pairs = turns(pools, plan, draw), epochs(mined, plan.mined, draw)
    size = len(table)

    def step(words: NDArray[np.int64], gradients: tuple[NDArray[np.floating], ...], rate: float) -> None:
        for adam, gradient, faster in zip(learning, gradients, (1, 2, 2), strict=True):
            adam.step(words, gradient, faster * rate)

    for number in range(1, plan.steps + 1):
        rate = plan.rate * _share(plan, number)
        drawn = draw_pools(pools, next(asked), size, plan, draw)
        part = _part(table, query, document, log_scale, drawn.words)
        forward = Forward(part, drawn.queries, drawn.codes, drawn.paths, path_weight)
        loss, slope = one_of_many(forward.cosines, drawn.right, 1 / plan.temperature)
        step(drawn.words, forward.back(slope), rate)
        beside = draw_batch(mined, next(pairs), size, plan.mined, draw)
        part = _part(table, query, document, log_scale, beside.words)
        _, found = loss_and_gradients(part, beside.batch, path_weight)
        step(beside.words, (found.table, found.query, found.document), rate)
        report(number, loss)
    return Parameters(table, query, document, start.log_scale)


def turns(pools: Pools, plan: Plan, draw: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """Some packages after others, without end."""
    count = int(pools.query_packages[-1]) + 1
    together = min(plan.packages, count)
    while True:
        order = draw.permutation(count)
        for at in range(0, count - together + 1, together):
            yield order[at : at + together]


def draw_pools(
    pools: Pools, packages: NDArray[np.int64], vocabulary: int, plan: Plan, draw: np.random.Generator
) -> Drawn:
    """The questions of some packages, and the pieces they have to tell apart."""
    asked = _rows(pools.query_packages, packages)
    answers = np.unique(pools.right[asked])
    beside = [draw.permutation(_rows(pools.code_packages, package[None]))[: plan.documents] for package in packages]
    rows = np.union1d(answers, np.concatenate(beside))
    queries = pools.queries.matrix(asked, vocabulary)
    queries.data[:] = kept_words(queries, plan.query_dropped, draw)
    paths = pools.paths.matrix(rows, vocabulary)
    kept = (draw.random(len(rows)) >= plan.path_dropped).astype(np.float32)
    paths.data *= np.repeat(kept, np.diff(paths.indptr))
    words, (queries, codes, paths) = compacted((queries, pools.codes.matrix(rows, vocabulary), paths), vocabulary)
    return Drawn(queries, codes, paths, np.searchsorted(rows, pools.right[asked]), words)


def _rows(packages: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rows of some packages, where the rows of each stand together and rise."""
    first = np.searchsorted(packages, wanted, "left")
    after = np.searchsorted(packages, wanted, "right")
    return np.concatenate([np.arange(low, high) for low, high in zip(first, after, strict=True)])


def _part(
    table: NDArray[np.float32],
    query: NDArray[np.float32],
    document: NDArray[np.float32],
    log_scale: NDArray[np.float32],
    words: NDArray[np.int64],
) -> Parameters:
    return Parameters(table[words], query[words], document[words], log_scale)


def _share(plan: Plan, step: int) -> float:
    cosine = 0.5 * (1.0 + math.cos(math.pi * step / plan.steps))
    return min(1.0, step / plan.warm_up) * (plan.last_rate + (1.0 - plan.last_rate) * cosine)


def reciprocal_ranks(pools: Pools, parameters: Parameters, path_weight: float) -> list[float]:
    """Of each question's piece among those of its package."""
    size = len(parameters.table)
    found: list[float] = []
    for package in np.unique(pools.query_packages):
        asked, pieces = (_rows(of, package[None]) for of in (pools.query_packages, pools.code_packages))
        contents, paths = (embedded_texts(each.matrix(pieces, size), parameters) for each in (pools.codes, pools.paths))
        questions = embedded_queries(pools.queries.matrix(asked, size), parameters)
        cosines = questions @ unit(contents + path_weight * paths).T
        right = cosines[np.arange(len(asked)), pools.right[asked] - pieces[0]]
        found += (1.0 / (1 + (cosines > right[:, None]).sum(axis=1))).tolist()
    return found


def with_table(model: Model, parameters: Parameters, held_out: Data, told: dict[str, object], name: str) -> Model:
    """The model with another table. What questions had taught it as a map is gone: that has to be learned anew."""
    calibration = calibrated(held_out, parameters, model.facts.path_weight)
    facts = msgspec.structs.replace(
        model.facts, name=name, calibration=calibration, training=model.facts.training | told
    )
    facts.training.pop("query_map", None)
    return rounded(parameters, model.vocabulary, facts)


class _Log:
    """The losses of one polishing."""

    def __init__(self) -> None:
        self._losses: list[float] = []
        self._began = time.perf_counter()

    def __call__(self, _step: int, loss: float) -> None:
        self._losses.append(loss)

    def line(self) -> str:
        """How it went."""
        first, last = np.mean(self._losses[:10]), np.mean(self._losses[-10:])
        return f"loss {first:.3f} to {last:.3f} in {time.perf_counter() - self._began:.0f} s"


def main() -> None:
    """Prepare the mined pairs with the model's words, polish, measure, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("work", type=Path)
    parser.add_argument("--pairs", type=Path, required=True, help="the folder that training.mine filled")
    parser.add_argument("--model", type=Path, required=True, help="the model to begin with")
    parser.add_argument("--name", help="of the model that is written (default: the same)")
    parser.add_argument("--plan", default="{}", help="settings of Plan as JSON")
    parser.add_argument("--sources", type=Path, help="packages.jsonl as training.fetch writes it: added to sources.tsv")
    parser.add_argument("--out", type=Path, help="folder to write the model into")
    options = parser.parse_args()
    plan = msgspec.convert(json.loads(options.plan), Plan)
    model = read_model(options.model)
    if "lexicon" in model.facts.training:
        parser.error(f"{options.model.name} has learned from a lexicon already: take the model as it was before")
    pools = load_pools(options.work / "written.npz")
    mined, held_out, names = mined_pairs(options.pairs, options.work, model)
    start = _beginning(model)
    path_weight = model.facts.path_weight
    tables: list[Parameters] = []
    for seed in plan.seeds:
        log = _Log()
        tables.append(polish(pools, mined, start, plan, seed, path_weight, log))
        print(f"seed {seed}: {log.line()}", flush=True)
    parameters = averaged(tables)
    told: dict[str, object] = {
        "questions": len(pools.right),
        "packages": int(pools.query_packages[-1]) + 1,
        "pieces": len(pools.codes),
        "pairs_beside": len(mined),
        "plan": asdict(plan),
    }
    if (options.work / "written-apart.npz").exists():
        apart = load_pools(options.work / "written-apart.npz")
        told["apart"] = told_apart(apart, {"before": start, "after": parameters}, path_weight)
    found = with_table(model, parameters, held_out, {"polished": told}, options.name or model.facts.name)
    scores = {
        "before": measured(options.work, model, held_out, names),
        "after": measured(options.work, found, held_out, names),
    }
    print(json.dumps(scores))
    found.facts.training["scores"] = scores["after"]
    found.facts.training["polished"]["before"] = scores["before"]
    if options.sources:
        _add_sources(options.sources, {*names.packages, *(asked.package for asked in read_written())})
    if options.out:
        Release(found, write_model(found), options.out).write()


def told_apart(pools: Pools, states: dict[str, Parameters], path_weight: float) -> dict[str, object]:
    """What questions tell that taught nothing."""
    ranks = {when: reciprocal_ranks(pools, each, path_weight) for when, each in states.items()}
    return {
        "questions": len(pools.right),
        "packages": int(pools.query_packages[-1]) + 1,
        "mrr": {when: round(float(np.mean(found)), 4) for when, found in ranks.items()},
    }


def _add_sources(fetched: Path, used: set[str]) -> None:
    known = read_sources(SOURCES) if SOURCES.exists() else []
    SOURCES.write_text(sources_table(sorted({*known, *used_sources(fetched, used)})), encoding="utf-8")


def _beginning(model: Model) -> Parameters:
    """A word that counts nothing has no logarithm; it begins with next to nothing."""
    found = parameters_of(model)
    return replace(found, query=np.maximum(found.query, -20.0), document=np.maximum(found.document, -20.0))


def mined_pairs(pairs: Path, work: Path, model: Model) -> tuple[Data, Data, Names]:
    """The mined pairs as numbers of the model's words; those of `training.arrays`, where these are the same."""
    known = work / "vocabulary.json"
    if known.exists() and json.loads(known.read_bytes())["words"] == model.vocabulary:
        names = msgspec.json.decode((work / "data.json").read_bytes(), type=Names)
        return load(work / "train.npz"), load(work / "held_out.npz"), names
    return prepare(read_pairs(pairs), model.vocabulary)


if __name__ == "__main__":
    main()
