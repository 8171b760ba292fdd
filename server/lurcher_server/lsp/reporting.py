"""Shows builds as work-done progress, if the client can and the build is not over at once."""

import asyncio
import logging
from collections.abc import Callable
from itertools import count
from typing import Any

from lurcher_index.building.progress import Phase, Progress
from lurcher_server.lsp.messages import RpcError
from lurcher_server.lsp.registry import Peer

log = logging.getLogger(__name__)

QUICK_SECONDS = 0.4
"""A build that is over by then is not worth a person's attention; nearly every start is one."""


class Reporting:
    """One progress at a time."""

    def __init__(self, peer: Peer) -> None:
        """Nothing is shown before `enabled` is set, which is when the client is known to be able."""
        self.enabled = False
        self._peer = peer
        self._numbers = count(1)
        self._token = ""
        self._cancel: Callable[[], None] | None = None
        self._begun = False
        self._task: asyncio.Task[None] | None = None

    def begin(self, cancel: Callable[[], None]) -> None:
        """A build begins; `cancel` is what the button does."""
        if not self.enabled:
            return
        self._token = f"lurcher-index-{next(self._numbers)}"
        self._cancel = cancel
        self._begun = False
        self._task = asyncio.create_task(self._show(self._token))

    def report(self, progress: Progress) -> None:
        """Show how far it is."""
        if self._begun and not self._peer.is_congested:
            self._send({"kind": "report", "cancellable": True, **told(progress)})

    def end(self) -> None:
        """The build is over, one way or the other."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
        if self._begun:
            self._send({"kind": "end"})
        self._begun = False
        self._cancel = None

    def cancel(self, token: object) -> bool:
        """The person pressed the button; False if the token is not ours."""
        if token != self._token or self._cancel is None:
            return False
        self._cancel()
        return True

    async def _show(self, token: str) -> None:
        await asyncio.sleep(QUICK_SECONDS)
        try:
            await self._peer.request("window/workDoneProgress/create", {"token": token}, object)
        except RpcError as error:
            log.info("the client shows no progress: %s", error)
            return
        self._begun = True
        self._send({"kind": "begin", "title": "Lurcher: indexing", "cancellable": True})

    def _send(self, value: dict[str, Any]) -> None:
        self._peer.notify("$/progress", {"token": self._token, "value": value})


def told(progress: Progress) -> dict[str, Any]:
    """Progress in words and, if that can be said, in percent."""
    if progress.phase not in (Phase.INDEXING, Phase.EMBEDDING) or not progress.total:
        return {"message": progress.phase.value}
    message = f"{progress.phase.value}: {progress.done:,} of {progress.total:,} files"
    remaining = progress.remaining_seconds
    if remaining is not None and progress.done < progress.total:
        message += f", about {max(1, round(remaining))} s left"
    return {"message": message, "percentage": 100 * progress.done // progress.total}
