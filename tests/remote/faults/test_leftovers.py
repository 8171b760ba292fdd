"""Switched off or closed, remote code search leaves no threads, sockets or processes, even if it was waiting."""

import asyncio
import os
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from tests.history.repositories import Repository, needs_git
from tests.remote.faults.sites import Site
from tests.remote.joining.shops import FILES
from tests.remote.whole.teams import cloned

from lurcher_index import Engine, Settings
from lurcher_index.answers import Answer
from lurcher_index.asking import Ask
from lurcher_index.publishing.publisher import Publisher
from lurcher_index.publishing.source import find_commit
from lurcher_index.remote.connection import Connection, Kind

pytestmark = [
    needs_git,
    pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="looks for sockets in /proc"),
]

NAME = "code.example.org/team/shop"


def sockets() -> set[str]:
    """Open sockets of this process, those of the proxy and of finished loops apart."""
    found: set[str] = set()
    for each in os.listdir("/proc/self/fd"):
        try:
            found.add(os.readlink(f"/proc/self/fd/{each}"))
        except OSError:
            continue
    return {each for each in found if each.startswith("socket:")}


def threads() -> set[threading.Thread]:
    return {each for each in threading.enumerate() if each.name.startswith("lurcher-")}


def until(holds: Callable[[], bool], what: Callable[[], object]) -> None:
    end = time.monotonic() + 90
    while not holds():
        assert time.monotonic() < end, what()
        time.sleep(0.01)


def is_more(site: Site, sent: int) -> bool:
    return site.proxy.sent > sent


def test_nothing_is_left_of_searches_that_were_answered_and_of_those_that_were_not(site: Site, tmp_path: Path) -> None:
    source = Repository(tmp_path / "source")
    source.commit("first", FILES)
    checkout = cloned(source, NAME, tmp_path / "shop")
    index = site.open()
    Publisher(index, NAME, find_commit(checkout), Settings(workers=1)).publish()
    index.close()
    connection = Connection(kind=Kind(site.kind), url=site.url)
    files = set(tmp_path.rglob("*"))
    with Engine.open([checkout], store=":memory:") as engine:
        engine.build_all()

        def ask() -> Answer:
            return asyncio.run(engine.ask(Ask(text="round a price", max_results=5)))

        answers: list[Answer] = []

        def is_answered_elsewhere() -> bool:
            answers[:] = [ask()]
            return answers[0].strategy == "codeSearch"

        def is_connected() -> bool:
            engine.set_remote(connection, use="always")
            return is_answered_elsewhere()

        def connect() -> None:
            """On a busy machine the first search may be given up; that is for other tests to look at."""
            until(is_connected, lambda: answers[0].attempts)

        # Whatever is loaded and started once in a process is, now.
        connect()
        engine.set_remote(None)
        site.proxy.mend()
        before, kept = threads(), sockets()
        for hang in (False, True):
            connect()
            if hang:
                sent = site.proxy.sent
                site.proxy.hold_answers()
                asking = threading.Thread(target=is_answered_elsewhere)
                asking.start()
                until(partial(is_more, site, sent), lambda: "nothing was asked")
                engine.set_remote(None)
                asking.join()
                assert answers[0].strategy == "embeddings"
            else:
                engine.set_remote(None)
            site.proxy.mend()
            until(lambda: threads() <= before, lambda: threads() - before)
            until(lambda: sockets() <= kept, lambda: sockets() - kept)
        assert not engine.remote_status().repositories
    assert set(tmp_path.rglob("*")) == files
