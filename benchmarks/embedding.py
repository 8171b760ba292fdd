"""How quickly chunks and questions are embedded: `python benchmarks/embedding.py TREE [--model FILE]`.

Takes the source files of a tree in pieces of 1.2 KB, as large as our chunks, and embeds them with our model and with
hashed words in one run, on one core. Time is the processor's, so that other work on the machine counts less.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from lurcher_index.dense.embedder import Embedder
from lurcher_index.dense.embedding_pass import BATCH_CHUNKS, document_text
from lurcher_index.dense.hashing import HashingEmbedder
from lurcher_index.dense.static.embedder import StaticEmbedder
from lurcher_index.dense.static.modelfile import read_model

CHUNK_BYTES = 1_200
"""What about 40 lines of code have."""

MOST_CHUNKS = 20_000
"""Chunks that are embedded, the first of the tree."""

QUESTIONS = (
    "where is the retry delay of a failed request computed",
    "parseHTTPHeader",
    "how are plugins loaded and in which order",
)


def chunks_of(tree: Path) -> list[str]:
    """The beginning of a tree's sources, cut into pieces."""
    found: list[str] = []
    for path in sorted(tree.rglob("*")):
        if path.is_file() and not path.is_symlink() and path.suffix in SUFFIXES:
            data = path.read_bytes()
            name = path.relative_to(tree).as_posix()
            found += [document_text(name, data[at : at + CHUNK_BYTES]) for at in range(0, len(data), CHUNK_BYTES)]
        if len(found) >= MOST_CHUNKS:
            break
    return found[:MOST_CHUNKS]


SUFFIXES = frozenset(
    ".c .cc .cpp .cs .ex .go .h .hs .java .js .kt .lua .php .py .rb .rs .scala .swift .ts .zig".split()
)


def seconds(work: Callable[[], object]) -> float:
    """Processor time of this process."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def rates(embedder: Embedder, chunks: Sequence[str]) -> str:
    """Chunks a second with new words and with known ones, and microseconds a question."""
    batches = [chunks[at : at + BATCH_CHUNKS] for at in range(0, len(chunks), BATCH_CHUNKS)]

    def embed() -> None:
        for batch in batches:
            embedder.embed_documents(batch)

    def ask() -> None:
        for _ in range(300):
            for question in QUESTIONS:
                embedder.embed_query(question)

    cold, warm = len(chunks) / seconds(embed), len(chunks) / seconds(embed)
    question = seconds(ask) / (300 * len(QUESTIONS)) * 1e6
    return f"{cold:8,.0f} chunks/s, {warm:8,.0f} with known words, {question:5.0f} µs a question"


def main() -> int:
    """Embed a tree with both."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("tree", type=Path)
    parser.add_argument("--model", type=Path, required=True, help="the model's file")
    options = parser.parse_args()
    chunks = chunks_of(options.tree)
    if not chunks:
        print(f"no sources in {options.tree}", file=sys.stderr)
        return 1
    mean = sum(len(chunk) for chunk in chunks) / len(chunks)
    print(f"{len(chunks):,} chunks of {mean:,.0f} characters in the mean")
    loading = seconds(lambda: StaticEmbedder(read_model(options.model)))
    print(f"loading the model takes {loading * 1000:.0f} ms")
    for embedder in (StaticEmbedder(read_model(options.model)), HashingEmbedder()):
        print(f"{embedder.name:24} {rates(embedder, chunks)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
