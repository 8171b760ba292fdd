"""How large a shared index becomes, and what it must carry: a seeded simulation for docs/scaling.md.

    python benchmarks/capacity.py [--repositories N] [--lines N] [--servers N…]

Repositories of very different sizes are dealt to servers and partitions at random, as a hash deals them. Questions
arrive at random in the busiest hour and are worked off by the cores of each server; how long they wait is counted. What
was measured stands under `Measured`, what is only assumed under `Assumed`: change the latter to what you have.
"""

import argparse
import heapq
import sys
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

SEED = 6
"""Of everything that is drawn."""

QUESTIONS = 50_000
"""That are simulated for one server."""

SHARES = (0.5, 0.7, 0.8, 0.9, 0.95, 0.99)
"""Of a server's cores that are busy."""

HOURS = 9.0
"""Of a working day."""


class Measured(NamedTuple):
    """By `remote.py`, on the sources of Go 1.19 in PostgreSQL unless said otherwise; see benchmarks/README.md."""

    lines_a_chunk: float = 22.8
    """Of five trees together."""
    bytes_a_chunk: float = 3_680.0
    """On disk, indexes included, after a publish and three small ones."""
    hot_bytes_a_chunk: float = 809.0 + 496.0
    """Of it the two indexes, which every search goes through."""
    wire_bytes_a_chunk: float = 2_114.0
    """Sent by a publish."""
    publish_cpu_a_chunk: float = 1.50e-3
    """Seconds of the server, with indexes."""
    chunks_a_file: float = 8.8
    question_cpu: float = 0.054
    """Seconds of the server for one question among a million chunks: words, meaning and statistics."""


class Assumed(NamedTuple):
    """Nobody measured these: they are a picture of a large company."""

    spread: float = 2.0
    """Standard deviation of the logarithm of a repository's lines: the largest of 10,000 has a fiftieth of all."""
    commits_a_day: float = 3.0
    """That are published, of each repository: a branch that people work from, not every push."""
    files_a_commit: float = 8.0
    people: int = 5_000
    questions_a_day: float = 100.0
    """Of each person, most of them asked by an assistant, while the index of their own machine is not complete."""
    peak: float = 3.0
    """The busiest hour against the mean one."""
    days_kept: float = 30.0
    """Until what was replaced is collected: what `lurcher collect` keeps unless told otherwise."""
    cores: int = 16
    """Of a server."""
    partitions: int = 16


def main() -> int:
    """Print tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repositories", type=int, default=10_000)
    parser.add_argument("--lines", type=float, default=1e9)
    parser.add_argument("--servers", type=int, nargs="*", default=[1, 2, 4, 8, 16])
    options = parser.parse_args()
    measured, assumed = Measured(), Assumed()
    chunks = sizes(options.repositories, options.lines / measured.lines_a_chunk, assumed)
    median, largest = np.median(chunks), chunks.max()
    print(f"{chunks.sum():,.0f} chunks; median of a repository {median:,.0f}, largest {largest:,.0f}")
    tell_publishing(chunks, measured, assumed)
    print(
        "\n| servers | chunks, mean / largest, M | disk of the largest, GB | indexes of it, GB | largest partition, M"
        " | cores busy, mean / most |\n|--:|--:|--:|--:|--:|--:|"
    )
    for count in options.servers:
        tell_servers(chunks, count, measured, assumed)
    print("\n| questions a second | cores busy | wait p50 / p95 / p99, ms |\n|--:|--:|--:|")
    for share in SHARES:
        tell_waiting(share, measured, assumed)
    return 0


def sizes(repositories: int, chunks: float, assumed: Assumed) -> Numbers:
    """Chunks of each repository, which make so many together."""
    drawn = np.random.default_rng(SEED).lognormal(0.0, assumed.spread, repositories)
    return np.asarray(drawn * (chunks / drawn.sum()), np.float64)


def tell_publishing(chunks: Numbers, measured: Measured, assumed: Assumed) -> None:
    """What publishing asks of the engine on a day."""
    commits = assumed.commits_a_day * len(chunks)
    sent = commits * assumed.files_a_commit * measured.chunks_a_file
    on_wire = sent * measured.wire_bytes_a_chunk / 1e9
    busy = sent * measured.publish_cpu_a_chunk / 3600
    print(f"publishing: {commits:,.0f} commits a day, {sent / 1e6:.1f} M chunks, {on_wire:.1f} GB, {busy:.1f} h of CPU")
    kept = sent * assumed.days_kept
    share = 100 * kept / chunks.sum()
    print(f"ended and kept for {assumed.days_kept:g} days: {kept / 1e6:.0f} M chunks, {share:.0f} % of what is live")
    on_wire = chunks.sum() * measured.wire_bytes_a_chunk / 1e9
    busy = chunks.sum() * measured.publish_cpu_a_chunk / 3600
    print(f"the first time, with indexes: {on_wire:,.0f} GB, {busy:,.0f} h of CPU")


def tell_servers(chunks: Numbers, count: int, measured: Measured, assumed: Assumed) -> None:
    """What so many servers hold and carry."""
    chance = np.random.default_rng(SEED + count)
    server = chance.integers(count, size=len(chunks))
    part = chance.integers(assumed.partitions, size=len(chunks))
    held = np.bincount(server, chunks, count)
    partitions = np.bincount(server * assumed.partitions + part, chunks, count * assumed.partitions)
    # People ask about what they work in: as often about a repository as it has lines, roughly.
    asked = assumed.people * assumed.questions_a_day / HOURS / 3600 * assumed.peak
    busy = asked * held / held.sum() * measured.question_cpu
    disk, hot = (held.max() * each / 1e9 for each in (measured.bytes_a_chunk, measured.hot_bytes_a_chunk))
    print(
        f"| {count} | {held.mean() / 1e6:.1f} / {held.max() / 1e6:.1f} | {disk:,.0f} | {hot:,.0f}"
        f" | {partitions.max() / 1e6:.2f} | {busy.mean():.1f} / {busy.max():.1f} of {assumed.cores} |"
    )


def tell_waiting(share: float, measured: Measured, assumed: Assumed) -> None:
    """How long questions wait on a server of whose cores a share is busy."""
    rate = share * assumed.cores / measured.question_cpu
    waits = waiting(rate, measured.question_cpu, assumed.cores, np.random.default_rng(SEED)) * 1000
    p50, p95, p99 = np.percentile(waits, [50, 95, 99])
    print(f"| {rate:.0f} | {share * assumed.cores:.1f} of {assumed.cores} | {p50:.0f} / {p95:.0f} / {p99:.0f} |")


def waiting(rate: float, service: float, cores: int, chance: np.random.Generator) -> Numbers:
    """Seconds that questions wait for a core: they come at random, and take around `service` seconds, some far more."""
    arrivals = np.cumsum(chance.exponential(1 / rate, QUESTIONS))
    # Half of the questions take less than 0.7 of the mean, one in twenty more than 2.6 times it: as p95 is to p50.
    needs = service * chance.lognormal(-0.32, 0.8, QUESTIONS)
    free = [0.0] * cores
    waits = np.empty(QUESTIONS)
    for at, (arrival, need) in enumerate(zip(arrivals, needs, strict=True)):
        begin = max(arrival, heapq.heappop(free))
        waits[at] = begin - arrival
        heapq.heappush(free, begin + need)
    return waits


if __name__ == "__main__":
    sys.exit(main())
