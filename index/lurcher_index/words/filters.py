"""Filters on paths and languages, as regular expressions that both term indexes understand.

Paths are matched in the form `<folder number>/<path in the folder>`. The expressions use only what the postings'
finite automata and Python's `re` agree on: no look-around, no anchors, and `[^/]` rather than `.`, which stops at
line ends, and a file name may hold one.
"""

import re
from functools import lru_cache

import msgspec

from lurcher_index.errors import BadQuery
from lurcher_index.words.contents import Content

_META = frozenset("\\.+*?()|[]{}^$")
_ANY_SEGMENTS = "([^/]*/)*"
_ANY_PATH = "([^/]*/)*[^/]*"


MAX_GLOBS = 256
MAX_GLOB_CHARACTERS = 1_000
"""Filters in one question and their length; far more than anybody writes, little enough to be matched at once."""

MAX_BRACES = 4
MAX_STARS = 10
"""Wildcards in one filter: the time to match one grows with the power of their number."""


class Within(msgspec.Struct, frozen=True):
    """A glob or path that holds in one folder of the workspace only, as one that is written absolute does."""

    folder_id: int
    glob: str
    written: str = ""
    """As it was given, if that is not the glob."""

    def __str__(self) -> str:
        """As it is matched in its folder."""
        return self.glob


class Part(msgspec.Struct, frozen=True):
    """Some chunks of one content of a file."""

    file_id: int
    key: str
    content_id: int
    ordinals: frozenset[int]
    others: int
    """How many chunks the content has besides."""


class Scope(msgspec.Struct, frozen=True):
    """The union of places out of which alone something may be found; an empty one holds nothing.

    Files are named by their keys rather than matched, so that any number of them may be given.
    """

    below: tuple[str, ...] = ()
    """Keys of folders, `<folder number>/<path>`; the number alone for a whole workspace folder."""
    keys: frozenset[str] = frozenset()
    parts: tuple[Part, ...] = ()
    """Of files that are neither in `keys` nor in a folder of `below`."""

    @property
    def is_nowhere(self) -> bool:
        """Whether it holds nothing."""
        return not (self.below or self.keys or self.parts)

    @property
    def is_named(self) -> bool:
        """Whether every file of it is named."""
        return not self.below

    @property
    def others(self) -> int:
        """Chunks of its files that are not in it: so many more have to be fetched to get enough that are."""
        return sum(part.others for part in self.parts)

    def all_keys(self) -> list[str]:
        """The files that are named one by one."""
        return sorted({*self.keys, *(part.key for part in self.parts)})

    def below_patterns(self) -> list[str]:
        """Expressions for the keys in each of the folders."""
        return [f"{_escape(folder)}/{_ANY_PATH}" for folder in self.below]

    def covers(self, key: str) -> bool:
        """Whether a file, or some of it, is in it."""
        if key in self.keys or any(key.startswith(folder + "/") for folder in self.below):
            return True
        return any(key == part.key for part in self.parts)

    def holds(self, file_id: int, content_id: int, ordinal: int) -> bool:
        """Whether a chunk of a file that is covered is in it."""
        for part in self.parts:
            if part.file_id == file_id:
                return part.content_id == content_id and ordinal in part.ordinals
        return True


class Filters(msgspec.Struct, frozen=True):
    """What part of the workspace to search. Empty means everywhere; `exclude` wins over everything else."""

    include: tuple[str | Within, ...] = ()
    """Globs relative to the workspace folder: `*.ts`, `src/**`, `{lib,test}/**/*.rb`."""
    exclude: tuple[str | Within, ...] = ()
    languages: tuple[str, ...] = ()
    paths: tuple[str | Within, ...] = ()
    """Path prefixes of whole segments: `src/db` does not cover `src/db_utils`."""
    content: Content = Content.ALL
    scope: Scope | None = None
    """Where alone to search; None for everywhere."""
    named: tuple[str, ...] = ()
    """The names that somebody gave for `languages`: an answer tells those that stand for nothing."""

    def __post_init__(self) -> None:
        """Refuse what would keep a search busy rather than narrow it."""
        globs = [str(glob) for glob in (*self.include, *self.exclude, *self.paths)]
        if len(globs) > MAX_GLOBS:
            raise BadQuery(f"{len(globs)} filters are too many; at most {MAX_GLOBS} are allowed")
        for glob in globs:
            if len(glob) > MAX_GLOB_CHARACTERS or glob.count("{") > MAX_BRACES or glob.count("*") > MAX_STARS:
                raise BadQuery(f"the filter {glob[:80]!r} is too long or has too many wildcards")

    @property
    def is_empty(self) -> bool:
        """Whether everything passes."""
        some = self.include or self.exclude or self.languages or self.paths or self.scope is not None
        return not some and self.content is Content.ALL

    def include_patterns(self) -> list[str]:
        """Expressions for the keys that each include glob covers; none for all."""
        return [_whole_key(glob, glob_pattern(str(glob))) for glob in self.include]

    def exclude_patterns(self) -> list[str]:
        """Expressions for the keys that each exclude glob covers."""
        return [_whole_key(glob, glob_pattern(str(glob))) for glob in self.exclude]

    def path_patterns(self) -> list[str]:
        """Expressions for the keys below each of the path prefixes; none for all."""
        return [_whole_key(path, _below(str(path))) for path in self.paths]

    def accepts(self, key: str, language: str) -> bool:
        """Whether a file passes; the same answer as the expressions give inside the postings."""
        if self.is_empty:
            return True
        if (self.languages and language not in self.languages) or not self.content.holds(language):
            return False
        if self.scope is not None and not self.scope.covers(key):
            return False
        include, paths, exclude = _compiled(self.include, self.paths, self.exclude)
        if not all(any(pattern.fullmatch(key) for pattern in patterns) for patterns in (include, paths) if patterns):
            return False
        return not any(pattern.fullmatch(key) for pattern in exclude)


def glob_pattern(glob: str) -> str:
    """A glob as an expression over paths in a folder. Without a slash it matches at any depth, as in .gitignore."""
    glob = glob.removeprefix("./")
    anchored = "/" in glob.rstrip("/")
    body = _translate(glob.strip("/"))
    below = "" if glob.endswith("**") else f"(/{_ANY_PATH})?"
    return ("" if anchored else _ANY_SEGMENTS) + body + below


def _whole_key(given: str | Within, pattern: str) -> str:
    folder = str(given.folder_id) if isinstance(given, Within) else "[0-9]+"
    return f"{folder}/({pattern})"


def _below(path: str) -> str:
    prefix = path.removeprefix("./").strip("/")
    return _escape(prefix) + f"(/{_ANY_PATH})?" if prefix not in ("", ".", "**") else _ANY_PATH


@lru_cache(maxsize=64)
def _compiled(
    include: tuple[str | Within, ...], paths: tuple[str | Within, ...], exclude: tuple[str | Within, ...]
) -> tuple[list[re.Pattern[str]], list[re.Pattern[str]], list[re.Pattern[str]]]:
    """The expressions for includes, paths and excludes; the same filters come with every question of a chat."""
    filters = Filters(include=include, paths=paths, exclude=exclude)
    every = (filters.include_patterns(), filters.path_patterns(), filters.exclude_patterns())
    try:
        included, below, excluded = ([re.compile(pattern) for pattern in patterns] for patterns in every)
    except re.error as error:
        raise BadQuery(f"a filter cannot be understood: {error}") from None
    return included, below, excluded


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
