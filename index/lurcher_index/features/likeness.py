"""How the files of one folder hang together: by imports among them, and by words that they share and others do not."""

import re
from collections import Counter
from collections.abc import Sequence
from math import log, sqrt

from lurcher_index.features.digests import SILENT
from lurcher_index.features.phrases import stem_words
from lurcher_index.features.values import TreeFile

NAME_WEIGHT = 4
"""What a word of the file's name counts, beside one definition that has it in its name; tuned by eye on ten trees."""

COMMON_SHARE = 3
"""A word that more than one of so many files have tells them apart too little to tie any two."""

LEAST_FILES = 8
"""But as many files may have any word."""

NEIGHBOURS = 6
"""Files that a file is tied to by words, the most alike."""

LEAST_LIKENESS = 0.12
"""Cosine below which sharing a word or two is chance."""

_TOKEN = re.compile(r"\w+")
_NO_TOPICS = frozenset("test tests spec all and the with from into non new lib mod main util utils common misc".split())
_ENDINGS = frozenset("h hh hpp hxx inc js mjs cjs ts tsx jsx vue svelte rb php zig lua sh css scss".split())


def ties(files: Sequence[TreeFile]) -> list[dict[int, float]]:
    """For each file the others it is tied to, and how strongly; the same from both sides."""
    found: list[dict[int, float]] = [{} for _ in files]
    for one, other, weight in (*_by_imports(files), *_by_words(files)):
        for here, there in ((one, other), (other, one)):
            found[here][there] = found[here].get(there, 0.0) + weight
    return found


def words_of(file: TreeFile) -> dict[str, int]:
    """The words that tell what a file is about, with how strongly they do."""
    counted = dict(zip(file.digest.terms, file.digest.counts, strict=False))
    stem = stem_words(file.path)
    for word in stem:
        # Alone, even such a word is what the file is about: `read.rs`, `context.go`.
        if len(word) > 2 and word not in _NO_TOPICS and (len(stem) == 1 or word not in SILENT):
            counted[word] = counted.get(word, 0) + NAME_WEIGHT
    return counted


def _by_imports(files: Sequence[TreeFile]) -> list[tuple[int, int, float]]:
    stems: dict[str, int] = {}
    for at, file in enumerate(files):
        stems.setdefault(_stem(file.path), at)
    pairs: set[tuple[int, int]] = set()
    for at, file in enumerate(files):
        for imported in file.digest.imports:
            target = _target(imported, file.path, stems)
            if target is not None and target != at:
                pairs.add((at, target))
    # What everybody imports says little about who belongs together.
    users = Counter(target for _, target in pairs)
    return [(one, other, 1.0 / (1.0 + log(users[other]))) for one, other in sorted(pairs)]


def _target(imported: str, path: str, stems: dict[str, int]) -> int | None:
    tokens = _TOKEN.findall(imported)
    if len(tokens) > 1 and tokens[-1].lower() in _ENDINGS:
        tokens.pop()
    # `import json` beside a json.py means another one; Python says `.json` or names the package.
    if len(tokens) == 1 and path.endswith((".py", ".pyi")) and not imported.startswith("."):
        return None
    for token in reversed(tokens[-2:]):
        if token.lower() in stems:
            return stems[token.lower()]
    return None


def _by_words(files: Sequence[TreeFile]) -> list[tuple[int, int, float]]:
    counted = [words_of(file) for file in files]
    holders = Counter(word for words in counted for word in words)
    most = max(LEAST_FILES, len(files) // COMMON_SHARE)
    rows: list[dict[str, float]] = []
    for words in counted:
        row = {
            word: (1.0 + log(count)) * log(len(files) / holders[word])
            for word, count in words.items()
            if 1 < holders[word] <= most
        }
        length = sqrt(sum(weight * weight for weight in row.values()))
        rows.append({word: weight / length for word, weight in row.items()} if length else {})
    having: dict[str, list[tuple[int, float]]] = {}
    for at, row in enumerate(rows):
        for word, weight in row.items():
            having.setdefault(word, []).append((at, weight))
    found: dict[tuple[int, int], float] = {}
    for at, row in enumerate(rows):
        alike: dict[int, float] = {}
        for word, weight in row.items():
            for other, theirs in having[word]:
                if other != at:
                    alike[other] = alike.get(other, 0.0) + weight * theirs
        nearest = sorted((-round(cosine, 9), other) for other, cosine in alike.items() if cosine >= LEAST_LIKENESS)
        for cosine, other in nearest[:NEIGHBOURS]:
            found[min(at, other), max(at, other)] = -cosine
    return [(one, other, weight) for (one, other), weight in sorted(found.items())]


def _stem(path: str) -> str:
    return path.rpartition("/")[2].lstrip(".").split(".")[0].lower()
