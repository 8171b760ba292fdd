"""The process behind `background`: builds one index, tells how far it is, ends when its owner does."""

import os
import signal
import sys
import threading
from pathlib import Path
from typing import IO

import msgspec

from lurcher_index.background import Ending, Order, Told
from lurcher_index.building.messages import read_frame, write_frame
from lurcher_index.building.modesty import be_modest
from lurcher_index.building.progress import Progress
from lurcher_index.engine import Engine
from lurcher_index.errors import BadFolder, Cancelled, EmbedderError, LurcherError, StoreDamaged, StoreError
from lurcher_index.store.places import place_for

NICENESS = 10
"""How far the process steps back for the editor and for searches, as `nice` counts."""


def serve(source: IO[bytes], sink: IO[bytes]) -> None:
    """Carry out one order."""
    first = read_frame(source)
    if first is None:
        return
    order = msgspec.msgpack.decode(first, type=Order)
    stop = threading.Event()
    threading.Thread(target=_hear_the_end, args=(source, stop), daemon=True).start()
    write_frame(sink, _carry_out(order, sink, stop))


def _carry_out(order: Order, sink: IO[bytes], stop: threading.Event) -> Told:
    def report(progress: Progress) -> None:
        try:
            write_frame(sink, Told(progress))
        except BrokenPipeError:
            stop.set()

    try:
        # Not `Engine.open`: these are real paths, and one that is away now must not keep others from being looked at.
        folders = [Path(folder) for folder in order.folders]
        place = place_for(folders, order.settings.shape(), Path(order.store))
        with Engine(folders, order.settings, place) as engine:
            if engine.workspace.place is None:
                return Told(ended=Ending.STORE, detail="; ".join(engine.status().alerts))
            complete = engine.build_all(report, stop.is_set, order.embed_up_to)
            return Told(ended=Ending.COMPLETE if complete else Ending.CANCELLED)
    except Cancelled:
        return Told(ended=Ending.CANCELLED)
    except StoreDamaged as error:
        return Told(ended=Ending.DAMAGED, detail=str(error))
    except StoreError as error:
        return Told(ended=Ending.STORE, detail=str(error))
    except BadFolder as error:
        return Told(ended=Ending.FOLDER, detail=str(error))
    except EmbedderError as error:
        return Told(ended=Ending.EMBEDDER, detail=str(error))
    except LurcherError as error:
        return Told(ended=Ending.FAILED, detail=str(error))


def _hear_the_end(source: IO[bytes], stop: threading.Event) -> None:
    """Thread: the owner says nothing more; when its end of the pipe closes, by its will or its death, we stop."""
    # Not through the buffered stream: a thread that waits in it would keep the interpreter from ending cleanly.
    os.read(source.fileno(), 1)
    stop.set()


def main() -> None:
    """Run by `building.spawning.spawn`."""
    # Ctrl-C reaches the whole process group; stopping is the owner's business.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    be_modest(NICENESS)
    sink = os.fdopen(os.dup(1), "wb")
    # Whatever a library prints must not end up between the frames.
    os.dup2(2, 1)
    try:
        serve(sys.stdin.buffer, sink)
    except BrokenPipeError:
        pass
