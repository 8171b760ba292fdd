"""What the engine is given besides an address: how long things may take, and a password that is not shown."""

from typing import Protocol

import msgspec


class Password(Protocol):
    """A secret that is given away only on purpose."""

    def reveal(self) -> str:
        """The password itself."""
        ...


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds, unless said otherwise."""

    connect: int = 5
    """To reach the server and sign in; libpq counts whole seconds, two at least."""
    search: float = 10.0
    """One step of a search or a look-up; the strategy as a whole has 12.5 s."""
    write: float = 120.0
    """One batch of a publish; a batch of 500 chunks takes about a second."""
    lock: float = 10.0
    """What a statement waits for those of others, of the time it has."""
    grace: float = 2.0
    """How much longer than the server's own limit we wait before we cut the connection."""
    kept: float = 60.0
    """How long a connection is kept that nobody uses: what stands between us forgets it sooner or later, in silence."""
    idle: int = 4
    """Connections that are kept for the next search: as many searches are seldom under way at once."""
