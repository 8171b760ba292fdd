"""The process behind `lookout`."""

import os
import signal
import sys
import threading
from pathlib import Path
from typing import IO

import msgspec

from lurcher_index.building.messages import read_frame, write_frame
from lurcher_index.files.watching import watch
from lurcher_index.lookout import Post, Sighting


def serve(source: IO[bytes], sink: IO[bytes]) -> None:
    """Watch until the owner closes its end."""
    first = read_frame(source)
    if first is None:
        return
    post = msgspec.msgpack.decode(first, type=Post)
    stop, ready, turn = threading.Event(), threading.Event(), threading.Lock()

    def say(sighting: Sighting) -> None:
        with turn:
            try:
                write_frame(sink, sighting)
            except BrokenPipeError:
                stop.set()

    def hear_the_end() -> None:
        os.read(source.fileno(), 1)
        stop.set()

    def tell_when_ready() -> None:
        ready.wait()
        say(Sighting(ready=True))

    for work in (hear_the_end, tell_when_ready):
        threading.Thread(target=work, daemon=True).start()
    for changes in watch([Path(folder) for folder in post.folders], post.settings, stop, ready=ready):
        paths = [str(folder / path) for folder, inside in changes.paths.items() for path in inside]
        say(Sighting(tuple(paths), changes.rescan))


def main() -> None:
    """Run by `building.spawning.spawn`."""
    # Ctrl-C reaches the whole process group; stopping is the owner's business.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sink = os.fdopen(os.dup(1), "wb")
    # Whatever a library prints must not end up between the frames.
    os.dup2(2, 1)
    serve(sys.stdin.buffer, sink)
