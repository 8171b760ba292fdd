"""Which host a name stands for in the person's ssh configuration. Ssh is not run; only `HostName` is understood.

A repository's address may say `work:team/project`, where `work` is a block `Host work` with `HostName git.example.com`.
"""

import fnmatch
import glob
import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from lurcher_index.files.repository import read_rule_file

MAX_INCLUDE_DEPTH = 16
"""How deep `Include` may nest; ssh's own limit."""

MAX_FILES = 256
"""Most files read in all: one that includes itself twice would be read without end."""

_BEGIN = "begin"
"""Marks where a file begins, among the keywords."""

_PERCENT = re.compile(r"%[h%]")
_LINE = re.compile(r"\s*([A-Za-z]+)\s*[\s=]\s*(.*)")


class SshHosts:
    """The person's ssh configuration, read once."""

    def __init__(self, home: Path) -> None:
        """`home` is the person's own folder; the configuration is in `.ssh` there, and may be absent."""
        self._home = home
        self._left = MAX_FILES
        self._lines = tuple(self._read(home / ".ssh" / "config", 0))

    def real_host(self, name: str) -> str:
        """The host that a name stands for, or the name itself. The first block that matches and has one says it."""
        applies = [True]
        for depth, keyword, words in self._lines:
            # One for every file on the way here: what is included belongs to the block around it.
            del applies[depth + 1 :]
            if keyword == _BEGIN:
                applies[depth:] = [applies[depth - 1] if depth else True]
            elif keyword == "host":
                applies[depth] = (depth == 0 or applies[depth - 1]) and _matches(name, words)
            elif keyword == "match":
                # `Match all` holds for everybody. What else it can ask about needs a connection, or a program.
                applies[depth] = (depth == 0 or applies[depth - 1]) and [word.lower() for word in words] == ["all"]
            elif words and applies[depth]:
                return _PERCENT.sub(lambda found: name if found[0] == "%h" else "%", words[0])
        return name

    def _read(self, path: Path, depth: int) -> Iterator[tuple[int, str, list[str]]]:
        if depth > MAX_INCLUDE_DEPTH or self._left <= 0:
            return
        self._left -= 1
        yield depth, _BEGIN, []
        for line in read_rule_file(path).decode("utf-8", "replace").splitlines():
            found = _LINE.fullmatch(line)
            if found is None:
                continue
            keyword, words = found[1].lower(), _words(found[2])
            if keyword == "include":
                for pattern in words:
                    for each in self._included(pattern):
                        yield from self._read(each, depth + 1)
            elif keyword in ("host", "hostname", "match"):
                yield depth, keyword, words

    def _included(self, pattern: str) -> list[Path]:
        """Paths start in the home folder or in `.ssh`; they may have wildcards."""
        if pattern == "~" or pattern.startswith("~/"):
            pattern = f"{glob.escape(str(self._home))}{pattern[1:]}"
        elif not os.path.isabs(pattern):  # noqa: PTH117 - it is a pattern, not a path
            pattern = f"{glob.escape(str(self._home / '.ssh'))}/{pattern}"
        return [Path(each) for each in sorted(glob.glob(pattern))]  # noqa: PTH207 - pathlib takes no absolute pattern


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text, comments=True)
    except ValueError:
        return text.split()


def _matches(name: str, patterns: list[str]) -> bool:
    """Whether one pattern holds and none with `!` does. Only `*` and `?` mean something, and case does not."""
    plain = name.lower()
    found = False
    for pattern in patterns:
        negated = pattern.startswith("!")
        # A bracket is a character like any other to ssh.
        if fnmatch.fnmatchcase(plain, pattern.removeprefix("!").lower().replace("[", "[[]")):
            if negated:
                return False
            found = True
    return found
