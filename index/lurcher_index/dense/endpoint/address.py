"""Where an endpoint is: an address that a person wrote, checked before anything is sent there."""

import re
from urllib.parse import urlsplit

import msgspec

from lurcher_index.errors import EmbedderError
from lurcher_index.hosts import is_this_machine

_PLAIN = re.compile(r"[!-~]+")
"""What an address may consist of; a line break in it would add lines to a request."""


class Address(msgspec.Struct, frozen=True):
    """The parts of an address."""

    host: str
    port: int
    is_encrypted: bool
    target: str
    """Path and question, as they are asked for."""

    @property
    def shown(self) -> str:
        """The host, for people. Paths and questions of an address may hold what is nobody's business."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return name if self.port == (443 if self.is_encrypted else 80) else f"{name}:{self.port}"


def read_address(url: str) -> Address:
    """An address as it was set; without `/embeddings` at its end, that is added.

    Anything but https is refused, unless the server is on this machine: code and key would be read on the way.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise EmbedderError("the address of the embedding endpoint cannot be understood; correct it") from None
    if not _PLAIN.fullmatch(url) or parts.scheme not in ("http", "https") or not parts.hostname or parts.fragment:
        raise EmbedderError("the address of the embedding endpoint is no http(s) address; correct it")
    if parts.username is not None or parts.password is not None:
        raise EmbedderError(
            "the address of the embedding endpoint holds a name or password; put the key into an environment variable,"
            " and its name into the setting `endpoint_key_variable`"
        )
    is_encrypted = parts.scheme == "https"
    if not is_encrypted and not is_this_machine(parts.hostname):
        raise EmbedderError(f"the embedding endpoint at {parts.hostname} is not on this machine; use https")
    path = parts.path.rstrip("/")
    if not path.endswith("/embeddings"):
        path += "/embeddings"
    target = f"{path}?{parts.query}" if parts.query else path
    return Address(parts.hostname, port or (443 if is_encrypted else 80), is_encrypted, target)
