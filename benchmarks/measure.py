"""One measurement in a process of its own, printed as JSON; `speed.py` starts it and reads it.

    python benchmarks/measure.py WHAT TREE STORE [MODEL]

WHAT is `lurcher-index`, `lurcher-vectors`, `lurcher-serve`, `lurcher-large`, `semble-index`, `semble-serve`,
`semble-model` or `floor`. CPU seconds are user and system time of the whole process and of its children that have
ended, so imports, workers' starts and semble's model count as they do for a user; wall seconds begin after the
imports. Needs nothing but what it measures, because semble runs in an interpreter of its own.
"""

import json
import os
import resource
import sys
import threading
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "index"))

if TYPE_CHECKING:
    from lurcher_index import Engine

QUERIES = (
    "parse", "Config", "read_file", "error handling", "open", "getElementById", "HTTPServer", "to_string",
    "parse_args", "cache", "Iterator", "write buffer to disk", "lock", "createConnection", "utf8 decode",
    "hash", "json serialization", "memory allocation", "main", "register handler",
    "where are errors converted to a response", "how is a configuration file loaded",
    "what happens when a connection is closed", "function that splits a path into components",
    "how are command line arguments parsed", "where is the timeout of a request set",
    "code that retries after a failure", "how does caching of results work",
    "validate user input before saving", "convert a date to a string in local time",
    "where are test fixtures created", "how is thread safety guaranteed for the queue",
    "class that represents an HTTP header", "sort a list of items by priority",
    "compare two versions", "how are plugins discovered and loaded",
    "release resources when an exception is raised", "base class for all visitors",
    "escape special characters in html output", "where is the checksum of a file computed",
)  # fmt: skip
"""Twenty words and identifiers, twenty questions; none of them was chosen with a tree in mind."""

REPEATS = 5
"""How often every query is asked."""

RESULTS = 10
"""Results asked for by a query."""


class Clock:
    """Wall and CPU seconds since it was made."""

    def __init__(self) -> None:
        self._wall = time.perf_counter()
        self._cpu = cpu_seconds()

    def wall(self) -> float:
        """Wall seconds."""
        return time.perf_counter() - self._wall

    def cpu(self) -> float:
        """CPU seconds; those of a child count once it has ended."""
        return cpu_seconds() - self._cpu


def cpu_seconds() -> float:
    """User and system seconds of this process and its ended children."""
    total = 0.0
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        usage = resource.getrusage(who)
        total += usage.ru_utime + usage.ru_stime
    return total


def ask(search: Callable[[str], object]) -> dict[str, float]:
    """Milliseconds of the first query, and the median and 95th percentile of all, every query five times."""
    times = []
    for _ in range(REPEATS):
        for query in QUERIES:
            begin = time.perf_counter()
            search(query)
            times.append((time.perf_counter() - begin) * 1000)
    ordered = sorted(times)
    return {
        "first_ms": times[0],
        "p50_ms": ordered[len(ordered) // 2],
        "p95_ms": ordered[int(len(ordered) * 0.95)],
    }


def disk_bytes(folder: Path) -> int:
    """Bytes of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def semble_index(tree: Path, store: Path, model: Path) -> dict[str, Any]:
    """Build semble's index of all kinds of content and save it."""
    semble = import_module("semble")
    import_module("semble.index.dense").load_model(str(model))
    clock = Clock()
    index = semble.SembleIndex.from_path(tree, content=tuple(semble.ContentType), model_path=str(model))
    index.save(store)
    wall, cpu = clock.wall(), cpu_seconds()
    paths = {chunk.file_path for chunk in index.chunks}
    size = sum((tree / path).stat().st_size for path in paths)
    return {
        "wall_s": wall,
        "cpu_s": cpu,
        "files": len(paths),
        "bytes": size,
        "chunks": len(index.chunks),
        "disk": disk_bytes(store),
    }


def semble_serve(_tree: Path, store: Path, _model: Path) -> dict[str, Any]:
    """Load semble's index from disk and ask."""
    semble = import_module("semble")
    clock = Clock()
    index = semble.SembleIndex.load_from_disk(store)
    opened = clock.wall()
    return {"open_s": opened, **ask(lambda query: index.search(query, top_k=RESULTS))}


def semble_model(tree: Path, _store: Path, model: Path) -> dict[str, Any]:
    """Make a model of semble's format: a WordPiece vocabulary learned from a tree, with random vectors.

    semble's own model has to be downloaded; one of the same kind and width costs the same time. What it finds
    is worth nothing.
    """
    tokenizers, numpy = import_module("tokenizers"), import_module("numpy")
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = tokenizers.normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    files = sorted(path for path in tree.rglob("*") if path.is_file())
    texts = (path.read_text(encoding="utf-8", errors="replace") for path in files)
    special = ["[PAD]", "[UNK]"]
    trainer = tokenizers.trainers.WordPieceTrainer(vocab_size=30_000, special_tokens=special, show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    size = tokenizer.get_vocab_size()
    vectors = numpy.random.default_rng(1).standard_normal((size, 256), dtype=numpy.float32)
    import_module("model2vec").StaticModel(vectors, tokenizer, normalize=True).save_pretrained(model)
    return {"vocabulary": size}


def lurcher_index(tree: Path, store: Path, _model: Path) -> dict[str, Any]:
    """Build Lurcher's index; closing it is part of the CPU time, because its workers' time counts then."""
    return _built(tree, store, lambda engine: engine.build())


def lurcher_vectors(tree: Path, store: Path, _model: Path) -> dict[str, Any]:
    """The same with the vectors of all chunks, which the language server makes after the words."""
    return _built(tree, store, lambda engine: engine.build_all())


def _built(tree: Path, store: Path, build: Callable[["Engine"], object]) -> dict[str, Any]:
    from lurcher_index import Engine
    from lurcher_index.building.spawning import ENVIRONMENT

    for name, value in ENVIRONMENT.items():
        os.environ.setdefault(name, value)  # As `lurcher` does, before numpy is loaded.

    clock = Clock()
    with Engine.open([tree], store=store) as engine:
        build(engine)
        wall = clock.wall()
        indexed = _indexed(engine)
    return {"wall_s": wall, "cpu_s": cpu_seconds(), **indexed, "disk": disk_bytes(store)}


def lurcher_serve(tree: Path, store: Path, _model: Path) -> dict[str, Any]:
    """Open Lurcher's index and ask; then look for changes, which there are none of."""
    from lurcher_index import Engine

    clock = Clock()
    with Engine.open([tree], store=store) as engine:
        engine.search(QUERIES[0], max_results=RESULTS)
        opened = clock.wall()
        answer = ask(lambda query: engine.search(query, max_results=RESULTS))
        clock = Clock()
        engine.build()
        return {"open_s": opened, **answer, "rescan_s": clock.wall()}


def lurcher_large(tree: Path, store: Path, _model: Path) -> dict[str, Any]:
    """Build the index of a large tree while another thread asks, before and after its first answer."""
    from lurcher_index import Engine

    clock = Clock()
    first: list[float] = []
    times: list[float] = []
    done = threading.Event()
    with Engine.open([tree], store=store) as engine:

        def keep_asking() -> None:
            while not done.wait(0.02 if not first else 0.5):
                begin = time.perf_counter()
                found = engine.search(QUERIES[len(times) % len(QUERIES)], max_results=RESULTS).hits
                if first:
                    times.append((time.perf_counter() - begin) * 1000)
                elif found:
                    first.append(clock.wall())

        asking = threading.Thread(target=keep_asking)
        asking.start()
        try:
            engine.build()
            wall = clock.wall()
        finally:
            done.set()
            asking.join()
        indexed = _indexed(engine)
    cpu = clock.cpu()
    times = sorted(times) or [0.0]
    return {
        "first_result_s": first[0] if first else None,
        "wall_s": wall,
        "cpu_s": cpu,
        **indexed,
        "disk": disk_bytes(store),
        "busy_p50_ms": times[len(times) // 2],
        "busy_p95_ms": times[int(len(times) * 0.95)],
    }


def _indexed(engine: "Engine") -> dict[str, int]:
    """Number and bytes of the files in the index, and its chunks."""
    files = [file for file in engine.workspace.catalog.all_files() if file.content_id is not None]
    # Not by `status()`, which loads the model for vectors: its time would count as the index's.
    chunks = engine.workspace.counts().chunks
    return {"files": len(files), "bytes": sum(file.size for file in files), "chunks": chunks}


def floor(tree: Path, _store: Path, _model: Path) -> dict[str, Any]:
    """Read and parse every file that has a grammar: what any such index costs at least."""
    from lurcher_index.chunking.grammars import load_grammar
    from lurcher_index.chunking.languages import language_of
    from lurcher_index.config import MAX_FILE_BYTES, PARSE_SECONDS, Settings
    from lurcher_index.files.discovery import discover

    listed = [found for found in discover(tree, Settings()).files if 0 < found.size <= MAX_FILE_BYTES]
    grammars = {language: load_grammar(language) for language in {language_of(found.path) for found in listed}}
    clock = Clock()
    files = size = 0
    for found in listed:
        grammar = grammars[language_of(found.path)]
        if grammar is None:
            continue
        grammar.parse((tree / found.path).read_bytes(), PARSE_SECONDS)
        files += 1
        size += found.size
    return {"wall_s": clock.wall(), "cpu_s": clock.cpu(), "files": files, "bytes": size}


KINDS: dict[str, Callable[[Path, Path, Path], dict[str, Any]]] = {
    "floor": floor,
    "lurcher-index": lurcher_index,
    "lurcher-large": lurcher_large,
    "lurcher-serve": lurcher_serve,
    "lurcher-vectors": lurcher_vectors,
    "semble-index": semble_index,
    "semble-model": semble_model,
    "semble-serve": semble_serve,
}


def main() -> int:
    """Measure what the command line asks for."""
    what, tree, store, model = (*sys.argv[1:], "")[:4]
    print(json.dumps(KINDS[what](Path(tree).resolve(), Path(store).resolve(), Path(model))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
