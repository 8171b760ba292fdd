"""What a search answers."""

from enum import StrEnum

import msgspec

from lurcher_index.query.parsed import ParsedQuery


class HitSymbol(msgspec.Struct, frozen=True):
    """The definition a hit belongs to."""

    name: str
    kind: str
    container: str
    """Names of what it lies in, outermost first, joined by dots."""


class Hit(msgspec.Struct, frozen=True):
    """One chunk of the answer, with its text as it is on disk now."""

    folder: str
    path: str
    """Relative to its folder."""
    first_line: int
    last_line: int
    text: str
    score: float
    language: str
    symbol: HitSymbol | None
    reasons: tuple[str, ...]
    """Why it is here, in words."""
    digest: str
    """Hash of the text: the same text has the same one."""


class Outcome(StrEnum):
    """What kind of answer it is; an empty one is never ambiguous."""

    FOUND = "found"
    NO_MATCH = "no match"
    NOT_INDEXED = "not indexed yet"
    NOTHING_TO_SEARCH = "no files to search"
    ALL_EXCLUDED = "everything excluded by the filters"


class SearchResult(msgspec.Struct, frozen=True):
    """The answer to a question."""

    outcome: Outcome
    hits: tuple[Hit, ...]
    words: tuple[str, ...]
    """The words of the question that were searched for."""
    complete: bool
    """Whether every file of the workspace could be searched."""
    pending: int
    """Files that are known but cannot be found yet."""
    alerts: tuple[str, ...]
    """What a person should know about this answer."""
    milliseconds: float
    parsed_query: ParsedQuery
    """What was understood of the question."""


class Status(msgspec.Struct, frozen=True):
    """The state of a workspace's index."""

    folders: tuple[str, ...]
    store: str
    """The directory that holds the index, or "memory"."""
    indexed: int
    """Files that can be found."""
    pending: int
    """Files that are known but cannot be found yet."""
    skipped: dict[str, int]
    """Files left out, by reason."""
    chunks: int
    complete: bool
    """Whether every file of the workspace can be found."""
    bytes_on_disk: int
    alerts: tuple[str, ...]
    compared: bool = True
    """Whether the index was compared with the files since it was opened, if that was to be done."""
    was_completed: bool = True
    """Whether a build ever ran to its end."""
    unseen: int = 0
    """Pending files that no build can look at, since a folder above them cannot be opened."""
    unsaved: int = 0
    """Open documents that are searched in place of their files."""
    vectors_ready: float = 0.0
    """Share of the chunks that can be found by meaning."""
    model: str = ""
    """The embedding model that answers; empty for none."""
    next_model: str = ""
    """The one that takes its place when its vectors are made."""
    compiled: bool = False
    """Whether files are read by compiled code: the same results, in half the time."""
