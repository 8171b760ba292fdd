"""Follows changes on disk that the editor or the watcher tells of."""

import asyncio
import logging
from collections.abc import Callable, Iterable
from pathlib import Path

from lurcher_index.errors import LurcherError
from lurcher_server.lsp.engines import EngineSlot
from lurcher_server.lsp.failures import log_failure
from lurcher_server.lsp.messages import RpcError
from lurcher_server.lsp.metrics import Metrics

log = logging.getLogger(__name__)

GATHER_SECONDS = 0.02
"""How long changes are gathered: an editor that saves all files tells of them one by one."""

SCAN_PATHS = 256
"""Changes in one batch beyond which a scan of the whole workspace is cheaper, and surely complete."""


class Updating:
    """Gathers changed paths and has the engine follow them."""

    def __init__(
        self, slot: EngineSlot, metrics: Metrics, scan: Callable[[], None], followed: Callable[[list[Path]], None]
    ) -> None:
        """`scan` asks for a look at the whole workspace; `followed` hears of paths that are searchable now."""
        self._slot = slot
        self._metrics = metrics
        self._scan = scan
        self._followed = followed
        self._paths: dict[Path, None] = {}
        self._task: asyncio.Task[None] | None = None

    def changed(self, paths: Iterable[Path]) -> None:
        """Something happened at some paths; what is there now decides."""
        self._paths.update(dict.fromkeys(paths))
        if self._paths and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._work())

    async def settle(self) -> None:
        """Wait until everything told so far is searchable, but for what needs a scan."""
        while self._task is not None and not self._task.done():
            await asyncio.wait([self._task])

    async def stop(self) -> None:
        """Stop working."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def _work(self) -> None:
        while self._paths:
            await asyncio.sleep(GATHER_SECONDS)
            paths, self._paths = list(self._paths), {}
            if len(paths) > SCAN_PATHS:
                self._scan()
                continue
            try:
                async with self._slot.use() as engine:
                    update = await asyncio.to_thread(engine.update, paths, False)
            except (LurcherError, RpcError) as error:
                log.warning("changes could not be followed: %s", error)
                self._scan()
                continue
            except Exception as error:  # noqa: BLE001 - the next changes must be followed all the same
                log_failure("following changes", error)
                self._scan()
                continue
            self._metrics.files_updated += len(update.tasks) + len(update.gone)
            if update.needs_scan:
                self._scan()
            self._followed(paths)
