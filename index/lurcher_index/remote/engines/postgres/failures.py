"""What went wrong at the server, in words a person can act on. Nothing that was sent is repeated."""

import re

import psycopg

from lurcher_index.errors import RemoteBusy, RemoteDenied, RemoteError, RemoteUnknown, RemoteUnreachable

_UNREACHABLE = "did not answer; check that it runs and can be reached from here, then try again"


class Unprepared(RemoteUnknown):
    """The tables are not there."""


_BY_STATE: dict[str, tuple[type[RemoteError], str]] = {
    "28": (RemoteDenied, "refused user or password; check the address and the variable that holds the password"),
    "42501": (RemoteDenied, "does not allow this user to do that; searching needs SELECT, publishing owns the tables"),
    "3D000": (RemoteUnknown, "has no such database; create it or correct the address"),
    "53100": (RemoteError, "has no room on its disk; free some, as `lurcher collect` does, and publish again"),
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
    "42P01": (Unprepared, "holds no shared index; publish something to it first"),
    "0P000": (RemoteDenied, "wants the password in plain; that needs `sslmode=verify-full` in its address"),
    "08P01": (RemoteUnreachable, "does not encrypt as its address asks; check sslmode and certificates on both sides"),
    "08": (RemoteUnreachable, _UNREACHABLE),
    "57P": (RemoteUnreachable, "is stopping or starting; try again in a moment"),
    "58": (RemoteUnreachable, "has trouble with its disk; look into its log"),
    "XX": (RemoteUnreachable, "has an internal error; look into its log"),
}
"""By SQLSTATE or how it begins, the longest first that fits."""


_BY_TEXT: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"requested a cleartext password|authentication method requirement"), "0P000"),
    (re.compile(r"authentication failed|no password supplied|no pg_hba.conf entry|not permitted to log in"), "28P01"),
    (re.compile(r'role "[^"]*" does not exist'), "28P01"),
    (re.compile(r'database "[^"]*" does not exist'), "3D000"),
    (re.compile(r"too many (clients|connections)|connection slots are reserved"), "53300"),
    (re.compile(r"the database system is (starting|shutting|in recovery|not yet)"), "57P03"),
    (re.compile(r"SSL|certificate|TLS"), "08P01"),
)
"""While connecting, libpq tells no states, only texts; servers that speak another language are said not to answer."""


def translated(error: psycopg.Error, where: str) -> RemoteError:
    """An error of the driver as one of ours."""
    state = error.sqlstate or _state_of_connecting(error)
    for length in (5, 3, 2):
        if len(state) >= length and state[:length] in _BY_STATE:
            kind, text = _BY_STATE[state[:length]]
            return kind(f"{where} {text} (SQLSTATE {state})")
    if state:
        return RemoteError(f"{where} cannot do what it was asked (SQLSTATE {state}); look into its log")
    if isinstance(error, psycopg.DataError):
        return RemoteError(f"{where} cannot take a name that is no text; rename it")
    if isinstance(error, (psycopg.OperationalError, psycopg.InterfaceError)):
        return RemoteUnreachable(f"{where} {_UNREACHABLE}")
    return RemoteError(f"{where} answered in a way that cannot be understood ({type(error).__name__})")


def _state_of_connecting(error: psycopg.Error) -> str:
    text = str(error)[:4000] if isinstance(error, psycopg.OperationalError) else ""
    return next((state for pattern, state in _BY_TEXT if pattern.search(text)), "")
