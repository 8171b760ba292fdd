"""Mine (query, code) pairs from fetched packages: `python -m training.mine --data DIR [--judged DIR …]`.

Each line of `DIR/pairs/pairs.*.jsonl` is an object with the keys package, language, kind, path, query, code.
"""

import argparse
import hashlib
import json
import os
import time
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from random import Random

from lurcher_index.chunking.languages import language_of
from training.archives import ArchiveError, Member, members
from training.exclusions import excluded_package, excluded_pair, judged_shingles, leaked
from training.mining import mine_markdown, mine_source
from training.packages import Package, read_packages
from training.selecting import (
    PAIRS_PER_FILE,
    PAIRS_PER_PACKAGE,
    THIN,
    THIN_PAIRS_PER_PACKAGE,
    readable,
    wanted,
)

MOST_REPEATS = 6
"""How often the same query may occur: `Returns the value` finds nothing."""

SHARD_PAIRS = 100_000
"""Pairs in one file of the output, so that training can begin with the first ones."""

MARKDOWN_BYTES = 120_000
MARKDOWN_PAIRS = 25

Record = dict[str, str]


class Miner:
    """Mines packages, in a process of its own."""

    def __init__(self, data: Path, judged: frozenset[int]) -> None:
        """Know the shingles that must not be learned."""
        self._data = data
        self._judged = judged
        self._seen: set[bytes] = set()

    def package(self, package: Package) -> list[Record]:
        """All records of a package; what is damaged is left out."""
        rng = Random(f"{package.registry} {package.package}")
        records: list[Record] = []
        counts: Counter[str] = Counter()
        for archive in package.archives:
            try:
                for member in members(self._data / archive):
                    records.extend(self.member(member, package, counts, rng))
            except ArchiveError:
                continue
        return records

    def member(self, member: Member, package: Package, counts: Counter[str], rng: Random) -> Iterator[Record]:
        """The records of one file, as many as the package may still give."""
        language = "markdown" if member.path.lower().endswith(".md") else language_of(member.path, b"")
        if excluded_pair(package.package, below_root(member.path)):
            return
        most = THIN_PAIRS_PER_PACKAGE if language in THIN else PAIRS_PER_PACKAGE
        left = min(PAIRS_PER_FILE, most - counts[language])
        if language == "markdown":
            if member.size > MARKDOWN_BYTES:
                return
            left = MARKDOWN_PAIRS - counts[language]
        elif not wanted(member.path, member.size, package.registry, language, package.denied, rng):
            return
        if left <= 0:
            return
        data = member.read()
        if language == "c" or member.path.endswith(".h"):
            language = language_of(member.path, data[:2_048])
        digest = hashlib.blake2b(data, digest_size=8).digest()
        text = data.decode("utf-8", "replace").replace("\r\n", "\n")
        if digest in self._seen or not readable(text) or "\0" in text:
            return
        self._seen.add(digest)
        path = below_root(member.path)
        pairs = mine_markdown(text, rng) if language == "markdown" else mine_source(text.encode(), language, path, rng)
        for pair in pairs:
            if leaked(pair.code, self._judged):
                counts["leaked"] += 1
                continue
            counts[language] += 1
            left -= 1
            yield {
                "package": package.package,
                "language": "typescript" if language == "tsx" else language,
                "kind": pair.kind,
                "path": path,
                "query": pair.query,
                "code": pair.code,
            }
            if left <= 0:
                return


class Collector:
    """Writes pairs down: no pair twice, no query too often."""

    def __init__(self, folder: Path) -> None:
        """Go on with what earlier runs wrote."""
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._pairs: set[bytes] = set()
        self._queries: Counter[bytes] = Counter()
        self.counts: Counter[tuple[str, str]] = Counter()
        self.dropped: Counter[str] = Counter()
        self._done = folder / "done.txt"
        self.done: set[str] = set()
        if self._done.exists():
            self.done.update(self._done.read_text(encoding="utf-8").splitlines())
        for path in sorted(folder.glob("pairs.*.jsonl")):
            self._resume(path)

    @property
    def total(self) -> int:
        """Pairs so far."""
        return sum(self.counts.values())

    def add(self, key: str, records: Iterable[Record]) -> None:
        """Write down the pairs of a package."""
        lines = [json.dumps(record, ensure_ascii=False) for record in records if self._admit(record)]
        shard = self._folder / f"pairs.{self.total // SHARD_PAIRS:03}.jsonl"
        with shard.open("a", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines)
        with self._done.open("a", encoding="utf-8") as file:
            file.write(key + "\n")
        self.done.add(key)

    def _resume(self, path: Path) -> None:
        whole = 0
        with path.open("rb") as file:
            for line in file:
                if line.endswith(b"\n"):
                    self._admit(json.loads(line))
                    whole += len(line)
        # A run that was killed may leave half a line.
        os.truncate(path, whole)

    def _admit(self, record: Record) -> bool:
        query = _digest(record["query"].lower())
        both = _digest(record["query"] + "\0" + record["code"])
        if both in self._pairs:
            self.dropped["duplicate"] += 1
            return False
        if self._queries[query] >= MOST_REPEATS:
            self.dropped["query repeated"] += 1
            return False
        self._pairs.add(both)
        self._queries[query] += 1
        self.counts[record["language"], record["kind"]] += 1
        return True


def main(arguments: Sequence[str] | None = None) -> int:
    """Mine every package that no earlier run has mined."""
    parser = argparse.ArgumentParser(prog="python -m training.mine", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder that training.fetch filled")
    parser.add_argument("--judged", type=Path, nargs="*", default=[], help="folders with sources that must not leak in")
    parser.add_argument("--processes", type=int, default=2, metavar="N")
    parser.add_argument("--minutes", type=float, default=60.0, help="start no package after this time")
    options = parser.parse_args(arguments)
    collector = Collector(options.data / "pairs")
    packages = [p for p in order(read_packages(options.data)) if key_of(p) not in collector.done]
    packages = [p for p in packages if not excluded_package(p.package)]
    print(len(packages), "packages", flush=True)
    mine(packages, collector, options.data, options.judged, options.processes, options.minutes * 60)
    (options.data / "pairs" / "counts.json").write_text(json.dumps(summary(collector), indent=1), encoding="utf-8")
    print(json.dumps(summary(collector)))
    return 0


def mine(
    packages: list[Package], collector: Collector, data: Path, judged: list[Path], processes: int, seconds: float
) -> None:
    """Mine packages and write down what they give, until all are done or the time is over."""
    started = time.monotonic()
    end = started + seconds
    known = known_shingles(data, judged)
    print(f"{time.monotonic() - started:6.0f} s", len(known) // 8, "shingles of judged sources", flush=True)
    mined = _alone(packages, data, known, end) if processes == 1 else _beside(packages, data, known, processes, end)
    for finished, (package, records) in enumerate(mined, 1):
        collector.add(key_of(package), records)
        if finished % 50 == 0:
            print(f"{time.monotonic() - started:6.0f} s", finished, collector.total, flush=True)


def _alone(packages: list[Package], data: Path, known: bytes, end: float) -> Iterator[tuple[Package, list[Record]]]:
    """Mine in this process: for a few packages, starting another takes longer than the work."""
    miner = Miner(data, frozenset(array("Q", known)))
    for package in packages:
        if time.monotonic() >= end:
            return
        yield package, miner.package(package)


def _beside(
    packages: list[Package], data: Path, known: bytes, processes: int, end: float
) -> Iterator[tuple[Package, list[Record]]]:
    """Mine side by side. A package that ends its process is left out, with those that were under way."""
    queue = list(reversed(packages))
    while queue and time.monotonic() < end:
        running: dict[Future[list[Record]], Package] = {}
        with ProcessPoolExecutor(processes, get_context("spawn"), _start, (data, known)) as pool:
            try:
                while running or (queue and time.monotonic() < end):
                    while queue and len(running) < processes + 2 and time.monotonic() < end:
                        package = queue.pop()
                        running[pool.submit(_mine, package)] = package
                    for done in wait(running, return_when=FIRST_COMPLETED).done:
                        yield running[done], done.result()
                        del running[done]
            except BrokenProcessPool:
                for package in running.values():
                    print("left out, since the process ended:", package.package, flush=True)
                    yield package, []


def known_shingles(data: Path, judged: list[Path]) -> bytes:
    """The shingles of the judged sources as 64-bit numbers; kept in the data folder, since they take a while."""
    cache = data / f"judged-{_digest(' '.join(sorted(map(str, judged)))).hex()}.u64"
    if not cache.exists():
        part = cache.with_suffix(".part")
        part.write_bytes(array("Q", judged_shingles(judged)).tobytes())
        part.rename(cache)
    return cache.read_bytes()


def order(packages: list[Package]) -> list[Package]:
    """The packages in a fixed mixture, one of each group in turn.

    The groups of the thin languages are the small ones: wherever a run is cut off, they are whole or nearly so.
    """
    mixed = sorted(packages, key=key_of)
    Random(1).shuffle(mixed)
    turns: Counter[str] = Counter()
    placed: list[tuple[int, str, Package]] = []
    for package in mixed:
        turns[package.group] += 1
        placed.append((turns[package.group], package.group, package))
    return [package for _, _, package in sorted(placed, key=lambda item: item[:2])]


def summary(collector: Collector) -> dict[str, dict[str, int]]:
    """Pairs per language and kind, and what was dropped."""
    languages: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for (language, kind), count in collector.counts.items():
        languages[language] += count
        kinds[kind] += count
    return {
        "total": {"pairs": collector.total},
        "language": dict(languages.most_common()),
        "kind": dict(kinds.most_common()),
        "dropped": dict(collector.dropped),
    }


def key_of(package: Package) -> str:
    """What a package is called in the list of those that are done."""
    return f"{package.registry}/{package.package}/{package.version}"


_miner: Miner | None = None


def _start(data: Path, judged: bytes) -> None:
    global _miner
    _miner = Miner(data, frozenset(array("Q", judged)))


def _mine(package: Package) -> list[Record]:
    assert _miner is not None
    return _miner.package(package)


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def below_root(path: str) -> str:
    """A path without the folders that the registry put around the package."""
    parts = path.split("/")
    for marker in ("dist-packages", "vendor_ruby", "nodejs", "php", "gocode", "registry", "lua"):
        if marker in parts[:6]:
            return "/".join(parts[parts.index(marker) + 1 :])
    return "/".join(parts[1:]) or path


if __name__ == "__main__":
    raise SystemExit(main())
