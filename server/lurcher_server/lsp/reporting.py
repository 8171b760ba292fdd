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


ESTIMATE_SECONDS = 2.0
"""How long a build has run before its end is estimated."""

_SHARES = {Phase.INDEXING: (0, 80), Phase.EMBEDDING: (80, 20)}
"""Where each phase begins in percent, and how much of the way it is: vectors take about a quarter of the time."""


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
        self._percentage = 0
        self._task: asyncio.Task[None] | None = None

    def begin(self, cancel: Callable[[], None]) -> None:
        """A build begins; `cancel` is what the button does."""
        if not self.enabled:
            return
        self._token = f"lurcher-index-{next(self._numbers)}"
        self._cancel = cancel
        self._begun = False
        self._percentage = 0
        self._task = asyncio.create_task(self._show(self._token))

    def report(self, progress: Progress) -> None:
        """Show how far it is."""
        if not self._begun or self._peer.is_congested:
            return
        message, percentage = told(progress)
        # LSP wants it to rise; a second look at the disk would begin at 0 again.
        self._percentage = max(self._percentage, percentage)
        self._send({"kind": "report", "cancellable": True, "message": message, "percentage": self._percentage})

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
        self._send({"kind": "begin", "title": "Lurcher: indexing", "cancellable": True, "percentage": 0})

    def _send(self, value: dict[str, Any]) -> None:
        self._peer.notify("$/progress", {"token": self._token, "value": value})


def told(progress: Progress) -> tuple[str, int]:
    """Progress in words and in percent of the whole way."""
    if progress.phase not in _SHARES or not progress.total:
        return progress.phase.value, 0
    start, share = _SHARES[progress.phase]
    message = f"{progress.phase.value}: {progress.done:,} of {progress.total:,} files"
    remaining = progress.remaining_seconds
    # The first files bring the start of the workers with them; what they say of the rest is far too much.
    if remaining is not None and progress.done < progress.total and progress.seconds > ESTIMATE_SECONDS:
        message += f", about {max(1, round(remaining))} s left"
    return message, start + share * progress.done // progress.total
