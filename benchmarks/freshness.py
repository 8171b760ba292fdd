"""How soon a change is found: `python benchmarks/freshness.py TREE`.

Copies a tree, indexes it, then edits one file after the other and measures the time until the new text is found: by
`Engine.update`, as an editor calls it, and through the file events of `Engine.follow`, as `lurcher watch` does.
"""

import argparse
import random
import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "index"))

from lurcher_index import Engine, Settings

EDITS = 60
"""Files that are edited in each way."""

PATIENCE_SECONDS = 30.0
"""Longest wait for a file event before the run is called failed."""


def main() -> int:
    """Copy, index, edit, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("tree", type=Path, help="a folder with source files; it is copied, not changed")
    tree = parser.parse_args().tree.resolve()
    with tempfile.TemporaryDirectory(prefix="lurcher-freshness-") as scratch:
        copy = Path(scratch, "tree")
        shutil.copytree(tree, copy, symlinks=True)
        with Engine.open([copy], store=Path(scratch, "store"), settings=Settings()) as engine:
            engine.build()
            status = engine.status()
            print(f"{tree.name}: {status.indexed:,} files, {status.chunks:,} chunks")
            report("Engine.update, then found", updates(engine, copy))
            report("write to disk → found, by file events", events(engine, copy))
    return 0


def updates(engine: Engine, tree: Path) -> list[float]:
    """Milliseconds from the call of `update` until a search has the new text."""
    times: list[float] = []
    for number, path in enumerate(chosen(engine, tree)):
        word = new_word("freshly", number)
        with path.open("a", encoding="utf-8") as file:
            file.write(f"\n{word}\n")
        begin = time.perf_counter()
        engine.update([path])
        hits = engine.search(word, max_results=1).hits
        times.append((time.perf_counter() - begin) * 1000)
        assert hits and word in hits[0].text, f"{path} was not found"
    return times


def events(engine: Engine, tree: Path) -> list[float]:
    """Milliseconds from the end of a write until the index has followed."""
    times: list[float] = []
    stop, ready, heard = threading.Event(), threading.Event(), threading.Event()
    following = threading.Thread(target=engine.follow, args=(stop, lambda _: heard.set(), ready))
    following.start()
    try:
        ready.wait(PATIENCE_SECONDS)
        for number, path in enumerate(chosen(engine, tree)):
            word = new_word("watched", number)
            heard.clear()
            with path.open("a", encoding="utf-8") as file:
                file.write(f"\n{word}\n")
            begin = time.perf_counter()
            while not (hits := engine.search(word, max_results=1).hits) or word not in hits[0].text:
                assert time.perf_counter() - begin < PATIENCE_SECONDS, f"the change of {path} was never heard of"
                heard.wait(0.01)
                heard.clear()
            times.append((time.perf_counter() - begin) * 1000)
    finally:
        stop.set()
        following.join()
    return times


def chosen(engine: Engine, tree: Path) -> list[Path]:
    """Some indexed files, the same in every run."""
    rows = [row.path for row in engine.workspace.catalog.all_files() if row.content_id is not None]
    return [tree / path for path in random.Random(1).sample(rows, min(EDITS, len(rows)))]


def new_word(start: str, number: int) -> str:
    """A word that stands nowhere else and is not split into parts."""
    return start + "".join(chr(ord("a") + int(digit)) for digit in f"{number:04}") + "quux"


def report(title: str, times: list[float]) -> None:
    """One line of the table."""
    ordered = sorted(times)
    p50, p95 = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)]
    print(f"{title:40} p50 {p50:6.1f} ms   p95 {p95:6.1f} ms   n = {len(ordered)}")


if __name__ == "__main__":
    sys.exit(main())
