"""A small repository that stand-in servers really search, by queries like those of Zoekt and Sourcegraph."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

HEAD = "1" * 40


@dataclass
class Repository:
    name: str = "github.com/owner/name"
    commit: str = HEAD
    branch: str = "main"
    files: dict[str, str] = field(default_factory=dict)


@dataclass
class Matched:
    path: str
    text: str
    lines: list[int]
    """From 1; none if only the path matched."""
    atoms: int


Node = tuple[Literal["or", "and", "not"], list["Node"]] | str


class NotUnderstood(Exception):
    """A query that the server would refuse."""


def sample(name: str = "github.com/owner/name") -> Repository:
    """Some files that hold what tests look for."""
    return Repository(
        name,
        files={
            "src/reader.py": "import os\n\n\ndef read_file(path):\n    '''Read a file.'''\n    return open(path)\n"
            + "\n" * 20
            + "def parse(path):\n    return read_file(path)\n",
            "src/lib/writer.py": "def write_file(path, text):\n    open(path, 'w').write(text)\n",
            "src/lib/parse.go": "package lib\n\nfunc Parse() {}\n",
            "docs/guide.md": "# Guide\n\nHow to read_file and parse it.\n",
            "other/or.py": "value = 1  # this or that\n",
            "odd/a b (c).py": "x = 'odd repo:evil \"quoted\" \\\\ back'\n",
        },
    )


class Query:
    """A parsed query: words and filters, `or`, `not`, brackets."""

    def __init__(self, text: str, *, has_strings: bool) -> None:
        """`has_strings`: quoted strings, as Zoekt has them; else brackets may stand in a word, as in Sourcegraph."""
        self._tokens = list(_tokens(text, has_strings))
        self._at = 0
        self.fields: dict[str, list[str]] = {}
        self.root = self._any()
        if self._at != len(self._tokens):
            raise NotUnderstood("a bracket is closed that was not opened")

    def search(self, repository: Repository) -> list[Matched]:
        """Files that match, those with most different atoms first."""
        found = [match for path, text in repository.files.items() if (match := self._match(repository, path, text))]
        return sorted(found, key=lambda match: (-match.atoms, -len(match.lines), match.path))

    def _match(self, repository: Repository, path: str, text: str) -> Matched | None:
        lines: set[int] = set()
        atoms: set[str] = set()
        if not self._holds(self.root, repository, path, text, lines, atoms):
            return None
        return Matched(path, text, sorted(lines), len(atoms))

    def _holds(
        self, node: Node, repository: Repository, path: str, text: str, lines: set[int], atoms: set[str]
    ) -> bool:
        if not isinstance(node, str):
            kind, parts = node
            held = [self._holds(part, repository, path, text, lines, atoms) for part in parts]
            return all(held) if kind == "and" else any(held) if kind == "or" else not held[0]
        name, value = node.split("\0", 1)
        match name:
            case "repo":
                pattern, _, revision = value.partition("@")
                known = (repository.commit, repository.branch, "HEAD", "")
                return bool(_regex(pattern).search(repository.name)) and revision in known
            case "file":
                return bool(_regex(value).search(path))
            case "branch":
                return value in repository.branch or value == "HEAD"
            case "":
                at = {number for number, line in enumerate(text.split("\n"), 1) if _regex(value).search(line)}
                lines |= at
                if at or _regex(value).search(path):
                    atoms.add(value)
                    return True
                return False
            case _:
                return True

    def _any(self) -> Node:
        parts = [self._all()]
        while self._peek() == "or":
            self._at += 1
            parts.append(self._all())
        return ("or", parts) if len(parts) > 1 else parts[0]

    def _all(self) -> Node:
        parts: list[Node] = []
        while (token := self._peek()) not in ("", "or", ")"):
            self._at += 1
            if token == "(":
                parts.append(self._any())
                if self._peek() != ")":
                    raise NotUnderstood("a bracket is not closed")
                self._at += 1
            elif token.startswith("-\0"):
                parts.append(("not", ["\0" + token[2:]]))
            else:
                name, _, value = token.partition("\0")
                self.fields.setdefault(name, []).append(value)
                parts.append(token)
        if not parts:
            raise NotUnderstood("there is nothing beside an operator")
        return ("and", parts)

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""


_FIELD = re.compile(r"(-?)(repo|file|branch|lang|case|type|patterntype|fork|archived|count|content):")


def _tokens(text: str, has_strings: bool) -> Iterator[str]:
    """Brackets, operators, and `field NUL value`."""
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
        elif text[at] in "()":
            yield text[at]
            at += 1
        else:
            value, end, is_quoted = _value(text, at, has_strings)
            raw = text[at:end]
            at = end
            named = None if raw.startswith('"') and has_strings else _FIELD.match(value)
            if not is_quoted and value.lower() in ("or", "and", "not"):
                yield value.lower()
            elif named:
                yield f"{named[2]}\0{value[named.end() :]}"
            elif value.startswith("-") and not raw.startswith('"'):
                yield f"-\0{value[1:]}"
            else:
                yield f"\0{value}"


def _value(text: str, at: int, has_strings: bool) -> tuple[str, int, bool]:
    made: list[str] = []
    depth = 0
    is_quoted = False
    while at < len(text):
        each = text[at]
        if each.isspace():
            break
        if has_strings and each == '"':
            is_quoted = True
            at += 1
            while at < len(text) and text[at] != '"':
                if text[at] == "\\":
                    at += 1
                if at >= len(text):
                    raise NotUnderstood("a string is not closed")
                made.append(text[at])
                at += 1
            if at >= len(text):
                raise NotUnderstood("a string is not closed")
            at += 1
            continue
        if each in "()" and has_strings:
            break
        depth += {"(": 1, ")": -1}.get(each, 0)
        if depth < 0:
            break
        made.append(each)
        at += 1
    return "".join(made), at, is_quoted


def _regex(pattern: str) -> re.Pattern[str]:
    """RE2's way to name a character is not Python's."""
    try:
        plain = re.sub(r"\\x\{([0-9a-f]{1,6})\}", lambda match: re.escape(chr(int(match[1], 16))), pattern)
        return re.compile(plain, re.IGNORECASE)
    except re.error as error:
        raise NotUnderstood("a pattern is wrong") from error
