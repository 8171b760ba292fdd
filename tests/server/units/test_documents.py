"""Open documents: the text after edits is the text the editor shows, whatever the encoding."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lurcher_server.lsp.convert import Encoding, units
from lurcher_server.lsp.documents import Documents
from lurcher_server.lsp.standard import ContentChange, OpenedDocument
from lurcher_server.lsp.wire import Position, Range

URI = "file:///a/x.py"


def edited(text: str, edits: list[tuple[tuple[int, int], tuple[int, int], str]], encoding: Encoding = "utf-16") -> str:
    documents = Documents(encoding)
    documents.open(OpenedDocument(uri=URI, text=text, version=1))
    changes = [
        ContentChange(
            range=Range(start=Position(line=start[0], character=start[1]), end=Position(line=end[0], character=end[1])),
            text=new,
        )
        for start, end, new in edits
    ]
    assert documents.change(URI, 2, changes)
    found = documents.get(URI)
    assert found is not None and found[1] == 2
    return found[0]


@pytest.mark.parametrize(
    ("text", "start", "end", "new", "expected"),
    [
        ("abc", (0, 1), (0, 2), "X", "aXc"),
        ("a\nb\nc", (0, 1), (2, 0), "-", "a-c"),
        ("", (0, 0), (0, 0), "new", "new"),
        ("a\n", (1, 0), (1, 0), "b", "a\nb"),
        ("😀b", (0, 2), (0, 3), "c", "😀c"),
        ("a\r\nb", (1, 0), (1, 1), "c", "a\r\nc"),
        ("a\rb", (1, 0), (1, 1), "c", "a\rc"),
        ("a", (9, 9), (9, 9), "b", "ab"),
    ],
)
def test_one_edit(text: str, start: tuple[int, int], end: tuple[int, int], new: str, expected: str) -> None:
    assert edited(text, [(start, end, new)]) == expected


def test_a_form_feed_ends_no_line() -> None:
    """GNU sources are full of them; a server that cuts there edits the wrong line."""
    assert edited("a\x0cb\nc", [((1, 0), (1, 1), "X")]) == "a\x0cb\nX"
    assert edited("a\u2028b\nc", [((1, 0), (1, 1), "X")]) == "a\u2028b\nX"


def test_a_change_of_a_document_that_is_not_open_is_refused() -> None:
    assert not Documents("utf-16").change(URI, 1, [])
    assert not Documents("utf-16").close(URI)


def test_a_whole_text_replaces_everything() -> None:
    documents = Documents("utf-16")
    documents.open(OpenedDocument(uri=URI, text="old", version=1))
    documents.change(URI, 5, [ContentChange(text="new")])
    assert documents.get(URI) == ("new", 5)


LINES = st.lists(st.text(st.sampled_from("ab ü你😀\x0c"), max_size=6), max_size=5)


@given(
    LINES,
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(["utf-8", "utf-16", "utf-32"]),
    st.data(),
)
def test_edits_at_random_places(lines: list[str], end: str, encoding: Encoding, data: st.DataObject) -> None:
    """Against a model that cuts the text at offsets."""
    text = end.join(lines)
    a, b = sorted((data.draw(st.integers(0, len(text))), data.draw(st.integers(0, len(text)))))
    # No editor puts its cursor between the two characters of a line end.
    if end == "\r\n":
        a -= text[a - 1 : a + 1] == end
        b -= text[b - 1 : b + 1] == end
    new = data.draw(st.text(st.sampled_from("xy\n😀"), max_size=4))

    def position(offset: int) -> tuple[int, int]:
        before = text[:offset]
        return before.count(end), units(before.rpartition(end)[2], encoding)

    assert edited(text, [(position(a), position(b), new)], encoding) == text[:a] + new + text[b:]
