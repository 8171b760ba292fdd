"""What features cost: `python benchmarks/feature_tree.py TREE…`.

For each tree: the processor time of an index with all its processes, and what the features alone take of it, measured
on the same files in the same run; how long the feature tree takes when it is first wanted and after one edit, which a
search does not wait for; the memory it keeps; how long a group of many files takes to become a scope. Times are the
processor's.
"""

import argparse
import resource
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from lurcher_index import Engine
from lurcher_index.chunking.languages import language_of
from lurcher_index.chunking.outline import outline
from lurcher_index.errors import LurcherError
from lurcher_index.features.digests import features_of
from lurcher_index.featuring import Featuring
from lurcher_index.files.reading import read_document
from lurcher_index.model import Skip
from lurcher_index.scoping import scope_of
from lurcher_index.view import View

R = TypeVar("R")

ROUNDS = 5
"""Edits and scopes of which the middle time is told."""


class Cost(NamedTuple):
    """Seconds and megabytes of one tree."""

    files: int
    groups: int
    index_cpu: float
    features_cpu: float
    first: float
    after_edit: float
    megabytes: float
    stored_bytes: float
    scope: float


def measured(tree: Path) -> Cost:
    """Index a tree in a temporary place and take the times."""
    with tempfile.TemporaryDirectory() as store:
        before = cpu()
        with Engine.open([tree], store=store, embeddings=False) as engine:
            engine.build()
        # After the end of the engine, and so of its workers: they are counted when they end.
        index_cpu = cpu() - before
        with Engine.open([tree], store=store, embeddings=False) as engine:
            return told(engine, index_cpu)


def told(engine: Engine, index_cpu: float) -> Cost:
    """The times of an index that is complete."""
    features_cpu = cost_of_features(engine)
    view = View(engine.workspace)
    first, _ = timed(lambda: Featuring(engine.workspace).catch_up(view))
    tracemalloc.start()
    kept = Featuring(engine.workspace)
    tree = kept.catch_up(view)
    megabytes = tracemalloc.get_traced_memory()[0] / 1e6
    tracemalloc.stop()
    largest = max(tree.groups.values(), key=lambda group: len(group.files) if group.below is None else 0)
    scopes = [timed(lambda: scope_of(view, kept, [largest.id]))[0] for _ in range(ROUNDS)]
    stored = engine.workspace.catalog.digests_after(0, 10**9)
    phrases = engine.workspace.catalog.phrases([number for number, _ in stored])
    return Cost(
        files=len(tree.group_of),
        groups=len(tree.groups),
        index_cpu=index_cpu,
        features_cpu=features_cpu,
        first=first,
        after_edit=after_edit(engine, kept),
        megabytes=megabytes,
        stored_bytes=(sum(len(each) for _, each in stored) + sum(map(len, phrases.values()))) / max(1, len(stored)),
        scope=sorted(scopes)[ROUNDS // 2],
    )


def cost_of_features(engine: Engine) -> float:
    """Processor seconds that the features of all files take."""
    folder, spent = engine.workspace.folders[0].path, 0.0
    for row in engine.workspace.catalog.all_files():
        document = read_document(folder / row.path, row.path, engine.workspace.settings)
        if row.content_id is None or isinstance(document, Skip):
            continue
        found = outline(document.data, language_of(row.path, document.data[:2_048]))
        begin = time.process_time()
        features_of(document.data, found)
        spent += time.process_time() - begin
    return spent


def after_edit(engine: Engine, featuring: Featuring) -> float:
    """Seconds until the tree is right again after one document was changed in an editor."""
    rows = [row for row in engine.workspace.catalog.all_files() if row.content_id is not None and row.size < 20_000]
    spent: list[float] = []
    for at in range(ROUNDS):
        row = rows[(2 * at + 1) * len(rows) // (2 * ROUNDS)]
        path = engine.workspace.folders[0].path / row.path
        engine.show(path, path.read_text("utf-8", "replace") + f"\n# edit {at}\n", at)
        spent.append(timed(partial(featuring.catch_up, View(engine.workspace)))[0])
    return sorted(spent)[ROUNDS // 2]


def timed(work: Callable[[], R]) -> tuple[float, R]:
    """Seconds of this process's processor, and the result."""
    begin = time.process_time()
    result = work()
    return time.process_time() - begin, result


def cpu() -> float:
    """Processor seconds of this process and of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def main() -> None:
    """Print one row for each tree."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("trees", nargs="+", type=Path, metavar="TREE")
    print(
        "| tree | files | groups | index, CPU s | features, CPU s | share | first tree, s | after an edit, s"
        " | memory, MB | stored, B a content | scope, ms |"
    )
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for tree in parser.parse_args().trees:
        try:
            cost = measured(tree)
        except LurcherError as error:
            print(f"{tree}: {error}", file=sys.stderr)
            continue
        share = 100 * cost.features_cpu / cost.index_cpu
        print(
            f"| {tree.name} | {cost.files:,} | {cost.groups:,} | {cost.index_cpu:.1f} | {cost.features_cpu:.2f}"
            f" | {share:.1f} % | {cost.first:.2f} | {cost.after_edit:.3f} | {cost.megabytes:.1f}"
            f" | {cost.stored_bytes:.0f} | {1000 * cost.scope:.2f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
