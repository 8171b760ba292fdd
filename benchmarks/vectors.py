"""How quick vectors are: `python benchmarks/vectors.py`.

Searches random rows of 256 numbers, plainly and where one content in a hundred is accepted, loads them from the store,
and embeds this repository's own sources with the hashing embedder.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence, Set
from contextlib import closing
from functools import partial
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "index"))

from lurcher_index.dense.embedding_pass import BATCH_CHUNKS, document_text
from lurcher_index.dense.hashing import HashingEmbedder
from lurcher_index.dense.vectors import VectorIndex, quantise
from lurcher_index.store.catalog import Catalog, Content
from lurcher_index.store.database import Database
from lurcher_index.store.vectors import VectorRows

ROOT = Path(__file__).resolve().parents[1]
DIMENSION = 256
CHUNKS_PER_CONTENT = 10
QUESTIONS = 30
CHUNK_BYTES = 1_000
"""About 250 tokens of source code with its blanks."""


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[10_000, 100_000, 400_000])
    print("median / worst of each, in milliseconds; load is seconds for all rows; coverage is after a commit")
    print(f"{'rows':>8}  {'load':>6}  {'limit 10':>13}  {'limit 1000':>13}  {'1 in 100':>13}  {'coverage':>13}")
    for count in parser.parse_args().rows:
        with tempfile.TemporaryDirectory(prefix="lurcher-vectors-") as scratch:
            print(searches(count, Path(scratch)), flush=True)
    print(embedding())
    return 0


def searches(count: int, scratch: Path) -> str:
    """One line of the table."""
    with closing(Database(scratch / "index.sqlite", "benchmark")) as database:
        rows = VectorRows(database, "random", DIMENSION)
        fill(database, rows, count)
        index = VectorIndex(rows)
        begin = time.perf_counter()
        assert index.refresh() == count
        load = time.perf_counter() - begin
        questions = np.random.default_rng(2).standard_normal((QUESTIONS, DIMENSION)).astype(np.float32)
        figures = [
            timed([partial(index.search, question, 10) for question in questions]),
            timed([partial(index.search, question, 1_000) for question in questions]),
            timed([partial(index.search_where, question, 10, one_in_a_hundred) for question in questions]),
            timed([rows.coverage] * QUESTIONS, before=lambda: commit(database)),
        ]
    return f"{count:>8,}  {load:>6.2f}  " + "  ".join(f"{figure:>13}" for figure in figures)


def fill(database: Database, rows: VectorRows, count: int) -> None:
    """Store random vectors, and a file for each content."""
    catalog, random = Catalog(database), np.random.default_rng(1)
    folder = Path("/benchmark")
    folder_id = catalog.folder_ids([folder])[folder]
    for start in range(0, count, 10_000):
        blobs: dict[int, bytes] = {}
        with catalog.write() as write:
            for number in range(start, min(start + 10_000, count), CHUNKS_PER_CONTENT):
                outline = os.urandom(CHUNKS_PER_CONTENT * 150)
                content = Content(number.to_bytes(16, "big"), "python", "utf-8", CHUNKS_PER_CONTENT, outline)
                content_id = write.content(content)
                write.file(folder_id, f"{number}.py", (1, 1, 1), content_id)
                vectors = random.standard_normal((CHUNKS_PER_CONTENT, DIMENSION)).astype(np.float32)
                blobs[content_id] = quantise(vectors).tobytes()
        rows.write(blobs)


def one_in_a_hundred(contents: Sequence[int]) -> Set[int]:
    """A filter that few contents pass."""
    return {number for number in contents if number % 100 == 0}


def commit(database: Database) -> None:
    """Change something, so that nothing remembered is taken for fresh."""
    with database.transaction() as connection:
        connection.execute("INSERT OR REPLACE INTO meta VALUES ('benchmark', ?)", (time.time_ns(),))


def timed(calls: Sequence[Callable[[], object]], before: Callable[[], None] = lambda: None) -> str:
    """Median and worst time of some calls; the first one, which warms up, is not counted."""
    times: list[float] = []
    for call in calls:
        before()
        begin = time.perf_counter()
        call()
        times.append((time.perf_counter() - begin) * 1000)
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
