"""Where a server is: an address that a person wrote, or that a server redirects to, checked before it is used."""

import re
from urllib.parse import SplitResult, urljoin, urlsplit

import msgspec

from lurcher_index.errors import RemoteError
from lurcher_index.hosts import is_this_machine

_PLAIN = re.compile(r"[!-~]{1,4096}")
"""What an address may consist of; a line break in it would add lines to a request."""

_PORTS = {"http": 80, "https": 443}


class Base(msgspec.Struct, frozen=True):
    """The address below which everything is asked for."""

    scheme: str
    host: str
    port: int
    path: str
    """Without a slash at its end."""

    @property
    def origin(self) -> str:
        """What stands before the path."""
        return f"{self.scheme}://{self.shown}"

    @property
    def shown(self) -> str:
        """The host, for people."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return name if self.port == _PORTS[self.scheme] else f"{name}:{self.port}"

    @property
    def is_here(self) -> bool:
        """Whether it is on this machine."""
        return is_this_machine(self.host)


def read_base(url: str) -> Base:
    """An address as it was set. Anything but https is refused, unless the server is on this machine."""
    parts = _split(url)
    if parts is None or parts.query or parts.fragment:
        raise RemoteError("the address of the remote search is no http(s) address; correct it")
    if parts.username is not None or parts.password is not None:
        raise RemoteError(
            "the address of the remote search holds a name or password; put the token into an environment variable"
        )
    base = _base(parts)
    if base.scheme == "http" and not base.is_here:
        raise RemoteError(f"the remote search at {base.host} is not on this machine; use https")
    return base


def within(base: Base, current: str, target: str) -> str | None:
    """The address that a server means by `target` in its answer to `current`; None if it leads away.

    It may lead to the same host and port, or from http to https on the same host.
    """
    try:
        joined = urljoin(current, target)
    except ValueError:
        return None
    parts = _split(joined)
    if parts is None or parts.username is not None or parts.password is not None:
        return None
    meant = _base(parts)
    is_same = (meant.scheme, meant.host, meant.port) == (base.scheme, base.host, base.port)
    is_safer = (base.scheme, meant.scheme, meant.host) == ("http", "https", base.host)
    return joined if is_same or is_safer else None


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    is_usable = _PLAIN.fullmatch(url) and parts.scheme in _PORTS and parts.hostname
    return parts if is_usable else None


def _base(parts: SplitResult) -> Base:
    assert parts.hostname is not None, "looked at when it was split"
    return Base(parts.scheme, parts.hostname, parts.port or _PORTS[parts.scheme], parts.path.rstrip("/"))
