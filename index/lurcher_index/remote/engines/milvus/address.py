"""Where a Milvus server is: an address that a person wrote, checked before anything is sent there."""

import re
from urllib.parse import urlsplit

import msgspec

from lurcher_index.errors import RemoteError
from lurcher_index.hosts import is_this_machine

DEFAULT_PORT = 19530
"""Where Milvus listens, encrypted or not."""

_PLAIN = re.compile(r"[!-~]{1,2048}")
_DATABASE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,254}")
"""What Milvus takes as the name of a database."""


class Address(msgspec.Struct, frozen=True):
    """The parts of an address."""

    host: str
    port: int
    is_encrypted: bool
    database: str
    """Empty for the server's default."""

    @property
    def uri(self) -> str:
        """As pymilvus wants it."""
        return f"{'https' if self.is_encrypted else 'http'}://{self.host}:{self.port}"

    @property
    def shown(self) -> str:
        """For people."""
        return f"Milvus at {self.host}:{self.port}" + (f" (database {self.database})" if self.database else "")


def read_address(url: str) -> Address:
    """An address as it was set. Its text is not repeated in errors: somebody may have put a password there."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise _bad("cannot be understood") from None
    if not _PLAIN.fullmatch(url) or parts.scheme not in ("http", "https") or not parts.hostname:
        raise _bad("is no http(s) address")
    if parts.username is not None or parts.password is not None:
        raise RemoteError(
            "the address of the Milvus server holds a name or password; put `user:password`, or the token, into an"
            " environment variable and name that variable instead (`--token-variable`)"
        )
    database = parts.path.strip("/")
    if parts.query or parts.fragment or (database and not _DATABASE.fullmatch(database)):
        raise _bad("may hold the name of a database behind the host, and nothing else")
    if ":" in parts.hostname:
        raise _bad("has a number of IPv6 as its host, which pymilvus does not take")
    if parts.scheme == "http" and not is_this_machine(parts.hostname):
        raise RemoteError("the Milvus server is not on this machine; use https for its address, and TLS on the server")
    return Address(parts.hostname, port or DEFAULT_PORT, parts.scheme == "https", database)


def _bad(problem: str) -> RemoteError:
    return RemoteError(f"the address of the Milvus server {problem}; write it as `https://host:19530` or `…/database`")
