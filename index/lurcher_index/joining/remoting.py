"""Remote code search switched on and off, and what is to be said about it."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lurcher_index.joining.searching import RemoteCodeSearch, Use
from lurcher_index.remote.connection import Connection
from lurcher_index.remote.interface import Provider
from lurcher_index.remote.sending import described
from lurcher_index.remote.states import RemoteStatus
from lurcher_index.workspace import Workspace

if TYPE_CHECKING:
    from lurcher_index.secret import Secret


class Remoting:
    """The remote code search of one engine; none at first."""

    def __init__(self, workspace: Callable[[], Workspace], changed: Callable[[], object]) -> None:
        """`workspace` gives the one of now; `changed` is called, in any thread, when a state is another one."""
        self._workspace = workspace
        self._changed = changed
        self._connection: Connection | None = None
        self.search: RemoteCodeSearch | None = None

    def connect(self, connection: Connection, secret: "Secret | None", use: Use) -> None:
        """Switch to a connection. Nothing is sent yet. Whoever calls this has the person's consent.

        `RemoteError` if it cannot be used, as when a driver is missing; then it is off.
        """
        # Loaded late: who searches on this machine needs nothing of it.
        from lurcher_index.remote.connecting import provider_for

        self.close()
        self._connection = connection
        if use is not Use.OFF:
            self.provide(provider_for(connection, secret), use)

    def provide(self, provider: Provider, use: Use) -> None:
        """Switch to somebody who can be asked."""
        self.search = RemoteCodeSearch(provider, self._workspace, use, self._changed)
        self._changed()

    def status(self) -> RemoteStatus:
        """Whether it is on, for what, and what every search sends."""
        if self.search is None:
            return RemoteStatus(connection=self._connection)
        return RemoteStatus(
            state=self.search.state,
            repositories=self.search.repositories,
            connection=self._connection,
            sends=described(self._connection) if self._connection is not None else (),
            detail="; ".join(self.search.reasons),
        )

    def check(self) -> None:
        """Look at all repositories anew; blocks."""
        if self.search is not None:
            self.search.check()

    def touch(self, paths: Sequence[Path]) -> None:
        """Files changed on disk."""
        if self.search is not None:
            self.search.touch(paths)

    def close(self) -> None:
        """Switch off."""
        search, self.search = self.search, None
        self._connection = None
        if search is not None:
            search.close()
            self._changed()
