"""The compiled reader and tree-sitter's own binding give the same outline of every text."""

import random
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.native.conftest import needs_compiled

from lurcher_index.chunking.findings import Definition
from lurcher_index.chunking.grammars import Grammar, load_grammar
from lurcher_index.chunking.languages import LANGUAGES, language_of
from lurcher_index.chunking.outline import outline
from lurcher_index.chunking.parsing import Read, read
from lurcher_index.chunking.patterns import compiled_patterns, read_patterns
from lurcher_index.chunking.retyping import Typed
from lurcher_index.native import compiled

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = sorted((ROOT / "fixtures" / "languages").iterdir())
SOURCES = sorted((ROOT / "index").rglob("*.py"))[::4] + sorted((ROOT / "client-extension" / "src").rglob("*.ts"))
PARSED = sorted(row.id for row in LANGUAGES if row.grammar)

pytestmark = needs_compiled


def check(data: bytes, language: str) -> None:
    """Both ways come to the same: what is typed is read by the binding."""
    quick = outline(data, language, parse_seconds=20.0)
    bound = outline(data, language, parse_seconds=20.0, typed=Typed())
    assert quick == bound


def grammar_of(language: str) -> Grammar:
    grammar = load_grammar(language)
    assert grammar is not None
    assert grammar.reader is not None
    return grammar


def found(data: bytes, language: str) -> Read:
    syntax = read(grammar_of(language), data, 10.0)
    assert not isinstance(syntax, str)
    return syntax


@pytest.mark.parametrize("path", [*FIXTURES, *SOURCES], ids=lambda path: str(path.relative_to(ROOT)))
def test_whole_files(path: Path) -> None:
    data = path.read_bytes()
    check(data, language_of(str(path), data[:2048]))


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: str(path.name))
def test_damaged_files(path: Path) -> None:
    data, draw = path.read_bytes(), random.Random(path.name)
    language = language_of(str(path), data[:2048])
    for _ in range(12):
        damaged = bytearray(data)
        for _ in range(draw.randrange(1, 6)):
            at = draw.randrange(len(damaged))
            damaged[at : at + draw.randrange(30)] = draw.choice([b"", b"(", b"}", b"\n\n", b'"', b"\xff", b"=", b"\0"])
        check(bytes(damaged), language)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(PARSED), st.text(max_size=400))
def test_any_text(language: str, text: str) -> None:
    check(text.encode("utf-8", "replace"), language)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(PARSED), st.binary(max_size=300))
def test_any_bytes(language: str, data: bytes) -> None:
    check(data, language)


def test_nothing_is_found_in_nothing() -> None:
    syntax = found(b"", "python")
    assert syntax.found.definitions == []
    assert syntax.found.references == []


def test_a_definition_with_all_its_parts() -> None:
    data = b"class A:\n    @wrap\n    def go(self) -> B:\n        return load(1)\n"
    syntax = found(data, "python")
    names = [data[each.name_start : each.name_end] for each in syntax.found.definitions]
    assert names == [b"A", b"go"]
    body = syntax.found.definitions[1].body
    assert data[body:].startswith(b"return load(1)")
    assert [data[start:end] for end, start, _ in syntax.found.references] == [b"wrap", b"load"]
    assert [data[start:end] for start, end in syntax.found.returns] == [b"B"]


def test_conditions_are_asked() -> None:
    ours = found(b'const a = require("b"), c = demand("d")\n', "javascript")
    assert len([kind for _, _, kind in ours.found.references if kind == "import"]) == 1


def test_a_parse_that_takes_too_long_is_given_up_and_the_next_one_is_whole() -> None:
    grammar = grammar_of("python")
    assert grammar.reader is not None
    large = b"def f(a):\n    return [a, (a), {a: a}]\n" * 20_000
    assert grammar.reader.read(large, 1) is None
    grammar.reader.reset()
    check(b"def g():\n    return 1\n", "python")
    assert read(grammar, large, 0.000_001) == "parse took longer than 1e-06 s"
    check(b"def g():\n    return 1\n", "python")


def test_a_parse_that_was_stopped_goes_on() -> None:
    grammar = grammar_of("go")
    assert grammar.reader is not None
    data = b"package a\n" + b"func f(a int) int { return a + g(a) }\n" * 5_000
    tries = 1
    while (syntax := grammar.reader.read(data, 3_000)) is None:
        tries += 1
    lists = syntax.find(data)
    assert lists is not None
    assert len(lists[0]) == 5_000
    assert tries > 1


def test_two_parses_that_were_stopped_do_not_share_memory() -> None:
    one, other = grammar_of("python").reader, grammar_of("go").reader
    assert one is not None
    assert other is not None
    first, second = b"f(x)\n" * 30_000, b"package a\nvar b = c(d)\n" * 1
    assert one.read(first, 100) is None
    read_whole = other.read(second, 10_000_000)
    assert read_whole is not None
    while (syntax := one.read(first, 10_000_000)) is None:
        pass
    lists = syntax.find(first)
    assert lists is not None
    assert len(lists[1]) == 30_000


def test_threads_take_turns() -> None:
    texts = [path.read_bytes() for path in SOURCES[:12]]
    expected = [outline(text, "python") for text in texts]
    wrong: list[int] = []

    def work() -> None:
        for at, text in enumerate(texts):
            if outline(text, "python") != expected[at]:
                wrong.append(at)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_text_that_is_not_the_one_that_was_read_is_refused() -> None:
    grammar = grammar_of("python")
    syntax = grammar.read(b"f(x)\n" * 10, 1.0)
    assert syntax is not None
    with pytest.raises(ValueError, match="not the text"):
        syntax.find(b"f(x)\n")


def test_lines_of_another_text_are_refused() -> None:
    syntax = grammar_of("python").read(b"f(x)\nf(y)\n", 1.0)
    assert syntax is not None
    assert syntax.ranges(b"f(x)\nf(y)\n", [0, 5, 10], [0, 4, 8], {}, 5, 1, 6) == [(1, 1, 0, 4), (2, 2, 5, 9)]
    with pytest.raises(ValueError, match="not the lines"):
        syntax.ranges(b"f(x)\n", [0, 5], [0, 4], {}, 3, 1, 4)


@pytest.mark.parametrize("top", [-1, 2, None, "1"])
def test_comments_that_do_not_stand_above_are_refused(top: int) -> None:
    syntax = grammar_of("python").read(b"f(x)\nf(y)\n", 1.0)
    assert syntax is not None
    with pytest.raises((TypeError, ValueError)):
        syntax.ranges(b"f(x)\nf(y)\n", [0, 5, 10], [0, 4, 8], {1: top}, 5, 1, 6)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("(nonsense) @comment", "no kind of node called 'nonsense'"),
        ("(comment nonsense: (_) @comment)", "no field called 'nonsense'"),
        ("(_ (comment) @comment)", "has to begin with a kind of node"),
        ("(comment) @unknown", "one role"),
        ("(module (comment)? @comment)", "capture its role, whichever way"),
        ("(module" + " (comment)" * 1_000 + ") @comment", "too many parts"),
        ("(comment)+ @comment", "passed over, not captured"),
        ('(comment) @comment (#near? @comment "x")', "where a node should be"),
        ("(comment", "ends in the middle"),
    ],
)
def test_queries_that_make_no_sense_are_refused(query: str, message: str) -> None:
    import tree_sitter_python

    assert compiled
    with pytest.raises(ValueError, match=message):
        compiled.Reader(tree_sitter_python.language(), compiled_patterns(read_patterns(query)), Definition)


def test_what_is_no_grammar_is_refused() -> None:
    assert compiled
    with pytest.raises(ValueError, match="PyCapsule"):
        compiled.Reader(object(), (), Definition)


def test_many_names_of_one_declaration_take_as_long_as_many_declarations() -> None:
    reader = grammar_of("c").reader
    assert reader is not None
    names = 40_000
    texts = b"int a" + b",\na" * (names - 1) + b";\n", b"int a;\n" * names
    took: list[float] = []
    for text in texts:
        syntax = reader.read(text, 60_000_000)
        assert syntax is not None
        began = time.thread_time()
        lists = syntax.find(text)
        took.append(time.thread_time() - began)
        assert lists is not None
        assert len(lists[0]) == names
    # It was a hundred times as long.
    assert took[0] < 10 * took[1] + 0.5


def test_a_parse_that_was_stopped_does_not_go_on_with_another_text() -> None:
    grammar = grammar_of("python")
    assert grammar.reader is not None
    large = b"def f(a):\n    return [a, (a), {a: a}]\n" * 20_000
    assert grammar.reader.read(large, 1) is None
    small = b"class A:\n    def go(self): ...\n"
    syntax = grammar.reader.read(small, 10_000_000)
    assert syntax is not None
    lists = syntax.find(small)
    assert lists is not None
    assert [(each.name_start, each.name_end) for each in lists[0]] == [(6, 7), (17, 19)]
    syntax = grammar.reader.read(large, 60_000_000)
    assert syntax is not None
    lists = syntax.find(large)
    assert lists is not None
    assert len(lists[0]) == 20_000


def test_a_search_that_finds_far_too_much_is_given_up() -> None:
    reader = grammar_of("swift").reader
    assert reader is not None
    # Each name with each type behind it: this were half a million, and 150 MB.
    text = b"class A {\nlet a: Int" + b",\n a: Int" * 1_000 + b"\n}\n"
    syntax = reader.read(text, 60_000_000)
    assert syntax is not None
    assert syntax.find(text) is None
