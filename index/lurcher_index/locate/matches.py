"""What a tool says it found."""

from enum import StrEnum

import msgspec

from lurcher_index.store.catalog import FileRow

MAX_MATCHES = 1_000
"""Matches of one pattern that are looked at; with more of them the pattern tells nothing."""

MAX_MATCHES_PER_FILE = 20
"""Matches of one pattern in one file that are looked at."""


class MatchKind(StrEnum):
    """What stands at the place."""

    DEFINITION = "definition"
    REFERENCE = "reference"
    STRUCTURE = "structure"
    TEXT = "text"


class Match(msgspec.Struct, frozen=True):
    """One place in one file of the index; lines count from 1 and are inclusive."""

    row: FileRow
    first_line: int
    last_line: int
    pattern: int
    """Number of the pattern that was searched for; -1 for the structure."""
    kind: MatchKind = MatchKind.TEXT


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What a tool is asked for."""

    patterns: tuple[str, ...]
    structure: str = ""
    """Code with placeholders; empty if there is none."""
    snippet: str = ""
    """The code that the structure was made of."""
    all_references: bool = False
    """Whether every use of a name is wanted and not only where it is defined."""
