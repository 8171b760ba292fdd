"""Where the server is: an address that a person wrote, checked before anything is sent there."""

import re
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

import msgspec

from lurcher_index.errors import RemoteError
from lurcher_index.hosts import is_this_machine

_PLAIN = re.compile(r"[!-~]{1,2048}")
"""What an address may consist of; anything else is written with %."""

_TAKEN = frozenset({"host", "sslmode", "sslrootcert", "sslcert", "sslkey", "sslcrl"})
"""What may be said behind the question mark: where the socket is, and how to encrypt."""

_SSL_MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
_ENCRYPTED = frozenset({"require", "verify-ca", "verify-full"})
"""libpq's modes that never fall back to plain text."""

DEFAULT_PORT = 5432


class Address(msgspec.Struct, frozen=True):
    """The parts of an address, all but a password."""

    host: str
    """Name, number, or the folder of a unix socket."""
    port: int
    user: str
    database: str
    options: dict[str, str]
    """What libpq is told about encryption."""

    @property
    def shown(self) -> str:
        """For people."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"PostgreSQL at {host}:{self.port}/{self.database}"

    @property
    def is_verified(self) -> bool:
        """Whether the server has to prove who it is before it is told anything."""
        return self.options.get("sslmode") == "verify-full"


def read_address(url: str) -> Address:
    """An address as it was set. Its text is not repeated in errors: somebody may have put a password there."""
    try:
        parts = urlsplit(url)
        port = parts.port
        asked = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query), max_num_fields=16)
    except ValueError:
        raise _bad("cannot be understood") from None
    if not _PLAIN.fullmatch(url) or parts.scheme not in ("postgresql", "postgres") or parts.fragment:
        raise _bad("is no address of a PostgreSQL server")
    options = dict(asked)
    if parts.password is not None or "password" in options:
        raise RemoteError(
            "the address of the PostgreSQL server holds a password; put it into an environment variable and name that"
            " variable instead (`--token-variable`)"
        )
    if len(options) != len(asked) or not options.keys() <= _TAKEN:
        raise _bad(f"may hold each of {', '.join(sorted(_TAKEN))} once behind its question mark, and nothing else")
    host = _host(parts, options.pop("host", ""))
    user, database = unquote(parts.username or ""), unquote(parts.path.removeprefix("/"))
    if not user or not database or "/" in database:
        raise _bad("needs a user and a database")
    if any("\0" in text for text in (host, user, database, *options.values())):
        raise _bad("cannot be understood")
    _check_encryption(host, options)
    return Address(host, port or DEFAULT_PORT, user, database, options)


def _host(parts: SplitResult, folder: str) -> str:
    if not folder:
        if not parts.hostname or "," in parts.hostname:
            raise _bad("needs one host")
        return unquote(parts.hostname)
    if parts.hostname or not folder.startswith("/"):
        raise _bad("may name a folder with a unix socket as `host`, and no other host then")
    return folder


def _check_encryption(host: str, options: dict[str, str]) -> None:
    mode = options.get("sslmode", "")
    if mode and mode not in _SSL_MODES:
        raise _bad(f"has an unknown sslmode; use one of {', '.join(_SSL_MODES)}")
    if mode not in _ENCRYPTED and not (host.startswith("/") or is_this_machine(host)):
        raise RemoteError(
            "the PostgreSQL server is not on this machine, and its address does not ask for encryption; add"
            " `?sslmode=verify-full` (or, without a check of who answers, `?sslmode=require`)"
        )


def _bad(problem: str) -> RemoteError:
    return RemoteError(
        f"the address of the PostgreSQL server {problem}; write it as `postgresql://user@host:5432/database?sslmode=…`"
    )
