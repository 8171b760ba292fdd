"""Choose the vocabulary: the most frequent words of the mined pairs, and pieces for all others.

`python -m training.vocabulary PAIRS WORK` writes `vocabulary.json`: the words with how often each occurs.
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

import msgspec

from lurcher_index.dense.static.paths import path_words
from lurcher_index.dense.static.tokens import MAX_WORD_LETTERS, PIECE_MARK, runs, words_of
from training.pairs import Pair, read_pairs

WORDS = 40_000
"""Whole words; more would be seen too seldom to be learned from a million pairs."""

PIECES = 3_000
"""Parts of unknown words."""

PIECE_LETTERS = range(2, 6)
"""Lengths of pieces; single letters are pieces in any case."""

MIN_PACKAGES = 3
"""Packages in which a word must occur, so that no project's private names get a place."""

MAX_LETTERS = 24
"""Longer words are put together from pieces."""

QUERY_SHARE = 3
"""An occurrence in a question counts this often: questions are short, and their words matter."""

PRUNED_AT = 4_000_000
"""Different words counted before those seen once are forgotten, to keep within memory."""


class Vocabulary(msgspec.Struct, frozen=True):
    """Words and pieces, most frequent first within each, with their counts; a piece's count is an estimate."""

    words: list[str]
    counts: list[int]


def count(pairs: Iterable[Pair]) -> tuple[Counter[str], Counter[str]]:
    """How often each word occurs, and in how many packages (a package that comes twice counts twice)."""
    occurring: Counter[str] = Counter()
    packages: Counter[str] = Counter()
    for _, group in groupby(pairs, lambda pair: pair.package):
        found: Counter[bytes] = Counter()
        for pair in group:
            found.update(runs(pair.query.encode("utf-8", "replace")) * QUERY_SHARE)
            found.update(runs(path_words(pair.path.encode("utf-8", "replace"))))
            found.update(runs(pair.code.encode("utf-8", "replace")))
        inside: Counter[str] = Counter()
        for run, times in found.items():
            for word in words_of(run):
                inside[word] += times
        occurring.update(inside)
        packages.update(inside.keys())
        if len(occurring) > PRUNED_AT:
            occurring = Counter({word: times for word, times in occurring.items() if times > 1})
    return occurring, packages


def choose(occurring: Counter[str], packages: Counter[str], size: int = WORDS, pieces: int = PIECES) -> Vocabulary:
    """The most frequent words, and the pieces that spell most of the others."""
    usable = (
        word
        for word in occurring
        if packages[word] >= MIN_PACKAGES and len(word) <= MAX_LETTERS and not (word.isdigit() and len(word) > 2)
    )
    chosen = sorted(usable, key=lambda word: (-occurring[word], word))[:size]
    known = set(chosen)
    parts: Counter[str] = Counter()
    for word, times in occurring.items():
        if word not in known and len(word) <= MAX_WORD_LETTERS and not word.isdigit():
            for part in _parts(word):
                parts[part] += times
    letters = sorted({letter for word in occurring for letter in word if letter.isascii() and letter.isalpha()})
    # A longer piece spells more of a word at once.
    longer = sorted(parts, key=lambda part: (-parts[part] * (len(part) - 1), part))[: max(0, pieces - len(letters))]
    spelled = [*letters, *longer]
    counts = [occurring[word] for word in chosen] + [parts[part] or sum(parts.values()) // 100 for part in spelled]
    return Vocabulary([*chosen, *(PIECE_MARK + part for part in spelled)], counts)


def _parts(word: str) -> Iterator[str]:
    for letters in PIECE_LETTERS:
        for at in range(len(word) - letters + 1):
            yield word[at : at + letters]


def read_vocabulary(work: Path) -> Vocabulary:
    """The vocabulary chosen before."""
    return msgspec.json.decode((work / "vocabulary.json").read_bytes(), type=Vocabulary)


def main() -> None:
    """Count, choose, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("pairs", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--words", type=int, default=WORDS)
    parser.add_argument("--pieces", type=int, default=PIECES)
    options = parser.parse_args()
    occurring, packages = count(read_pairs(options.pairs))
    vocabulary = choose(occurring, packages, options.words, options.pieces)
    options.work.mkdir(parents=True, exist_ok=True)
    (options.work / "vocabulary.json").write_bytes(msgspec.json.encode(vocabulary))
    covered = sum(occurring[word] for word in vocabulary.words) / max(1, occurring.total())
    print(f"{len(occurring):,} different words, {len(vocabulary.words):,} in the vocabulary, {covered:.1%} of all text")


if __name__ == "__main__":
    main()
