"""Train the table: `python -m training.train WORK RUN` writes a checkpoint a few times, and says how good each is.

One core is enough: a step over 2,048 pairs is three products of matrices and some sparse sums.
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
from numpy.typing import NDArray

from training.adam import Adam
from training.arrays import Data, Names, load
from training.batches import Sampling, draw_batch, epochs
from training.initial import random_table
from training.labelled import Questions, read_labelled
from training.measure import held_out_ranks
from training.network import MOST_SCALE, Floats, Parameters, loss_and_gradients
from training.vocabulary import Vocabulary, read_vocabulary

DIMENSION = 256
"""Numbers in a vector."""


@dataclass(frozen=True)
class Plan:
    """The settings of one training."""

    steps: int = 300
    rate: float = 6e-3
    warm_up: int = 50
    last_rate: float = 0.02
    """Share of the rate that is left at the end of the cosine."""
    temperature: float = 0.05
    path_weight: float = 0.5
    map_rate: float = 0.0
    """Rate of a linear map that all words share, as a part of `rate`. It takes along words that no pair has; without it
    only those move that were seen, away from what was like them."""
    checkpoints: int = 4
    """Kept at equal distances, the last at the end."""
    seed: int = 7
    sampling: Sampling = field(default_factory=Sampling)


def train(
    data: Data, table: Floats, plan: Plan, report: Callable[[int, float, float], object] = lambda *_: None
) -> Iterator[tuple[int, Parameters]]:
    """The parameters at every checkpoint; the weights are the same arrays again and again: copy what is to be kept."""
    size = len(table)
    words = _Words(table.astype(np.float32), plan.map_rate)
    weights = {name: np.zeros(size, np.float32) for name in ("query", "document")}
    log_scale = np.array([-math.log(plan.temperature)], np.float32)
    optimisers = {name: Adam(value) for name, value in (*weights.items(), ("log_scale", log_scale))}
    draw = np.random.default_rng(plan.seed)
    batches = epochs(data, plan.sampling, draw)
    every = max(1, plan.steps // plan.checkpoints)
    for step in range(1, plan.steps + 1):
        drawn = draw_batch(data, next(batches), size, plan.sampling, draw)
        touched = drawn.words
        part = Parameters(words.rows(touched), weights["query"][touched], weights["document"][touched], log_scale)
        loss, gradients = loss_and_gradients(part, drawn.batch, plan.path_weight)
        rate = plan.rate * _share(plan, step)
        words.step(touched, gradients.table, rate)
        optimisers["query"].step(touched, gradients.query, 2 * rate)
        optimisers["document"].step(touched, gradients.document, 2 * rate)
        optimisers["log_scale"].step(slice(None), gradients.log_scale, 2 * rate)
        np.minimum(log_scale, math.log(MOST_SCALE), out=log_scale)
        report(step, loss, float(log_scale[0]))
        if step % every == 0 or step == plan.steps:
            yield step, Parameters(words.table(), weights["query"], weights["document"], log_scale)


class _Words:
    """The words' vectors: what they began with, sent through a map that all share, and what each learned of its own.

    The map may begin with more numbers than it ends with; at first it keeps the strongest of them.
    """

    def __init__(self, initial: Floats, map_rate: float) -> None:
        self._initial = initial
        self._map_rate = map_rate
        self._map = np.eye(initial.shape[1], min(DIMENSION, initial.shape[1]), dtype=np.float32)
        self._own = np.zeros((len(initial), self._map.shape[1]), np.float32)
        self._learned_map, self._learned = Adam(self._map), Adam(self._own)

    def rows(self, words: NDArray[np.int64]) -> Floats:
        """The vectors of some words."""
        mapped: Floats = self._initial[words] @ self._map
        return mapped + self._own[words]

    def table(self) -> Floats:
        """The vectors of all."""
        return self.rows(np.arange(len(self._initial)))

    def step(self, words: NDArray[np.int64], gradient: Floats, rate: float) -> None:
        """Learn from the gradient of some words' vectors."""
        if self._map_rate:
            self._learned_map.step(slice(None), self._initial[words].T @ gradient, rate * self._map_rate)
        self._learned.step(words, gradient, rate)


def _share(plan: Plan, step: int) -> float:
    cosine = 0.5 * (1.0 + math.cos(math.pi * step / plan.steps))
    return min(1.0, step / plan.warm_up) * (plan.last_rate + (1.0 - plan.last_rate) * cosine)


def save_checkpoint(parameters: Parameters, path: Path) -> None:
    """Write what was learned; half precision is more than the model keeps in the end."""
    arrays = {name: value.astype(np.float16) for name, value in asdict(parameters).items()}
    np.savez(path, **arrays)


def load_checkpoint(path: Path) -> Parameters:
    """Read what was learned."""
    with np.load(path, allow_pickle=False) as arrays:
        return Parameters(*(arrays[name].astype(np.float32) for name in ("table", "query", "document", "log_scale")))


def averaged(checkpoints: list[Parameters]) -> Parameters:
    """The mean of some checkpoints, which is better than each of them."""

    def mean(name: str) -> Floats:
        values: Floats = np.stack([getattr(each, name) for each in checkpoints]).mean(axis=0, dtype=np.float32)
        return values

    return Parameters(*map(mean, ("table", "query", "document", "log_scale")))


class _Log:
    """Prints the mean loss now and then."""

    def __init__(self) -> None:
        self._losses: list[float] = []
        self._began = time.perf_counter()

    def __call__(self, step: int, loss: float, log_scale: float) -> None:
        self._losses.append(loss)
        if step % 50 == 0:
            seconds = time.perf_counter() - self._began
            mean = float(np.mean(self._losses[-50:]))
            print(f"step {step} {seconds:.0f} s loss {mean:.3f} temperature {math.exp(-log_scale):.4f}", flush=True)


def main() -> None:
    """Train, with what the command line says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("work", type=Path)
    parser.add_argument("run", help="name of the run, a folder in WORK")
    parser.add_argument("--initial", type=Path, help="table to begin with, as training.initial writes it")
    parser.add_argument("--seed", type=int, help="instead of the plan's")
    parser.add_argument("--plan", default="{}", help="settings of Plan and Sampling as JSON")
    parser.add_argument("--leave-out", nargs="*", default=[], metavar="KIND", help="kinds of pairs not to use")
    options = parser.parse_args()
    plan = msgspec.convert(json.loads(options.plan), Plan)
    vocabulary = read_vocabulary(options.work)
    names = msgspec.json.decode((options.work / "data.json").read_bytes(), type=Names)
    left_out = tuple(names.kinds.index(kind) for kind in options.leave_out)
    seed = plan.seed if options.seed is None else options.seed
    plan = replace(plan, seed=seed, sampling=replace(plan.sampling, left_out=left_out))
    data, held_out = load(options.work / "train.npz"), load(options.work / "held_out.npz")
    table = np.load(options.initial) if options.initial else random_table(vocabulary, DIMENSION, plan.seed)
    folder = options.work / options.run
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "plan.json").write_text(json.dumps(asdict(plan)), encoding="utf-8")
    labelled, asked = (_questions(options.work / name, vocabulary) for name in ("labelled", "asked"))
    print(plan, f"{len(data):,} pairs", flush=True)
    for step, parameters in train(data, table, plan, _Log()):
        save_checkpoint(parameters, folder / f"{step:06}.npz")
        mean, by_language = held_out_ranks(held_out, names.languages, parameters, plan.path_weight)
        print(f"step {step} held out {mean:.4f} {by_language}", flush=True)
        if labelled is not None:
            print(f"step {step} labelled {labelled.score(parameters, plan.path_weight).line()}", flush=True)
        if asked is not None:
            print(f"step {step} asked {asked.hits(parameters, plan.path_weight).line()}", flush=True)


def _questions(folder: Path, vocabulary: Vocabulary) -> Questions | None:
    """Questions to measure with, if `training.labelled` has written them."""
    return read_labelled(folder, vocabulary.words) if folder.is_dir() else None


if __name__ == "__main__":
    main()
