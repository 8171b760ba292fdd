"""A build in a process of its own, so that whoever answers questions in this one is never held up by it."""

import subprocess
import threading
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

import msgspec

from lurcher_index.building.messages import read_frame, write_frame
from lurcher_index.building.progress import Cancelled, Progress, Report
from lurcher_index.building.spawning import spawn
from lurcher_index.config import Settings
from lurcher_index.errors import BadFolder, EmbedderError, LurcherError, StoreDamaged, StoreError
from lurcher_index.model import Value

END_SECONDS = 10.0
"""How long the process may take to come to an end before it is killed, which loses nothing but time."""

_POLL_SECONDS = 0.1


class Ending(StrEnum):
    """How a build ended."""

    NONE = ""
    COMPLETE = "complete"
    CANCELLED = "cancelled"
    DAMAGED = "the store is damaged"
    STORE = "the store cannot be used"
    FOLDER = "a folder cannot be opened"
    EMBEDDER = "the embedding model cannot be used"
    FAILED = "failed"


class Order(Value, frozen=True, array_like=True):
    """What the process is to build."""

    folders: tuple[str, ...]
    settings: Settings
    store: str
    """The directory for indexes."""
    embed_up_to: int | None = None
    """Files up to which vectors are made; None for no limit."""


class Told(Value, frozen=True, array_like=True):
    """What the process says: how far it is or, as its last word, how it ended."""

    progress: Progress | None = None
    ended: Ending = Ending.NONE
    detail: str = ""


def build_in_background(
    folders: Sequence[Path],
    settings: Settings,
    store: Path,
    report: Report,
    cancelled: Cancelled,
    embed_up_to: int | None = None,
) -> bool:
    """Build and wait; False if it was cancelled, with everything done so far kept."""
    process = spawn("lurcher_index.background_main")
    done = threading.Event()
    watch = threading.Thread(target=_stop_when_cancelled, args=(process, cancelled, done), daemon=True)
    try:
        assert process.stdin is not None
        write_frame(process.stdin, Order(tuple(map(str, folders)), settings, str(store), embed_up_to))
        watch.start()
        last = _listen(process, report)
    except BrokenPipeError:
        last = Told()
    finally:
        done.set()
        _end(process)
    return _outcome(last, process.returncode, cancelled)


def _listen(process: "subprocess.Popen[bytes]", report: Report) -> Told:
    decoder = msgspec.msgpack.Decoder(Told)
    assert process.stdout is not None
    while (frame := read_frame(process.stdout)) is not None:
        told = decoder.decode(frame)
        if told.ended is not Ending.NONE:
            return told
        if told.progress is not None:
            report(told.progress)
    return Told()


def _outcome(last: Told, code: int, cancelled: Cancelled) -> bool:
    if last.ended is Ending.COMPLETE:
        return True
    if last.ended is Ending.CANCELLED or cancelled():
        return False
    if last.ended is Ending.DAMAGED:
        raise StoreDamaged(last.detail)
    if last.ended is Ending.STORE:
        raise StoreError(last.detail)
    if last.ended is Ending.FOLDER:
        raise BadFolder(last.detail)
    if last.ended is Ending.EMBEDDER:
        raise EmbedderError(last.detail)
    raise LurcherError(last.detail or f"the process that builds the index ended with exit code {code}")


def _stop_when_cancelled(process: "subprocess.Popen[bytes]", cancelled: Cancelled, done: threading.Event) -> None:
    """Thread: closing its input asks the process to come to an end and keep what it has."""
    while not done.wait(_POLL_SECONDS):
        if cancelled():
            assert process.stdin is not None
            process.stdin.close()
            # Killing it loses nothing but time; only a process that hangs does not end by itself.
            if not done.wait(END_SECONDS):
                process.kill()
            return


def _end(process: "subprocess.Popen[bytes]") -> None:
    for stream in (process.stdin, process.stdout):
        try:
            if stream is not None:
                stream.close()
        except BrokenPipeError:
            pass
    try:
        process.wait(timeout=END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
