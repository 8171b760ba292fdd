"""Names are packed as the same keys by the compiled loops and by their twins in Python."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.native.conftest import needs_compiled
from tests.native.documents import answering, real_documents

from lurcher_index.chunking.outline import outline
from lurcher_index.model import Edge, EdgeKind, Import, Outline, Symbol, SymbolKind
from lurcher_index.native import compiled
from lurcher_index.store.linkage import pack_defined, pack_defined_in_python, pack_used, pack_used_in_python

pytestmark = needs_compiled
NAMES = st.text(st.characters(codec=None), max_size=12)
SYMBOLS = st.builds(
    Symbol,
    NAMES,
    st.sampled_from(SymbolKind),
    st.integers(-2, 12),
    *[st.just(0)] * 10,
    NAMES | st.just(""),
)
EDGES = st.builds(Edge, st.sampled_from(EdgeKind), NAMES, NAMES, st.just(1), st.just(-1))
IMPORTS = st.builds(Import, NAMES, NAMES | st.just("*"), NAMES)


def check(found: Outline) -> None:
    assert pack_used(found) == pack_used_in_python(found)
    assert pack_defined(found) == pack_defined_in_python(found)


@given(st.lists(SYMBOLS, max_size=10), st.lists(EDGES, max_size=10), st.lists(IMPORTS, max_size=5))
def test_both_ways_give_the_same(symbols: list[Symbol], edges: list[Edge], imports: list[Import]) -> None:
    check(Outline("", 0, (), tuple(symbols), tuple(edges), imports=tuple(imports)))


def test_both_ways_give_the_same_for_real_files() -> None:
    for document in real_documents():
        check(outline(document.lines.data, document.language))


def _used(edge: object, answer: object = 1, more: tuple[object, ...] = ()) -> bytes:
    return compiled.used_keys((edge,), EdgeKind.IMPORT, answering(answer), more)  # type: ignore[arg-type]


def test_keys_are_in_order_and_each_once() -> None:
    assert _used(Edge(EdgeKind.IMPORT, "a", "", 1, -1), 258, (1, 258, 0)) == bytes([0, 0, 0, 0, 1, 0, 0, 0, 2, 1, 0, 0])


@pytest.mark.parametrize("answer", [None, "1", -1, 1 << 32, 1 << 80])
def test_a_key_is_a_number_of_32_bits(answer: object) -> None:
    edge = Edge(EdgeKind.IMPORT, "a", "", 1, -1)
    with pytest.raises((TypeError, OverflowError)):
        _used(edge, answer)
    with pytest.raises((TypeError, OverflowError)):
        _used(edge, more=(answer,))


def test_errors_of_the_function_are_handed_on() -> None:
    def fail(module: str) -> int:
        raise LookupError(module)

    with pytest.raises(LookupError):
        compiled.used_keys((Edge(EdgeKind.IMPORT, "a", "", 1, -1),), EdgeKind.IMPORT, fail, ())


@pytest.mark.parametrize("edge", [None, SimpleNamespace(kind=1), SimpleNamespace(kind=1, name=b"a")])
def test_an_edge_has_a_kind_and_a_name(edge: object) -> None:
    with pytest.raises((AttributeError, TypeError)):
        _used(edge)


def _symbol(**given: object) -> SimpleNamespace:
    return SimpleNamespace(**{"name": "a", "kind": 1, "container": -1, "owner": "", **given})


@pytest.mark.parametrize(
    "symbol",
    [None, _symbol(name=1), _symbol(owner=1), _symbol(container=""), _symbol(container=1 << 80), _symbol(kind=[])],
)
def test_a_symbol_has_a_kind_a_name_and_what_is_around(symbol: object) -> None:
    assert len(compiled.defined_keys((_symbol(),), {1: 2}, 5)) == 12  # type: ignore[arg-type, dict-item]
    with pytest.raises((AttributeError, TypeError, OverflowError)):
        compiled.defined_keys((symbol,), {1: 2}, 5)  # type: ignore[arg-type, dict-item]


def test_a_kind_fits_into_its_bits() -> None:
    with pytest.raises(OverflowError):
        compiled.defined_keys((_symbol(),), {1: 32}, 5)  # type: ignore[arg-type, dict-item]
    for bits in (0, -1, 32):
        with pytest.raises(ValueError, match="bits"):
            compiled.defined_keys((), {}, bits)
