"""What an answer that is no success means. Of what the server says only the number is repeated."""

from collections.abc import Mapping

import msgspec

from lurcher_index.errors import RemoteBusy, RemoteDenied, RemoteError, RemoteUnknown, RemoteUnreachable
from lurcher_index.remote.http.waiting import UNSAID_SECONDS, asked_for

_LIMIT_TEXT = b"rate limit"
"""In the body of GitHub's 403 for limits that it does not put into headers."""

_LATER = frozenset({408, 425, 500, 502, 503, 504, 529})
"""Answers after which the same request may succeed."""


class Setback(Exception):
    """An attempt that failed."""

    def __init__(self, error: RemoteError, *, may_pass: bool = False, wait: float = 0.0) -> None:
        """`may_pass`: the same request may succeed, after `wait` seconds if that is not 0."""
        super().__init__(str(error))
        self.error = error
        self.may_pass = may_pass
        self.wait = wait


class Refusal(msgspec.Struct, frozen=True):
    """An answer that is no success."""

    status: int
    headers: Mapping[str, str]
    body: bytes = b""
    """Its beginning."""


def setback_of(who: str, refusal: Refusal, now: float) -> Setback:
    """What to make of a refusal by `who`."""
    status = refusal.status
    said = f"{who} answers {status}"
    if status == 429 or (status == 403 and _is_limit(refusal)):
        wait = asked_for(refusal.headers, now)
        error = RemoteBusy(f"{who} asks for fewer requests ({status}); it is asked again later", wait or UNSAID_SECONDS)
        return Setback(error, may_pass=True, wait=wait)
    match status:
        case 401:
            return Setback(RemoteDenied(f"{said}: the token is missing or not accepted; check it"))
        case 403:
            return Setback(RemoteDenied(f"{said}: the token does not allow this; give it the right to read code"))
        case 404 | 410:
            return Setback(
                RemoteUnknown(f"{said}: there is no such repository or address, or the token may not see it")
            )
        case _ if status in _LATER:
            wait = asked_for({"retry-after": refusal.headers.get("retry-after", "")}, now)
            return Setback(RemoteUnreachable(f"{said}; it is tried again later"), may_pass=True, wait=wait)
        case 422:
            return Setback(RemoteUnknown(f"{said}: it cannot search this repository, or not for these words"))
        case _:
            return Setback(RemoteError(f"{said}, which is not understood; check its kind and address"))


def _is_limit(refusal: Refusal) -> bool:
    headers = refusal.headers
    is_told = "retry-after" in headers or headers.get("x-ratelimit-remaining") == "0"
    return is_told or _LIMIT_TEXT in refusal.body.lower()
