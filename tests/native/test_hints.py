"""Hints by the compiled loop and by its twin in Python are the same, and what goes wrong in between is told."""

from collections.abc import Callable

import pytest
from hypothesis import given
from tests.native.conftest import needs_compiled
from tests.native.documents import Given, answering, made_up_documents, real_documents

from lurcher_index.chunking.attach import attachments
from lurcher_index.chunking.hints import build_hints, build_hints_in_python
from lurcher_index.chunking.symbols import build_symbols
from lurcher_index.model import Hint
from lurcher_index.native import compiled

pytestmark = needs_compiled


def check(document: Given) -> None:
    lines, found = document.lines, document.found
    symbols, nest = build_symbols(lines, found, attachments(lines, found))
    hints = build_hints(lines.data, found.hints, found.returns, nest, symbols)
    assert hints == build_hints_in_python(lines.data, found.hints, found.returns, nest, symbols), document.path


@given(made_up_documents())
def test_both_ways_give_the_same(document: Given) -> None:
    check(document)


def test_both_ways_give_the_same_for_real_files() -> None:
    for document in real_documents():
        check(document)


def _hints(
    function: Callable[[bytes], object],
    found: object = (0, 1, 2, 3, False),
    returns: object = (0, 1),
    symbols: tuple[object, ...] = (),
    nest: tuple[object, object, object] = ([], [], []),
) -> tuple[Hint, ...]:
    memo = compiled.Memo(function, 8)
    return compiled.hints((Hint, memo, memo, memo), b"a: B", [found], [returns], nest, symbols)  # type: ignore[arg-type, list-item]


def test_errors_of_the_functions_are_handed_on() -> None:
    def fail(text: bytes) -> str:
        raise LookupError(text)

    assert _hints(bytes.hex) == (Hint(-1, "61", "20"), Hint(-1, "", "61"))
    with pytest.raises(LookupError):
        _hints(fail)


@pytest.mark.parametrize("answer", [None, b"name", 1])
def test_a_text_is_read_as_a_name(answer: object) -> None:
    with pytest.raises(TypeError):
        _hints(answering(answer))


@pytest.mark.parametrize("found", [None, (0, 1), (0, 1, 2, 5, False), (-1, 1, 2, 3, True), (1, 0, 2, 3, True), "12345"])
def test_a_hint_lies_in_its_document(found: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        _hints(bytes.hex, found)


@pytest.mark.parametrize("returns", [None, (0, 5), (0,), (2, 1), ("", 1)])
def test_what_is_returned_lies_in_its_document(returns: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        _hints(bytes.hex, returns=returns)


def test_a_symbol_has_to_be_there_and_to_be_one() -> None:
    nest = ([0], [4], [-1])
    with pytest.raises(IndexError):
        _hints(bytes.hex, nest=nest)
    with pytest.raises(AttributeError):
        _hints(bytes.hex, nest=nest, symbols=(None,))
