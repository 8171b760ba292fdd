"""Filters on paths and languages, as one regular expression that both term indexes understand.

Paths are matched in the form `<folder number>/<path in the folder>`. The expressions use only what the postings'
finite automata and Python's `re` agree on: no look-around, no anchors, and `[^/]` rather than `.`, which stops at
line ends, and a file name may hold one.
"""

import re
from collections.abc import Iterable

import msgspec

_META = frozenset("\\.+*?()|[]{}^$")
_ANY_SEGMENTS = "([^/]*/)*"
_ANY_PATH = "([^/]*/)*[^/]*"


class Filters(msgspec.Struct, frozen=True):
    """What part of the workspace to search. Empty means everywhere; `exclude` wins over everything else."""

    include: tuple[str, ...] = ()
    """Globs relative to the workspace folder: `*.ts`, `src/**`, `{lib,test}/**/*.rb`."""
    exclude: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    """Path prefixes of whole segments: `src/db` does not cover `src/db_utils`."""

    def include_pattern(self) -> str:
        """Expression for the keys that any include glob covers, or "" for all."""
        return _union(glob_pattern(glob) for glob in self.include)

    def exclude_pattern(self) -> str:
        """Expression for the keys that an exclude glob covers, or "" for none."""
        return _union(glob_pattern(glob) for glob in self.exclude)

    def path_pattern(self) -> str:
        """Expression for the keys below any of the path prefixes, or "" for all."""
        prefixes = (prefix.removeprefix("./").strip("/") for prefix in self.paths)
        return _union(_escape(prefix) + f"(/{_ANY_PATH})?" if prefix else _ANY_PATH for prefix in prefixes)

    def accepts(self, key: str, language: str) -> bool:
        """Whether a file passes; the same answer as the expressions give inside the postings."""
        if self.languages and language not in self.languages:
            return False
        wanted = (self.include_pattern(), self.path_pattern())
        if not all(re.fullmatch(pattern, key) for pattern in wanted if pattern):
            return False
        unwanted = self.exclude_pattern()
        return not (unwanted and re.fullmatch(unwanted, key))


def glob_pattern(glob: str) -> str:
    """A glob as an expression over paths in a folder. Without a slash it matches at any depth, as in .gitignore."""
    glob = glob.removeprefix("./")
    anchored = "/" in glob.rstrip("/")
    body = _translate(glob.strip("/"))
    below = "" if glob.endswith("**") else f"(/{_ANY_PATH})?"
    return ("" if anchored else _ANY_SEGMENTS) + body + below


def _union(patterns: Iterable[str]) -> str:
    joined = "|".join(f"({pattern})" for pattern in patterns)
    return f"[0-9]+/({joined})" if joined else ""


def _escape(text: str) -> str:
    return "".join("\\" + char if char in _META else char for char in text)


def _translate(glob: str) -> str:
    parts: list[str] = []
    depth = 0
    at = 0
    while at < len(glob):
        char = glob[at]
        if glob.startswith("**/", at):
            parts.append(_ANY_SEGMENTS)
            at += 3
            continue
        if glob.startswith("**", at):
            parts.append(_ANY_PATH)
            at += 2
            continue
        if char == "[":
            piece, at = _character_class(glob, at)
            parts.append(piece)
            continue
        if char == "{" and "}" in glob[at:]:
            depth += 1
            parts.append("(")
        elif char == "}" and depth:
            depth -= 1
            parts.append(")")
        elif char == "," and depth:
            parts.append("|")
        elif char == "\\" and at + 1 < len(glob):
            at += 1
            parts.append(_escape(glob[at]))
        else:
            parts.append({"*": "[^/]*", "?": "[^/]"}.get(char) or _escape(char))
        at += 1
    return "".join(parts) + ")" * depth


def _character_class(glob: str, at: int) -> tuple[str, int]:
    """`[a-z]` or `[!a-z]` from `at`; a bracket that is never closed stands for itself."""
    end = glob.find("]", at + 2)
    if end < 0:
        return _escape("["), at + 1
    inner = glob[at + 1 : end]
    negated = inner[0] in "!^"
    members = "".join("\\" + char if char in "\\[]^&~" else char for char in inner[negated:])
    return (f"[^/{members}]" if negated else f"[{members}]"), end + 1
