"""Candidates as rows of numbers."""

from math import log1p, sqrt

import msgspec
import numpy as np
import pytest

from lurcher_index.ranking.clues import CLUES, Clue, FileClue, clue_matrix
from lurcher_index.ranking.doing import DOING
from lurcher_index.ranking.facts import ChunkFacts, ContentFacts, Name, parts_of, path_facts
from lurcher_index.ranking.matching import Asking

STORE = Asking(("user", "stor"), (1.0, 3.0), ("UserStore",))
"""A question for a type, in which `store` tells three times as much as `user`."""


def chunk(*names: str, around: str = "", documented: bool = False, complete: bool = False) -> ChunkFacts:
    """A chunk of four lines; names with a capital are types."""
    found = tuple(Name(name, parts_of(name), name[0].isupper()) for name in names)
    parts = tuple(dict.fromkeys(part for name in found for part in name.parts))
    has_type = any(name.is_type for name in found)
    return ChunkFacts(found, parts, parts_of(around), has_type, documented, complete, 4)


def file(path: str, *chunks: ChunkFacts, cosines: tuple[float, ...] = ()) -> FileClue:
    names = [name for each in chunks for name in each.names]
    parts = dict.fromkeys(part for each in chunks for part in (*each.parts, *each.around))
    content = ContentFacts(
        chunks,
        parts,
        tuple(sorted(parts)),
        dict.fromkeys(name.name for name in names),
        dict.fromkeys(name.name.lower() for name in names),
        dict.fromkeys(name.name for name in names if name.is_type),
    )
    return FileClue(path_facts(path), content, np.array(cosines, dtype=np.float32))


def rows(files: list[FileClue], *clues: Clue, asking: Asking = STORE) -> list[dict[str, float]]:
    matrix = clue_matrix(asking, files, clues)
    assert matrix.shape == (len(clues), len(CLUES))
    assert matrix.dtype == np.float32
    return [dict(zip(CLUES, row, strict=True)) for row in matrix.tolist()]


def check(row: dict[str, float], **expected: float) -> None:
    assert {name: row[name] for name in expected} == pytest.approx(expected, abs=1e-5)


def check_one(of: FileClue, asking: Asking = STORE, **expected: float) -> None:
    """Clues of the first chunk of a file."""
    check(rows([of], Clue(0, 0), asking=asking)[0], **expected)


def test_every_clue_has_a_name_of_its_own() -> None:
    assert len(set(CLUES)) == len(CLUES)


def test_scores_by_words_are_shares_of_the_best_and_of_the_question() -> None:
    files = [file("a.py", chunk(), chunk()), file("b.py", chunk())]
    best, half, none = rows(files, Clue(0, 1, 2.0, 1, all_words=True), Clue(0, 0, 1.0, 2), Clue(1, 0, dense_rank=1))
    check(best, words=1.0, word_cover=0.5, by_words=1.0, all_words=1.0, best_words_of_file=1.0)
    check(half, words=0.5, word_cover=0.25, by_words=1.0, all_words=0.0, best_words_of_file=0.0)
    check(none, words=0.0, word_cover=0.0, by_words=0.0, all_words=0.0)


def test_places_count_less_and_less_and_no_place_counts_nothing() -> None:
    files = [file("a.py", chunk(), chunk(), cosines=(0.5, 0.5))]
    first, second = rows(files, Clue(0, 0, 1.0, 1, dense_rank=6), Clue(0, 1, dense_rank=1))
    check(first, word_place=0.2, dense_place=0.1, fused=1 / 61 + 1 / 66)
    check(second, word_place=0.0, dense_place=0.2, fused=1 / 61)


def test_cosines_are_measured_against_the_best_of_all_files() -> None:
    """The best chunk need not be a candidate."""
    files = [file("a.py", chunk(), chunk(), cosines=(0.4, 0.8)), file("b.py", chunk(), cosines=(0.2,))]
    one, other = rows(files, Clue(0, 0, 4.0, 1), Clue(1, 0, 2.0, 2))
    check(one, cosine=0.4, cosine_share=0.5, cosine_gap=-0.4, both=0.5, best_cosine_of_file=0.0)
    check(other, cosine=0.2, cosine_share=0.25, cosine_gap=-0.6, both=0.125, best_cosine_of_file=1.0)


def test_cosines_of_a_file() -> None:
    many = file("a.py", *[chunk()] * 4, cosines=(0.2, 0.8, 0.4, 0.6))
    two = file("b.py", chunk(), chunk(), cosines=(0.2, 0.4))
    single = file("c.py", chunk(), cosines=(0.4,))
    found = rows([many, two, single], Clue(0, 0), Clue(1, 0), Clue(2, 0))
    names = ("file_cosine", "file_cosine_second", "file_cosine_three", "file_cosine_mean")
    shares = [(1.0, 0.75, 0.75, 0.625), (0.5, 0.25, 0.375, 0.375), (0.5, 0.0, 0.5, 0.5)]
    for row, expected in zip(found, shares, strict=True):
        check(row, **dict(zip(names, expected, strict=True)))


def test_without_any_cosine_meaning_says_nothing() -> None:
    for row in rows([file("a.py", chunk()), file("b.py", chunk())], Clue(0, 0, 1.0, 1), Clue(1, 0, 0.5, 2)):
        check(row, cosine=0, cosine_share=0, cosine_gap=0, both=0, dense_place=0, file_dense_count=0)
        check(row, file_cosine=0, file_cosine_second=0, file_cosine_three=0, file_cosine_mean=0)


def test_words_of_a_file_are_those_of_its_candidates() -> None:
    files = [file("a.py", *[chunk()] * 6), file("b.py", chunk()), file("c.py", chunk())]
    of_first = [Clue(0, at, 4.0 - at / 2, at + 1) for at in range(6)]
    found = rows(files, *of_first, Clue(1, 0, 1.0, 21, dense_rank=20), Clue(2, 0, dense_rank=21))
    for row in found[:6]:
        check(row, file_words=1.0, file_words_second=0.875, file_words_sum=3.75, file_words_count=log1p(6))
    check(found[6], file_words=0.25, file_words_second=0, file_words_sum=0.25, file_words_count=0)
    check(found[6], file_dense_count=log1p(1))
    check(found[7], file_dense_count=0)


def test_names_count_as_much_as_their_words_tell() -> None:
    check_one(file("a.py", chunk("UserStore")), names=1.0, best_name=1.0, file_names=1.0)
    check_one(file("a.py", chunk("load_user")), names=0.25, best_name=sqrt(0.25 / 2), file_names=0.25)
    check_one(file("a.py", chunk("store", "user")), names=1.0, best_name=sqrt(0.75))
    check_one(file("a.py", chunk("main")), names=0.0, best_name=0.0, file_names=0.0)


def test_what_lies_around_and_the_path_count_apart_and_together() -> None:
    check_one(file("a.py", chunk("load", around="Store")), names=0, around=0.75, names_and_path=0.75)
    check_one(file("users/a.py", chunk("store")), folders=0.25, stem=0, names=0.75, names_and_path=1.0)
    check_one(file("store.py", chunk("load", around="Store")), names_and_path=0.75)


def test_names_of_the_other_chunks_are_names_of_the_file() -> None:
    check_one(file("a.py", chunk(), chunk("UserStore")), names=0, exact=0, file_names=1, file_exact=1)


def test_a_name_as_it_is_asked_for() -> None:
    check_one(file("a.py", chunk("UserStore")), exact=1, exact_lower=1, exact_type=1)
    check_one(file("a.py", chunk("UserStore")), file_exact=1, file_exact_lower=1, file_exact_type=1)
    check_one(file("a.py", chunk("userstore")), exact=0, exact_lower=1, exact_type=0)
    check_one(file("a.py", chunk("userstore")), file_exact=0, file_exact_lower=1, file_exact_type=0)
    check_one(file("a.py", chunk("UserStores", "Other")), exact=0, exact_lower=0, exact_type=0)


def test_a_function_of_the_name_is_no_type() -> None:
    asking = Asking(("load",), (1.0,), ("load",))
    check_one(file("a.py", chunk("load", "Store")), asking, exact=1, exact_type=0, file_exact=1, file_exact_type=0)


def test_without_identifiers_nothing_is_exact() -> None:
    asking = Asking(("user", "stor"), (1.0, 3.0))
    check_one(file("userstore.py", chunk("UserStore")), asking, exact=0, exact_lower=0, exact_type=0)
    check_one(file("userstore.py", chunk("UserStore")), asking, stem_is_name=0, file_exact=0, type_in_own_file=0)


def test_a_stem_that_is_asked_for() -> None:
    check_one(file("store.py", chunk()), stem=0.75, stem_asked=1.0, stem_is_name=0, stem_in_question=0)
    check_one(file("store_cache.py", chunk()), stem=0.75, stem_asked=0.5)
    check_one(file("user_store.py", chunk()), stem=1.0, stem_asked=1.0, stem_is_name=1, type_in_own_file=0)
    check_one(file("user_store.py", chunk("UserStore")), type_in_own_file=1)
    check_one(file("other.py", chunk("UserStore")), stem=0, stem_asked=0, type_in_own_file=0)


def test_a_stem_that_the_question_spells_in_two_words() -> None:
    asking = Asking(("data", "base", "open"), (1.0, 1.0, 1.0))
    check_one(file("database.py", chunk()), asking, stem_in_question=1)
    check_one(file("dat.py", chunk()), asking, stem_in_question=0)


def test_words_that_begin_alike_are_near() -> None:
    """But not words of less than four letters."""
    asking = Asking(parts_of("authenticate"), (1.0,))
    check_one(file("auth.py", chunk("auth")), asking, names=0, names_near=1, stem=0, stem_near=1)
    check_one(file("aut.py", chunk("aut")), asking, names_near=0, stem_near=0)
    check_one(file("author.py", chunk("author")), asking, names_near=0, stem_near=0)
    check_one(file("authenticate.py", chunk("authenticate")), asking, names=1, names_near=1, stem=1, stem_near=1)
    short = Asking(("auth",), (1.0,))
    check_one(file("a.py", chunk("authenticate")), short, names=0, names_near=1)


@pytest.mark.parametrize(
    ("path", "kind", "wanted"),
    [
        ("tests/a.py", "test", Asking(("a",), (1.0,), wants_tests=True)),
        ("examples/a.py", "example", Asking(("a",), (1.0,), wants_examples=True)),
        ("docs/a.py", "documentation", Asking(("a",), (1.0,), wants_documentation=True)),
        ("a.toml", "configuration", Asking(("a",), (1.0,), wants_configuration=True)),
    ],
)
def test_a_kind_of_file_is_wanted_only_by_who_asks_for_it(path: str, kind: str, wanted: Asking) -> None:
    check_one(file(path, chunk()), STORE, **{kind: 1, f"wanted_{kind}": 0})
    check_one(file(path, chunk()), wanted, **{kind: 1, f"wanted_{kind}": 1})
    check_one(file("a.py", chunk()), wanted, **{kind: 0, f"wanted_{kind}": 0})


def test_other_kinds_of_files() -> None:
    check_one(file("vendor/a.py", chunk()), second_hand=1, entrance=0, declarations=0)
    check_one(file("a/__init__.py", chunk()), second_hand=0, entrance=1, declarations=0)
    check_one(file("a.h", chunk()), second_hand=0, entrance=0, declarations=1)


def test_kinds_of_chunks() -> None:
    files = [file("a.py", chunk("Store", documented=True), chunk("load", complete=True), chunk())]
    kind, method, rest = rows(files, Clue(0, 0), Clue(0, 1), Clue(0, 2))
    check(kind, defines=1, defines_type=1, documented=1, complete=0, first=1, lines=log1p(4), chunks=log1p(3))
    check(method, defines=1, defines_type=0, documented=0, complete=1, first=0, lines=log1p(4), chunks=log1p(3))
    check(rest, defines=0, defines_type=0, documented=0, complete=0, first=0)


def test_nearest_words_are_told_beside_the_best_candidate_and_the_best_of_the_file() -> None:
    files = [file("a.py", chunk(), chunk()), file("b.py", chunk())]
    clues = (Clue(0, 0), Clue(0, 1), Clue(1, 0))
    near = np.array([[0.2, 0.1, 0.1, 0.0], [0.6, 0.5, 0.4, 0.3], [0.8, 0.7, 0.6, 0.5]], np.float32)
    matrix = clue_matrix(STORE, files, clues, near)
    first, second, other = (dict(zip(CLUES, row, strict=True)) for row in matrix.tolist())
    check(first, nearest=0.2, nearest_gap=-0.6, file_nearest=0.6, best_nearest_of_file=0)
    check(second, nearest=0.6, nearest_gap=-0.2, file_nearest=0.6, best_nearest_of_file=1)
    check(other, nearest=0.8, nearest_gap=0, file_nearest=0.8, best_nearest_of_file=1)
    check(second, nearest_akin=0.5, nearest_close=0.4, nearest_same=0.3)


def test_without_words_of_a_model_nothing_is_nearest() -> None:
    (row,) = rows([file("a.py", chunk())], Clue(0, 0))
    assert not any(value for name, value in row.items() if "nearest" in name)


def test_what_a_chunk_does_is_told_as_it_is() -> None:
    does = tuple(at / 10 for at in range(len(DOING)))
    of = file("a.py", msgspec.structs.replace(chunk("a"), doing=does))
    check(rows([of], Clue(0, 0))[0], **dict(zip(DOING, does, strict=True)))
