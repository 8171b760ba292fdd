"""Many mixed requests, edits and changes on disk against one server: one answer each, nothing left behind.

    python benchmarks/soak.py --tree DIR [--requests 1000] [--seed 1] [--files 150] [--errors FILE]

A part of the tree is copied and changed at random, the same for the same seed. After every tenth of the requests the
server is left to settle and its memory, open files, threads and child processes are written down. Ends with 1 if a
request has no answer or two, if an answer is an internal error, if files, threads or processes leak, or if something is
left when the server has gone. Memory is reported and judged by hand: it depends on the allocator.
"""

import argparse
import asyncio
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.client import POLL_SECONDS, SERVE, Client, Params, Refused, changed, opened, span
from benchmarks.lsp import copy_some
from benchmarks.measure import QUERIES

REQUESTS = 1_000
FILES = 150
"""Files of the copied tree; few, so that rebuilds take no time."""

LOOKS = 10
"""How often the server is looked at."""

AT_ONCE = 8
"""Requests that are under way at the same time, at most."""

CANCELLED = 0.15
"""Share of requests that are cancelled, half of them at once."""

SPARE_FILES = 8
"""Open files that may come on top: connections to the index that threads open when they first need one."""

SPARE_THREADS = 8
"""Threads that may come on top: the pool grows with what has run at the same time."""

MOST_CHILDREN = 3
"""Child processes of a server at rest: the watcher, a worker for open documents and one for changed files."""

ANSWER_SECONDS = 20.0
"""How long an answer may take before it counts as missing."""

REST_SECONDS = 0.5
"""How long the server is left alone before it is looked at: what is gathered is done by then."""

REFUSED_SECONDS = 3.0
"""How long the status may be refused: a moment, while an engine is exchanged."""

STATUS = "workspace/chunkSearch/status"
INTERNAL_ERROR = -32603

Act = Callable[["Soak"], object]
Asked = tuple[str, object]


class Look(NamedTuple):
    """What the server holds at one moment."""

    requests: int
    own_mb: float
    all_mb: float
    files: int
    threads: int
    children: int


class Soak:
    """A seeded script against one server."""

    def __init__(self, client: Client, folder: Path, other: Path, seed: int) -> None:
        """`other` is a second folder, which comes and goes."""
        self.client = client
        self.folder = folder
        self.other = other
        self.random = random.Random(seed)
        self.files = sorted(path for path in folder.rglob("*") if path.is_file())
        self.open: dict[Path, list[str]] = {}
        self.versions: Counter[Path] = Counter()
        self.has_other = False
        self.has_left = False
        """The server has ended in the middle of everything."""
        self.outcomes: Counter[str] = Counter()
        self.unexpected: Counter[str] = Counter()
        self._number = 0

    async def run(self, requests: int) -> list[Look]:
        """Do everything, and look at the server every now and then."""
        looks = [await self.look(0)]
        under_way: set[asyncio.Task[str]] = set()
        for done in range(1, requests + 1):
            self.pick(CHANGES, 0.5)
            task = asyncio.create_task(self.ask(*self.pick_request()))
            under_way.add(task)
            task.add_done_callback(under_way.discard)
            if len(under_way) >= AT_ONCE:
                await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
            if done % max(1, requests // LOOKS) == 0:
                await asyncio.gather(*under_way)
            if self.has_left:
                break
            if done % max(1, requests // LOOKS) == 0:
                looks.append(await self.look(done))
        return looks

    def pick(self, acts: dict[Act, int], share: float) -> None:
        """Do one of some things, or none."""
        if self.random.random() < share:
            self.random.choices(list(acts), list(acts.values()))[0](self)

    def pick_request(self) -> Asked:
        """One request, often with strange params."""
        return self.random.choices(list(REQUEST_KINDS), list(REQUEST_KINDS.values()))[0](self)

    async def ask(self, method: str, params: object, may_cancel: bool = True) -> str:
        """Send a request, cancel it perhaps, and note how it ended; answers the state of the index if it is told."""
        number, answer = self.client.begin(method, params)
        if may_cancel and self.random.random() < CANCELLED:
            if self.random.random() < 0.5:
                await asyncio.sleep(self.random.random() * 0.03)
            self.client.notify("$/cancelRequest", {"id": number})
        try:
            result: Any = await asyncio.wait_for(answer, ANSWER_SECONDS)
            self.outcomes["answered"] += 1
            return str(result["state"]) if method == STATUS else ""
        except Refused as error:
            self.outcomes[str(error.code)] += 1
            if error.code == INTERNAL_ERROR:
                self.unexpected[f"{method}: {error}"] += 1
        except TimeoutError:
            self.unexpected[f"{method} {str(params)[:200]}: no answer"] += 1
        except ConnectionError:
            self.has_left = True
        return ""

    async def look(self, done: int) -> Look:
        """Wait until the server is at rest, and see what it holds."""
        await self.rest()
        await self.ask("workspace/chunkSearch", {"query": "rest", "maxResults": 1, "sync": True}, may_cancel=False)
        await asyncio.sleep(REST_SECONDS)
        await self.rest()
        family = family_of(self.client.process.pid)
        held = Path(f"/proc/{self.client.process.pid}")
        return Look(
            done,
            resident_mb(self.client.process.pid),
            sum(map(resident_mb, family)),
            len(list((held / "fd").iterdir())),
            len(list((held / "task").iterdir())),
            len(family) - 1,
        )

    async def rest(self) -> None:
        """Wait until no index is being built; a status that stays refused, or a build that does not end, is noted."""
        state, until = "", time.monotonic() + ANSWER_SECONDS
        refused_until = time.monotonic() + REFUSED_SECONDS
        while not self.has_left and state not in ("ready", "failed"):
            await asyncio.sleep(POLL_SECONDS)
            state = await self.ask(STATUS, None, may_cancel=False)
            if time.monotonic() > (until if state else refused_until):
                self.unexpected[f"the status stays {state or 'refused'}"] += 1
                return

    def word(self) -> str:
        """A word that was not there before."""
        self._number += 1
        return "soak" + "".join(chr(ord("a") + int(digit)) for digit in f"{self._number:05}")

    def a_file(self) -> Path:
        """Any file of the copied tree, also one that was deleted."""
        return self.random.choice(self.files)

    def an_open_file(self) -> Path:
        """An open document, else any file."""
        return self.random.choice(sorted(self.open)) if self.open else self.a_file()


# -- what changes


def open_document(soak: Soak) -> None:
    """Open a file, again if it is open."""
    path = soak.a_file()
    text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else "nothing\n"
    soak.versions[path] += 1
    soak.open[path] = text.split("\n")
    soak.client.notify("textDocument/didOpen", opened(path, text, soak.versions[path]))


def edit_document(soak: Soak) -> None:
    """Type a line into an open document, or replace all of it."""
    if not soak.open:
        return open_document(soak)
    path = soak.an_open_file()
    lines, word = soak.open[path], soak.word()
    soak.versions[path] += 1
    at = soak.random.randrange(len(lines))
    lines.insert(at, word)
    change: Params = {"range": span(at, 0, 0), "text": word + "\n"}
    if soak.random.random() < 0.2:
        change = {"text": "\n".join(lines)}
    return soak.client.notify("textDocument/didChange", changed(path, soak.versions[path], [change]))


def close_document(soak: Soak) -> None:
    """Close a document, perhaps one that is not open."""
    path = soak.an_open_file()
    soak.open.pop(path, None)
    soak.client.notify("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})


def save_document(soak: Soak) -> None:
    """Write an open document to disk."""
    path = soak.an_open_file()
    if path in soak.open:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(soak.open[path]), encoding="utf-8")
    soak.client.notify("textDocument/didSave", {"textDocument": {"uri": path.as_uri()}})


def change_file(soak: Soak) -> None:
    """Write to a file behind the editor's back; half of the time somebody tells."""
    path = soak.a_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(f"\n{soak.word()}\n")
    tell(soak, path, 2)


def delete_file(soak: Soak) -> None:
    """Delete a file; later changes bring it back."""
    path = soak.a_file()
    path.unlink(missing_ok=True)
    tell(soak, path, 3)


def tell(soak: Soak, path: Path, kind: int) -> None:
    """Tell of a change as an editor's watcher does, or leave it to the server's."""
    if soak.random.random() < 0.5:
        soak.client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": kind}]})


def switch_folder(soak: Soak) -> None:
    """Add the second folder, or take it away."""
    named = [{"uri": soak.other.as_uri(), "name": "other"}]
    event = {"added": [], "removed": named} if soak.has_other else {"added": named, "removed": []}
    soak.has_other = not soak.has_other
    soak.client.notify("workspace/didChangeWorkspaceFolders", {"event": event})


def say_nonsense(soak: Soak) -> None:
    """Notifications that are unknown or wrong."""
    method = soak.random.choice(["textDocument/didChange", "no/such", "$/cancelRequest", "textDocument/didOpen"])
    soak.client.notify(method, soak.random.choice([None, {}, {"id": 10**9}, {"textDocument": 1}, [1]]))


CHANGES: dict[Act, int] = {
    edit_document: 40,
    open_document: 12,
    close_document: 8,
    save_document: 8,
    change_file: 12,
    delete_file: 4,
    say_nonsense: 6,
    switch_folder: 1,
}
"""What happens between requests, with how often."""


# -- what is asked


def search(soak: Soak) -> Asked:
    """A search of any kind."""
    params: Params = {"query": soak.random.choice(QUERIES), "maxResults": soak.random.randrange(1, 30)}
    more: list[Params] = [
        {}, {"tokenBudget": soak.random.randrange(1, 20_000)}, {"sync": True}, {"include": ["**/*.js"]},
        {"languages": ["python", "javascript"]}, {"exclude": ["**/test*/**"]}, {"preset": "meaning"},
        {"paths": [str(soak.a_file())]}, {"rerank": False}, {"maxPerFile": 1}, {"strategies": ["tfidf"]},
        {"partialResultToken": "part"}, {"keywords": ["parse", "config"]}, {"deadlineMs": 1},
        {"alreadyInContext": [{"uri": soak.a_file().as_uri()}]}, {"weights": {"words": 1.0, "meaning": 0.0}},
    ]  # fmt: skip
    if soak.open and soak.random.random() < 0.3:
        path = soak.an_open_file()
        params["minVersions"] = {path.as_uri(): soak.versions[path]}
    return "workspace/chunkSearch", params | soak.random.choice(more)


def bad_search(soak: Soak) -> Asked:
    """A search that must be refused."""
    params: list[object] = [
        {"query": ""}, {"query": "x"}, {"query": "x", "maxResults": 0}, {"maxResults": 3}, None, [], {"query": 5},
        {"query": "x", "maxResults": "many"}, {"query": "x", "maxResults": 3, "strategies": ["none such"]},
        {"query": "x", "maxResults": 3, "weights": {"words": -1}}, {"query": "x", "maxResults": 2, "rrfK": 0},
    ]  # fmt: skip
    return "workspace/chunkSearch", soak.random.choice(params)


def explain(soak: Soak) -> Asked:
    """Why a file is found, or not."""
    params: Params = {"uri": soak.random.choice([soak.a_file().as_uri(), "untitled:1", "file:///no/such"])}
    if soak.random.random() < 0.5:
        params["search"] = {"query": soak.random.choice(QUERIES), "maxResults": 3}
    return "workspace/chunkSearch/explain", params


def command(soak: Soak) -> Asked:
    """One of our requests as a command."""
    name = soak.random.choice(["chunkSearch", "status", "metrics", "nonsense"])
    arguments = [{"query": "parse", "maxResults": 2}] if name == "chunkSearch" else []
    return "workspace/executeCommand", {"command": f"lurcher.{name}", "arguments": arguments}


REQUEST_KINDS: dict[Callable[[Soak], Asked], int] = {
    search: 50,
    bad_search: 8,
    explain: 8,
    command: 8,
    lambda _: (STATUS, None): 8,
    lambda _: ("workspace/chunkSearch/metrics", None): 4,
    lambda soak: ("workspace/symbol", {"query": soak.random.choice(["", "par", "Config", "é"])}): 8,
    lambda soak: ("textDocument/documentSymbol", {"textDocument": {"uri": soak.a_file().as_uri()}}): 8,
    lambda _: ("no/such/method", {}): 2,
    lambda _: ("workspace/chunkSearch/rebuild", None): 1,
}
"""Requests, with how often."""


# -- looking at processes


def family_of(ancestor: int) -> list[int]:
    """A process and all its descendants."""
    family = [ancestor]
    for process in family:
        for task in Path(f"/proc/{process}/task").glob("*/children"):
            try:
                family += [int(child) for child in task.read_text().split()]
            except OSError:
                continue
    return family


def resident_mb(process: int) -> float:
    """Resident memory of a process; 0 if it is gone."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    except (OSError, IndexError):
        return 0.0


# -- judging


def problems(soak: Soak, looks: list[Look]) -> list[str]:
    """Everything that must not be."""
    last = looks[-1]
    found = [f"{count} × {what}" for what, count in soak.unexpected.items()]
    if soak.client.unanswered:
        found.append(f"requests without an answer: {soak.client.unanswered}")
    if soak.client.doubled:
        found.append(f"ids with more than one answer: {soak.client.doubled}")
    found += leaks(looks)
    if last.children > MOST_CHILDREN:
        found.append(f"{last.children} child processes at rest")
    return found


def leaks(looks: list[Look]) -> list[str]:
    """What the server holds more of in the second half. Worker processes come and go, with a dozen files each: whatever
    leaks raises the least of all looks, and they do not."""
    half = (len(looks) + 1) // 2
    early, late = looks[min(1, half - 1) : half], looks[half:] or looks
    found: list[str] = []
    for what, spare, seen in (
        ("open files", SPARE_FILES, [[look.files for look in part] for part in (early, late)]),
        ("threads", SPARE_THREADS, [[look.threads for look in part] for part in (early, late)]),
    ):
        before, after = map(min, seen)
        if after > before + spare:
            found.append(f"{what} grew from {before} to {after}")
    return found


def table(looks: list[Look]) -> str:
    """The looks as a Markdown table."""
    lines = ["| requests | server MB | all processes MB | open files | threads | children |", "|--:" * 6 + "|"]
    for look in looks:
        lines.append(
            f"| {look.requests:,} | {look.own_mb:.1f} | {look.all_mb:.1f} | {look.files} | {look.threads} "
            f"| {look.children} |"
        )
    return "\n".join(lines)


async def run(options: argparse.Namespace) -> int:
    """Soak one server and say how it went."""
    with tempfile.TemporaryDirectory(prefix="lurcher-soak-") as temporary:
        work = Path(temporary).resolve()
        copy_some(options.tree, work / "tree", options.files)
        copy_some(options.tree, work / "other", options.files // 10)
        client = await Client.start(SERVE, {"store": str(work / "store"), "watch": "server"}, options.errors)
        await client.initialize([work / "tree"])
        soak = Soak(client, work / "tree", work / "other", options.seed)
        began = time.perf_counter()
        looks = await soak.run(options.requests)
        took = time.perf_counter() - began
        family = family_of(client.process.pid)
        code = await (client.process.wait() if soak.has_left else client.stop())
        found = problems(soak, looks)
        left = [process for process in family if Path(f"/proc/{process}").exists()]
        if code or left:
            found.append(f"exit code {code}, processes left behind: {left}")
    half = looks[len(looks) // 2]
    print(f"{options.requests:,} requests, seed {options.seed}, {took:.0f} s: {dict(soak.outcomes)}\n")
    print(table(looks))
    print(f"\nmemory of the server over the second half: {looks[-1].own_mb - half.own_mb:+.1f} MB")
    print("\n".join(f"PROBLEM: {each}" for each in found) or "no problems")
    return 1 if found else 0


def main() -> int:
    """Soak what the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tree", type=Path, required=True, help="a tree that files are taken from")
    parser.add_argument("--requests", type=int, default=REQUESTS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", type=int, default=FILES, help="how many files are taken")
    parser.add_argument("--errors", type=Path, help="file for what the server writes to standard error")
    options = parser.parse_args()
    return asyncio.run(run(options))


if __name__ == "__main__":
    sys.exit(main())
