"""Names by the compiled part and by its twins in Python are the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.native.conftest import needs_compiled

from lurcher_index.chunking.edges import LOOK_BACK, build_edges, build_edges_in_python
from lurcher_index.chunking.lines import Lines
from lurcher_index.chunking.nesting import Nest
from lurcher_index.features.phrases import named_words_in_python
from lurcher_index.model import EdgeKind
from lurcher_index.native import compiled

pytestmark = needs_compiled
NOTHING = Nest([], [], [], [])


def check_expression(text: str) -> None:
    lines = Lines.of(text.encode())
    references = [(len(lines.data), 0, EdgeKind.CALL)]
    assert build_edges(lines, references, NOTHING) == build_edges_in_python(lines, references, NOTHING)


@given(st.text("abZ09_.:?!@$&-> \\é", min_size=1, max_size=12))
def test_expressions_are_split_alike(text: str) -> None:
    check_expression(text)


@pytest.mark.parametrize(
    "text",
    [
        *("name", "self.name", "a.b.c", "A::B.c", "a.B::c?", "x.empty?", "x.save!", "?", "!", ".", "::", ".a", "::a"),
        *("a..b", "a:b", "a?.b", "a&.b", "a!.b", "9a", "a.9", "a.9?", "@a.b", "$a.b", "a b.c", "a.b c", "a-b", "é.b"),
        *("a" * 300, "a." * 40 + "b", "a." * 41 + "b", "a." * (LOOK_BACK // 2) + "b", "a." * 90 + "b", "a.b\n", "\ta"),
        *("b" * (LOOK_BACK - 1) + ".a", "q." + "a" * (LOOK_BACK - 1), "q." + "a" * 198, "q." + "a" * 199),
    ],
)
def test_odd_expressions_are_split_alike(text: str) -> None:
    check_expression(text)


@given(st.text("abcXYZ019_-$?. IPvOAuthiOSmac", max_size=70) | st.text(max_size=70))
def test_names_have_the_same_words(name: str) -> None:
    assert compiled.named_words(name) == (named_words_in_python(name) if name.isascii() else None)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("getHTTPHeaders", ("get", "http", "headers")),
        ("utf8_decode2", ("utf8", "decode2")),
        ("v2_2", ("v2", "2")),
        ("IPv4Address", ("ipv4", "address")),
        ("__init__", ("init",)),
        ("", ()),
        ("a" * 64, ("a" * 64,)),
        ("a" * 65, ()),
        ("1" * 64, ("1" * 64,)),
    ],
)
def test_words_of_names(name: str, words: tuple[str, ...]) -> None:
    assert compiled.named_words(name) == words == named_words_in_python(name)


def test_a_name_is_a_text() -> None:
    with pytest.raises(TypeError, match="a name is a str"):
        compiled.named_words(b"name")  # type: ignore[arg-type]
