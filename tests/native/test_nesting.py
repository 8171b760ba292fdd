"""Definitions are put into the same containers by the compiled part and by its twin in Python."""

from collections.abc import Callable
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.native.conftest import needs_compiled
from tests.native.documents import Given, answering, made_up_documents, real_documents

from lurcher_index.chunking.findings import Definition
from lurcher_index.chunking.nesting import Placed, place, place_in_python
from lurcher_index.model import SymbolKind
from lurcher_index.native import compiled

pytestmark = needs_compiled
NAMES = ("a", "Foo", "init", "constructor", "MAX", "_", "A1", "é", "'quoted'", "[]", "x y", "")


def check(data: bytes, definitions: list[Definition], told: str = "") -> None:
    assert place(data, definitions) == place_in_python(data, definitions), told


@given(made_up_documents())
def test_whatever_is_found_is_placed_alike(document: Given) -> None:
    check(document.lines.data, document.found.definitions)


def test_real_files_are_placed_alike() -> None:
    for document in real_documents():
        check(document.lines.data, document.found.definitions, document.path)


@st.composite
def nested(draw: st.DrawFn) -> tuple[bytes, list[Definition]]:
    """Definitions within each other that nothing but their ranges put anywhere: what the compiled part knows."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=8))
    kinds = draw(st.lists(st.sampled_from(SymbolKind), min_size=len(names), max_size=len(names)))
    data = " ".join(names).encode()
    definitions: list[Definition] = []
    at = 0
    for name, kind in zip(names, kinds, strict=True):
        size = len(name.encode())
        end = draw(st.integers(at + size, len(data)))
        definitions.append(Definition(at, end, at, at + size, kind, -1, (0, 0), False))
        at += size + 1
    return data, definitions


@given(nested())
def test_plain_definitions_are_placed_alike(document: tuple[bytes, list[Definition]]) -> None:
    check(*document)


NAME = answering("name")


def _rules(text: Callable[..., object] = NAME) -> tuple[object, ...]:
    kinds = (SymbolKind.VARIABLE, SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTANT, SymbolKind.CONSTRUCTOR)
    return (
        Placed,
        ((SymbolKind.CLASS,), (SymbolKind.FUNCTION,), ()),
        frozenset({"init"}),
        (text, answering(None)),
        kinds,
    )


def _definition(**given: object) -> SimpleNamespace:
    usual = {
        "start": 0,
        "end": 5,
        "name_start": 2,
        "name_end": 5,
        "kind": SymbolKind.CLASS,
        "owner": (0, 0),
        "joins": False,
    }
    return SimpleNamespace(**(usual | given))


def _place(definition: object, rules: object = None) -> list[Placed] | None:
    return compiled.place(rules or _rules(), b"- abc", [definition])  # type: ignore[arg-type, list-item]


def test_what_needs_more_than_ranges_is_left_to_python() -> None:
    placed = _place(_definition())
    assert placed is not None
    assert [(item.name, item.kind, item.container) for item in placed] == [("abc", SymbolKind.CLASS, -1)]
    for given_ in ({"kind": None}, {"joins": True}, {"owner": (0, 3)}):
        assert _place(_definition(**given_)) is None


def test_a_name_lies_in_its_document() -> None:
    for given_ in (
        {"name_end": 6},
        {"name_start": -1},
        {"name_start": 5, "name_end": 2},
        {"start": None},
        {"owner": 1},
    ):
        with pytest.raises((TypeError, ValueError)):
            _place(_definition(**given_))
    with pytest.raises(AttributeError):
        _place(None)


def test_errors_of_the_functions_are_handed_on() -> None:
    def fail(*asked: object) -> str:
        raise LookupError(asked)

    odd = _definition(name_start=0)
    with pytest.raises(LookupError):
        _place(odd, _rules(fail))
    with pytest.raises(TypeError, match="a name is a str"):
        _place(odd, _rules(answering(b"name")))
    with pytest.raises(ValueError, match="more kinds"):
        _place(odd, (Placed, ((SymbolKind.CLASS,) * 9, (), ()), frozenset(), (fail, fail), (None,) * 5))
