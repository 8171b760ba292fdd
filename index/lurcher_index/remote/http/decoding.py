"""JSON of strangers into typed values."""

from typing import TypeVar

import msgspec

from lurcher_index.errors import RemoteUnreachable

Made = TypeVar("Made")

JSON = "application/json"


def decoded(body: bytes, kind: type[Made], who: str) -> Made:
    """What a server said, as a value of a type; everything else in it is passed over."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError, ValueError):
        raise RemoteUnreachable(f"{who} answers something else than was asked for; check its address") from None
