"""What went wrong at the server, in words a person can act on. Nothing that was sent is repeated."""

import psycopg

from lurcher_index.errors import RemoteBusy, RemoteDenied, RemoteError, RemoteUnknown, RemoteUnreachable

_UNREACHABLE = "did not answer; check that it runs and can be reached from here, then try again"

_BY_STATE: dict[str, tuple[type[RemoteError], str]] = {
    "28": (RemoteDenied, "refused user or password; check the address and the variable that holds the password"),
    "42501": (RemoteDenied, "does not allow this user to do that; searching needs SELECT, publishing owns the tables"),
    "3D000": (RemoteUnknown, "has no such database; create it or correct the address"),
    "53100": (RemoteError, "has no room on its disk; free some (`lurcher publish --collect`) and publish again"),
    "53200": (RemoteBusy, "is out of memory; try again later"),
    "53300": (RemoteBusy, "has too many connections; try again later"),
    "53": (RemoteBusy, "lacks resources; try again later"),
    "57014": (RemoteUnreachable, "took too long and was stopped; try again, or look what keeps it busy"),
    "55P03": (RemoteBusy, "is busy with another change; try again later"),
    "40": (RemoteBusy, "had to undo a change because of another one; try again"),
    "25006": (RemoteDenied, "is read-only, as a replica is; publish to the primary"),
    "0A000": (RemoteError, "lacks pgvector; install version 0.8 or newer there"),
    "58P01": (RemoteError, "lacks pgvector; install version 0.8 or newer there"),
    "42704": (RemoteError, "lacks pgvector 0.8; run `CREATE EXTENSION vector` in the database, or update it"),
    "3F000": (RemoteError, "holds no shared index; publish something first"),
    "42P01": (RemoteError, "holds no shared index, or one that was damaged; publish anew"),
    "08": (RemoteUnreachable, _UNREACHABLE),
    "57P": (RemoteUnreachable, "is stopping or starting; try again in a moment"),
    "58": (RemoteUnreachable, "has trouble with its disk; look into its log"),
    "XX": (RemoteUnreachable, "has an internal error; look into its log"),
}
"""By SQLSTATE or how it begins, the longest first that fits."""


def translated(error: psycopg.Error, where: str) -> RemoteError:
    """An error of the driver as one of ours."""
    state = error.sqlstate or ""
    for length in (5, 3, 2):
        if len(state) >= length and state[:length] in _BY_STATE:
            kind, text = _BY_STATE[state[:length]]
            return kind(f"{where} {text} (SQLSTATE {state})")
    if state:
        return RemoteError(f"{where} cannot do what it was asked (SQLSTATE {state}); look into its log")
    if isinstance(error, (psycopg.OperationalError, psycopg.InterfaceError)):
        return RemoteUnreachable(f"{where} {_UNREACHABLE}")
    return RemoteError(f"{where} answered in a way that cannot be understood ({type(error).__name__})")
