"""How long understanding, fusion and ranking take in a search, beside the whole of it.

    python benchmarks/ranking_speed.py TREE --store DIR

Builds the index of a tree, if it is not there yet, and asks the usual forty queries in one thread. Milliseconds on the
clock: run it when nothing else runs.
"""

import argparse
import asyncio
import gc
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "index")]

from benchmarks.measure import QUERIES  # noqa: E402

from lurcher_index import Engine, answering, finishing  # noqa: E402
from lurcher_index.asking import Ask  # noqa: E402
from lurcher_index.judging import Judge  # noqa: E402
from lurcher_index.strategies.apart import at_once  # noqa: E402

ROUNDS = 5
"""How often each query is asked; the first time is not counted."""

STAGES: tuple[tuple[str, Any, str], ...] = (
    ("understanding", answering, "_understood"),
    ("fusion", finishing, "fuse"),
    ("ranking", Judge, "judge"),
)


def timed(owner: Any, name: str, note: Callable[[float], object]) -> None:
    """Have a function tell how long each of its calls took."""
    work = getattr(owner, name)

    def watched(*args: Any, **kwargs: Any) -> Any:
        began = time.perf_counter()
        try:
            return work(*args, **kwargs)
        finally:
            note((time.perf_counter() - began) * 1000)

    setattr(owner, name, watched)


async def measured(engine: Engine) -> list[dict[str, float]]:
    """Milliseconds of each stage and of the whole, for every search."""
    now: dict[str, float] = {}

    def note(stage: str, milliseconds: float) -> None:
        now[stage] = now.get(stage, 0.0) + milliseconds

    for stage, owner, name in STAGES:
        timed(owner, name, partial(note, stage))
    seen: list[dict[str, float]] = []
    for query in QUERIES * ROUNDS:
        now.clear()
        began = time.perf_counter()
        await engine.ask(Ask(text=query, max_results=10), run_quick=at_once)
        seen.append({**now, "all three": sum(now.values()), "the search": (time.perf_counter() - began) * 1000})
    return seen[len(QUERIES) :]


def main() -> int:
    """Measure one tree."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("tree", type=Path)
    parser.add_argument("--store", type=Path, required=True, help="where the index is kept")
    options = parser.parse_args()
    with Engine.open([options.tree], store=options.store) as engine:
        assert engine.build_all()
        engine.warm()
        gc.freeze()
        seen = asyncio.run(measured(engine))
        print(f"{engine.status().chunks:,} chunks, {len(seen)} searches, ms")
    for stage in (*(name for name, _, _ in STAGES), "all three", "the search"):
        values = sorted(row.get(stage, 0.0) for row in seen)
        print(f"{stage:14} p50 {statistics.median(values):6.2f}   p95 {values[int(0.95 * len(values))]:6.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
