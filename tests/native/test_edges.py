"""Edges by the compiled loop and by its twin in Python are the same, and what goes wrong in between is told."""

from collections.abc import Callable
from types import SimpleNamespace

import pytest
from hypothesis import given
from tests.native.conftest import needs_compiled
from tests.native.documents import Given, answering, made_up_documents, real_documents

from lurcher_index.chunking.attach import attachments
from lurcher_index.chunking.edges import build_edges, build_edges_in_python
from lurcher_index.chunking.findings import Findings
from lurcher_index.chunking.lines import Lines
from lurcher_index.chunking.nesting import Nest
from lurcher_index.chunking.symbols import build_symbols
from lurcher_index.model import Edge, EdgeKind, SymbolKind
from lurcher_index.native import compiled

pytestmark = needs_compiled
NOTHING = Nest([], [], [], [])
NO, NOBODY = answering(False), answering(-1)


def check(lines: Lines, found: Findings, told: str = "") -> None:
    symbols, nest = build_symbols(lines, found, attachments(lines, found))
    edges = build_edges(lines, found.references, nest, symbols)
    assert edges == build_edges_in_python(lines, found.references, nest, symbols), told
    assert all(type(edge.more) is tuple and type(edge.bound) is bool for edge in edges)


@given(made_up_documents())
def test_both_ways_give_the_same(document: Given) -> None:
    check(document.lines, document.found)


def test_both_ways_give_the_same_for_real_files() -> None:
    for document in real_documents():
        check(document.lines, document.found, document.path)


def test_only_some_places_of_one_name_are_kept() -> None:
    data = b"call()\n" * 500
    references = [(at + 4, at, EdgeKind.CALL) for at in range(0, len(data), 7)]
    lines = Lines.of(data)
    (edge,) = build_edges(lines, references, NOTHING)
    assert edge == build_edges_in_python(lines, references, NOTHING)[0]
    assert len(edge.more) == 2 * 199


def test_names_with_one_hash_are_kept_apart() -> None:
    data = " ".join(f"n{number}" for number in range(5_000)).encode()
    found = Findings([], [])
    at = 0
    for word in data.split():
        found.references.append((at + len(word), at, EdgeKind.CALL))
        at += len(word) + 1
    check(Lines.of(data), found)


def _function(name_end: object = 0, signature_end: object = 0, container: object = -1) -> SimpleNamespace:
    """A symbol that may have parameters between two places."""
    kind = SymbolKind.FUNCTION
    return SimpleNamespace(kind=kind, name_end=name_end, signature_end=signature_end, container=container)


def _edges(
    split: Callable[[bytes], object],
    symbol: object = _function(),
    is_parameter: Callable[..., object] = NO,
    inheriting: Callable[[int], object] = NOBODY,
    references: list[object] | None = None,
    nest: tuple[object, object, object] = ([0], [8], [-1]),
    starts: object = None,
) -> tuple[Edge, ...]:
    memo, kinds = compiled.Memo(split, 8), (EdgeKind.CALL, EdgeKind.IMPORT, EdgeKind.INHERIT)
    rules = (Edge, kinds, (memo, memo), ((SymbolKind.FUNCTION,), 2_000, is_parameter), 240, 200)
    given = references if references is not None else [(4, 0, EdgeKind.CALL), (8, 5, EdgeKind.INHERIT)]
    lines = starts if starts is not None else [0, 8]
    # No plain names, about which nobody would be asked.
    return compiled.edges(rules, b"na(e a(c", lines, given, nest, inheriting, (symbol,))  # type: ignore[arg-type]


def _name(text: bytes) -> tuple[str, str]:
    return text.decode(), ""


def _raise(*asked: object) -> object:
    raise LookupError("asked")


def test_errors_of_the_functions_are_handed_on() -> None:
    assert [edge.name for edge in _edges(_name)] == ["na(e", "a(c"]
    with pytest.raises(AttributeError):
        _edges(_name, symbol=None)
    with pytest.raises(LookupError):
        _edges(_name, inheriting=_raise)
    with pytest.raises(LookupError):
        _edges(_name, _function(0, 8), is_parameter=_raise)
    with pytest.raises(LookupError):
        _edges(_raise)


@pytest.mark.parametrize("answer", [None, (), ("a",), ("a", b""), (1, ""), ["a", ""], ("a", "", "")])
def test_a_text_is_read_as_a_name_and_a_qualifier(answer: object) -> None:
    with pytest.raises(TypeError):
        _edges(answering(answer))


@pytest.mark.parametrize("numbers", [(None,), ("", 0), (0, 1.5), (0, 0, "")])
def test_a_head_has_numbers(numbers: tuple[object, ...]) -> None:
    with pytest.raises(TypeError):
        _edges(_name, _function(*numbers))


@pytest.mark.parametrize("numbers", [(-1, 4), (0, 9)])
def test_a_head_lies_in_its_document(numbers: tuple[object, ...]) -> None:
    with pytest.raises(ValueError, match="outside"):
        _edges(_name, _function(*numbers))


def test_heads_in_each_other_come_to_an_end() -> None:
    assert len(_edges(_name, _function(5, 8, 0))) == 2
    assert len(_edges(_name, _function(8, 5, 1 << 40))) == 2


@pytest.mark.parametrize("answer", [None, "0", 1 << 80])
def test_a_symbol_is_a_number(answer: object) -> None:
    with pytest.raises((TypeError, OverflowError)):
        _edges(_name, inheriting=answering(answer))


@pytest.mark.parametrize(
    "reference",
    [None, (), (4, 0), [4, 0, EdgeKind.CALL], (9, 0, None), (4, -1, None), (4, 4, None), (3, 4, None), ("4", 0, None)],
)
def test_a_reference_lies_in_its_document(reference: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        _edges(_name, references=[reference])


@pytest.mark.parametrize(
    "nest", [([0], [8], []), ([0], [0], [0]), ([0], [0], [7]), ([0], [0], [-2]), ([0], [None], [0]), ((0,), [8], [-1])]
)
def test_a_nest_is_three_lists_that_go_back(nest: tuple[object, object, object]) -> None:
    with pytest.raises((TypeError, ValueError)):
        _edges(_name, nest=nest)


@pytest.mark.parametrize("starts", [[], [0], [7, 8], ["0", 8], "0"])
def test_lines_begin_before_what_stands_on_them(starts: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        _edges(_name, starts=starts)


def test_a_function_may_change_the_list_it_comes_from() -> None:
    references: list[object] = [(4, 0, EdgeKind.CALL), (8, 5, EdgeKind.CALL)]

    def split(text: bytes) -> tuple[str, str]:
        references.clear()
        return _name(text)

    assert [edge.name for edge in _edges(split, references=references)] == ["na(e", "a(c"]
