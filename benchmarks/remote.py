"""Remote code search on real engines: publishing, bytes on the wire and on disk, questions, and what is found.

    python benchmarks/remote.py --work DIR --tree TREE [STEP…]

Steps: `publish` (a tree, then commits with 1, 10 and 100 changed files), `engine` (questions to the engine alone),
`ask` (through everything, beside an index of this machine), `fill` (the tree and copies of it in one engine),
`engine-filled`, `ask-filled`, `lines` (of `--lines TREE…`: how many make a chunk), `quality` (labelled questions of
`--data`). All but the last two by default. Engines run on loopback and keep their data in `--work`; so do the figures,
from which `report` prints tables. `--engine milvus` takes milvus-lite instead of PostgreSQL, which is filled with one
copy after the other in place of `fill`, and asked after each one.
Only ratios within one run mean anything, and CPU time more than the clock.
"""

import argparse
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "index"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.measure import QUERIES
from benchmarks.sharing.asking import Direct, Times, ask_engine, compare
from benchmarks.sharing.checkouts import change, checkout_of, git
from benchmarks.sharing.filling import Built, fill
from benchmarks.sharing.growing import Grown, grow
from benchmarks.sharing.publishing import Sent, published
from benchmarks.sharing.quality import Found, judge, mean
from benchmarks.sharing.servers import DATABASE, Milvus, Postgres
from benchmarks.sharing.sizes import Lines, Part, lines_of, postgres_parts
from benchmarks.sharing.wire import Wire
from benchmarks.speed import machine

NAME = "team/tree"
REPOSITORY = f"code.example.com/{NAME}"

FILLED = "filled"
"""The database with many repositories."""

CHANGES = (1, 10, 100)
"""Files that are changed by the commits after the first."""


STEPS = ("publish", "engine", "ask", "fill", "engine-filled", "ask-filled")
"""What is done unless steps are named."""


class Sizes(msgspec.Struct, frozen=True):
    """What an engine holds."""

    chunks: int
    disk: int
    parts: list[Part]


class Figures(msgspec.Struct):
    """All that was measured; each step replaces its own."""

    machine: dict[str, str] = {}
    """When each step ran, on what, under which load."""
    publish: list[Sent] = []
    sizes: Sizes | None = None
    ask: list[Times] = []
    engine: list[Direct] = []
    fill: list[Built] = []
    filled_sizes: Sizes | None = None
    ask_filled: list[Times] = []
    engine_filled: list[Direct] = []
    grown: list[Grown] = []
    lines: list[Lines] = []
    quality: list[Found] = []


class Run:
    """The steps, on one work folder."""

    def __init__(self, options: argparse.Namespace) -> None:
        """`options` are those of the command line."""
        self._options = options
        self._work: Path = options.work.resolve()
        self._engine: str = options.engine
        self._file = self._work / f"figures-{self._engine}.json"
        self.figures = msgspec.json.decode(self._file.read_bytes(), type=Figures) if self._file.exists() else Figures()

    def step(self, name: str) -> None:
        """Do one and write down what came of it."""
        steps: dict[str, Callable[[], None]] = {
            "publish": self.publish,
            "engine": self.engine,
            "ask": self.ask,
            "fill": self.fill,
            "engine-filled": self.engine_filled,
            "ask-filled": self.ask_filled,
            "lines": self.lines,
            "quality": self.quality,
        }
        began = time.perf_counter()
        steps[name]()
        self.figures.machine[name] = f"{machine()} · took {time.perf_counter() - began:.0f} s"
        self._file.write_bytes(msgspec.json.format(msgspec.json.encode(self.figures), indent=1))

    def publish(self) -> None:
        """A whole tree into an empty engine, and then small commits."""
        checkout = self._checkout()
        changed = self._work / f"changed-{self._engine}"
        if not changed.exists():
            git(self._work, "clone", "-q", str(checkout), str(changed))
        self.figures.publish = []
        with self._server("one") as server, Wire(server.port) as wire:
            self.figures.publish.append(published("the whole tree", checkout, REPOSITORY, server, wire))
            for seed, files in enumerate(CHANGES):
                change(changed, files, seed)
                self.figures.publish.append(published(f"{files} changed", changed, REPOSITORY, server, wire))
            self.figures.sizes = self._sizes(server)

    def engine(self) -> None:
        """Questions to the engine alone."""
        with self._server("one") as server:
            self.figures.engine = ask_engine(server, REPOSITORY, self._options.questions)

    def ask(self) -> None:
        """The same through everything, beside an index of this machine."""
        with self._server("one") as server:
            self.figures.ask = self._compare(server)

    def fill(self) -> None:
        """The tree and its copies, in a copy of the database that it was published to."""
        if self._engine == "milvus":
            self._grow()
            return
        with Postgres(self._work / "one", FILLED) as server:
            server.copy_from(DATABASE)
            self.figures.fill = fill(server, REPOSITORY, self._options.repositories, self._options.index_searched_alone)
            self.figures.filled_sizes = self._sizes(server)

    def _grow(self) -> None:
        """The same in milvus-lite, of whose data a copy is made."""
        filled = self._work / FILLED
        if not filled.exists():
            shutil.copytree(self._work / "one" / "milvus", filled / "milvus")
            self.figures.grown = []
        with Milvus(filled) as server:
            for each in grow(
                server, REPOSITORY, self._options.repositories, self._options.seconds, self._options.every
            ):
                print(each, file=sys.stderr, flush=True)
                self.figures.grown.append(each)

    def engine_filled(self) -> None:
        """The same questions to an engine with many repositories."""
        with self._filled() as server:
            self.figures.engine_filled = ask_engine(server, REPOSITORY, self._options.questions)

    def ask_filled(self) -> None:
        """The same through everything."""
        with self._filled() as server:
            self.figures.ask_filled = self._compare(server)

    def lines(self) -> None:
        """Lines a chunk."""
        self.figures.lines = lines_of(self._options.lines)

    def quality(self) -> None:
        """NDCG@10 in both ways."""
        with self._server("judged") as server:
            options = self._options
            self.figures.quality = judge(options.data, options.corpora, options.only, server, self._work)

    def _compare(self, server: Any) -> list[Times]:
        return compare(self._checkout(), server, REPOSITORY, self._work / "store", self._options.questions)

    def _checkout(self) -> Path:
        return checkout_of(self._options.tree.resolve(), NAME, self._work / "checkout")

    def _server(self, part: str) -> Any:
        return (Milvus if self._engine == "milvus" else Postgres)(self._work / part)

    def _filled(self) -> Any:
        return Milvus(self._work / FILLED) if self._engine == "milvus" else Postgres(self._work / "one", FILLED)

    def _sizes(self, server: Postgres | Milvus) -> Sizes:
        if isinstance(server, Milvus):
            return Sizes(sum(each.chunks for each in self.figures.publish), server.disk(), [])
        chunks, parts = postgres_parts(server.connection)
        return Sizes(chunks, server.disk(), parts)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("steps", nargs="*", metavar="STEP", help=f"what to do (default: {' '.join(STEPS)})")
    parser.add_argument("--work", type=Path, required=True, help="folder for engines, checkouts and figures")
    parser.add_argument("--tree", type=Path, help="the source tree that is published")
    parser.add_argument("--engine", choices=("postgres", "milvus"), default="postgres")
    parser.add_argument("--repositories", type=int, default=10, help="how many are filled in (default: 10)")
    parser.add_argument(
        "--index-searched-alone",
        action="store_true",
        help="index only the partition that is searched: quicker",
    )
    parser.add_argument("--seconds", type=float, default=3_600.0, help="how long milvus-lite is filled (default: 3600)")
    parser.add_argument("--every", type=int, default=1, help="after how many copies milvus-lite is asked (default: 1)")
    parser.add_argument("--questions", type=int, default=len(QUERIES), help=f"how many are asked ({len(QUERIES)})")
    parser.add_argument("--lines", type=Path, nargs="*", default=[], metavar="TREE")
    parser.add_argument("--data", type=Path, help="labelled questions: corpora.json and queries/NAME.json")
    parser.add_argument("--corpora", type=Path, help="where their sources are, or are put")
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME", help="corpora (default: all)")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    run = Run(options)
    for step in options.steps or STEPS:
        if step != "report":
            run.step(step)
    report(run.figures)
    return 0


def report(figures: Figures) -> None:
    """All tables."""
    for name, told in figures.machine.items():
        print(f"{name}: {told}")
    if figures.publish:
        print("\n| publish | files | chunks | s | files/s | chunks/s | client / server CPU s per 1,000 chunks "
              "| KB sent, received | KB sent a file | load |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")  # fmt: skip
        for one in figures.publish:
            thousands = max(one.chunks, 1) / 1000
            print(f"| {one.what} | {one.files:,} | {one.chunks:,} | {one.seconds:.1f} | {one.files / one.seconds:.1f}"
                  f" | {one.chunks / one.seconds:.0f} | {one.client_cpu / thousands:.2f} /"
                  f" {one.server_cpu / thousands:.2f} | {one.bytes_sent / 1e3:,.0f}, {one.bytes_received / 1e3:,.0f}"
                  f" | {one.bytes_sent / max(one.files, 1) / 1e3:.1f} | {one.load:.1f} |")  # fmt: skip
    for sizes in (figures.sizes, figures.filled_sizes):
        if sizes is not None:
            print(f"\n{sizes.chunks:,} chunks, {sizes.disk / sizes.chunks:,.0f} bytes of disk each")
            for part in sizes.parts:
                print(f"| {part.what} | {part.bytes / sizes.chunks:,.0f} |")
    for built in figures.fill:
        print(
            f"{built.what}: {built.seconds:.0f} s, {built.server_cpu:.0f} s of the server's CPU, load {built.load:.1f}"
        )
    if figures.grown:
        print("\n| chunks in milvus-lite | chunks/s | server CPU ms a chunk | memory, MB | disk, MB | first, s"
              " | words p50 / p95, ms | meaning p50 / p95, ms |\n|--:|--:|--:|--:|--:|--:|--:|--:|")  # fmt: skip
        for grown in figures.grown:
            print(f"| {grown.chunks:,} | {grown.rate:.0f} | {grown.server_cpu:.2f} | {grown.memory / 1e6:,.0f}"
                  f" | {grown.disk / 1e6:,.0f} | {grown.first:.1f} | {grown.words_p50:.0f} / {grown.words_p95:.0f}"
                  f" | {grown.meaning_p50:.0f} / {grown.meaning_p95:.0f} | {grown.trouble}")  # fmt: skip
    for label, direct in (("one repository", figures.engine), ("among many", figures.engine_filled)):
        for call in direct:
            print(f"| {label}, {call.what} | first {call.first:.0f} | p50 / p95 {call.p50:.1f} / {call.p95:.1f} ms"
                  f" | CPU there {call.server_cpu:.1f} ms | {call.questions} questions"
                  f" | load {call.load:.1f} |")  # fmt: skip
    for label, asked in (("one repository", figures.ask), ("among many", figures.ask_filled)):
        for times in asked:
            print(f"| {label}, {times.what} | first {times.first:.0f} | new {times.new_p50:.0f} / {times.new_p95:.0f}"
                  f" | again {times.again_p50:.0f} / {times.again_p95:.0f}"
                  f" | ÷ local {times.again_p50 / asked[0].again_p50:.1f}"
                  f" | {times.strategies} | {times.chunks:,} chunks | {times.questions} questions"
                  f" | load {times.load:.1f} |")  # fmt: skip
    for tree in figures.lines:
        print(f"| {tree.tree} | {tree.files:,} files | {tree.lines:,} lines | {tree.chunks:,} chunks"
              f" | {tree.lines / tree.chunks:.1f} lines a chunk | {tree.size / tree.chunks:.0f} bytes |")  # fmt: skip
    if figures.quality:
        local = [score for each in figures.quality for score in each.local]
        remote = [score for each in figures.quality for score in each.remote]
        for each in figures.quality:
            print(f"| {each.corpus} | {len(each.local)} | {mean(each.local):.4f} | {mean(each.remote):.4f}"
                  f" | {each.files} files | {each.elsewhere} asked elsewhere |")  # fmt: skip
        print(f"NDCG@10 of {len(local)} questions: local {mean(local):.4f}, remote {mean(remote):.4f}")


if __name__ == "__main__":
    sys.exit(main())
