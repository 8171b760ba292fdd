"""Finds comments between lines of code: what a paragraph of code is for, said by the one who wrote it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

LINE_SIGNS = {
    **dict.fromkeys(
        "javascript typescript tsx go rust java kotlin c cpp csharp swift scala zig objc dart groovy".split(), "//"
    ),
    **dict.fromkeys("python ruby elixir bash".split(), "#"),
    "php": "//",
    "lua": "--",
    "haskell": "--",
    "erlang": "%",
}
"""How a comment of one line begins."""

LONGEST_CODE = 14
"""Lines of code that a comment may speak for: up to a blank line or the end of the block."""

CODE_LIKE = re.compile(r"[;{}=]|\w\(|\)\s*$|->|=>|::|<<|&&|\|\|")
"""Code that was commented out."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A comment and the code after it, as line numbers from 0, the ends not included."""

    first: int
    code: int
    end: int


def remarks(lines: list[str], language: str) -> Iterator[Remark]:
    """Comments that stand directly over code at the same depth."""
    sign = LINE_SIGNS.get(language)
    if not sign:
        return
    at = 0
    while at < len(lines):
        if not lines[at].lstrip().startswith(sign) or lines[at].lstrip().startswith("#!"):
            at += 1
            continue
        first = at
        while at < len(lines) and lines[at].lstrip().startswith(sign):
            at += 1
        if at < len(lines) and lines[at].strip() and _depth(lines[at]) == _depth(lines[first]) > 0:
            end = at
            while (
                end < min(len(lines), at + LONGEST_CODE)
                and lines[end].strip()
                and _depth(lines[end]) >= _depth(lines[at])
            ):
                end += 1
            if end - at >= 2:
                yield Remark(first, at, end)


def header(lines: list[str], language: str) -> tuple[int, int] | None:
    """The comments at the top of a file, as line numbers; licences are left to whoever reads the text."""
    sign = LINE_SIGNS.get(language, "#")
    at = 0
    while at < min(len(lines), 6) and not lines[at].strip():
        at += 1
    first = at
    if at < len(lines) and lines[at].lstrip().startswith(("/*", "{-", "--[[", '"""', "'''", "<?php")):
        while at < min(len(lines), first + 60) and not re.search(r"\*/|-\}|\]\]", lines[at]):
            at += 1
        return (first, at + 1) if at > first or "*/" in lines[first : first + 1] else None
    while at < len(lines) and lines[at].lstrip().startswith(sign):
        at += 1
    return (first, at) if at > first else None


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))
