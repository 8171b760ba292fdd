"""An engine that can be killed, behind a line that can be cut; and what is to be seen in it."""

import contextlib
import subprocess
import threading
from types import TracebackType
from typing import Any, Self

from tests.remote.engines.cutting import CuttingProxy
from tests.remote.engines.milvus_server import MilvusServer
from tests.remote.engines.postgres_server import PostgresServer

from lurcher_index.dense.choice import own_model
from lurcher_index.remote.connection import Connection, Kind
from lurcher_index.remote.engines.interface import SharedIndex, Where
from lurcher_index.remote.engines.opening import open_index
from lurcher_index.remote.interface import RemoteHit, Wanted

EVERYTHING = 1_000
"""Hits asked for: more than any repository here has chunks."""


class Site:
    """One database of an engine."""

    kind: str
    direct: str
    """Its address without the proxy."""
    url: str
    """Its address behind the proxy."""

    def __init__(self, server: PostgresServer | MilvusServer) -> None:
        self.server = server
        self.proxy = CuttingProxy(server.port)
        self._is_killed = False
        self._turn = threading.Lock()
        self.renew()

    def __enter__(self) -> Self:
        self.proxy.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.proxy.__exit__(kind, value, trace)
        self.start()

    def renew(self) -> None:
        """Go over to a database that nobody has used."""
        raise NotImplementedError

    def kill(self) -> None:
        """As if the engine had crashed; in the proxy's thread, and whoever starts it again waits for its end."""
        with self._turn:
            self._is_killed = True
            self.server.kill()

    def start(self) -> None:
        """Have it run, and the line too."""
        with self._turn:
            if self._is_killed:
                self.server.start()
                self._is_killed = False
        self.proxy.mend()

    def open(self) -> SharedIndex:
        return open_index(Connection(kind=Kind(self.kind), url=self.direct))


class PostgresSite(Site):
    kind = "postgres"

    def renew(self) -> None:
        assert isinstance(self.server, PostgresServer)
        name = self.server.new_database()
        self.direct = self.server.url(name)
        self.url = self.direct.replace(f":{self.server.port}/", f":{self.proxy.port}/")

    def kill(self) -> None:
        with contextlib.suppress(subprocess.CalledProcessError):
            super().kill()


class MilvusSite(Site):
    kind = "milvus"

    def renew(self) -> None:
        assert isinstance(self.server, MilvusServer)
        self.direct = self.server.new_url()
        self.url = self.direct.replace(f":{self.server.port}/", f":{self.proxy.port}/")


def seen(site: Site, repository: str, *terms: str) -> dict[str, Any]:
    """All that others see of a repository: each commit with every hit by words and by meaning, and what is open.

    Numbers of generations are left out: a publish that died has used one up.
    """
    index = site.open()
    try:
        return {
            "commits": {
                each.commit: {
                    "files": each.files,
                    "chunks": each.chunks,
                    "words": _places(index.by_words(Where(repository, each.generation), _wanted(terms))),
                    "meaning": _places(index.by_meaning(Where(repository, each.generation), _wanted(terms))),
                }
                for each in index.publications(repository)
            },
            "open": sorted((each.path, each.content, each.chunks) for each in index.open_versions(repository)),
        }
    finally:
        index.close()


def _wanted(terms: tuple[str, ...]) -> Wanted:
    vector = own_model().embed_query(" ".join(terms))
    return Wanted(words=terms, terms=dict.fromkeys(terms, 1.0), vector=vector, limit=EVERYTHING)


def _places(hits: list[RemoteHit]) -> list[tuple[object, ...]]:
    return sorted((hit.path, hit.first_line, hit.last_line, hit.content, hit.digest) for hit in hits)
