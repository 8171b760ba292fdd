"""How quickly "who calls X" is answered, and what the call graph adds to an index: `callgraph_speed.py TREE`.

The names are asked after a restart, as an editor's first questions are: the language server has loaded the keys of all
names by then (`--cold` leaves that out). Each name is asked once cold (its files not read yet) and then again. Names:
the most used ones of the tree, and others spread over all frequencies. Times are of the CPU, since other work on the
machine makes those of the clock any length.
"""

import argparse
import json
import random
import resource
import statistics
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from lurcher_index import Engine
from lurcher_index.model import EdgeKind
from lurcher_server.lsp.sparing import spare_imports, spare_the_loop

COMMON = 20
"""The most called names of the tree: the worst case."""

OTHERS = 200
"""Other names, drawn at random from those that are defined and called."""


def main() -> int:
    """Build, look at the store, ask."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--store", type=Path, help="directory that keeps the index for another run")
    parser.add_argument("--json", type=Path, help="file for the milliseconds of each name, to compare several runs")
    parser.add_argument("--cold", action="store_true", help="load nothing beforehand")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = options.store or Path(folder)
        with Engine.open([options.tree], store=store, embeddings=False) as engine:
            before = _cpu()
            engine.build()
            status = engine.status()
            print(f"{status.indexed:,} files, {status.chunks:,} chunks, {status.bytes_on_disk / 1e6:.1f} MB")
            print(f"build: {_cpu() - before:.1f} s of CPU here (workers count when they end)")
            common, others = _names(engine)
        spare_the_loop()
        with Engine.open([options.tree], store=store, embeddings=False) as engine:
            if not options.cold:
                began = time.thread_time()
                # As the language server does: what stays is not looked through for cycles again.
                with spare_imports("answers"):
                    engine.warm()
                print(f"loaded beforehand: {(time.thread_time() - began) * 1000:.1f} ms")
            print(f"first question after a restart: {_timed(engine, 'main'):.1f} ms")
            told: dict[str, dict[str, float]] = {}
            for label, names in (("most called", common), ("others", others)):
                for turn in ("first", "again"):
                    told[f"{label}, {turn}"] = {name: _timed(engine, name) for name in names}
                    _tell(f"{label}, {turn}", told[f"{label}, {turn}"])
            if options.json:
                options.json.write_text(json.dumps(told, indent=1), encoding="utf-8")
            began = time.thread_time()
            found = engine.graph().callers(common[0], 10, thorough=True)
            print(f"thorough, {common[0]}: {found.total:,} in {(time.thread_time() - began) * 1000:.0f} ms")
    return 0


def _names(engine: Engine) -> tuple[list[str], list[str]]:
    catalog = engine.workspace.catalog
    used: Counter[str] = Counter()
    defined: set[str] = set()
    for row in catalog.all_files():
        outline = catalog.whole_outline(row.content_id) if row.content_id is not None else None
        if outline is not None:
            used.update({edge.name for edge in outline.edges if edge.kind is EdgeKind.CALL})
            defined.update(symbol.name for symbol in outline.symbols)
    known = [name for name, _ in used.most_common() if name in defined]
    return known[:COMMON], random.Random(1).sample(known[COMMON:], min(OTHERS, len(known) - COMMON))


def _timed(engine: Engine, name: str) -> float:
    began = time.thread_time()
    engine.graph().callers(name)
    return (time.thread_time() - began) * 1000


def _tell(label: str, times: dict[str, float]) -> None:
    ordered = sorted(times.values())
    p95 = ordered[min(len(ordered) - 1, round(len(ordered) * 0.95))]
    slowest = ", ".join(f"{name} {times[name]:.1f}" for name in sorted(times, key=times.__getitem__)[:-4:-1])
    print(f"{label}: median {statistics.median(ordered):.1f} ms, p95 {p95:.1f} ms, longest: {slowest}")


def _cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


if __name__ == "__main__":
    sys.exit(main())
