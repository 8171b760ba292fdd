"""A worker process: reads files, chunks them and splits their words. It only reads, so it can be killed any time."""

import gc
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import IO

import msgspec

from lurcher_index.building.messages import Job, Jobs, Parsed, Setup, read_frame, write_frame
from lurcher_index.building.modesty import be_modest
from lurcher_index.building.terms import chunk_terms
from lurcher_index.chunking.languages import language_of
from lurcher_index.chunking.outline import outline
from lurcher_index.chunking.retyping import Typed
from lurcher_index.errors import StoreError
from lurcher_index.features.digests import features_of
from lurcher_index.files.reading import decode_document, read_document
from lurcher_index.model import Document, Outline, Reason, Skip
from lurcher_index.store.known import KnownContents
from lurcher_index.store.outlines import Content, packed_content, unpack_without_edges

MEMORY_BYTES = 4 * 1024**3
"""Address space of a worker: a file that makes the parser ask for more ends the worker, not the machine."""

COLLECT_FILES = 1_000
"""Files between two searches for cycles."""

OWNER_SECONDS = 2.0
"""How often a worker looks whether its owner is alive."""

TYPED_DOCUMENTS = 4
"""Documents of editors whose trees are kept for the next keystroke, those that were typed in last. A tree takes 25 to
45 times the memory of its text."""

HEAD_BYTES = 2_048
"""How much of a file the language is guessed from where its name does not tell."""


class Worker:
    """What a worker does with one file."""

    def __init__(self, setup: Setup) -> None:
        """Take the settings and the databases that may know a content already."""
        self._settings = setup.settings
        self._known = KnownContents([Path(name) for name in setup.databases], setup.fingerprint)
        self._typed: dict[tuple[str, str], Typed] = {}

    def run(self, job: Job) -> Parsed:
        """Read one file and take it apart."""
        if job.shown is not None:
            return self._take_apart(job, (0, 0, 0), decode_document(job.shown, job.path, self._settings))
        path = os.path.join(job.folder, job.path)  # noqa: PTH118 - a Path costs some µs wherever it is used
        read_ns = time.time_ns()
        try:
            # Before the reading: a change after this shows in the next comparison of stamps.
            status = os.lstat(path)
        except (FileNotFoundError, NotADirectoryError):
            return Parsed(job.number, (0, 0, read_ns), gone=True)
        except OSError:
            status = None
        stamp = (status.st_size, status.st_mtime_ns, read_ns) if status else (0, 0, read_ns)
        return self._take_apart(job, stamp, read_document(path, job.path, self._settings))

    def _take_apart(self, job: Job, stamp: tuple[int, int, int], document: Document | Skip) -> Parsed:
        if isinstance(document, Skip):
            return Parsed(job.number, stamp, skip=document)
        if document.content_hash == job.known_hash:
            return Parsed(job.number, stamp, unchanged=True)
        language = language_of(job.path, document.data[:HEAD_BYTES])
        content, found = self._content(document.content_hash, language)
        if content is None or found is None:
            found = msgspec.structs.replace(
                outline(
                    document.data,
                    language,
                    chunk_tokens=self._settings.chunk_tokens,
                    parse_seconds=self._settings.parse_seconds,
                    typed=self._last_of(job) if job.shown is not None else None,
                ),
                masks=document.masks,
            )
            kept = features_of(document.data, found)
            content = msgspec.structs.replace(
                packed_content(document.content_hash, document.encoding, found),
                digest=kept.digest,
                phrases=kept.phrases,
            )
        data = b"" if job.shown is None else document.data
        return Parsed(job.number, stamp, content, chunk_terms(document.data, found), data)

    def _last_of(self, job: Job) -> Typed:
        """What is remembered of a document that an editor shows."""
        found = self._typed.pop((job.folder, job.path), None) or Typed()
        self._typed[job.folder, job.path] = found
        while len(self._typed) > TYPED_DOCUMENTS:
            self._typed.pop(next(iter(self._typed)))
        return found

    def _content(self, content_hash: bytes, language: str) -> tuple[Content | None, Outline | None]:
        content = self._known.find(content_hash, language)
        try:
            return content, unpack_without_edges(content.packed) if content else None
        except StoreError:
            return None, None


def serve(source: IO[bytes], sink: IO[bytes]) -> None:
    """Answer jobs until the owner closes its end."""
    first = read_frame(source)
    if first is None:
        return
    setup = msgspec.msgpack.decode(first, type=Setup)
    be_modest(setup.niceness)
    _bound_memory()
    worker = Worker(setup)
    write_frame(sink, Parsed(-1))
    decoder = msgspec.msgpack.Decoder(Jobs)
    # Parsing makes very many short-lived values and hardly a cycle; looking for cycles after every few hundred of them
    # costs 1 to 3 % of the time. What is there by now stays; going through it each time would cost another 1 %.
    gc.disable()
    gc.freeze()
    done = 0
    while (frame := read_frame(source)) is not None:
        for job in decoder.decode(frame).jobs:
            write_frame(sink, _attempt(worker, job))
            done += 1
            if done % COLLECT_FILES == 0:
                gc.collect()
                # What is left by now are memos; the next search need not go through them again.
                gc.freeze()


def _attempt(worker: Worker, job: Job) -> Parsed:
    try:
        return worker.run(job)
    except Exception as error:  # noqa: BLE001 - whatever one file provokes, the other files go on
        return Parsed(job.number, skip=Skip(Reason.QUARANTINED, f"reading it failed: {error!r:.200}"))


def main() -> None:
    """Run as `python -m lurcher_index.building.worker`."""
    # Ctrl-C reaches the whole process group; stopping is the owner's business.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_owner, args=(os.getppid(),), daemon=True).start()
    # Whatever a library prints must not end up between the frames.
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        serve(sys.stdin.buffer, sink)
    except BrokenPipeError:
        pass


def _end_with_owner(owner: int) -> None:
    """Thread: a worker that is busy when its owner dies does not see its input end, and must not run on."""
    while os.getppid() == owner:
        time.sleep(OWNER_SECONDS)
    os._exit(1)


def _bound_memory() -> None:
    if sys.platform != "win32":
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        limit = MEMORY_BYTES if hard == resource.RLIM_INFINITY else min(MEMORY_BYTES, hard)
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


if __name__ == "__main__":
    main()
