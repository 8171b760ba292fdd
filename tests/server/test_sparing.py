"""What the garbage collector and other threads may cost the event loop."""

import gc
import platform
import subprocess
import sys

import pytest

SPARED = """
import gc, sys
from lurcher_server.lsp.sparing import spare_imports, spare_the_loop

spare_the_loop()
print(sys.getswitchinterval() < 0.005, gc.get_threshold()[2] > 10)
with spare_imports("one"):
    kept = [[]]
    print(gc.isenabled())
first = gc.get_freeze_count()
print(gc.isenabled(), first > 0, any(each is kept for each in gc.get_objects()))
try:
    with spare_imports("two"):
        raise ImportError
except ImportError:
    print(gc.isenabled(), gc.get_freeze_count() >= first)
later = [[]]
frozen = gc.get_freeze_count()
with spare_imports("one"):
    print(gc.isenabled())
print(gc.get_freeze_count() == frozen, any(each is later for each in gc.get_objects()))
"""


def test_what_was_imported_is_put_aside_once_for_each_part() -> None:
    """In a process of its own: what is put aside stays so."""
    done = subprocess.run([sys.executable, "-c", SPARED], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ("True True False True True False True True True True True".split())
    assert gc.isenabled()


CLOSED = """
import gc, weakref
from lurcher_server.lsp.sparing import collect_closed, spare_imports


class Part:
    pass


def made():
    one, other = Part(), Part()
    one.other, other.other = other, one
    return weakref.ref(one)


with spare_imports("one"):
    engine = made()
gc.collect()
print(engine() is None)
collect_closed()
print(engine() is None, gc.get_freeze_count() > 0)
"""


LEFT = (
    CLOSED.partition("with spare_imports")[0].replace("collect_closed", "collect_left")
    + """
with spare_imports("one"):
    engine = made()
    at_work = engine()
collect_left()
print(engine() is None, gc.get_freeze_count())
del at_work
gc.collect()
print(engine() is None)
"""
)


def test_what_a_session_left_is_found_later_if_it_was_still_at_work() -> None:
    done = subprocess.run([sys.executable, "-c", LEFT], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "0", "True"]


def test_what_was_put_aside_goes_when_it_is_closed() -> None:
    done = subprocess.run([sys.executable, "-c", CLOSED], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True", "True"]


GIVEN_BACK = """
from pathlib import Path
from lurcher_server.lsp.memory import LARGE_BYTES, give_back_large_pieces

print(give_back_large_pieces())


def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


before = resident()
for _ in range(3):
    pieces = [bytearray(LARGE_BYTES + 1) for _ in range(40)]
    held = [bytearray(1_000) for _ in range(40)]
    grown = resident()
    del pieces
print(grown - before > 30 * LARGE_BYTES, resident() - before < 10 * LARGE_BYTES)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the setting is one of glibc")
def test_large_pieces_of_memory_are_given_back() -> None:
    done = subprocess.run([sys.executable, "-c", GIVEN_BACK], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "True", "True"]
