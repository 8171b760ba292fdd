"""What can be the address of a remote search: written one way, encrypted unless it is this machine, without secrets."""

import re
from urllib.parse import SplitResult, parse_qsl, urlsplit

from lurcher_index.errors import BadSetting
from lurcher_index.hosts import is_this_machine
from lurcher_index.remote.connection import Connection, Kind

MAX_CHARACTERS = 2_048
"""Longest address; what browsers and servers agree on, and room for every option of a database."""

_USABLE = re.compile(rf"[A-Za-z0-9._~:/?#@!$&*+,;=%\[\]-]{{1,{MAX_CHARACTERS}}}")
"""What an address is made of, without what could be taken for a link or a command where it is shown."""

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}")
_SECRET_OPTIONS = frozenset({"password", "sslpassword", "passfile"})
_ENCRYPTED = frozenset({"require", "verify-ca", "verify-full"})
"""Modes of PostgreSQL's clients that never fall back to plain text."""

_DATABASE = ("postgresql", "postgres")
_WEB = ("https", "http")

EXAMPLES = {
    Kind.POSTGRES: "postgresql://lurcher@db.example.com/code?sslmode=verify-full",
    Kind.MILVUS: "https://milvus.example.com:19530",
    Kind.ZOEKT: "https://zoekt.example.com",
    Kind.SOURCEGRAPH: "https://sourcegraph.example.com",
    Kind.GITHUB: "https://api.github.com",
}
"""How the address of each kind is written; for messages that teach."""


def checked_connection(kind: str, url: str, token_variable: str = "") -> Connection:
    """A connection out of what a person typed or a client sent; BadSetting says what is wrong without quoting it."""
    try:
        known = Kind(kind)
    except ValueError:
        raise BadSetting(f"there is no such kind of remote code search; there are {', '.join(Kind)}") from None
    if token_variable and not _VARIABLE.fullmatch(token_variable):
        raise BadSetting("that is not the name of an environment variable; it must name one, not hold the token")
    return Connection(kind=known, url=_checked_url(known, url.strip()), token_variable=token_variable)


def host_of(connection: Connection) -> str:
    """Where it is, for people: the host, with its port if one was given, or the folder of a socket."""
    parts = urlsplit(connection.url)
    return parts.netloc.rpartition("@")[2] or _socket(parts)


def _checked_url(kind: Kind, url: str) -> str:
    if not _USABLE.fullmatch(url):
        raise _wrong(kind, "is empty, too long, or has characters that no address has")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise _wrong(kind, "cannot be understood") from None
    schemes = _DATABASE if kind is Kind.POSTGRES else _WEB
    # A database on this machine may listen on a socket in a folder alone, which stands behind the question mark.
    folder = _socket(parts) if kind is Kind.POSTGRES else ""
    if parts.scheme not in schemes or bool(host) == bool(folder):
        raise _wrong(kind, f"must begin with {schemes[0]}:// and name a host")
    if parts.password is not None or (parts.username and kind is not Kind.POSTGRES):
        raise _wrong(kind, "must not hold a password or token; name an environment variable that holds it")
    _check_options(kind, parts)
    if kind is Kind.POSTGRES and not (parts.username and parts.path.strip("/")):
        raise _wrong(kind, "must name a user and a database")
    if host and not is_this_machine(host):
        if parts.scheme == "http":
            raise _wrong(kind, "must begin with https://, since it is not this machine")
        if kind is Kind.POSTGRES and dict(parse_qsl(parts.query)).get("sslmode") not in _ENCRYPTED:
            raise _wrong(kind, "must ask for encryption with ?sslmode=verify-full, since it is not this machine")
    user = f"{parts.username}@" if parts.username else ""
    shown = f"[{host}]" if host and ":" in host else host or ""
    place = f"{user}{shown}" + (f":{port}" if port is not None else "")
    return parts._replace(netloc=place, path=parts.path.rstrip("/")).geturl()


def _check_options(kind: Kind, parts: SplitResult) -> None:
    # Brackets are for the host alone, where they stand around an address of IPv6.
    if parts.fragment or (parts.query and kind is not Kind.POSTGRES) or set("[]") & set(parts.path + parts.query):
        raise _wrong(kind, "must end with the path: nothing after ? or #")
    if _SECRET_OPTIONS & {name.lower() for name, _value in parse_qsl(parts.query, keep_blank_values=True)}:
        raise _wrong(kind, "must not hold a password; name an environment variable that holds it")


def _socket(parts: SplitResult) -> str:
    """The folder of a unix socket, if the address names one."""
    host = dict(parse_qsl(parts.query)).get("host", "")
    return host if host.startswith("/") else ""


def _wrong(kind: Kind, what: str) -> BadSetting:
    return BadSetting(f"the address {what}; it looks like {EXAMPLES[kind]}")
