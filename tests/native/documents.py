"""Documents as the loops of indexing get them: their lines and what is found in them, real ones and made-up ones."""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import strategies as st

from lurcher_index.chunking.findings import Definition, Findings
from lurcher_index.chunking.grammars import load_grammar
from lurcher_index.chunking.languages import language_of
from lurcher_index.chunking.lines import Lines
from lurcher_index.chunking.parsing import read
from lurcher_index.model import EdgeKind, SymbolKind

ROOT = Path(__file__).parents[2]
WORDS = ("a", "ab", "été", "a.b", "A::b", "new A(b).c", "(a)", "<A>", "Optional[A]", "'x'", "$", "@a", "init", "_", "?")
BETWEEN = (" ", "\n", "\r\n", "\n\n", "\t", "\f", "(", ")", "{", "}", ".", ", ", ": ", "\0", "")


class Given(NamedTuple):
    """A document before its outline is made."""

    path: str
    language: str
    lines: Lines
    found: Findings


def answering(answer: object) -> Callable[..., Any]:
    """A function that says the same to everything."""

    def function(*asked: object) -> object:
        return answer

    return function


@cache
def real_documents() -> tuple[Given, ...]:
    """The sources of this repository and one file of every language."""
    folders = ("index", "server", "fixtures", "client-extension", "docs")
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob("*")) if _is_source(path)]
    return tuple(given for path in paths for given in _read(path))


def _is_source(path: Path) -> bool:
    return path.is_file() and "node_modules" not in path.parts and path.stat().st_size < 300_000


def _read(path: Path) -> Iterator[Given]:
    data = path.read_bytes()
    language = language_of(path.name, data[:2048])
    grammar = load_grammar(language)
    if grammar is None or b"\0" in data:
        return
    syntax = read(grammar, data, 10)
    if not isinstance(syntax, str):
        yield Given(str(path.relative_to(ROOT)), language, Lines.of(data), syntax.found)


@st.composite
def made_up_documents(draw: st.DrawFn) -> Given:
    """Texts with definitions, references and hints anywhere: more than any grammar would find."""
    pieces = draw(st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(BETWEEN)), min_size=1, max_size=30))
    data = "".join(word + between for word, between in pieces).encode()
    offset = st.integers(0, len(data))
    ranges = st.tuples(offset, offset).map(lambda pair: (min(pair), max(pair))).filter(lambda pair: pair[0] < pair[1])
    many = st.lists(ranges, max_size=6).map(sorted)
    kinds = st.sampled_from([None, *SymbolKind])
    definitions = [
        Definition(start, end, min(name, other), max(name, other), kind, body, owner, joins)
        for (start, end), name, other, kind, body, owner, joins in draw(
            st.lists(
                st.tuples(ranges, offset, offset, kinds, offset | st.just(-1), ranges | st.just((0, 0)), st.booleans()),
                max_size=8,
            )
        )
    ]
    definitions.sort(key=lambda definition: (definition.start, -definition.end))
    references = [
        (end, start, kind)
        for (start, end), kind in draw(st.lists(st.tuples(ranges, st.sampled_from(EdgeKind)), max_size=20))
    ]
    hints = [
        (*variable, *told, is_call)
        for variable, told, is_call in draw(st.lists(st.tuples(ranges, ranges, st.booleans()), max_size=10))
    ]
    found = Findings(definitions, sorted(references), draw(many), draw(many), draw(many), [], draw(many), hints)
    return Given("", "", Lines.of(data), found)
