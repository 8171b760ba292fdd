"""The lines of an ignore file, compiled: which of them speaks last about a path."""

import os
import re
from collections.abc import Iterable
from typing import NamedTuple

from lurcher_index.files.globs import BadGlob, translate

_PLAIN = re.compile(r"[^*?\[\]{}\\/,]+")


class Rule(NamedTuple):
    """One line of an ignore file."""

    line: int
    text: str
    negated: bool
    dir_only: bool


class _Glob(NamedTuple):
    text: str
    anywhere: bool


class RuleSet:
    """The rules of one file in order. Plain names and `*.ext`, which most rules are, are looked up in tables."""

    __slots__ = ("_any", "_names", "_regexes", "_rules", "_suffixes", "source")

    def __init__(self, source: str, lines: Iterable[str]) -> None:
        """Compile `lines`; those that mean nothing are dropped, as git and ripgrep do."""
        self.source = source
        self._rules: list[Rule] = []
        self._names: dict[str, list[int]] = {}
        self._suffixes: dict[str, list[int]] = {}
        self._regexes: list[tuple[int, re.Pattern[str]]] = []
        every: list[str] = []
        for number, line in enumerate(lines, 1):
            self._add(number, line, every)
        self._any = re.compile("|".join(every), re.DOTALL) if every else None
        # The last rule that matches wins, so every table is searched from its end.
        for table in (*self._names.values(), *self._suffixes.values()):
            table.reverse()
        self._regexes.reverse()

    def __bool__(self) -> bool:
        """Whether there is any rule."""
        return bool(self._rules)

    def match(self, path: str, is_dir: bool) -> Rule | None:
        """The last rule that matches `path`, which is relative to the folder of the rule file."""
        name = path[path.rfind("/") + 1 :]
        best = self._best(self._names.get(name), is_dir, -1)
        dot = name.rfind(".")
        if dot >= 0:
            best = self._best(self._suffixes.get(name[dot:]), is_dir, best)
        if self._any is None:
            return self._rules[best] if best >= 0 else None
        path = _as_bytes(path)
        if self._any.match(path):
            for index, regex in self._regexes:
                if index <= best:
                    break
                if (is_dir or not self._rules[index].dir_only) and regex.match(path):
                    best = index
                    break
        return self._rules[best] if best >= 0 else None

    def describe(self, rule: Rule) -> str:
        """Where the rule stands and how it reads, for people."""
        return f"{self.source}:{rule.line}: {rule.text}"

    def _best(self, indexes: list[int] | None, is_dir: bool, best: int) -> int:
        for index in indexes or ():
            if is_dir or not self._rules[index].dir_only:
                return max(index, best)
        return best

    def _add(self, number: int, line: str, every: list[str]) -> None:
        parsed = parse_line(number, line)
        if parsed is None:
            return
        rule, glob = parsed
        index = len(self._rules)
        if glob.anywhere and _PLAIN.fullmatch(glob.text):
            self._names.setdefault(glob.text, []).append(index)
        elif glob.anywhere and glob.text.startswith("*.") and _is_suffix(glob.text[1:]):
            self._suffixes.setdefault(glob.text[1:], []).append(index)
        else:
            try:
                regex = translate(_as_bytes(glob.text), glob.anywhere)
                self._regexes.append((index, re.compile(regex, re.DOTALL)))
            except (BadGlob, re.error, RecursionError):
                return
            every.append(regex)
        self._rules.append(rule)


def parse_line(number: int, line: str) -> tuple[Rule, _Glob] | None:
    """A line as a rule and its glob; None for a comment or an empty line."""
    if line.startswith("#"):
        return None
    text = line if line.endswith("\\ ") else line.rstrip()
    if not text:
        return None
    glob, negated, anchored = text, False, False
    if glob.startswith(("\\!", "\\#")):
        glob = glob[1:]
    else:
        negated = glob.startswith("!")
        glob = glob.removeprefix("!")
        anchored = glob.startswith("/")
        glob = glob.removeprefix("/")
    dir_only = glob.endswith("/")
    if dir_only:
        glob = glob[:-1].removesuffix("\\")
    if not glob:
        if anchored:
            return None
        glob = "**"  # ripgrep reads a lone `!` or `\\/` so
    return Rule(number, text, negated, dir_only), _Glob(glob, not anchored and "/" not in glob)


def split_lines(raw: bytes) -> list[str]:
    """The lines of an ignore file, without its byte-order mark.

    Like ripgrep it stops at the first line that is not UTF-8: a rule that cannot be read must not be guessed.
    """
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        text = raw[: raw.rfind(b"\n", 0, error.start) + 1].decode()
    lines = text.lstrip("\ufeff").split("\n")
    return [*(line.removesuffix("\r") for line in lines[:-1]), lines[-1]]


def _as_bytes(text: str) -> str:
    """One character per byte of UTF-8, for in ignore files a `?` is one byte, to git and to ripgrep."""
    return text if text.isascii() else os.fsencode(text).decode("latin-1")


def _is_suffix(text: str) -> bool:
    return text.count(".") == 1 and _PLAIN.fullmatch(text) is not None
