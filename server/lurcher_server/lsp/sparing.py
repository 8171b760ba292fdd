"""Spares the garbage collector what was imported: to look through all of it would stop the loop for 50 ms or more.

It is done while the first session loads, once for the server and once for the part that answers, which is loaded later.
What else is there by then is put aside with it, until an engine is closed.
"""

import gc
import sys
from collections.abc import Generator
from contextlib import contextmanager

SWITCH_SECONDS = 0.001
"""How long a thread that works may keep the interpreter from the event loop; Python waits five times as long."""

COLLECTIONS = (2_000, 20, 50)
"""When the garbage collector looks at the youngest, the young and all objects. Python has 700, 10 and 10, for programs
that leave cycles behind all the time; a search leaves none, and looking at all stops the loop for milliseconds."""

_loaded: set[str] = set()


def spare_the_loop() -> None:
    """Have the interpreter interrupt the event loop seldom, and for short times."""
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.set_threshold(*COLLECTIONS)


@contextmanager
def spare_imports(part: str) -> Generator[None]:
    """Around what loads a part; what is there afterwards is put aside, unless the part was loaded before."""
    if part in _loaded:
        yield
        return
    _loaded.add(part)
    # A collection in between would look at modules that are about to be put aside.
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def collect_closed() -> None:
    """Free what was closed, also if it had been put aside. It stops everything for 50 ms or more."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def collect_left() -> None:
    """Free what one of several sessions left. Nothing is put aside again: threads of it may still work, and what they
    hold must be found later."""
    gc.unfreeze()
    gc.collect()
