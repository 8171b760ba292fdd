"""Whether a chunk does something or tells of it."""

from math import log1p

import pytest

from lurcher_index.chunking.outline import outline
from lurcher_index.model import Chunk, Symbol, SymbolKind, symbols_by_chunk
from lurcher_index.ranking.doing import DOING, NOTHING_DONE, doing_of

SOURCE = b'''\
LIMIT = 3


class Store:
    """Keeps."""

    size = 4

    def load(self, key):
        if key in self.rows:
            return self.rows[key]
        if key == LIMIT:
            return None
        raise KeyError(key)
'''


def doing(chunk_tokens: int) -> list[dict[str, float]]:
    found = outline(SOURCE, "python", chunk_tokens=chunk_tokens)
    within = [[found.symbols[at] for at in each] for each in symbols_by_chunk(found)]
    return [
        dict(zip(DOING, doing_of(chunk, symbols), strict=True))
        for chunk, symbols in zip(found.chunks, within, strict=True)
    ]


def symbol(kind: SymbolKind, start: int, end: int) -> Symbol:
    return Symbol("a", kind, -1, 1, 1, start, end, start, start + 1, start, end, 0, 0)


def test_a_whole_file() -> None:
    (whole,) = doing(300)
    assert whole["branches"] == pytest.approx(2 / 14)
    assert 0.5 < whole["in_functions"] < 0.8
    assert 0.0 < whole["in_values"] < 0.2
    assert whole["defines_functions"] == whole["defines_types"] == pytest.approx(log1p(1))
    assert (whole["goes_on"], whole["goes_on_from"]) == (0.0, 0.0)


def test_the_middle_of_a_function_goes_on_from_where_it_begins() -> None:
    *_, last = doing(15)
    assert last["goes_on"] == 1.0
    assert 0.3 < last["goes_on_from"] < 1.0
    assert last["in_functions"] == pytest.approx(1.0)
    assert last["defines_functions"] == 0.0


def test_what_lies_in_two_functions_is_counted_once_and_in_both_kinds_as_a_function() -> None:
    chunk = Chunk(1, 2, 0, 100, b"", 3, 1)
    inner, outer = symbol(SymbolKind.FUNCTION, 20, 40), symbol(SymbolKind.METHOD, 10, 60)
    values = [symbol(SymbolKind.VARIABLE, 30, 50), symbol(SymbolKind.FIELD, 80, 90)]
    found = dict(zip(DOING, doing_of(chunk, [outer, inner, *values]), strict=True))
    assert (found["branches"], found["remarks"]) == (1.5, 0.5)
    assert found["in_functions"] == pytest.approx(0.5)
    assert found["in_values"] == pytest.approx(0.1)


def test_a_text_without_definitions_does_nothing() -> None:
    assert doing_of(Chunk(1, 1, 0, 0, b""), []) == NOTHING_DONE
