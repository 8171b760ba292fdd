"""How quick vectors are: `python benchmarks/vectors.py`.

Searches rows of 256 numbers as models make them, exactly and with coarse codes, plainly and where one content in a
hundred is accepted, loads them from the store, and embeds this repository's own sources with the hashing embedder.
"""

import argparse
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "index"))

from lurcher_index.dense.embedder import Vectors
from lurcher_index.dense.embedding_pass import BATCH_CHUNKS, document_text
from lurcher_index.dense.hashing import HashingEmbedder
from lurcher_index.dense.segments import Held
from lurcher_index.dense.vectors import Accepts, VectorIndex, quantise, unit_rows
from lurcher_index.store.catalog import Catalog
from lurcher_index.store.database import Database
from lurcher_index.store.outlines import Content
from lurcher_index.store.vectors import VectorRows

ROOT = Path(__file__).resolve().parents[1]
DIMENSION = 256
CHUNKS_PER_CONTENT = 10
QUESTIONS = 50
TOPICS = 2_000
CHUNK_BYTES = 1_000
"""About 250 tokens of source code with its blanks."""


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[100_000, 400_000, 1_000_000])
    parser.add_argument("--vectors", type=Path, help="a .npy file of real vectors to take rows and questions from")
    given = parser.parse_args()
    print("median / worst in milliseconds of CPU, for other work on the machine hardly changes these;")
    print("load and coarse codes in seconds of CPU, stops of the interpreter in milliseconds")
    for count in given.rows:
        vectors = np.load(given.vectors, mmap_mode="r") if given.vectors else mixture(count + QUESTIONS)
        with tempfile.TemporaryDirectory(prefix="lurcher-vectors-") as scratch:
            print(f"{min(count, len(vectors) - QUESTIONS):,} rows", flush=True)
            for name, figure in searches(vectors[: count + QUESTIONS], Path(scratch)):
                print(f"  {name:<34} {figure}", flush=True)
    print(embedding())
    return 0


def searches(vectors: Vectors, scratch: Path) -> Iterator[tuple[str, str]]:
    """What was measured, and the figure. The last vectors are questions."""
    questions = np.asarray(vectors[-QUESTIONS:])
    with closing(Database(scratch / "index.sqlite", "benchmark")) as database:
        rows = VectorRows(database, "benchmark", DIMENSION)
        fill(database, rows, vectors[:-QUESTIONS])
        index = VectorIndex(rows)
        import_module("faiss")
        memory = resident()
        with Stops() as stops:
            begin = time.thread_time()
            index.refresh()
            yield "load", f"{time.thread_time() - begin:.2f}"
        yield "  longest stop", f"{stops.longest * 1000:.1f}"
        begin = time.process_time()
        with Stops() as stops:
            index.settle()
        yield "coarse codes", f"{time.process_time() - begin:.2f}"
        yield "  longest stop", f"{stops.longest * 1000:.1f}"
        yield "resident memory", f"{(resident() - memory) / 1e6:.0f} MB"
        exact = Held(tuple(replace(each, coarse=None) for each in index.held.segments))
        for limit in (10, 100, 300, 1_000):
            whole = [np.rint(question / np.abs(question).max() * 127).reshape(1, -1) for question in questions]
            best = [{*exact.best(each, limit).rows.tolist()} for each in whole]
            found = [{*index.held.best(each, limit).rows.tolist()} for each in whole]
            recall = statistics.mean(len(one & two) / len(one) for one, two in zip(best, found, strict=True))
            yield f"exact, limit {limit}", timed([partial(exact.best, each, limit) for each in whole])
            coarse = timed([partial(index.search, question, limit) for question in questions])
            yield f"search, limit {limit}", f"{coarse}, recall {recall:.4f}"
        for one_in in (2, 10, 100):
            calls = [partial(index.search_where, question, 100, accepting(one_in)) for question in questions]
            yield f"limit 100, 1 content in {one_in}", timed(calls)
        some = np.random.default_rng(3).choice(sorted(index.contents), 100).tolist()
        yield "rows of 100 chunks", timed([partial(index.rows, [(number, 0) for number in some])] * QUESTIONS)
        yield "cosines of 50 contents", timed([partial(index.content_cosines, each, some[:50]) for each in questions])
        yield "files of a content, each", f"{files_each(Catalog(database), sorted(index.contents)):.1f} µs"
        yield "coverage", timed([rows.coverage] * QUESTIONS, before=lambda: commit(database))


def mixture(count: int) -> Vectors:
    """Vectors as models make them: about topics, alike within a file, and strongest in the first numbers."""
    random = np.random.default_rng(1)
    strengths = ((1 + np.arange(DIMENSION)) ** -0.35).astype(np.float32)
    centres = random.standard_normal((TOPICS, DIMENSION), dtype=np.float32)
    frequencies = 1 / (np.arange(TOPICS) + 10)
    vectors = np.empty((count, DIMENSION), dtype=np.float32)
    for start in range(0, count, 50_000):
        part = vectors[start : start + 50_000]
        files = -(-len(part) // CHUNKS_PER_CONTENT)
        topics = random.choice(TOPICS, files, p=frequencies / frequencies.sum())
        alike = 0.7 * centres[topics] + 0.5 * random.standard_normal((files, DIMENSION), dtype=np.float32)
        own = 0.7 * random.standard_normal(part.shape, dtype=np.float32)
        part[:] = unit_rows((np.repeat(alike, CHUNKS_PER_CONTENT, axis=0)[: len(part)] + own) * strengths)
    # Questions are about what the rows are about, but no chunks of their files.
    return vectors


def fill(database: Database, rows: VectorRows, vectors: Vectors) -> None:
    """Store vectors, and a file for each content."""
    catalog = Catalog(database)
    folder = Path("/benchmark")
    folder_id = catalog.folder_ids([folder])[folder]
    for start in range(0, len(vectors), 10_000):
        blobs: dict[int, bytes] = {}
        quantised = quantise(np.asarray(vectors[start : start + 10_000]))
        with catalog.write() as write:
            for at in range(0, len(quantised), CHUNKS_PER_CONTENT):
                part = quantised[at : at + CHUNKS_PER_CONTENT]
                content = Content((start + at).to_bytes(16, "big"), "python", "utf-8", len(part), os.urandom(1_500))
                content_id = write.content(content)
                write.file(folder_id, f"{start + at}.py", (1, 1, 1), content_id)
                blobs[content_id] = part.tobytes()
        rows.write(blobs)


class Stops:
    """How long the interpreter stops for others: how late a thread wakes that sleeps for a millisecond.

    What it waited for a core is taken off, as far as Linux tells, and so is all in which this process did nothing.
    """

    def __enter__(self) -> "Stops":
        self.longest = 0.0
        self._finished = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._finished.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._finished.is_set():
            # Reading a file gives the interpreter away, so that is not done between the two looks at the clock.
            waited = _waited_for_a_core()
            begin, worked = time.perf_counter(), time.process_time()
            time.sleep(0.001)
            late, worked = time.perf_counter() - begin - 0.001, time.process_time() - worked
            self.longest = max(self.longest, min(late - (_waited_for_a_core() - waited), worked))


def _waited_for_a_core() -> float:
    path = Path("/proc/thread-self/schedstat")
    return int(path.read_text().split()[1]) / 1e9 if path.exists() else 0.0


def resident() -> int:
    """Bytes of memory that this process has."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def files_each(catalog: Catalog, content_ids: Sequence[int]) -> float:
    """Microseconds of CPU in which a content's files are found: what a filter costs at least."""
    begin = time.thread_time()
    catalog.files_with(content_ids[:10_000])
    return (time.thread_time() - begin) / len(content_ids[:10_000]) * 1e6


def accepting(one_in: int) -> Accepts:
    """A filter that one of so many contents passes."""
    return lambda contents: {number for number in contents if number % one_in == 0}


def commit(database: Database) -> None:
    """Change something, so that nothing remembered is taken for fresh."""
    with database.transaction() as connection:
        connection.execute("INSERT OR REPLACE INTO meta VALUES ('benchmark', ?)", (time.time_ns(),))


def timed(calls: Sequence[Callable[[], object]], before: Callable[[], None] = lambda: None) -> str:
    """Median and worst CPU time of some calls; the first one, which warms up, is not counted."""
    times: list[float] = []
    for call in calls:
        before()
        begin = time.thread_time()
        call()
        times.append((time.thread_time() - begin) * 1000)
    return f"{statistics.median(times[1:]):.2f} / {max(times[1:]):.2f}"


def embedding() -> str:
    """Time for one chunk and one question with the hashing embedder, once its memo is warm and when it is cold."""
    texts = [
        document_text(path.name, data[at : at + CHUNK_BYTES])
        for path in sorted((ROOT / "index").rglob("*.py"))
        for data in [path.read_bytes()]
        for at in range(0, len(data), CHUNK_BYTES)
    ]
    embedder = HashingEmbedder()
    batches = [texts[at : at + BATCH_CHUNKS] for at in range(0, len(texts), BATCH_CHUNKS)]
    cold, warm = (_each(lambda: [embedder.embed_documents(batch) for batch in batches], len(texts)) for _ in range(2))
    question = _each(lambda: [embedder.embed_query(text[:60]) for text in texts], len(texts))
    return (
        f"hashing, microseconds: {cold:.0f} a chunk with new words, {warm:.0f} with known ones,"
        f" {question:.0f} a question ({len(texts):,} chunks of {CHUNK_BYTES:,} bytes)"
    )


def _each(run: Callable[[], object], count: int) -> float:
    begin = time.perf_counter()
    run()
    return (time.perf_counter() - begin) / count * 1e6


if __name__ == "__main__":
    sys.exit(main())
