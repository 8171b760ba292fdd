"""What every message is made of: a base that is checked while it is decoded, and places in documents.

Field names are in camelCase on the wire. Lines and characters count from 0, as LSP says; `convert` is where they meet
the engine's.
"""

from typing import Annotated

import msgspec

Token = str | int
Index = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
"""A number that LSP calls `uinteger`."""


class Wire(msgspec.Struct, rename="camel", frozen=True, kw_only=True):
    """Base of everything that goes over the wire; unknown fields are ignored, as LSP asks."""


class Position(Wire, frozen=True):
    """A place in a document; `character` counts in units of the negotiated encoding."""

    line: Index
    character: Index


class Range(Wire, frozen=True):
    """From `start` up to, not including, `end`."""

    start: Position
    end: Position
