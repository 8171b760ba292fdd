"""The language server over its pipes: cold start, requests, keystroke to searchable, blocks of its event loop.

    python benchmarks/lsp.py --trees DIR [--small NAME] [--large NAME] [--only PART…] [--store DIR] [--json FILE]

Every part talks to a server in a process of its own, as an editor does; the client's share of the time counts too.
Indexes are kept in `--store` for the next run. Blocks are measured twice while many files are indexed: from outside by
a cheap request every few milliseconds, which is an upper bound, and inside by `probe.py`. Only ratios
within one run mean anything.
"""

import argparse
import asyncio
import json
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "index"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "server"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.client import Client, changed, opened, percentile, span
from benchmarks.measure import QUERIES, REPEATS, RESULTS
from benchmarks.probe import Late, Probe, late
from benchmarks.speed import machine

STARTS = 10
"""Starts of each server."""

EDITS = 60
"""Edits of each document."""

LINES = (300, 3_000)
"""Lines of the documents that are edited."""

TOKENS = 8_000
"""The token budget of the second row of requests."""

WORDS = 20
"""So many of `QUERIES`, from the first, are words; the rest are questions."""

PING_SECONDS = 0.002
"""How often the server is asked for something cheap while it indexes."""

SEARCH_EVERY = 25
"""Pings between two searches in the second half of the blocks: one search every 50 ms."""

INDEXED_FILES = 20_000
"""Files that are indexed while blocks are measured."""

PYGLS = (sys.executable, str(Path(__file__).with_name("rpc.py")), "--serve", "pygls")
"""An unchanged pygls server with nothing in it."""

PROBED = (sys.executable, __file__, "--serve")
"""Our server with a probe in its loop."""

IDLE = (sys.executable, __file__, "--idle")
"""A loop that does nothing, with the same probe: whatever stops it is the machine's doing."""

Rows = list[list[str]]
Part = Callable[[argparse.Namespace, Path], Awaitable["Figures"]]


class Figures(NamedTuple):
    """One table: its title, its columns and its rows."""

    title: str
    head: tuple[str, ...]
    rows: Rows

    def markdown(self) -> Iterator[str]:
        """The table's lines."""
        yield from (f"### {self.title}", "", "| " + " | ".join(self.head) + " |")
        yield "|---" + "|--:" * (len(self.head) - 1) + "|"
        yield from ("| " + " | ".join(row) + " |" for row in self.rows)
        yield ""


# -- cold start


async def cold_start(_options: argparse.Namespace, work: Path) -> Figures:
    """Process start to the answer of `initialize`, the servers in turns."""
    folder = work / "empty"
    folder.mkdir(exist_ok=True)
    times: dict[str, list[float]] = {"`python -c pass`": [], "Lurcher": [], "plain pygls": []}
    for _ in range(STARTS):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        times["`python -c pass`"].append((time.perf_counter() - began) * 1000)
        for name, command in (("Lurcher", None), ("plain pygls", PYGLS)):
            client = await (Client.start(command) if command else Client.start(settings={"store": ":memory:"}))
            times[name].append(await client.initialize([folder]))
            await client.stop()
    ours = statistics.median(times["Lurcher"])
    rows = [
        [name, _ms(statistics.median(each)), _ms(min(each)), _ms(max(each)), f"{statistics.median(each) / ours:.2f}"]
        for name, each in times.items()
    ]
    return Figures(f"Cold start, {STARTS} each", ("", "p50 ms", "min", "max", "÷ Lurcher"), rows)


# -- requests


async def requests(options: argparse.Namespace, _work: Path) -> Figures:
    """Answers to words and questions on both trees, once the index is ready, with the server's own account."""
    rows: Rows = []
    for name in (options.small, options.large):
        client, status = await _serving(options.trees / name, options.store)
        for limit in ({"maxResults": RESULTS}, {"tokenBudget": TOKENS}):
            await _ask(client, QUERIES, limit, 1)
            for kind, queries in (("words", QUERIES[:WORDS]), ("questions", QUERIES[WORDS:])):
                times, stages = await _ask(client, queries, limit, REPEATS)
                shown = [_ms(statistics.fmean(stages[stage])) for stage in ("prepare", "race", "finish")]
                wire = statistics.fmean(times) - statistics.fmean(stages["total"])
                title = f"{name}, {kind}, {' '.join(f'{key} {value:,}' for key, value in limit.items())}"
                rows.append([title, f"{status['chunks']:,}", *_summary(times), *shown, _ms(wire)])
        await client.stop()
    stages_head = ("prepare, mean", "race", "finish", "wire and wait")
    return Figures("Requests over stdio, ms", ("", "chunks", "p50", "p95", "max", *stages_head), rows)


async def _ask(
    client: Client, queries: Sequence[str], limit: dict[str, int], repeats: int
) -> tuple[list[float], dict[str, list[float]]]:
    """Milliseconds of every request, and of every stage as the answers tell."""
    times: list[float] = []
    stages: dict[str, list[float]] = {}
    for _ in range(repeats):
        for query in queries:
            began = time.perf_counter()
            answer = await client.request("workspace/chunkSearch", {"query": query, **limit})
            times.append((time.perf_counter() - began) * 1000)
            for stage, value in answer["timings"].items():
                stages.setdefault(stage, []).append(value)
    return times, stages


# -- keystrokes


async def keystrokes(options: argparse.Namespace, _work: Path) -> Figures:
    """From an edit to a search that finds the new word, waited for by version or asked for again and again."""
    rows: Rows = []
    for name in (options.small, options.large):
        tree = options.trees / name
        client, status = await _serving(tree, options.store)
        for lines in LINES:
            for title, by_version in (("minVersions", True), ("asked until found", False)):
                times = await _edit(client, _document(tree, lines), by_version)
                rows.append([f"{name}, {lines:,} lines, {title}", f"{status['chunks']:,}", *_summary(times)])
        await client.stop()
    return Figures(f"Keystroke to searchable, {EDITS} edits, ms", ("", "chunks", "p50", "p95", "max"), rows)


async def _edit(client: Client, document: tuple[Path, list[str]], by_version: bool) -> list[float]:
    """Put a new word over the last one, in the middle of the document."""
    path, lines = document
    at = len(lines) // 2
    word = _word(-1, by_version)
    client.notify("textDocument/didOpen", opened(path, "\n".join([*lines[:at], word, *lines[at:]])))
    await client.request("workspace/chunkSearch", {"query": word, "maxResults": 1, "sync": True})
    times: list[float] = []
    for number in range(EDITS):
        last, word, version = word, _word(number, by_version), number + 2
        params: dict[str, Any] = {"query": word, "maxResults": 1}
        if by_version:
            params["minVersions"] = {path.as_uri(): version}
        began = time.perf_counter()
        edit = {"range": span(at, 0, len(last)), "text": word}
        client.notify("textDocument/didChange", changed(path, version, [edit]))
        while not _finds(await client.request("workspace/chunkSearch", params), word):
            assert not by_version, f"{word} was not found in version {version} of {path}"
        times.append((time.perf_counter() - began) * 1000)
    client.notify("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})
    return times


def _document(tree: Path, lines: int) -> tuple[Path, list[str]]:
    """A new document with the first lines of a source file: the smallest one that has enough of them."""
    suffixes = {".py", ".go", ".js", ".ts", ".rb", ".java", ".c", ".rs", ".cs", ".php", ".cc"}
    files = [path for path in tree.rglob("*") if path.suffix in suffixes and path.is_file()]
    for path in sorted(files, key=lambda path: (path.stat().st_size, path)):
        if path.stat().st_size < 10 * lines:
            continue
        text = path.read_text(encoding="utf-8", errors="replace").split("\n")
        if len(text) >= lines:
            return tree / f"keystrokes_{lines}{path.suffix}", text[:lines]
    raise SystemExit(f"no source file in {tree} has {lines} lines")


def _word(number: int, by_version: bool) -> str:
    """A word that stands nowhere else and is not split into parts."""
    return ("waited" if by_version else "polled") + "".join(chr(ord("a") + int(d)) for d in f"{number + 1:04}") + "quux"


def _finds(answer: dict[str, Any], word: str) -> bool:
    return any(word in chunk["rawText"] for chunk in answer["chunks"])


# -- blocks of the event loop


async def blocks(options: argparse.Namespace, work: Path) -> Figures:
    """How long the server's loop is busy while it indexes many files, without and with searches."""
    tree = work / "many"
    count = copy_some(options.trees / options.many, tree, options.files)
    rows: Rows = []
    for title, searches in (("indexing", False), ("indexing and searching", True)):
        store, seen, idle = (work / f"{part}-{searches}" for part in ("store", "seen", "idle"))
        client = await Client.start((*PROBED, str(seen)), {"store": str(store), "watch": "off"})
        await client.initialize([tree])
        # Whoever has an answer has waited until all that answers was imported, which blocks by its nature.
        await client.request("workspace/chunkSearch", {"query": QUERIES[0], "maxResults": RESULTS})
        loaded = (await client.request("workspace/chunkSearch/metrics"))["seconds"]
        beside = subprocess.Popen([*IDLE, str(idle)], stdin=subprocess.PIPE)
        began = time.perf_counter()
        pings, answers = await _ping_until_ready(client, searches)
        took = time.perf_counter() - began
        beside.communicate()
        status = await client.request("workspace/chunkSearch/status")
        await client.stop()
        ours, nothing = (json.loads(file.read_text(encoding="utf-8")) for file in (seen, idle))
        label = f"{title}, {count:,} files, {status['chunks']:,} chunks, {took:.0f} s"
        outside = [_ms(percentile(pings, share)) for share in (0.5, 0.99, 0.999, 1.0)]
        searching = "/".join(_ms(percentile(answers, share)) for share in (0.5, 0.95)) if answers else ""
        before = late(ours, until=loaded)
        inside = _ms(before.own), *_shown(late(ours, nothing, loaded)), *_shown(late(nothing))
        rows.append([label, f"{len(pings):,}", *outside, *inside, searching])
    probes = ("probe: max", "our own doing", "over 10 ms", "idle loop: max", "with a core", "over 10 ms")
    head = ("", "pings", "p50", "p99", "p99.9", "max", "before the first answer", *probes, "search p50/p95")
    return Figures("Answers to a cheap request, and blocks of the loop seen by the probe, ms", head, rows)


def _shown(seen: Late) -> tuple[str, str, str]:
    return _ms(seen.worst), _ms(seen.own), str(seen.blocks)


async def _ping_until_ready(client: Client, searches: bool) -> tuple[list[float], list[float]]:
    """Milliseconds of every ping and every search until the index is built."""
    pings: list[float] = []
    answers: list[float] = []
    searching: set[asyncio.Task[None]] = set()

    async def search(query: str) -> None:
        began = time.perf_counter()
        await client.request("workspace/chunkSearch", {"query": query, "maxResults": RESULTS})
        answers.append((time.perf_counter() - began) * 1000)

    ready = asyncio.create_task(client.ready())
    while not ready.done():
        began = time.perf_counter()
        await client.request("workspace/chunkSearch/metrics")
        pings.append((time.perf_counter() - began) * 1000)
        if searches and len(pings) % SEARCH_EVERY == 0 and not searching:
            task = asyncio.create_task(search(QUERIES[len(answers) % len(QUERIES)]))
            searching.add(task)
            task.add_done_callback(searching.discard)
        await asyncio.sleep(PING_SECONDS)
    await asyncio.gather(ready, *searching)
    return pings, answers


def copy_some(source: Path, target: Path, count: int) -> int:
    """Copy so many files of a tree, the same in every run, with their folders; answers how many there were."""
    files = sorted(path for path in source.rglob("*") if path.is_file() and not path.is_symlink())
    for path in random.Random(1).sample(files, min(count, len(files))):
        place = target / path.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place)
    return min(count, len(files))


def serve_probed(seen: Path) -> int:
    """`lurcher serve` with a probe in its event loop, whose figures are written to a file in the end.

    Its metrics are nothing but a time: what the probe has seen would be more to write down than what is measured.
    """
    from lurcher_server.lsp import app
    from lurcher_server.lsp.metrics import Metrics
    from lurcher_server.lsp.session import Session

    probe = Probe()

    class ProbedMetrics(Metrics):
        def as_answer(self) -> dict[str, Any]:
            return {"seconds": probe.seconds}

    class ProbedSession(Session):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args)
            self.metrics = ProbedMetrics()
            self.watching = asyncio.create_task(probe.watch())

        async def close(self) -> None:
            self.watching.cancel()
            seen.write_text(json.dumps(probe.as_answer()), encoding="utf-8")
            await super().close()

    app.__dict__["Session"] = ProbedSession
    return app.serve()


def idle_probed(seen: Path) -> int:
    """A probe in a loop that does nothing else, until standard input ends."""

    async def watch() -> None:
        probe = Probe()
        watching = asyncio.create_task(probe.watch())
        await asyncio.to_thread(sys.stdin.buffer.read)
        watching.cancel()
        seen.write_text(json.dumps(probe.as_answer()), encoding="utf-8")

    asyncio.run(watch())
    return 0


# -- shared


async def _serving(tree: Path, store: Path) -> tuple[Client, dict[str, Any]]:
    """A server with a tree whose index is ready, and its status."""
    client = await Client.start(settings={"store": str(store), "watch": "off"})
    await client.initialize([tree.resolve()])
    return client, await client.ready()


def _summary(times: Sequence[float]) -> list[str]:
    return [_ms(percentile(times, share)) for share in (0.5, 0.95, 1.0)]


def _ms(value: float) -> str:
    return f"{value:.1f}"


PARTS: dict[str, Part] = {
    "start": cold_start,
    "requests": requests,
    "keystrokes": keystrokes,
    "blocks": blocks,
}


async def run(options: argparse.Namespace) -> int:
    """Measure the chosen parts and print them."""
    results: list[Figures] = []
    with tempfile.TemporaryDirectory(prefix="lurcher-lsp-") as temporary:
        work = Path(temporary).resolve()
        options.store = (options.store or work / "store").resolve()
        print(machine(), end="\n\n", flush=True)
        for name in options.only or PARTS:
            results.append(await PARTS[name](options, work))
            print("\n".join(results[-1].markdown()), flush=True)
    if options.json:
        options.json.write_text(json.dumps([each._asdict() for each in results], indent=1), encoding="utf-8")
    return 0


def main() -> int:
    """Measure what the command line asks for."""
    if sys.argv[1:2] == ["--serve"]:
        return serve_probed(Path(sys.argv[2]))
    if sys.argv[1:2] == ["--idle"]:
        return idle_probed(Path(sys.argv[2]))
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--trees", type=Path, required=True, help="where trees.py put the trees")
    parser.add_argument("--small", default="effect", help="a tree of about 10,000 chunks")
    parser.add_argument("--large", default="go", help="a tree of about 100,000 chunks")
    parser.add_argument("--many", default="linux", help="a tree that files are taken from for the blocks")
    parser.add_argument("--files", type=int, default=INDEXED_FILES, help="how many files those are")
    parser.add_argument("--store", type=Path, help="where indexes are kept (default: nowhere)")
    parser.add_argument("--only", nargs="*", default=[], choices=PARTS, help="parts (default: all)")
    parser.add_argument("--json", type=Path, help="file for all figures")
    return asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
