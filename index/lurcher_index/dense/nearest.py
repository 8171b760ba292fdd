"""How near the words of chunks come to each word of a question: to `delete` a chunk with `remove` comes nearer than one
with neither, wherever the rest of the chunk leads its vector."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lurcher_index.dense.embedder import AskedWords, WordEmbedder
from lurcher_index.dense.wordlists import Wordlist

Floats = NDArray[np.float32]

STEPS = (0.4, 0.6, 0.8)
"""Cosines from which a word counts as akin, as close and as the same; 0.1 below it begins to count."""

STEP_WIDTH = 0.1

TOGETHER = 128
"""Chunks that are looked at together, so that what is held at a time does not grow with what is asked for."""

NO_WORDS = np.zeros(1, np.uint16)
"""Stands for a chunk without words, which is near to nothing."""


class Nearness(NamedTuple):
    """How near some chunks come to a question."""

    asked: AskedWords
    rarities: Floats
    """Of the words that were asked."""
    rows: Floats
    """A row a chunk: the mean of the cosines of its nearest words, and the shares of the question that each of `STEPS`
    counts."""
    cosines: Floats
    """A row a chunk: that of its nearest word to each word of the question."""


def nearest_words(
    embedder: WordEmbedder, asked: AskedWords, rarities: Sequence[float], chunks: Sequence[Wordlist]
) -> Nearness:
    """Hold the words of a question against those of chunks; each counts as much as the model's weight and its rarity
    say."""
    rare = np.array(rarities, np.float32)
    weights = asked.weights * rare
    total = float(weights.sum())
    if not chunks or total <= 0.0:
        nothing = np.zeros((len(chunks), 1 + len(STEPS)), np.float32)
        return Nearness(asked, rare, nothing, np.zeros((len(chunks), len(weights)), np.float32))
    shares = weights / total
    parts = [_nearest(embedder, asked, shares, chunks[at : at + TOGETHER]) for at in range(0, len(chunks), TOGETHER)]
    rows, cosines = (np.concatenate(each) for each in zip(*parts, strict=True))
    return Nearness(asked, rare, rows, cosines)


def _nearest(
    embedder: WordEmbedder, asked: AskedWords, shares: Floats, chunks: Sequence[Wordlist]
) -> tuple[Floats, Floats]:
    lists = [words if len(words) else NO_WORDS for words in chunks]
    sizes = np.array([len(words) for words in lists])
    different, places = _different(np.concatenate(lists))
    cosines = np.maximum.reduceat(embedder.cosines(asked, different).take(places, axis=0), np.cumsum(sizes) - sizes)
    if not all(map(len, chunks)):
        cosines[[not len(words) for words in chunks]] = 0.0
    found = np.empty((len(chunks), 1 + len(STEPS)), np.float32)
    # Not a product of matrices: its last digit depends on the place, and what is equal must be told as equal.
    found[:, 0] = (cosines * shares).sum(axis=1)
    for at, step in enumerate(STEPS, 1):
        found[:, at] = (np.clip((cosines - step) / STEP_WIDTH + 1.0, 0.0, 1.0) * shares).sum(axis=1)
    return found, cosines


def _different(words: Wordlist) -> tuple[Wordlist, NDArray[np.int32]]:
    """The different ones of some words in order, and where each word stands among them.

    There are few numbers that a word can have, so that nothing has to be sorted for it: a fifth of the time.
    """
    seen = np.zeros(int(words.max()) + 1, np.bool_)
    seen[words] = True
    different = np.flatnonzero(seen)
    places = np.zeros(len(seen), np.int32)
    places[different] = np.arange(len(different), dtype=np.int32)
    return different.astype(np.uint16), places[words]
