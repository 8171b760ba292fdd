"""A repository with two commits, of which the second is published while something goes wrong."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.history.repositories import Repository
from tests.remote.faults.sites import Site, seen
from tests.remote.whole.teams import Team, cloned

from lurcher_index import Settings
from lurcher_index.publishing.publisher import Publisher
from lurcher_index.publishing.source import find_commit
from lurcher_index.publishing.values import Published
from lurcher_index.remote.engines.interface import SharedIndex

NAME = "code.example.org/team/ropes"

IN_SMALL_STEPS = (
    "import functools, sys;"
    " from lurcher_index.publishing import making; making.BATCH_BYTES = 6_000;"
    " from lurcher_index.remote.engines.milvus import index; index.Limits = functools.partial(index.Limits, claim=3.0);"
    " from lurcher_server.cli import main; sys.exit(main())"
)
"""The command with so small batches that there are many moments to fail at; and whoever is killed does not keep others
away from Milvus for a whole minute."""

FIRST: dict[str, str | bytes | None] = {
    f"src/part_{n}.py": f"def stretch_{n}(rope):\n    '''Part {n} of a rope.'''\n    return rope * {n}\n"
    for n in range(24)
}
SECOND: dict[str, str | bytes | None] = {
    **{f"src/part_{n}.py": f"def stretch_more_{n}(rope):\n    return rope * {n + 1}\n" for n in range(0, 24, 2)},
    "src/part_1.py": None,
    "src/knots.py": "def tie(rope):\n    '''Stretch it, then tie a knot.'''\n    return rope\n",
}
TERMS = ("stretch", "rope")


class Work:
    """A checkout and the command line of one machine, and what a publish that nobody disturbs gives."""

    def __init__(self, site: Site, folder: Path) -> None:
        self.folder = folder
        source = Repository(folder / "source")
        self.first = source.commit("first", FIRST)
        self.second = source.commit("second", SECOND)
        self.checkout = cloned(source, NAME, folder / "ropes")
        with site:
            calm = Publication(site, self)
            self.before = calm.seen()
            """What is to be seen before the second commit is."""
            already = site.proxy.sent
            code, said = calm.run()
            assert code == 0, said
            self.bytes = site.proxy.sent - already
            """What a publish of the second commit sends."""
            self.expected = calm.seen()
            """What is to be seen afterwards."""
        assert list(self.expected["commits"]) == [self.second, self.first]


class Publication:
    """The first commit is published; the second is about to be."""

    def __init__(self, site: Site, work: Work) -> None:
        self.site = site
        self.work = work
        index = site.open()
        try:
            self.publish_to(index, work.first)
        finally:
            index.close()

    def seen(self) -> dict[str, Any]:
        return seen(self.site, NAME, *TERMS)

    def publish_to(self, index: SharedIndex, commit: str, patience: float = 60.0) -> Published:
        """In this process."""
        source = find_commit(self.work.checkout, commit, "main")
        return Publisher(index, NAME, source, Settings(workers=1)).publish(patience=patience)

    def start(self, patience: int = 0) -> "subprocess.Popen[str]":
        """`lurcher publish` of the second commit through the proxy."""
        arguments = ("publish", "--to", self.site.url, "--kind", self.site.kind, "--branch", "main")
        return subprocess.Popen(
            [sys.executable, "-c", IN_SMALL_STEPS, *arguments, "--patience", str(patience), str(self.work.checkout)],
            env=Team(self.work.folder, self.site.kind, self.site.url).environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, patience: int = 0) -> tuple[int, str]:
        with self.start(patience) as process:
            said = process.communicate(timeout=240)[0]
        return process.returncode, said

    def cut(self, share: float, then: Callable[[], object]) -> None:
        """Cut the line after a share of what a publish sends, and do something in that moment."""
        self.site.proxy.cut_after(int(share * self.work.bytes), then)

    def check_and_finish(self) -> None:
        """Whatever was cut short: others see what was there before or all of the new commit; and the next run ends
        it."""
        self.site.start()
        visible = self.seen()
        if self.work.second in visible["commits"]:
            assert visible == self.work.expected
        else:
            assert visible["commits"] == self.work.before["commits"]
        code, said = self.run(patience=60)
        assert code == 0, said
        assert self.seen() == self.work.expected
