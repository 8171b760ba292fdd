"""A shared index of ours as a provider: what it has published is known exactly, by commit and by content."""

import threading
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from msgspec.structs import replace

from lurcher_index.errors import RemoteDenied, RemoteError, RemoteUnknown
from lurcher_index.remote.engines.interface import Publication, SharedIndex, Where
from lurcher_index.remote.engines.marks import content_hash_of
from lurcher_index.remote.interface import Checked, IndexedCommit, RemoteFound, RemoteHit, Wanted
from lurcher_index.remote.states import RepositoryState

T = TypeVar("T")


class SharedProvider:
    """Searches a shared index. Implements `Provider`."""

    def __init__(self, index: SharedIndex, publish_to: str = "URL") -> None:
        """`publish_to` is the index's address as a person would write it, for advice."""
        self._index = index
        self._publish_to = publish_to

    @property
    def name(self) -> str:
        """What and where it is."""
        return f"shared index in {self._index.name}"

    def check(self, repository: str) -> Checked:
        """The commits that are published; who is publishing counts only where there are none."""
        try:
            published = self._index.publications(repository)
            if published:
                return Checked(RepositoryState.READY, tuple(map(_commit, published)))
            if self._index.is_claimed(repository):
                detail = "somebody is publishing it for the first time; it can be searched when they are done"
                return Checked(RepositoryState.BUILDING, detail=detail)
        except RemoteDenied as error:
            return Checked(RepositoryState.NOT_AUTHORIZED, detail=str(error))
        except RemoteError as error:
            return Checked(RepositoryState.COULD_NOT_CHECK, detail=str(error))
        advice = f"publish a commit of it: lurcher publish --repository {repository} --to {self._publish_to}"
        return Checked(RepositoryState.NOT_YET_INDEXED, detail=advice)

    def begin_index(self, repository: str, commit: str) -> bool:  # noqa: ARG002
        """Nobody can be asked: commits are published by those who have them."""
        return False

    def search(self, repository: str, commit: IndexedCommit, wanted: Wanted) -> RemoteFound:
        """By words and by meaning at once. If one of them fails the other is the answer, with an alert.

        A commit that was published again since it was last asked for has another generation.
        """
        try:
            return self._searched(Where(repository, commit.generation), wanted)
        except RemoteUnknown:
            for each in self._index.publications(repository):
                if (each.commit, each.model) == (commit.commit, commit.model) and each.generation != commit.generation:
                    return self._searched(Where(repository, each.generation), wanted)
            raise

    def close(self) -> None:
        """Give up connections."""
        self._index.close()

    def _searched(self, where: Where, wanted: Wanted) -> RemoteFound:
        words = _Asked(lambda: self._index.by_words(where, wanted) if wanted.terms else [])
        meaning = _Asked(lambda: self._index.by_meaning(where, wanted)) if wanted.vector is not None else None
        statistics = _Asked(lambda: self._index.statistics(where, wanted.terms))
        asked: list[_Asked[list[RemoteHit]]] = [words, *([meaning] if meaning else [])]
        alerts = [
            f"by {way}: {each.error}" for way, each in zip(("words", "meaning"), asked, strict=False) if each.wait()
        ]
        if len(alerts) == len(asked):
            assert words.error is not None, "every way failed"
            raise words.error
        if statistics.wait():
            alerts.append(f"how common words are in {where.repository} is not known: {statistics.error}")
        return RemoteFound(
            _plain(words.found or ()),
            _plain(meaning.found or ()) if meaning else (),
            statistics.found,
            tuple(alerts),
        )


class _Asked(Generic[T]):
    """One question, asked in a thread; the engine sees to it that it has an end."""

    def __init__(self, ask: Callable[[], T]) -> None:
        self.found: T | None = None
        self.error: BaseException | None = None
        self._ask = ask
        self._thread = threading.Thread(target=self._run, name="lurcher-shared", daemon=True)
        self._thread.start()

    def wait(self) -> bool:
        """Whether it failed; what is no fault of the remote side is raised."""
        self._thread.join()
        if self.error is not None and not isinstance(self.error, RemoteError):
            raise self.error
        return self.error is not None

    def _run(self) -> None:
        try:
            self.found = self._ask()
        except BaseException as error:  # noqa: BLE001 - it is raised in the thread that waits
            self.error = error


def _commit(published: Publication) -> IndexedCommit:
    return IndexedCommit(published.commit, published.generation, published.branch, published.model, published.chunks)


def _plain(hits: Sequence[RemoteHit]) -> tuple[RemoteHit, ...]:
    """Hits with the hash of the file alone, as everybody else knows it."""
    return tuple(replace(hit, content=content_hash_of(hit.content)) for hit in hits)
