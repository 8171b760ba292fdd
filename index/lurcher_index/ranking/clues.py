"""Every candidate as a row of numbers: what words, meaning, names, the path and its neighbours in the file say for it.

Nothing here knows a language, a project or a benchmark. How deep a file lies, which would be a fine guess for one
benchmark, is left out on purpose.
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from math import log1p
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from lurcher_index.ranking.doing import DOING
from lurcher_index.ranking.facts import ChunkFacts, ContentFacts, PathFacts, Words
from lurcher_index.ranking.matching import NEAR_LETTERS, Asking, Hits, Matcher

Matrix = NDArray[np.float32]

PLACE_OFFSET = 4.0
"""How flat the first places of a ranking are: the first counts 0.2, the sixth half of that."""

FUSION_OFFSET = 60.0
"""The constant of reciprocal rank fusion."""

LEAST_COSINE = 0.05
"""Cosine that shares are at least measured against; the best candidate of any real question has several times more."""

LEADING = 20
"""Places of a ranking that count when a file's chunks among them are counted."""

CLUES = (
    # What retrieval says of the chunk.
    "words",
    "word_cover",
    "word_place",
    "by_words",
    "all_words",
    "cosine",
    "cosine_share",
    "cosine_gap",
    "dense_place",
    "both",
    "fused",
    # How near the words of the chunk come to those of the question.
    "nearest",
    "nearest_gap",
    "nearest_akin",
    "nearest_close",
    "nearest_same",
    "file_nearest",
    "best_nearest_of_file",
    # What it says of the other chunks of the file.
    "file_words",
    "file_words_second",
    "file_words_sum",
    "file_words_count",
    "file_cosine",
    "file_cosine_second",
    "file_cosine_three",
    "file_cosine_mean",
    "file_dense_count",
    "best_words_of_file",
    "best_cosine_of_file",
    # What the names in the chunk and around it say.
    "names",
    "best_name",
    "names_near",
    "around",
    "names_and_path",
    "exact",
    "exact_lower",
    "exact_type",
    # What the path says.
    "stem",
    "stem_asked",
    "stem_near",
    "folders",
    "stem_is_name",
    "stem_in_question",
    # What the names of the whole file say.
    "file_names",
    "file_exact",
    "file_exact_lower",
    "file_exact_type",
    "type_in_own_file",
    # What kind of file and of chunk it is.
    "test",
    "example",
    "documentation",
    "configuration",
    "second_hand",
    "entrance",
    "declarations",
    "wanted_test",
    "wanted_example",
    "wanted_documentation",
    "wanted_configuration",
    "defines",
    "defines_type",
    "documented",
    "complete",
    "lines",
    "first",
    "chunks",
    # Whether it does something or tells of it.
    *DOING,
)
"""The numbers of a row, in order. Shares are of the best candidate; `word_cover` and `cosine` are as they are."""


class FileClue(NamedTuple):
    """What is known of a file with candidates."""

    path: PathFacts
    content: ContentFacts
    cosines: NDArray[np.float32]
    """Those of all its chunks; empty if it has no vectors."""


class Clue(NamedTuple):
    """What retrieval knows of one candidate."""

    file: int
    """Place of its file in the list of files."""
    ordinal: int
    words: float = 0.0
    """Score by words; 0 if they did not find it."""
    word_rank: int = 0
    """From 1; 0 if the words did not find it."""
    all_words: bool = False
    dense_rank: int = 0


def clue_matrix(asking: Asking, files: Sequence[FileClue], clues: Sequence[Clue], near: Matrix | None = None) -> Matrix:
    """A row of `CLUES` for each candidate; `near` has the numbers of `dense.nearest`, a row each."""
    if not clues:
        return np.zeros((0, len(CLUES)), dtype=np.float32)
    matcher = Matcher(asking)
    by_file = [_of_file(matcher, asking, file) for file in files]
    rows = _table((_of_chunk(matcher, by_file[clue.file], files[clue.file], clue) for clue in clues), len(_CHUNK_CLUES))
    at = np.array([clue.file for clue in clues], dtype=np.int64)
    matrix = np.empty((len(clues), len(CLUES)), dtype=np.float32)
    for name, column in _retrieval(asking, [file.cosines for file in files], clues, at).items():
        matrix[:, _AT[name]] = column
    matrix[:, _AT_NEAREST] = _nearest(near, at) if near is not None else 0.0
    matrix[:, _AT_CHUNK] = rows
    matrix[:, _AT_FILE] = _table((each.values for each in by_file), len(_FILE_CLUES))[at]
    matrix[:, _AT["type_in_own_file"]] = matrix[:, _AT["file_exact_type"]] * matrix[:, _AT["stem_is_name"]]
    return matrix


def _table(rows: Iterable[Iterable[float]], width: int) -> NDArray[np.float64]:
    """Rows of numbers and truths. numpy takes three times as long if it has to find out what is in a list of tuples."""
    return np.fromiter(chain.from_iterable(rows), dtype=np.float64).reshape(-1, width)


_Columns = tuple[
    tuple[int, ...], tuple[int, ...], tuple[float, ...], tuple[int, ...], tuple[bool, ...], tuple[int, ...]
]
"""Those of `Clue`."""


def _retrieval(
    asking: Asking, cosines: Sequence[NDArray[np.float32]], clues: Sequence[Clue], at: NDArray[np.int64]
) -> dict[str, NDArray[np.float64]]:
    columns = cast("_Columns", tuple(zip(*clues, strict=True)))
    numbers, ordinals, found_scores, found_ranks, all_words, found_dense = columns
    scores = np.array(found_scores, dtype=np.float64)
    word_ranks = np.array(found_ranks, dtype=np.float64)
    dense_ranks = np.array(found_dense, dtype=np.float64)
    chunks = zip(numbers, ordinals, strict=True)
    cosine = np.array([float(cosines[file][ordinal]) if len(cosines[file]) else 0.0 for file, ordinal in chunks])
    of_files = np.array([_of_cosines(each) for each in cosines])
    words = scores / max(float(scores.max()), 1e-6)
    # What points the other way is as unlike as can be; a share of next to nothing would drown all other clues.
    best = max(float(of_files[:, 0].max()), LEAST_COSINE)
    share = np.maximum(cosine, 0.0) / best
    of_words = _words_of_files(words, word_ranks, dense_ranks, at, len(cosines))
    return {
        "words": words,
        "word_cover": scores / max(sum(asking.rarities), 1e-6),
        "word_place": _place(word_ranks, PLACE_OFFSET),
        "by_words": (word_ranks > 0).astype(np.float64),
        "all_words": np.array(all_words, dtype=np.float64),
        "cosine": cosine,
        "cosine_share": share,
        "cosine_gap": cosine - float(of_files[:, 0].max()),
        "dense_place": _place(dense_ranks, PLACE_OFFSET),
        "both": words * share,
        "fused": _place(word_ranks, FUSION_OFFSET) + _place(dense_ranks, FUSION_OFFSET),
        **{name: column[at] for name, column in of_words.items()},
        **dict(zip(_COSINE_CLUES, (np.maximum(of_files, 0.0) / best)[at].T, strict=True)),
        "best_words_of_file": (words >= of_words["file_words"][at]).astype(np.float64),
        "best_cosine_of_file": (cosine >= of_files[at, 0]).astype(np.float64),
    }


_NEAREST_CLUES = (
    "nearest",
    "nearest_akin",
    "nearest_close",
    "nearest_same",
    "nearest_gap",
    "file_nearest",
    "best_nearest_of_file",
)


def _nearest(near: Matrix, at: NDArray[np.int64]) -> Matrix:
    """The numbers of the nearest words, and beside them the best candidate's and the best of the file."""
    nearest = near[:, 0]
    of_files = np.full(int(at.max()) + 1, -np.inf, np.float32)
    np.maximum.at(of_files, at, nearest)
    of_file = of_files[at]
    # What has no words that are known leads nobody.
    leads = ((nearest >= of_file) & (nearest > 0.0)).astype(np.float32)
    return np.column_stack((near, nearest - nearest.max(), of_file, leads))


def _place(ranks: NDArray[np.float64], offset: float) -> NDArray[np.float64]:
    """High for the first places, 0 where there is none."""
    return np.where(ranks > 0, 1.0 / (offset + ranks), 0.0)


def _words_of_files(
    words: NDArray[np.float64],
    word_ranks: NDArray[np.float64],
    dense_ranks: NDArray[np.float64],
    at: NDArray[np.int64],
    count: int,
) -> dict[str, NDArray[np.float64]]:
    """The best word scores among the candidates of each file, and how many of them lead a ranking."""
    by_file: list[list[float]] = [[] for _ in range(count)]
    numbers: list[int] = at.tolist()
    scores_of: list[float] = words.tolist()
    for file, score in zip(numbers, scores_of, strict=True):
        by_file[file].append(score)
    for scores in by_file:
        scores.sort(reverse=True)
    return {
        "file_words": np.array([scores[0] if scores else 0.0 for scores in by_file]),
        "file_words_second": np.array([scores[1] if len(scores) > 1 else 0.0 for scores in by_file]),
        "file_words_sum": np.array([sum(scores[:5]) for scores in by_file]),
        "file_words_count": np.log1p(np.bincount(at[(word_ranks > 0) & (word_ranks <= LEADING)], minlength=count)),
        "file_dense_count": np.log1p(np.bincount(at[(dense_ranks > 0) & (dense_ranks <= LEADING)], minlength=count)),
    }


FEW = 64
"""Chunks of a file up to which its cosines are sorted one by one."""

_COSINE_CLUES = ("file_cosine", "file_cosine_second", "file_cosine_three", "file_cosine_mean")


def _of_cosines(cosines: NDArray[np.float32]) -> tuple[float, float, float, float]:
    count = len(cosines)
    if count == 0:
        return 0.0, 0.0, 0.0, 0.0
    if count == 1:
        only = float(cosines[0])
        return only, 0.0, only, only
    # Sorting numbers of Python is quicker than numpy where there are few of them, as in most files.
    some: list[float] = (cosines if count <= FEW else np.partition(cosines, count - 3)[-3:]).tolist()
    leading = sorted(some, reverse=True)[:3]
    return leading[0], leading[1], sum(leading) / len(leading), float(cosines.sum()) / count


_FILE_CLUES = (
    "stem",
    "stem_asked",
    "stem_near",
    "folders",
    "stem_is_name",
    "stem_in_question",
    "file_names",
    "file_exact",
    "file_exact_lower",
    "file_exact_type",
    "test",
    "example",
    "documentation",
    "configuration",
    "second_hand",
    "entrance",
    "declarations",
    "wanted_test",
    "wanted_example",
    "wanted_documentation",
    "wanted_configuration",
    "chunks",
)


class _OfFile(NamedTuple):
    bits: int
    """Stems of the question that stand in the path."""
    hits: Hits
    """Words of the names in the file that have to do with the question."""
    values: tuple[float, ...]


def _of_file(matcher: Matcher, asking: Asking, file: FileClue) -> _OfFile:
    path, content = file.path, file.content
    stem, near, asked = matcher.bits(path.stem)
    folders, _, _ = matcher.bits(path.folders)
    hits = matcher.hits(content.parts, content.ordered_parts)
    kind = path.kind
    values = (
        matcher.worth[stem],
        asked / max(1, len(path.stem)),
        matcher.worth[near],
        matcher.worth[folders],
        float(path.flat in matcher.flat),
        float(len(path.flat) >= NEAR_LETTERS and path.flat in matcher.joined),
        matcher.worth[_together(equal for equal, _ in hits.values())],
        float(_any_in(matcher.wanted, content.names)),
        float(_any_in(matcher.lower, content.lower_names)),
        float(_any_in(matcher.wanted, content.type_names)),
        *map(float, kind),
        float(kind.test and asking.wants_tests),
        float(kind.example and asking.wants_examples),
        float(kind.documentation and asking.wants_documentation),
        float(kind.configuration and asking.wants_configuration),
        log1p(len(content.chunks)),
    )
    return _OfFile(stem | folders, hits, values)


def _any_in(few: Iterable[str], words: Words) -> bool:
    return any(each in words for each in few)


def _together(bits: Iterable[int]) -> int:
    found = 0
    for each in bits:
        found |= each
    return found


_CHUNK_CLUES = (
    "names",
    "best_name",
    "names_near",
    "around",
    "names_and_path",
    "exact",
    "exact_lower",
    "exact_type",
    "defines",
    "defines_type",
    "documented",
    "complete",
    "lines",
    "first",
    *DOING,
)


def _of_chunk(matcher: Matcher, of_file: _OfFile, file: FileClue, clue: Clue) -> tuple[float, ...]:
    chunk: ChunkFacts = file.content.chunks[clue.ordinal]
    hits = of_file.hits
    bits = near = around = 0
    if hits:
        for part in chunk.parts:
            if part in hits:
                equal, close = hits[part]
                bits |= equal
                near |= close
        for part in chunk.around:
            if part in hits:
                around |= hits[part][0]
    exact = matcher.exact(chunk.names) if matcher.wanted else _NOT_EXACT
    return (
        matcher.worth[bits],
        matcher.best(chunk.names, hits) if bits else 0.0,
        matcher.worth[near],
        matcher.worth[around],
        matcher.worth[bits | around | of_file.bits],
        *exact,
        len(chunk.names) > 0,
        chunk.defines_type,
        chunk.documented,
        chunk.complete,
        log1p(chunk.lines),
        clue.ordinal == 0,
        *chunk.doing,
    )


_NOT_EXACT = (False, False, False)
_AT = {name: at for at, name in enumerate(CLUES)}
_AT_NEAREST = [_AT[name] for name in _NEAREST_CLUES]
_AT_CHUNK = [_AT[name] for name in _CHUNK_CLUES]
_AT_FILE = [_AT[name] for name in _FILE_CLUES]
