"""What each word of a question says for or against there being an answer, by what the best candidates hold of it.

Some words have to be found and some do not: who asks for Prometheus wants that very word, who asks how something is
*handled* does not. Which is which was learned from questions that were asked of packages with their answer and of
others that are like them.
"""

from math import isfinite
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from lurcher_index.errors import ModelError

Floats = NDArray[np.float32]

LOOKED_AT = 64
"""Candidates among which the leaders are sought: as many as a usual search judges."""

LEADERS = 10
"""The candidates that are nearest to the question, by their vectors and by their words."""

NEXT = 3
"""Of the leaders, those that are looked at together with the first."""

MOST_WORDS = 16
"""Words of a question that are looked at; of more, the weightiest."""

STEPS = np.array([0.0, 0.2, 0.35, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0], np.float32)
"""Cosines between which it is told how near the nearest word of the leaders comes."""

STEP_WIDTH = 0.12

PLAIN_NUMBERS = len(STEPS) + 7
"""Numbers of a word besides its vector: the steps, four of the leaders, whether it stands anywhere, weight, rarity."""

RARITY_SCALE = 4.0
MEAN_SHARE = 3.0
SUM_SHARE = 0.2
NO_GATE = 0.3
"""How the words' voices come together: their mean, by how much each counts, and a little of their sum."""

MOST_VOICE = 30.0


class Held(NamedTuple):
    """What a search holds of each word of a question."""

    vectors: Floats
    """Of the words, a row each, of length 1."""
    weights: Floats
    """By the embedding model."""
    rarities: Floats
    known: NDArray[np.bool_]
    """Whether a word stands anywhere in the workspace."""
    cosines: Floats
    """A row a candidate: that of its nearest word to each word of the question."""


class Network(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file: layers from a word's numbers to two: what it says, and how much it counts."""

    name: str
    model: str
    """The embedding model whose words it knows."""
    facts: dict[str, float]
    """What it was taught with, and how well it tells."""
    projection: list[list[float]]
    hidden: list[list[float]]
    hidden_offsets: list[float]
    voices: list[list[float]]
    voice_offsets: list[float]


class Evidence:
    """A network that is ready to be asked."""

    def __init__(self, network: Network) -> None:
        """Refuse what does not fit together."""
        self.name, self.model = network.name, network.model
        try:
            self.projection = np.array(network.projection, np.float32)
            self.hidden = np.array(network.hidden, np.float32)
            self.hidden_offsets = np.array(network.hidden_offsets, np.float32)
            self.voices = np.array(network.voices, np.float32)
            self.voice_offsets = np.array(network.voice_offsets, np.float32)
        except ValueError as error:
            raise ModelError("the rows of the network of evidence differ in length") from error
        if self.projection.ndim != 2 or not len(self.projection):
            raise ModelError("the network of evidence has no projection")
        width = len(self.hidden_offsets)
        if (
            self.hidden.shape != (PLAIN_NUMBERS + self.projection.shape[1], width)
            or self.voices.shape != (width, 2)
            or self.voice_offsets.shape != (2,)
        ):
            raise ModelError("the layers of the network of evidence do not fit together")
        layers = (self.projection, self.hidden, self.hidden_offsets, self.voices, self.voice_offsets)
        if not all(isfinite(float(np.abs(layer).sum())) for layer in layers):
            raise ModelError("the network of evidence holds what is no weight")

    def of(self, held: Held, scores: NDArray[np.floating]) -> float:
        """What the words of a question say together; `scores` tells which candidates come nearest."""
        if not len(held.vectors) or not len(held.cosines) or held.vectors.shape[1] != len(self.projection):
            return 0.0
        rows = word_rows(held, scores)
        heard = np.maximum(
            rows.plain @ self.hidden[:PLAIN_NUMBERS]
            + (rows.vectors @ self.projection) @ self.hidden[PLAIN_NUMBERS:]
            + self.hidden_offsets,
            0.0,
        )
        says, counts = (heard @ self.voices + self.voice_offsets).T
        gates = np.logaddexp(0.0, counts)
        found = MEAN_SHARE * float(says @ gates) / (float(gates.sum()) + NO_GATE) + SUM_SHARE * float(says.sum())
        return min(MOST_VOICE, max(-MOST_VOICE, found)) if isfinite(found) else 0.0


class WordRows(NamedTuple):
    """The words that are looked at."""

    chosen: NDArray[np.int64]
    """Which ones of the question's."""
    plain: Floats
    vectors: Floats


def word_rows(held: Held, scores: NDArray[np.floating]) -> WordRows:
    """The numbers of each word that is looked at."""
    chosen = np.arange(len(held.weights))
    if len(chosen) > MOST_WORDS:
        chosen = np.sort(np.argsort(-held.weights, kind="stable")[:MOST_WORDS])
    first = np.argsort(-scores[:LOOKED_AT], kind="stable")[:LEADERS]
    leaders = held.cosines[first][:, chosen]
    best = leaders.max(axis=0)
    rarities = held.rarities[chosen]
    plain = np.concatenate(
        [
            np.maximum(1.0 - np.abs(best[:, np.newaxis] - STEPS) / STEP_WIDTH, 0.0),
            np.stack(
                [
                    best,
                    leaders[0],
                    leaders[:NEXT].max(axis=0),
                    leaders.mean(axis=0),
                    held.known[chosen],
                    held.weights[chosen],
                    (rarities - rarities.max()) / RARITY_SCALE,
                ],
                axis=1,
            ),
        ],
        axis=1,
    ).astype(np.float32)
    return WordRows(chosen, plain, held.vectors[chosen])


def read_evidence(data: bytes) -> Evidence:
    """The network in a file's bytes."""
    try:
        return Evidence(msgspec.json.decode(data, type=Network))
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ModelError(f"the file of evidence cannot be read: {error}") from error
