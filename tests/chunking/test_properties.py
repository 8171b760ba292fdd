"""What holds for the chunks of any text: property tests, real files and hostile input."""

import sys
import time
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lurcher_index.chunking import languages
from lurcher_index.chunking.languages import LANGUAGES, language_of
from lurcher_index.chunking.outline import outline
from lurcher_index.config import MINIFIED_LINE_CHARACTERS
from lurcher_index.model import Outline
from lurcher_index.text.lines import line_at, line_starts
from lurcher_index.text.tokens import count_tokens

BLANK = b" \t\r\n\x0b\x0c"
GRAMMARS = [row.id for row in LANGUAGES if row.grammar]


def check(data: bytes, found: Outline, chunk_tokens: int = 250) -> None:
    """Everything that must hold, whatever the text."""
    starts = line_starts(data)
    assert found.line_count == len(starts)
    for before, after in pairwise(found.chunks):
        assert before.end <= after.start
        assert before.last_line < after.first_line or before.last_line == before.first_line == after.first_line
    covered = [data[chunk.start : chunk.end] for chunk in found.chunks]
    assert b"".join(covered).translate(None, BLANK) == data.translate(None, BLANK)
    lone = {chunk.first_line for chunk in found.chunks if chunk.first_line == chunk.last_line}
    for chunk, text in zip(found.chunks, covered, strict=True):
        assert text.translate(None, BLANK)
        assert count_tokens(text) <= max(chunk_tokens * 1.3, 4)
        assert chunk.digest == blake2b(text, digest_size=8).digest()
        assert chunk.first_line == line_at(starts, chunk.start)
        assert chunk.last_line == line_at(starts, chunk.end - 1)
        assert chunk.start in starts or chunk.first_line in lone
        assert data[chunk.end : chunk.end + 1] in (b"", b"\r", b"\n") or chunk.first_line in lone
        text.decode()
    check_symbols(data, found)


def check_symbols(data: bytes, found: Outline) -> None:
    """Symbols lie in order inside the text and point to each other and back."""
    for before, after in pairwise(found.symbols):
        assert before.start <= after.start
    for symbol in found.symbols:
        assert 0 <= symbol.start <= symbol.signature_start <= symbol.signature_end <= symbol.end <= len(data)
        assert 1 <= symbol.first_line <= symbol.last_line <= found.line_count
        assert symbol.start <= symbol.name_start < symbol.name_end <= symbol.end
        assert -1 <= symbol.container < len(found.symbols)
        assert 0 <= symbol.doc_start <= symbol.doc_end <= len(data)
        assert symbol.name
    assert len({(edge.kind, edge.name, edge.qualifier, edge.symbol) for edge in found.edges}) == len(found.edges)
    for edge in found.edges:
        assert edge.name
        assert len(edge.qualifier) <= 80
        assert -1 <= edge.symbol < len(found.symbols)
        assert 1 <= edge.line <= found.line_count


TEXTS = st.one_of(
    st.text(max_size=400),
    st.text(alphabet="ab(){}[]<>:;=#/*\"'`\\|@-_., \t\n\r\x0b\x0c\0\ufeff\u4e2d\U0001f40e", max_size=600),
    st.lists(
        st.sampled_from(
            ["def f(a):", "    g(a)", "class A:", "", "  # note", "@d", "}", "{", "if (a) {", "end", "- a: b", "# h"]
        ),
        max_size=80,
    ).map("\n".join),
)


@settings(max_examples=400, deadline=None)
@given(text=TEXTS, language=st.sampled_from(["text", *GRAMMARS]), tokens=st.integers(1, 60))
def test_any_text(text: str, language: str, tokens: int) -> None:
    data = text.encode("utf-8", "ignore")
    found = outline(data, language, chunk_tokens=tokens)
    check(data, found, tokens)
    assert outline(data, language, chunk_tokens=tokens) == found


@settings(max_examples=150, deadline=None)
@given(raw=st.binary(max_size=500), language=st.sampled_from(["text", *GRAMMARS]))
def test_any_bytes_once_decoded(raw: bytes, language: str) -> None:
    data = raw.decode("utf-8", "replace").encode()
    check(data, outline(data, language, chunk_tokens=20), 20)


def real_files(limit: int) -> list[Path]:
    """Files of the packages that happen to be installed, spread evenly."""
    folders = [Path(sys.prefix) / "lib", Path("/usr/lib/python3")]
    endings = {
        ".py",
        ".pyi",
        ".md",
        ".rst",
        ".toml",
        ".json",
        ".c",
        ".h",
        ".js",
        ".css",
        ".html",
        ".txt",
        ".sh",
        ".pyx",
    }
    files = [
        path
        for folder in folders
        for path in sorted(folder.rglob("*"))
        if path.suffix in endings and ".min." not in path.name and 0 < path.stat().st_size < 400_000
    ]
    return files[:: max(1, len(files) // limit)]


def test_real_files() -> None:
    for path in real_files(250):
        data = path.read_bytes().decode("utf-8", "replace").encode()
        found = outline(data, language_of(path.name, data))
        check(data, found)
        # A table that some program wrote into one line has to be told apart; everything else parses, in time.
        is_minified = max(map(len, data.splitlines()), default=0) > MINIFIED_LINE_CHARACTERS
        assert bool(found.note) == is_minified, (path, found.note)


@pytest.mark.parametrize("path", sorted(Path("fixtures/languages").glob("*")), ids=lambda path: str(path.name))
@pytest.mark.parametrize("tokens", [3, 17, 60])
def test_fixtures_at_many_sizes(path: Path, tokens: int) -> None:
    data = path.read_bytes()
    check(data, outline(data, language_of(path.name, data), chunk_tokens=tokens), tokens)


@pytest.mark.parametrize(
    ("language", "data", "note"),
    [
        ("python", b"x = " + b"(\n" * 100_000, "nested"),
        ("json", b'{"a":\n' * 50_000 + b"1" + b"}\n" * 50_000, "nested"),
        ("javascript", b"[" * 5_000 + b"]" * 5_000, "nested"),
        ("c", b"a+" * 20_000, "longer"),
        ("yaml", b"".join(b" " * depth + b"a:\n" for depth in range(400)), "indented"),
        ("yaml", b"- " * 3_000 + b"a\n", "indented"),
        ("yaml", b"".join(b" " * depth + b"a:\n" for depth in range(100)), ""),
        ("python", b"".join(b" " * depth + b"if a:\n" for depth in range(400)), ""),
        ("bash", "{9\U0001f40e\U000617a6 \u4e2d}\n".encode() * 50, ""),
        ("text", b"head\n" + b"    a\n" + b"        a long line of text\n" * 500, ""),
        ("text", b"\n\nhead\n" + b"        a long line of text\n        b\n" * 500, ""),
        ("markdown", b"> " * 300 + b"deep\n", ""),
        ("html", b"<div>\n" * 3_000, ""),
        ("python", b"x = (1" + b"\n  + 1" * 5_000 + b")", ""),
        ("javascript", b"a" + b"\n  .then(b)" * 2_000, ""),
        ("json", "\0\ufeff\x0c".encode() * 50, ""),
    ],
    ids=lambda value: ascii(value[:12]) if isinstance(value, bytes) else str(value),
)
def test_hostile_input(language: str, data: bytes, note: str) -> None:
    found = outline(data, language)
    check(data, found)
    assert note in found.note
    assert bool(note) == bool(found.note)


def test_a_parse_that_takes_too_long_is_given_up() -> None:
    data = b"def f(a):\n    return g(a)\n\n" * 20_000
    found = outline(data, "python", parse_seconds=0.005)
    check(data, found)
    assert found.note == "parse took longer than 0.005 s"
    assert not outline(b"a = 1\n", "python", parse_seconds=0.005).note


def test_a_hundred_thousand_lines_take_time_in_proportion() -> None:
    def seconds(count: int) -> float:
        data = b"".join(b"def f%d(a):\n    return g(a)\n" % number for number in range(count))
        # Of this thread alone: what else the machine does is no part of it.
        began = time.thread_time()
        assert len(outline(data, "python", parse_seconds=60).symbols) == count
        return time.thread_time() - began

    small, large = (min(seconds(count) for _ in range(3)) for count in (10_000, 50_000))
    assert large < small * 5 * 3


def test_a_grammar_that_is_missing_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(languages._GRAMMARS, "martian", "tree_sitter_martian")
    found = outline(b"a = 1\n", "martian")
    check(b"a = 1\n", found)
    assert "tree_sitter_martian" in found.note
