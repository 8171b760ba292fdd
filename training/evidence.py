"""The network that tells by the words of a question whether there is an answer, learned from written questions.

`python -m training.evidence WORK --model FILE --out FOLDER` takes the questions that `training.written` has prepared.
Each is asked of a workspace with the package that answers it, and of others without it, made of packages that come near
to the question: what they hold of each of its words is what an answer, and the lack of one, looks like. Only questions
that have both teach, so nothing is learned from how a question is written.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from benchmarks.quality.scoring import area_under_curve
from numpy.typing import NDArray

from lurcher_index.dense.static.modelfile import Model, read_model
from lurcher_index.ranking.evidence import (
    LOOKED_AT,
    MEAN_SHARE,
    MOST_WORDS,
    NO_GATE,
    PLAIN_NUMBERS,
    SUM_SHARE,
    Held,
    Network,
    word_rows,
)
from training.adam import Adam
from training.measure import embedded_queries, embedded_texts, parameters_of, unit
from training.written import Pools, load_pools

Floats = NDArray[np.floating]

NAME = "lurcher-evidence-v3"

LARGEST = 16
"""Packages that a workspace is made of at most: one, two, four, eight or so many."""

TOO_NEAR = 3
"""Packages that come nearest to a question, besides its own, and are in no workspace: some of them may answer it."""

NEARLY = 12
"""Every second workspace without an answer holds one of so many nearest packages."""

LEAST_PIECES = 12
"""Smaller packages nearly have nothing."""

TOGETHER = 200
"""Questions whose cosines are reckoned at once."""

DIGITS = 4


@dataclass(frozen=True)
class Plan:
    """How to train; chosen by our own questions without an answer, among some dozen tries."""

    projected: int = 16
    hidden: int = 24
    epochs: int = 3
    batch: int = 256
    rate: float = 3e-3
    shrink: float = 0.01
    seed: int = 1


class Lessons(NamedTuple):
    """Questions and workspaces, a row each: the numbers of the words that are looked at, and how many there are."""

    plain: Floats
    words: NDArray[np.int64]
    counts: NDArray[np.int64]
    answered: NDArray[np.bool_]
    nearly: NDArray[np.bool_]
    """Those without an answer that hold a package which comes near to one."""


def lessons_of(pools: Pools, model: Model, seed: int) -> Lessons:
    """Every question of the pools, asked of a workspace that answers it and of two that do not."""
    shelf = _Shelf(pools, model)
    draw = np.random.default_rng(seed)
    found = list(shelf.lessons(draw))
    if not found:
        raise ValueError("there are too few packages to make workspaces of")
    return Lessons(
        np.stack([each.plain for each in found]),
        np.stack([each.words for each in found]),
        np.array([each.size for each in found]),
        np.array([each.kind == 0 for each in found]),
        np.array([each.kind == 2 for each in found]),
    )


class _Lesson(NamedTuple):
    plain: Floats
    words: NDArray[np.int64]
    size: int
    kind: int


class _Shelf:
    """All pieces of all packages, to make workspaces of."""

    def __init__(self, pools: Pools, model: Model) -> None:
        size = len(model.vocabulary)
        pieces = np.arange(len(pools.code_packages))
        parameters = parameters_of(model)
        codes, paths = (each.matrix(pieces, size) for each in (pools.codes, pools.paths))
        self._vectors = unit(
            embedded_texts(codes, parameters) + model.facts.path_weight * embedded_texts(paths, parameters)
        )
        self._asked = pools.queries.matrix(np.arange(len(pools.right)), size)
        self._queries = embedded_queries(self._asked, parameters)
        self._packages = pools.query_packages
        self._starts = np.searchsorted(pools.code_packages, np.arange(int(pools.code_packages[-1]) + 1))
        self._ends = np.append(self._starts[1:], len(pieces))
        both = (codes + paths).tocsr()
        both.sort_indices()
        self._words = np.split(both.indices.astype(np.int64), both.indptr[1:-1])
        self._frequencies = [
            np.bincount(np.concatenate(self._words[start:end]), minlength=size).astype(np.uint16)
            for start, end in zip(self._starts, self._ends, strict=True)
        ]
        table = model.table.astype(np.float32) * model.scale[:, np.newaxis]
        lengths = np.maximum(np.linalg.norm(table, axis=1), 1e-9)
        self._table = table / lengths[:, np.newaxis]
        self._weights = (model.query_weights * lengths).astype(np.float32)
        self._large = self._ends - self._starts >= LEAST_PIECES

    def lessons(self, draw: np.random.Generator) -> Iterator[_Lesson]:
        """Three for each question."""
        usable = int(self._large.sum())
        if usable <= NEARLY + 1:
            return
        for begin in range(0, len(self._packages), TOGETHER):
            cosines = self._queries[begin : begin + TOGETHER] @ self._vectors.T
            nearest = np.maximum.reduceat(cosines, self._starts, axis=1)
            for row in range(len(cosines)):
                words = self._asked.indices[self._asked.indptr[begin + row] : self._asked.indptr[begin + row + 1]]
                if not len(words):
                    continue
                own = int(self._packages[begin + row])
                near = np.where(self._large, nearest[row], -2.0)
                near[own] = -2.0
                order = np.argsort(-near)[: usable - 1]
                for kind in range(3):
                    others = self._others(order, kind == 2, draw)
                    packages = [own, *others[1:]] if kind == 0 else others
                    yield self._lesson(np.sort(words.astype(np.int64)), packages, cosines[row], kind)

    def _others(self, order: NDArray[np.int64], nearly: bool, draw: np.random.Generator) -> list[int]:
        """Packages of a workspace: the nearer one comes to the question, the more likely it is taken."""
        size = 2 ** int(draw.integers(LARGEST.bit_length()))
        ranks = np.unique(np.exp(draw.uniform(np.log(TOO_NEAR), np.log(len(order)), 2 * size)).astype(np.int64))
        chosen = draw.permutation(np.minimum(ranks, len(order) - 1))[:size]
        found: list[int] = order[chosen].tolist()
        if nearly:
            nearest = int(order[draw.integers(TOO_NEAR, NEARLY)])
            found = [nearest, *(each for each in found[1:] if each != nearest)]
        return found

    def _lesson(self, words: NDArray[np.int64], packages: list[int], cosines: Floats, kind: int) -> _Lesson:
        pieces = np.concatenate([np.arange(self._starts[each], self._ends[each]) for each in packages])
        candidates = pieces[np.argsort(-cosines[pieces], kind="stable")[:LOOKED_AT]]
        lists = [self._words[each] if len(self._words[each]) else np.zeros(1, np.int64) for each in candidates]
        sizes = np.array([len(each) for each in lists])
        different, places = np.unique(np.concatenate(lists), return_inverse=True)
        near = np.maximum.reduceat(
            (self._table[different] @ self._table[words].T)[places], np.cumsum(sizes) - sizes, axis=0
        )
        frequencies = np.sum([self._frequencies[each][words] for each in packages], axis=0)
        rarities = np.log(1.0 + (len(pieces) + 1) / (1.0 + frequencies)).astype(np.float32)
        weights = self._weights[words]
        shares = weights * rarities
        scores = cosines[candidates] + near @ (shares / max(float(shares.sum()), 1e-9))
        rows = word_rows(Held(self._table[words], weights, rarities, frequencies > 0, near), scores)
        count = len(rows.chosen)
        plain = np.zeros((MOST_WORDS, PLAIN_NUMBERS), np.float32)
        plain[:count] = rows.plain
        numbers = np.zeros(MOST_WORDS, np.int64)
        numbers[:count] = words[rows.chosen]
        return _Lesson(plain, numbers, count, kind)


class Parameters(NamedTuple):
    """The layers of a network; a row for what comes in, a column for what goes out."""

    projection: Floats
    hidden: Floats
    hidden_offsets: Floats
    voices: Floats
    voice_offsets: Floats


def beginning(dimension: int, plan: Plan) -> Parameters:
    """Layers with small numbers that differ."""
    draw = np.random.default_rng(plan.seed)

    def layer(into: int, out: int) -> Floats:
        bound = 1.0 / np.sqrt(into)
        return draw.uniform(-bound, bound, (into, out)).astype(np.float32)

    return Parameters(
        layer(dimension, plan.projected),
        layer(PLAIN_NUMBERS + plan.projected, plan.hidden),
        np.zeros(plan.hidden, np.float32),
        layer(plan.hidden, 2),
        np.zeros(2, np.float32),
    )


class Forward:
    """What a network says of some lessons, and which way its layers should move."""

    def __init__(self, layers: Parameters, plain: Floats, vectors: Floats, there: NDArray[np.bool_]) -> None:
        self._layers, self._plain, self._vectors, self._there = layers, plain, vectors, there
        self._projected = vectors @ layers.projection
        below = plain @ layers.hidden[:PLAIN_NUMBERS] + self._projected @ layers.hidden[PLAIN_NUMBERS:]
        self._heard = np.maximum(below + layers.hidden_offsets, 0.0)
        voices = self._heard @ layers.voices + layers.voice_offsets
        self._says, self._counts = voices[..., 0] * there, voices[..., 1]
        self._gates = np.logaddexp(0.0, self._counts) * there
        self._sum = (self._says * self._gates).sum(axis=1, keepdims=True)
        self._total = self._gates.sum(axis=1, keepdims=True) + NO_GATE
        self.scores = (MEAN_SHARE * self._sum / self._total)[:, 0] + SUM_SHARE * self._says.sum(axis=1)

    def back(self, slopes: Floats) -> Parameters:
        """The gradients, from what a little more of each score costs."""
        down = slopes[:, np.newaxis]
        of_says = down * (MEAN_SHARE * self._gates / self._total + SUM_SHARE) * self._there
        of_gates = down * MEAN_SHARE * (self._says / self._total - self._sum / self._total**2)
        of_counts = of_gates * self._there / (1.0 + np.exp(-self._counts))
        of_voices = np.stack([of_says, of_counts], axis=-1)
        of_heard = (of_voices @ self._layers.voices.T) * (self._heard > 0)
        of_projected = of_heard @ self._layers.hidden[PLAIN_NUMBERS:].T
        return Parameters(
            _product(self._vectors, of_projected),
            np.concatenate([_product(self._plain, of_heard), _product(self._projected, of_heard)]),
            of_heard.sum(axis=(0, 1)),
            _product(self._heard, of_voices),
            of_voices.sum(axis=(0, 1)),
        )


def _product(one: Floats, other: Floats) -> Floats:
    found: Floats = one.reshape(-1, one.shape[-1]).T @ other.reshape(-1, other.shape[-1])
    return found


def learn(lessons: Lessons, table: Floats, plan: Plan) -> Parameters:
    """Layers that tell answered questions from those without an answer. `table` has vectors of length 1."""
    layers = beginning(table.shape[1], plan)
    moments = [Adam(layer) for layer in layers]
    draw = np.random.default_rng(plan.seed)
    batches = max(1, len(lessons.counts) // plan.batch)
    # As many lessons have an answer, by what they count, as have none.
    counted = np.where(lessons.answered, 1.0 / max(1, lessons.answered.sum()), 1.0 / max(1, (~lessons.answered).sum()))
    counted = (counted * len(counted) / 2).astype(np.float32)
    for step in range(plan.epochs * batches):
        if step % batches == 0:
            order = draw.permutation(len(lessons.counts))
        rows = order[step % batches :: batches]
        forward = _forward(layers, lessons, rows, table)
        chances = 1.0 / (1.0 + np.exp(-np.clip(forward.scores, -30.0, 30.0)))
        slopes = (chances - lessons.answered[rows]) * counted[rows] / len(rows)
        rate = plan.rate * (1.0 - step / (plan.epochs * batches))
        for layer, moment, gradient in zip(layers, moments, forward.back(slopes.astype(np.float32)), strict=True):
            layer *= 1.0 - rate * plan.shrink
            moment.step(slice(None), gradient, rate)
    return layers


def scores_of(lessons: Lessons, layers: Parameters, table: Floats) -> Floats:
    """What the network says of each lesson."""
    parts = [
        _forward(layers, lessons, np.arange(at, min(at + 4_096, len(lessons.counts))), table).scores
        for at in range(0, len(lessons.counts), 4_096)
    ]
    return np.concatenate(parts)


def _forward(layers: Parameters, lessons: Lessons, rows: NDArray[np.int64], table: Floats) -> Forward:
    there = np.arange(MOST_WORDS) < lessons.counts[rows, np.newaxis]
    return Forward(layers, lessons.plain[rows], table[lessons.words[rows]], there)


def areas(lessons: Lessons, scores: Floats) -> dict[str, float]:
    """How well answered questions are told from those without an answer, and from those that nearly have one."""
    answered = scores[lessons.answered].tolist()
    without = {"area": ~lessons.answered & ~lessons.nearly, "area_nearly": lessons.nearly}
    return {name: round(area_under_curve(answered, scores[which].tolist()), 4) for name, which in without.items()}


def word_table(model: Model) -> Floats:
    """The vectors of the model's words, brought to length 1."""
    found = model.table.astype(np.float32) * model.scale[:, np.newaxis]
    found /= np.maximum(np.linalg.norm(found, axis=1), 1e-9)[:, np.newaxis]
    return found


def main() -> None:
    """Make lessons, learn, measure, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("work", type=Path)
    parser.add_argument("--model", type=Path, required=True, help="whose words are looked at")
    parser.add_argument("--out", type=Path, required=True, help="folder for evidence.json")
    options = parser.parse_args()
    model = read_model(options.model)
    table = word_table(model)
    pools = load_pools(options.work / "written.npz")
    plan = Plan()
    lessons = lessons_of(pools, model, plan.seed)
    layers = learn(lessons, table, plan)
    facts = {"questions": float(len(pools.right)), "lessons": float(len(lessons.counts))}
    if (options.work / "written-apart.npz").exists():
        apart = lessons_of(load_pools(options.work / "written-apart.npz"), model, plan.seed)
        facts |= areas(apart, scores_of(apart, layers, table))
    rounded = [np.round(layer.astype(np.float64), DIGITS).tolist() for layer in layers]
    network = Network(NAME, model.facts.name, facts, *rounded)
    (options.out / "evidence.json").write_bytes(msgspec.json.format(msgspec.json.encode(network), indent=0))
    print(facts)


if __name__ == "__main__":
    main()
