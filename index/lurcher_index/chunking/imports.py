"""The names that an import statement brings into a file, from its text, one small reader per language."""

import re
from collections.abc import Callable, Iterator

from lurcher_index.model import Import

MAX_STATEMENT_BYTES = 20_000
"""Longest statement that is read; one that lists a thousand names has about that."""

_COMMENT = re.compile(r"#[^\n]*|//[^\n]*|/\*.*?\*/", re.DOTALL)
_SPACE = re.compile(r"\s+")
_QUOTED = re.compile(r"""["'`]([^"'`\n]*)["'`]""")
_AS = re.compile(r"^(?:type\s+)?(.+?)(?:\s+as\s+|\s*=>\s*|:\s*)([\w$]+)$")
_JS_BRACES = re.compile(r"\{([^{}]*)\}")
_REQUIRE = re.compile(
    r"^(.+?)=\s*(?:await\s*)?(?:require|import)\s*\(\s*[\"'`]([^\"'`]*)[\"'`]\s*\)\s*(?:\.([\w$]+))?", re.DOTALL
)


def read_imports(language: str, statement: bytes) -> list[Import]:
    """What one import statement brings in; nothing for one that makes no sense."""
    reader = _READERS.get(language)
    if reader is None or len(statement) > MAX_STATEMENT_BYTES:
        return []
    return list(reader(statement.decode("utf-8", "replace")))


def _plain(text: str) -> str:
    return _SPACE.sub(" ", _COMMENT.sub(" ", text)).strip().rstrip(";").strip()


def _renamed(part: str) -> tuple[str, str]:
    """`a as b`, `a => b` and `a: b`: the name and what it is called here."""
    found = _AS.match(part.strip())
    name = found[1].strip() if found else part.strip().removeprefix("type ").strip()
    return name, found[2] if found else name


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _python(text: str) -> Iterator[Import]:
    line = _SPACE.sub(" ", re.sub(r"#[^\n]*", "", text).replace("\\\n", " ")).strip()
    if line.startswith("from "):
        module, _, names = line[5:].partition(" import ")
        for part in _parts(names.strip("() ")):
            name, local = _renamed(part)
            yield Import(module.strip().replace(" ", ""), name, "" if name == "*" else local)
    else:
        for part in _parts(line.removeprefix("import ")):
            yield Import(_renamed(part)[0], "", _renamed(part)[1])


def _ecma(text: str) -> Iterator[Import]:
    if found := _REQUIRE.match(text):
        yield from _required(_plain(found[1]), found[2], found[3] or "")
        return
    line = _plain(text) if "//" not in text or "/*" in text else _SPACE.sub(" ", text).strip()
    exported = line.startswith("export")
    quoted = _QUOTED.findall(line)
    if not quoted:
        return
    module = quoted[-1]
    head = line[: line.rfind(module) - 1]
    head = re.sub(r"^(?:import|export)\s*(?:type\s+(?!from\b))?|\s*from\s*$", "", head).strip()
    if braces := _JS_BRACES.search(head):
        for part in _parts(braces[1]):
            name, local = _renamed(part)
            yield Import(module, name, local, exported)
    for part in _parts(_JS_BRACES.sub("", head)):
        if part == "*":
            yield Import(module, "*", "", exported)
        elif part.startswith("*"):
            yield Import(module, "", _renamed(part)[1], exported)
        elif part.isidentifier():
            yield Import(module, "default", part, exported)


def _required(names: str, module: str, member: str) -> Iterator[Import]:
    if braces := _JS_BRACES.search(names):
        for part in _parts(braces[1]):
            name, local = _renamed(part)
            yield Import(module, name, local)
    elif names.isidentifier():
        yield Import(module, member, names)


def _go(text: str) -> Iterator[Import]:
    quoted = _QUOTED.search(text)
    local = text[: quoted.start()].strip() if quoted else "_"
    if quoted and local != "_":
        yield Import(quoted[1], "*" if local == "." else "", "" if local == "." else local)


def _dotted(text: str) -> Iterator[Import]:
    """Java and Kotlin."""
    line = _plain(text).removeprefix("import ").strip().removeprefix("static ").strip()
    path, local = _renamed(line)
    module, _, name = path.rpartition(".")
    if name == "*":
        yield Import(module, "*", "")
    elif name:
        yield Import(module, name, local.rpartition(".")[2])


def _scala(text: str) -> Iterator[Import]:
    for line in re.split(r",(?![^{]*\})", _plain(text).removeprefix("import ")):
        module, _, names = line.strip().rpartition(".")
        for part in _parts(names.strip("{} ")):
            name, local = _renamed(part)
            every = name in ("_", "*")
            yield Import(module, "*" if every else name, "" if every else local)


def _csharp(text: str) -> Iterator[Import]:
    line = _plain(text).removeprefix("global ").removeprefix("using ").strip().removeprefix("static ").strip()
    alias, is_alias, path = line.rpartition("=")
    if is_alias:
        module, _, name = path.strip().rpartition(".")
        yield Import(module, name, alias.strip())
    else:
        yield Import(path.strip(), "*", "")


def _rust(text: str) -> Iterator[Import]:
    yield from _rust_tree(_plain(text).replace(" ", "\0"), "", 0)


def _rust_tree(text: str, before: str, depth: int) -> Iterator[Import]:
    """`a::{b::c, d as e}`: a path that ends in a list goes on in each of its parts. Blanks are zero bytes here."""
    if depth > _RUST_DEPTH:
        return
    text = text.strip("\0")
    head, brace, rest = text.partition("{")
    if brace:
        prefix = before + head.strip("\0")
        for part in _top_level(rest.rstrip("\0").removesuffix("}")):
            yield from _rust_tree(part, prefix, depth + 1)
        return
    path, _, alias = (before + text).partition("\0as\0")
    module, _, name = path.strip("\0").rpartition("::")
    if name == "self":
        module, _, name = module.rpartition("::")
    if name:
        yield Import(module, name, "" if name == "*" else alias or name)


_RUST_DEPTH = 20
"""How deep lists are nested at most."""


def _top_level(text: str) -> Iterator[str]:
    depth, start = 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "{") - (letter == "}")
        if letter == "," and depth == 0:
            yield text[start:at]
            start = at + 1
    if text[start:].strip("\0"):
        yield text[start:]


def _php(text: str) -> Iterator[Import]:
    line = re.sub(r"^use (?:function |const )?", "", _plain(text))
    before, brace, rest = line.partition("{")
    for part in _parts(rest.rstrip("} ") if brace else line):
        path, local = _renamed((before.strip() if brace else "") + part)
        module, _, name = path.strip("\\ ").rpartition("\\")
        if name:
            yield Import(module, name, local.rpartition("\\")[2])


def _elixir(text: str) -> Iterator[Import]:
    word, _, rest = _plain(text).partition(" ")
    path, *options = re.split(r", ?(?=\w+:)", rest.strip(), maxsplit=1)
    renamed = re.search(r"as: ([\w.]+)", "".join(options))
    base, brace, names = path.partition(".{")
    for each in _parts(names.rstrip("} ")) if brace else [""]:
        module = f"{base}.{each}" if each else path
        if word == "import":
            yield Import(module, "*", "")
        else:
            yield Import(module, "", renamed[1] if renamed else module.rpartition(".")[2])


def _haskell(text: str) -> Iterator[Import]:
    line = re.sub(r"--[^\n]*", "", text)
    found = re.match(r"import\s+(?:safe\s+)?(?:qualified\s+)?([\w.']+)(?:\s+qualified)?(?:\s+as\s+([\w.']+))?", line)
    if not found:
        return
    yield Import(found[1], "", found[2] or found[1])
    names = re.search(r"\((.*)\)", line[found.end() :], re.DOTALL)
    if names and "hiding" not in line:
        for part in _parts(re.sub(r"\([^()]*\)", "", names[1])):
            yield Import(found[1], part, part)
    elif "qualified" not in line:
        yield Import(found[1], "*", "")


def _assigned(text: str) -> Iterator[Import]:
    """Lua and Zig: a variable that holds a module."""
    names, _, rest = text.partition("=")
    quoted = _QUOTED.search(rest)
    words = names.split(",")[0].replace("pub ", " ").replace("const ", " ").replace("local ", " ").split()
    if quoted and words:
        yield Import(quoted[1], "", words[0])


_READERS: dict[str, Callable[[str], Iterator[Import]]] = {
    "python": _python,
    "javascript": _ecma,
    "typescript": _ecma,
    "tsx": _ecma,
    "go": _go,
    "java": _dotted,
    "kotlin": _dotted,
    "scala": _scala,
    "csharp": _csharp,
    "rust": _rust,
    "php": _php,
    "elixir": _elixir,
    "haskell": _haskell,
    "lua": _assigned,
    "zig": _assigned,
}
