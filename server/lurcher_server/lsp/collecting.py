"""Python's garbage collector beside an event loop: it looks at what is new, and at everything only while nobody waits.

A full collection stops all threads while it looks through whatever is alive, and an index in memory is a lot: after
some hundred searches in a large workspace that took 180 ms. So what survives one is put aside, and the next one looks
only at what came since. Cycles among what was put aside are found when the process had nothing to do for a while.
"""

import gc
import threading
import time
from typing import Any

WHOLE = 2
"""The oldest generation; collecting it is looking through everything that was not put aside."""

ROUNDS = 3
"""Collections of the middle generation before a full one; Python waits for ten. More of them are shorter ones."""

IDLE_SECONDS = 30.0
"""For how long there must be next to nothing to do before everything is looked through."""

IDLE_SHARE = 0.01
"""Share of a core that is next to nothing: timers and watchers take less, a search every few seconds more."""


class Collecting:
    """Full collections in steps."""

    def __init__(self) -> None:
        """Nothing was put aside yet."""
        self._steps = 0

    def begin(self) -> None:
        """From now on put aside what survives, and look through everything in idle times, until the process ends."""
        young, middle, _ = gc.get_threshold()
        gc.set_threshold(young, middle, ROUNDS)
        gc.callbacks.append(self.set_aside)
        threading.Thread(target=self._watch, name="lurcher-idle", daemon=True).start()

    def set_aside(self, phase: str, info: dict[str, Any]) -> None:
        """A callback of the collector."""
        if phase == "stop" and info["generation"] == WHOLE:
            gc.freeze()
            self._steps += 1

    def collect_all(self) -> None:
        """Look through everything, if there may be something."""
        if self._steps:
            gc.unfreeze()
            gc.collect()
            self._steps = 0

    def _watch(self) -> None:
        while True:
            used = time.process_time()
            time.sleep(IDLE_SECONDS)
            if time.process_time() - used < IDLE_SHARE * IDLE_SECONDS:
                self.collect_all()
