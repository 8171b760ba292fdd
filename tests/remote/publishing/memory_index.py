"""A shared index in this process's memory, that fails when a test says so and keeps what it is given."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from lurcher_index.errors import RemoteBusy
from lurcher_index.remote.engines.interface import OPEN, Publication, SharedFile, Version, Where
from lurcher_index.remote.interface import RemoteHit, Statistics, Wanted


@dataclass
class Row:
    """A version while it is there."""

    file: SharedFile
    since: int
    until: int = OPEN

    def is_in(self, generation: int) -> bool:
        return self.since <= generation < self.until


class MemoryIndex:
    """All of one engine. Implements `SharedIndex`; searching is not its business."""

    name = "memory"

    def __init__(self) -> None:
        self.rows: dict[str, list[Row]] = {}
        self.shown: dict[str, list[Publication]] = {}
        self.last: dict[str, int] = {}
        self.claimed: set[str] = set()
        self.before: Callable[[str], None] = lambda _call: None
        """Hears of every call, and may raise; also of each file that an insert is about to write."""
        self.inserted: list[SharedFile] = []
        self.warmed: list[Where] = []
        """What was searched once for others; `warming` hears of it, and may raise."""
        self.warming: Callable[[Callable[[], bool]], object] = lambda _cancelled: None

    def prepare(self, dimension: int) -> None:  # noqa: ARG002
        self.before("prepare")

    def publications(self, repository: str) -> list[Publication]:
        self.before("publications")
        return sorted(self.shown.get(repository, []), key=lambda each: -each.generation)

    def repositories(self) -> list[str]:
        return sorted(name for name, shown in self.shown.items() if shown)

    def is_claimed(self, repository: str) -> bool:
        return repository in self.claimed

    def open_versions(self, repository: str) -> Iterator[Version]:
        self.before("open_versions")
        for row in self.rows.get(repository, []):
            if row.until == OPEN:
                yield Version(row.file.path, row.file.content, row.since, len(row.file.chunks))

    def last_generation(self, repository: str) -> int:
        self.before("last_generation")
        return self.last.get(repository, 0)

    @contextmanager
    def claim(self, repository: str, owner: str) -> Iterator[None]:  # noqa: ARG002
        self.before("claim")
        if repository in self.claimed:
            raise RemoteBusy("somebody else is publishing")
        self.claimed.add(repository)
        try:
            yield
        finally:
            self.claimed.discard(repository)

    def insert(self, repository: str, generation: int, files: Sequence[SharedFile]) -> int:
        self._use(repository, generation, "insert")
        rows = self.rows.setdefault(repository, [])
        for file in files:
            self.before("file")
            rows.append(Row(file, generation))
            self.inserted.append(file)
        return sum(len(file.chunks) for file in files)

    def reopen(self, repository: str, generation: int, wanted: Iterable[tuple[str, bytes]]) -> set[tuple[str, bytes]]:
        self._use(repository, generation, "reopen")
        rows = self.rows.get(repository, [])
        found: set[tuple[str, bytes]] = set()
        stored = {(row.file.path, row.file.content): row for row in rows}
        for key in wanted:
            if key in stored:
                rows.append(replace(stored[key], since=generation, until=OPEN))
                found.add(key)
        return found

    def end(self, repository: str, generation: int, versions: Sequence[Version]) -> None:
        self._use(repository, generation, "end")
        gone = {(each.path, each.content) for each in versions}
        for row in self.rows[repository]:
            if row.until == OPEN and (row.file.path, row.file.content) in gone:
                self.before("version")
                row.until = generation

    def show(self, publication: Publication) -> None:
        self._use(publication.repository, publication.generation, "show")
        shown = self.shown.setdefault(publication.repository, [])
        shown[:] = [*(each for each in shown if each.commit != publication.commit), publication]

    def collect(self, repository: str, generations: Iterable[int]) -> tuple[int, int]:
        self.before("collect")
        assert repository in self.claimed
        forgotten = set(generations)
        shown = self.shown.get(repository, [])
        shown[:] = [each for each in shown if each.generation not in forgotten]
        rows = self.rows.get(repository, [])
        gone = [r for r in rows if r.until != OPEN and not any(r.is_in(each.generation) for each in shown)]
        rows[:] = [row for row in rows if row not in gone]
        return len(gone), sum(len(row.file.chunks) for row in gone)

    def forget(self, repository: str) -> None:
        raise NotImplementedError

    def by_words(self, where: Where, wanted: Wanted) -> list[RemoteHit]:
        raise NotImplementedError

    def by_meaning(self, where: Where, wanted: Wanted) -> list[RemoteHit]:
        raise NotImplementedError

    def statistics(self, where: Where, terms: Iterable[str]) -> Statistics:
        raise NotImplementedError

    def warm_up(self, where: Where, cancelled: Callable[[], bool]) -> None:
        self.warmed.append(where)
        self.warming(cancelled)

    def close(self) -> None:
        pass

    def files_of(self, repository: str, commit: str) -> dict[str, SharedFile]:
        """What a search of a commit would see; the contract says that no file is there twice."""
        (shown,) = [each for each in self.shown[repository] if each.commit == commit]
        rows = [row for row in self.rows.get(repository, []) if row.is_in(shown.generation)]
        found = {row.file.path: row.file for row in rows}
        assert len(found) == len(rows) == shown.files
        assert sum(len(file.chunks) for file in found.values()) == shown.chunks
        return found

    def _use(self, repository: str, generation: int, call: str) -> None:
        self.before(call)
        assert repository in self.claimed, "all of it within a claim"
        assert all(generation > each.generation for each in self.shown.get(repository, [])), "what is shown is fixed"
        self.last[repository] = max(self.last.get(repository, 0), generation)
