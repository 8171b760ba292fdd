"""Symbols and what stands above them, by the compiled loops and by their twins in Python, are the same."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from tests.native.conftest import needs_compiled
from tests.native.documents import Given, answering, made_up_documents, real_documents

from lurcher_index.chunking.attach import attachments, attachments_in_python
from lurcher_index.chunking.nesting import place
from lurcher_index.chunking.symbols import beginnings, beginnings_in_python, symbols_in_python, symbols_of
from lurcher_index.model import Symbol
from lurcher_index.native import compiled

pytestmark = needs_compiled


def check(document: Given) -> None:
    lines, found = document.lines, document.found
    attached = attachments(lines, found)
    assert attached == attachments_in_python(lines, found), document.path
    placed, _ = place(lines.data, found.definitions)
    starts, firsts, docs = beginnings(lines, placed, attached)
    assert (starts, firsts, docs) == beginnings_in_python(lines, placed, attached), document.path
    symbols = symbols_of(lines, placed, starts, firsts, docs)
    assert symbols == symbols_in_python(lines, placed, starts, firsts, docs), document.path


@given(made_up_documents())
def test_both_ways_give_the_same(document: Given) -> None:
    check(document)


def test_both_ways_give_the_same_for_real_files() -> None:
    for document in real_documents():
        check(document)


@pytest.mark.parametrize("attached", [None, (0,), (0, 9), (-1, 2), (2, 1), ("0", 1)])
def test_what_is_attached_lies_in_its_document(attached: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        compiled.attachments(b"# a\nb", [0, 4, 5], [attached], [])  # type: ignore[list-item]
    with pytest.raises((TypeError, ValueError)):
        compiled.attachments(b"# a\nb", [0, 4, 5], [], [attached])  # type: ignore[list-item]


@pytest.mark.parametrize("lines", [[], [3, 5], [-1, 5], None])
def test_what_is_attached_stands_on_a_line(lines: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        compiled.attachments(b"# a\nb", lines, [(0, 3)], [])  # type: ignore[arg-type]


def _item(**given: object) -> SimpleNamespace:
    numbers = {"start": 2, "end": 5, "name_start": 2, "name_end": 5, "body": -1, **given}
    definition = SimpleNamespace(**numbers)
    return SimpleNamespace(definition=definition, name="abc", kind="class", container=-1, parent=-1, owner="")


def _beginnings(item: object, lines: object = (0, 5), own_start: object = answering(0), tops: object = None) -> object:
    return compiled.beginnings(b"- abc", list(lines), [item], tops or {}, {}, (0, 0), own_start)  # type: ignore[arg-type, call-overload, list-item]


def _symbols(item: object, start: object = 0, first: object = 2, doc: object = (0, 0)) -> tuple[Symbol, ...]:
    return compiled.symbols(Symbol, b"- abc", [0, 5], [item], [start], [first], [doc])  # type: ignore[list-item]


def test_errors_of_the_functions_are_handed_on() -> None:
    def fail(*asked: object) -> int:
        raise LookupError(asked)

    assert _beginnings(_item()) == ([0], [0], [(0, 0)])
    with pytest.raises(LookupError):
        _beginnings(_item(), own_start=fail)
    for answer in (None, "0", -1, 6):
        with pytest.raises((TypeError, ValueError)):
            _beginnings(_item(), own_start=answering(answer))


def test_a_definition_lies_in_its_document() -> None:
    assert _symbols(_item()) == (Symbol("abc", "class", -1, 1, 1, 0, 5, 2, 5, 2, 5, 0, 0, ""),)  # type: ignore[arg-type]
    for item in (None, _item(start=-1), _item(start=6), _item(start=None)):
        with pytest.raises((AttributeError, TypeError, ValueError)):
            _beginnings(item)
    for item in (None, _item(end=6), _item(name_end=6), _item(name_end=-1), _item(body=6), _item(body="")):
        with pytest.raises((AttributeError, TypeError, ValueError)):
            _symbols(item)
    for numbers in ({"start": 6}, {"first": -1}, {"doc": (0, 6)}, {"doc": (6, 0)}, {"doc": None}, {"doc": (0,)}):
        with pytest.raises((TypeError, ValueError)):
            _symbols(_item(), **numbers)


@pytest.mark.parametrize("lines", [(0,), (1, 5), (0, 4, 2, 5), (0, 6), (), (0, "5")])
def test_lines_go_from_the_start_to_the_end(lines: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        _beginnings(_item(), lines)


@pytest.mark.parametrize("top", [-1, 1, None, 1 << 80])
def test_what_is_above_is_a_line(top: object) -> None:
    with pytest.raises((TypeError, ValueError, OverflowError)):
        _beginnings(_item(start=0), tops={0: top})


def test_each_definition_has_all_its_parts() -> None:
    with pytest.raises(ValueError, match="each definition"):
        compiled.symbols(Symbol, b"- abc", [0, 5], [_item()], [], [2], [(0, 0)])  # type: ignore[list-item]
