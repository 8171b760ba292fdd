"""Watches the disk ourselves, for clients that cannot."""

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from lurcher_index.config import Settings
from lurcher_index.errors import LurcherError

log = logging.getLogger(__name__)

END_SECONDS = 5.0
"""How long the watching thread may take to end; it is a daemon and keeps nobody from leaving."""


class Watcher:
    """A thread that listens to a process that watches the file system, and tells the event loop."""

    def __init__(
        self, changed: Callable[[list[Path]], None], scan: Callable[[], None], begun: Callable[[], None]
    ) -> None:
        """`changed` hears of paths, `scan` that something cannot be told by paths, `begun` that from now on nothing is
        missed."""
        self._changed = changed
        self._scan = scan
        self._begun = begun
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, folders: Sequence[Path], settings: Settings) -> None:
        """Begin; what was watched before no longer is."""
        self._stop.set()
        self._stop = threading.Event()
        loop = asyncio.get_running_loop()
        arguments = (list(folders), settings, self._stop, loop)
        self._thread = threading.Thread(target=self._watch, args=arguments, name="watcher", daemon=True)
        self._thread.start()

    async def stop(self) -> None:
        """End the thread."""
        self._stop.set()
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join, END_SECONDS)

    def _watch(
        self, folders: list[Path], settings: Settings, stop: threading.Event, loop: asyncio.AbstractEventLoop
    ) -> None:
        from lurcher_index.lookout import look_out

        try:
            for seen in look_out(folders, settings, stop):
                if seen.ready:
                    loop.call_soon_threadsafe(self._begun)
                elif seen.rescan:
                    loop.call_soon_threadsafe(self._scan)
                elif seen.paths:
                    loop.call_soon_threadsafe(self._changed, [Path(path) for path in seen.paths])
        except RuntimeError:
            return  # The loop is closed.
        except (LurcherError, OSError) as error:
            log.warning("the disk cannot be watched: %s", error)
