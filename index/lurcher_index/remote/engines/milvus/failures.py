"""What went wrong at the server, in words a person can act on. Nothing that was sent is repeated."""

from typing import Any

from lurcher_index.errors import RemoteBusy, RemoteDenied, RemoteError, RemoteUnknown, RemoteUnreachable


class NotLoaded(RemoteBusy):
    """A collection is there but not in the server's memory, as after a restart of milvus-lite."""


_UNREACHABLE = "did not answer; check that it runs and can be reached from here, then try again"

_BY_CODE: dict[int, tuple[type[RemoteError], str]] = {
    2: (RemoteUnreachable, _UNREACHABLE),
    3: (RemoteBusy, "has no room for more; try again later, or give it more memory"),
    8: (RemoteBusy, "takes no more requests just now; try again later"),
    9: (
        RemoteBusy,
        "refuses requests because it lacks memory or disk; free some, as `lurcher collect` does, and try again",
    ),
    100: (RemoteUnknown, "holds no shared index; publish something first"),
    101: (NotLoaded, "has not loaded the shared index yet; try again in a moment"),
    800: (RemoteUnknown, "has no such database; publish something first, which creates it, or correct the address"),
    1400: (RemoteDenied, "refused the token; check the variable that holds it"),
    1401: (RemoteDenied, "refused the token; it is written as `user:password` or as the server's own token"),
    1402: (RemoteDenied, "does not allow this user to do that; publishing needs more rights than searching"),
    1403: (RemoteDenied, "does not allow this user to do that; publishing needs more rights than searching"),
}
"""By the codes of Milvus (and, for 2, of pymilvus)."""

_BY_STATUS: dict[str, tuple[type[RemoteError], str]] = {
    "UNAVAILABLE": (RemoteUnreachable, _UNREACHABLE),
    "DEADLINE_EXCEEDED": (RemoteUnreachable, "did not answer in time; try again, or look what keeps it busy"),
    "CANCELLED": (RemoteUnreachable, "was disconnected while it was asked; try again"),
    "UNAUTHENTICATED": (RemoteDenied, "refused the token; check the variable that holds it"),
    "PERMISSION_DENIED": (RemoteDenied, "does not allow this user to do that; ask whoever runs it"),
    "RESOURCE_EXHAUSTED": (RemoteBusy, "cannot take or give so much at once; try again later"),
    "UNIMPLEMENTED": (RemoteError, "is no Milvus server, or one older than 2.6; correct the address or update it"),
}
"""By how gRPC names its states."""

_DENIED = ("auth check failure", "permission deny", "unauthenticated")
_CLOSED = ("closed channel", "should create connection first", "Fail connecting", "No channel in handler")
_NO_DATABASE = ("database not found", "database '")
_FULL = ("No space left on device", "disk quota exceeded")


def translated(error: BaseException, where: str) -> RemoteError:
    """An error of pymilvus or gRPC as one of ours."""
    code = getattr(error, "code", None)
    if callable(code):
        code = code()
    found = _BY_STATUS.get(getattr(code, "name", "")) or _BY_CODE.get(code if isinstance(code, int) else -1)
    text = _text(error)
    if any(each in text for each in _DENIED):
        found = (RemoteDenied, "refused the token; check the variable that holds it")
    elif any(each in text for each in _CLOSED):
        found = (RemoteUnreachable, _UNREACHABLE)
    elif any(each in text for each in _FULL):
        found = (RemoteError, "has no room on its disk; free some, as `lurcher collect` does, and publish again")
    elif any(text.startswith(each) for each in _NO_DATABASE):
        found = _BY_CODE[800]
    if found is None:
        return RemoteError(f"{where} cannot do what it was asked (code {_number(code)}); look into its log")
    kind, advice = found
    return kind(f"{where} {advice}")


def _text(error: BaseException) -> str:
    message: Any = getattr(error, "message", "")
    return message if isinstance(message, str) else str(error)


def _number(code: Any) -> str:
    return str(code) if isinstance(code, int) else str(getattr(code, "name", "unknown"))[:40]
