"""The shared index in Milvus: the interface, over the modules that do the work."""

import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TypeVar

from lurcher_index.errors import RemoteUnknown
from lurcher_index.remote.engines.interface import Publication, SharedFile, Version, Where
from lurcher_index.remote.engines.milvus import layout, notes, publishing, versions
from lurcher_index.remote.engines.milvus.address import read_address
from lurcher_index.remote.engines.milvus.claims import Claims
from lurcher_index.remote.engines.milvus.client import Client
from lurcher_index.remote.engines.milvus.layout import NOTES
from lurcher_index.remote.engines.milvus.limits import Limits, Token
from lurcher_index.remote.engines.milvus.notes import About
from lurcher_index.remote.engines.milvus.searching import Searcher
from lurcher_index.remote.interface import RemoteHit, Statistics, Wanted

T = TypeVar("T")

FLUSHED_CHUNKS = 2000
"""Chunks written until the server is asked to put them away. Servers limit how often that may be asked."""


class MilvusIndex:
    """A shared index in a Milvus server. Implements `SharedIndex`; its docstrings are there."""

    def __init__(self, url: str, token: Token | None = None, limits: Limits | None = None) -> None:
        """Check the address; nothing is loaded or connected yet."""
        address = read_address(url)
        self._client = Client(address, token, limits or Limits())
        self._claims = Claims(self._client, NOTES)
        self._client.before_writing = self._claims.check_all
        self._searcher = Searcher(self._client)
        self._about: About | None = None
        self._turn = threading.Lock()
        self._unflushed = 0

    @property
    def name(self) -> str:
        return self._client.where

    def __repr__(self) -> str:
        """Nothing secret."""
        return f"MilvusIndex({self._client.where})"

    def prepare(self, dimension: int) -> None:
        with self._turn:
            self._about = None
            layout.prepare(self._client, dimension)

    def publications(self, repository: str) -> list[Publication]:
        return self._read(lambda: notes.read_publications(self._client, NOTES, repository), [])

    def repositories(self) -> list[str]:
        def names() -> list[str]:
            found = notes.read(self._client, NOTES, 'kind == "publication"', Publication)
            return sorted({each.repository for each in found})

        return self._read(names, [])

    def is_claimed(self, repository: str) -> bool:
        return self._read(lambda: bool(self._claims.alive(repository)), False)

    def open_versions(self, repository: str) -> Iterator[Version]:
        nothing: Iterator[Version] = iter(())
        yield from self._read(lambda: versions.open_versions(self._client, repository), nothing)

    def last_generation(self, repository: str) -> int:
        numbers = self._read(lambda: notes.read_numbers(self._client, NOTES, repository), None)
        return 0 if numbers is None else numbers.last_generation

    def claim(self, repository: str, owner: str) -> AbstractContextManager[None]:
        return self._claimed(repository, owner)

    def insert(self, repository: str, generation: int, files: Sequence[SharedFile]) -> int:
        about = self._writing(repository)
        self._unflushed += sum(len(each.chunks) for each in files)
        return publishing.insert(self._client, repository, generation, files, about.dimension)

    def reopen(self, repository: str, generation: int, wanted: Iterable[tuple[str, bytes]]) -> set[tuple[str, bytes]]:
        self._writing(repository)
        return publishing.reopen(self._client, repository, generation, wanted)

    def end(self, repository: str, generation: int, versions: Sequence[Version]) -> None:
        self._writing(repository)
        publishing.end(self._client, repository, generation, versions)

    def show(self, publication: Publication) -> None:
        self._writing(publication.repository)
        publishing.show(self._client, publication)
        flush = self._unflushed >= FLUSHED_CHUNKS
        publishing.tidy(self._client, publication.repository, publication.generation, flush=flush)
        if flush:
            self._unflushed = 0

    def collect(self, repository: str, generations: Iterable[int]) -> tuple[int, int]:
        self._writing(repository)
        self._searcher.counts.forget()
        return publishing.collect(self._client, repository, generations)

    def forget(self, repository: str) -> None:
        self._writing(repository)
        publishing.forget(self._client, repository)
        self._searcher.counts.forget()

    def by_words(self, where: Where, wanted: Wanted) -> list[RemoteHit]:
        self._needed()
        return self._searcher.by_words(where, wanted)

    def by_meaning(self, where: Where, wanted: Wanted) -> list[RemoteHit]:
        about = self._needed()
        if wanted.vector is not None and about.dimension != wanted.vector.size:
            about = self._needed(anew=True)
        return self._searcher.by_meaning(where, wanted, about.dimension)

    def statistics(self, where: Where, terms: Iterable[str]) -> Statistics:
        self._needed()
        return self._searcher.statistics(where, terms)

    def warm_up(self, where: Where, cancelled: Callable[[], bool]) -> None:
        self._searcher.warm_up(where, self._needed().dimension, cancelled)

    def close(self) -> None:
        self._client.close()

    @contextmanager
    def _claimed(self, repository: str, owner: str) -> Generator[None]:
        self._needed()
        with self._claims.claim(repository, owner):
            publishing.repair(self._client, repository)
            yield

    def _writing(self, repository: str) -> About:
        self._claims.check(repository)
        return self._needed()

    def _needed(self, anew: bool = False) -> About:
        """What the server holds, asked for once. It changes only if vectors come to what had none."""
        with self._turn:
            if self._about is None or anew:
                self._about = layout.needed_layout(self._client)
            return self._about

    def _read(self, work: Callable[[], T], nothing: T) -> T:
        try:
            self._needed()
        except RemoteUnknown:
            return nothing
        return work()
