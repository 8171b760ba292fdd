"""How much a match counts, by the field it is found in."""

from bisect import bisect_right
from enum import StrEnum


class Fields(StrEnum):
    """What a question is compared with."""

    SNIPPETS = "snippets"
    """The code, its names and its path."""
    FEATURES = "features"
    """What people wrote to say what the code is for: names, documentation and the path, without the code itself."""


FIELD_WEIGHTS = {
    Fields.SNIPPETS: {"body": 1.0, "names": 1.5, "path_terms": 1.5},
    Fields.FEATURES: {"names": 1.5, "docs": 1.0, "path_terms": 1.5},
}
"""A name or a path says in few words what the code is for."""

PREFIX_WEIGHT = 0.4
"""What a term that the unfinished last word begins counts, against a term that was asked for."""

PREFIX_TERMS = 8
"""How many terms an unfinished word is completed to, the most frequent first."""

PART_SCORE = 0.4
"""What a chunk is worth that holds every word only in part; seed 002's figure for plain substrings."""

RELATED_WEIGHT = 0.2
"""What a related term counts at most, against a term that was asked for. On the labelled dev questions no more than
chance at this weight, and a loss at twice as much (decision 0015)."""

SHORT_QUESTION_WORDS = 3
"""Up to so many words, chunks that hold all of them come first: whoever types two or three words means each. A longer
question describes, and the chunk that answers it seldom repeats every word."""

ALL_WORDS_BOOST = 1.25
"""What holding all words is worth in a longer question. All words strictly first for every question: NDCG@10 0.760 on
the labelled dev questions; as a boost for the longer ones: 0.773."""

USUAL_LENGTHS = {"body": 125.0, "names": 9.0, "path_terms": 8.0, "docs": 15.0}
"""Terms in each field of a chunk of 250 tokens, on average over four trees (108 to 150, 7 to 13). tantivy does not tell
its own averages, and the few chunks in memory are too few to have any."""

USUAL_CHUNKS = 200
"""How many chunks in memory it takes for their own average length to count as much as the usual one."""

BM25_K1 = 1.2
BM25_B = 0.75
"""tantivy's constants, needed again where the in-memory index has to score alike."""


def _steps() -> list[int]:
    steps = list(range(40))
    for doubling in range(27):
        steps += [40 + 16 * (2**doubling - 1) + at * 2 ** (doubling + 1) for at in range(8)]
    return steps[:256]


_STEPS = _steps()
"""tantivy keeps the length of a field in a byte: exactly up to 40, then in eight steps for each doubling."""


def stored_length(length: int) -> int:
    """A length as the postings know it."""
    return length if length <= 40 else _STEPS[bisect_right(_STEPS, length) - 1]
