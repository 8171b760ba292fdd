"""Watches the disk from a process of its own: watching a large tree begins with half a second of a held GIL."""

import subprocess
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from lurcher_index.building.messages import read_frame, write_frame
from lurcher_index.building.spawning import spawn
from lurcher_index.config import Settings
from lurcher_index.errors import LurcherError
from lurcher_index.model import Value

STARTS = 3
"""How often the process is started before the watching is given up."""

_POLL_SECONDS = 0.2


class Post(Value, frozen=True, array_like=True):
    """What is to be watched."""

    folders: tuple[str, ...]
    settings: Settings


class Sighting(Value, frozen=True, array_like=True):
    """What was seen: changed paths, or that only a scan can tell."""

    paths: tuple[str, ...] = ()
    rescan: bool = False
    ready: bool = False
    """From now on nothing is missed."""


def look_out(folders: Sequence[Path], settings: Settings, stop: threading.Event) -> Iterator[Sighting]:
    """What happens below some folders, until `stop` is set. If the process dies, a scan makes up for it."""
    for _ in range(STARTS):
        yield from _watch(Post(tuple(map(str, folders)), settings), stop)
        if stop.is_set():
            return
        yield Sighting(rescan=True)
    raise LurcherError("the process that watches the disk does not stay alive; changes are found by the next scan")


def _watch(post: Post, stop: threading.Event) -> Iterator[Sighting]:
    process = spawn("lurcher_index.lookout_main")
    ended = threading.Event()
    threading.Thread(target=_end_with, args=(process, stop, ended), daemon=True).start()
    decoder = msgspec.msgpack.Decoder(Sighting)
    try:
        assert process.stdin is not None and process.stdout is not None
        write_frame(process.stdin, post)
        while (frame := read_frame(process.stdout)) is not None:
            yield decoder.decode(frame)
    except BrokenPipeError:
        pass
    finally:
        ended.set()
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            try:
                if stream is not None:
                    stream.close()
            except BrokenPipeError:
                pass  # Closing flushes, and nobody reads any more.


def _end_with(process: "subprocess.Popen[bytes]", stop: threading.Event, ended: threading.Event) -> None:
    """Thread: the process holds nothing that could be lost."""
    while not ended.is_set():
        if stop.wait(_POLL_SECONDS):
            process.kill()
            return
