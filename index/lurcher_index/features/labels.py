"""Labels of groups: the words that are strong in a group and rare in its neighbours."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from math import log, sqrt

from lurcher_index.features.likeness import words_of
from lurcher_index.features.phrases import stem_words
from lurcher_index.features.values import TreeFile
from lurcher_index.features.verbs import NOUN_TOO, VERBS

LABEL_WORDS = 2
"""Words in the label of a group that no folder gives its name."""

SECOND_SHARE = 0.55
"""How strong the second word has to be beside the first to stand with it."""

TERMS = 4
"""Words that are told about a group besides its label."""

IN_NAMES = 2.0
"""How much stronger a word is that is in the name of one of the files: people named them so. Tuned by eye."""

VERB_WEIGHT = 0.4
"""What a verb counts beside a noun: labels say what something is about."""

Words = dict[str, int]
"""Word → in how many files of a group it is telling. Not a `Counter`: the garbage collector looks into those."""

Names = dict[str, None]
"""A set of words, likewise."""


WORDS_KEPT = 512
"""Words that are remembered of a group, the most frequent: a label never comes from beyond the first few dozen."""


def words_in(files: Sequence[TreeFile], groups: Iterable[Words] = ()) -> Words:
    """The words of some files and groups together."""
    counted = Counter([word for file in files for word in words_of(file)])
    for words in groups:
        counted.update(words)
    if len(counted) <= WORDS_KEPT:
        return dict(counted)
    kept = sorted(counted.items(), key=lambda item: (-item[1], item[0]))[:WORDS_KEPT]
    return dict(kept)


def names_in(files: Sequence[TreeFile]) -> Names:
    """The words of the files' names."""
    return dict.fromkeys([word for file in files for word in stem_words(file.path)])


def strongest(own: Words, names: Names, size: int, around: Words, around_size: int) -> list[tuple[str, float]]:
    """The words of a group that set it apart from all that lies around it, itself included, the strongest first."""
    scored: list[tuple[float, str]] = []
    for word, count in own.items():
        if count == 1 and size > 2 and word not in names:
            continue
        score = count / size * log(1.0 + around_size / around[word]) * sqrt(count / around[word])
        score *= IN_NAMES if word in names else 1.0
        score *= VERB_WEIGHT if word in VERBS and word not in NOUN_TOO else 1.0
        scored.append((-round(score, 9), word))
    scored.sort()
    return [(word, -score) for score, word in scored]


_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[-_.\s]+")


def folder_label(name: str) -> str:
    """A folder's name in words."""
    return " ".join(part.lower() for part in _HUMP.split(name) if part) or name


def made_label(ranked: Sequence[tuple[str, float]]) -> str:
    """A label out of a group's strongest words; words with the same beginning count once."""
    if not ranked:
        return ""
    words = [ranked[0][0]]
    for word, score in ranked[1:]:
        if score < SECOND_SHARE * ranked[0][1] or len(words) == LABEL_WORDS:
            break
        if not any(_are_alike(word, other) for other in words):
            words.append(word)
    return " and ".join(words)


def telling(ranked: Sequence[tuple[str, float]], label: str) -> tuple[str, ...]:
    """The strongest words that the label does not say already."""
    said = label.split()
    found: list[str] = []
    for word, _ in ranked:
        if not any(_are_alike(word, other) for other in (*said, *found)):
            found.append(word)
        if len(found) == TERMS:
            break
    return tuple(found)


def unique(labels: Sequence[str], homes: Sequence[str]) -> list[str]:
    """Labels that differ: those that do not get the name of the folder above, or a number."""
    counted = Counter(labels)
    found: list[str] = []
    for label, home in zip(labels, homes, strict=True):
        above = home.rpartition("/")[0].rpartition("/")[2]
        chosen = f"{label} ({above})" if counted[label] > 1 and above else label
        number = 2
        while chosen in found:
            chosen, number = f"{label} {number}", number + 1
        found.append(chosen)
    return found


def _are_alike(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one)
