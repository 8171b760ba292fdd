"""Positions in the client's units, and questions out of params."""

import msgspec
import pytest

from lurcher_index.errors import BadQuery
from lurcher_index.words.filters import Filters
from lurcher_server.lsp.convert import Encoding, ask_of, chunk_range, units
from lurcher_server.lsp.protocol import ChunkSearchParams


@pytest.mark.parametrize(("encoding", "length"), [("utf-8", 1 + 2 + 3 + 4), ("utf-16", 1 + 1 + 1 + 2), ("utf-32", 4)])
def test_units_of_characters_of_one_to_four_bytes(encoding: Encoding, length: int) -> None:
    assert units("aü你😀", encoding) == length


def check(
    first: int, last: int, before: str, text: str, expected: tuple[int, int, int, int], encoding: Encoding
) -> None:
    found = chunk_range(first, last, before, text, encoding)
    assert (found.start.line, found.start.character, found.end.line, found.end.character) == expected


def test_lines_count_from_zero_and_the_end_is_behind_the_last_character() -> None:
    check(3, 4, "", "def a():\n    pass", (2, 0, 3, 8), "utf-16")


def test_a_chunk_that_begins_inside_a_long_line() -> None:
    check(1, 1, "😀😀", "ab", (0, 4, 0, 6), "utf-16")
    check(1, 1, "😀😀", "ab", (0, 8, 0, 10), "utf-8")
    check(1, 2, "xx", "ab\ncd", (0, 2, 1, 2), "utf-16")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_end(end: str) -> None:
    check(1, 2, "", f"a{end}bcd", (0, 0, 1, 3), "utf-16")


def asked(**fields: object) -> ChunkSearchParams:
    return msgspec.convert({"query": "q", "maxResults": 5, **fields}, ChunkSearchParams)


def test_presets_and_weights() -> None:
    def weights(**fields: object) -> tuple[float, float]:
        found = ask_of(asked(**fields), Filters(), 20.0).weights
        return found.words, found.meaning

    assert weights() == (0.5, 0.5)
    assert weights(preset="words") == (0.7, 0.3)
    assert weights(preset="meaning") == (0.3, 0.7)
    assert weights(preset="words", weights={"words": 1, "meaning": 0}) == (1.0, 0.0)


@pytest.mark.parametrize(
    "fields",
    [
        {"maxResults": None},
        {"maxResults": 0},
        {"tokenBudget": -1},
        {"query": " \n"},
        {"weights": {"words": 0, "meaning": 0}},
        {"weights": {"words": -1, "meaning": 2}},
        {"rrfK": 0},
        {"maxPerFile": 0},
        {"deadlineMs": 0},
    ],
)
def test_what_cannot_be_asked(fields: dict[str, object]) -> None:
    with pytest.raises(BadQuery):
        ask_of(asked(**fields), Filters(), 20.0)


@pytest.mark.parametrize(
    ("given", "lines"),
    [
        ({"start": {"line": 0, "character": 0}, "end": {"line": 4, "character": 3}}, (1, 5)),
        ({"start": {"line": 2, "character": 5}, "end": {"line": 4, "character": 0}}, (3, 4)),
        ({"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 0}}, (3, 3)),
    ],
)
def test_ranges_the_chat_has(given: dict[str, object], lines: tuple[int, int]) -> None:
    (seen,) = ask_of(asked(alreadyInContext=[{"uri": "file:///a/x.py", "range": given}]), Filters(), 20.0).seen
    assert (seen.path, seen.first_line, seen.last_line) == ("/a/x.py", *lines)


def test_a_document_of_another_machine_is_not_seen() -> None:
    assert ask_of(asked(alreadyInContext=[{"uri": "untitled:x"}, {}]), Filters(), 20.0).seen == ()


@pytest.mark.parametrize(
    ("results", "budget", "limit"), [(10, None, 10), (None, 1000, 4), (3, 1000, 3), (50, 1000, 4), (None, 100, 1)]
)
def test_section_1_budget_and_results_limit_together(results: int | None, budget: int | None, limit: int) -> None:
    assert ask_of(asked(maxResults=results, tokenBudget=budget), Filters(), 20.0).result_limit == limit
