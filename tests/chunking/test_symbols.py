"""What is found in a realistic file of every language, and how symbols carry their comments and signatures.

`golden/symbols.txt` holds the symbols and references of every file in `fixtures/languages`; after a change run this
file as a script to rewrite it, and review the difference.
"""

from pathlib import Path

import pytest

from lurcher_index.chunking.languages import language_of
from lurcher_index.chunking.outline import outline
from lurcher_index.model import Edge, EdgeKind, Outline, Symbol, SymbolKind

ROOT = Path(__file__).parents[2]
FIXTURES = sorted((ROOT / "fixtures" / "languages").iterdir())
GOLDEN = Path(__file__).parent / "golden" / "symbols.txt"


def outline_of(path: Path) -> Outline:
    data = path.read_bytes()
    return outline(data, language_of(path.name, data))


def describe(found: Outline) -> list[str]:
    """One line per symbol (kind and path of names) and per reference (name and who makes it)."""
    return [_symbol(found, symbol) for symbol in found.symbols] + [_edge(found, edge) for edge in found.edges]


def _symbol(found: Outline, symbol: Symbol) -> str:
    names = [symbol.name]
    container = symbol.container
    while container >= 0:
        names.insert(0, found.symbols[container].name)
        container = found.symbols[container].container
    return f"{symbol.kind.value} {' > '.join(names)}"


def _edge(found: Outline, edge: Edge) -> str:
    name = f"{edge.qualifier} . {edge.name}" if edge.qualifier else edge.name
    return f"{edge.kind.value}: {name}" + (f" <- {found.symbols[edge.symbol].name}" if edge.symbol >= 0 else "")


def golden() -> dict[str, list[str]]:
    files: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in GOLDEN.read_text("utf-8").splitlines():
        if line.startswith("== "):
            lines = files.setdefault(line[3:], [])
        else:
            lines.append(line)
    return files


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: str(path.name))
def test_every_language(path: Path) -> None:
    found = outline_of(path)
    assert not found.note
    assert describe(found) == golden()[path.name]


def check(language: str, text: str, *expected: tuple[str, str, str, str]) -> None:
    """Compare each symbol's kind and name, its signature, its documentation and where its range starts."""
    data = text.encode()
    found = outline(data, language)
    seen = [
        (
            f"{symbol.kind.value} {symbol.name}",
            data[symbol.signature_start : symbol.signature_end].decode(),
            data[symbol.doc_start : symbol.doc_end].decode(),
            data[symbol.start : symbol.end].decode().split("\n")[0],
        )
        for symbol in found.symbols
    ]
    assert seen == list(expected)


def test_python_docstring_and_decorators() -> None:
    check(
        "python",
        '# Not the documentation.\n@cached(\n    1,\n)\ndef f(\n    a,\n) -> int:\n    """Doc."""\n    b = 1\n',
        ("function f", "def f(\n    a,\n) -> int:", '"""Doc."""', "# Not the documentation."),
    )


def test_a_comment_after_a_blank_line_is_not_attached() -> None:
    check("python", "# File.\n\ndef f(): pass\n", ("function f", "def f():", "", "def f(): pass"))


def test_a_comment_behind_code_is_not_attached() -> None:
    check(
        "python",
        "a = 1  # One.\nb = 2\n",
        ("variable a", "a = 1", "", "a = 1"),
        ("variable b", "b = 2", "", "b = 2"),
    )


def test_rust_doc_comments_and_attributes() -> None:
    check(
        "rust",
        "/// One.\n/// Two.\n#[inline]\npub fn f(a: u8) -> u8 {\n    a\n}\n",
        ("function f", "pub fn f(a: u8) -> u8", "/// One.\n/// Two.", "/// One."),
    )


def test_java_annotations_are_not_the_signature() -> None:
    check(
        "java",
        "/** Doc. */\n@A\n@B(1)\npublic class C { }\n",
        ("class C", "public class C", "/** Doc. */", "/** Doc. */"),
    )


def test_exported_functions_start_at_export() -> None:
    check(
        "typescript",
        "/** Doc. */\nexport const f = async (a: number) => {\n  return a;\n};\n",
        ("function f", "export const f = async (a: number) =>", "/** Doc. */", "/** Doc. */"),
    )


def test_elixir_clauses_are_one_function() -> None:
    check(
        "elixir",
        '@doc "Sums."\ndef f([]), do: 0\ndef f([a | b]), do: a + f(b)\n',
        ("function f", "def f([]), do: 0", '@doc "Sums."', '@doc "Sums."'),
    )


def test_locals_are_no_symbols_but_nested_functions_are() -> None:
    found = outline(b"def f():\n    a = 1\n    def g():\n        b = 2\n    return g\n", "python")
    assert [(symbol.name, symbol.kind, symbol.container) for symbol in found.symbols] == [
        ("f", SymbolKind.FUNCTION, -1),
        ("g", SymbolKind.FUNCTION, 0),
    ]


def test_a_call_is_kept_once_per_symbol_with_its_places() -> None:
    found = outline(b"def f():\n    os.path.join(a)\n    os.path.join(b)\n\nos.path.join(c)\n", "python")
    assert found.edges == (
        Edge(EdgeKind.CALL, "join", "os.path", 2, 0, 12, (3, 12)),
        Edge(EdgeKind.CALL, "join", "os.path", 5, -1, 8),
    )


@pytest.mark.parametrize(
    ("language", "text", "name", "qualifier"),
    [
        ("python", "a.b(c).d(e)", "d", "a.b()"),
        ("python", "x[0].run()", "run", "()"),
        ("python", "', '.join(a)", "join", "''"),
        ("python", "super().run()", "run", "super()"),
        ("javascript", "a\n  .b(f(1, g(2)))\n  .c()", "c", "a.b()"),
        ("python", f"{'a' * 90}.run()", "run", "()"),
        ("javascript", "this.#load()", "#load", "this"),
        ("javascript", "a?.b?.c()", "c", "a?.b"),
        ("typescript", "make<string>(1)", "make", ""),
        ("rust", "fn f() { Vec::<u8>::new(); }", "new", "Vec"),
        ("cpp", "int f() { std::max<int>(1, 2); }", "max", "std"),
        ("php", "<?php $this->repo->find(1);", "find", "$this->repo"),
        ("go", "package a\nfunc f() { fmt.Println(1) }", "Println", "fmt"),
        ("ruby", "Foo::Bar.baz(1)", "baz", "Foo::Bar"),
    ],
)
def test_names_and_qualifiers(language: str, text: str, name: str, qualifier: str) -> None:
    edges = outline(text.encode(), language).edges
    assert (name, qualifier) in [(edge.name, edge.qualifier) for edge in edges if edge.kind is EdgeKind.CALL]


if __name__ == "__main__":
    GOLDEN.parent.mkdir(exist_ok=True)
    parts = ["\n".join([f"== {path.name}", *describe(outline_of(path))]) for path in FIXTURES]
    GOLDEN.write_text("\n".join(parts) + "\n", "utf-8")
