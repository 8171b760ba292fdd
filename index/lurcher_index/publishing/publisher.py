"""Publishes one commit: what the engine lacks is sent, what is gone is ended, and then all of it is shown at once.

Until the last step nobody sees any of it, and each step can be done again. So whoever is killed, or loses the engine,
starts anew from the beginning and finds what was sent.
"""

import os
import platform
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from contextlib import closing, contextmanager
from itertools import islice
from typing import TypeVar

from lurcher_index.building.messages import Setup
from lurcher_index.building.pool import WorkerPool
from lurcher_index.building.progress import never
from lurcher_index.config import FINGERPRINT, Settings
from lurcher_index.dense.choice import NONE, Maker, choice_of
from lurcher_index.dense.embedder import Embedder
from lurcher_index.errors import Cancelled, RemoteError, RemoteUnreachable
from lurcher_index.publishing.comparing import Difference, compare
from lurcher_index.publishing.hashing import Hashes
from lurcher_index.publishing.making import Batch, Making
from lurcher_index.publishing.patience import PATIENCE, Patience
from lurcher_index.publishing.selecting import select
from lurcher_index.publishing.source import Source
from lurcher_index.publishing.values import Preview, Progress, Published, Report, Step, unheard
from lurcher_index.remote.engines.interface import Publication, SharedIndex, Where
from lurcher_index.remote.engines.marks import mark_of, marked

CALL_VERSIONS = 1_000
"""Versions that are ended or opened again in one call."""

T = TypeVar("T")


class Publisher:
    """One commit on its way to one shared index. It may be run again after a failure, and goes on then."""

    def __init__(self, index: SharedIndex, repository: str, source: Source, settings: Settings) -> None:
        """Read which files the commit has; nothing is sent. `repository` is the name it is published under."""
        self._index = index
        self._repository = repository
        self._source = source
        self._settings = settings
        self._embedder = _embedder(settings)
        self._model = self._embedder.name if self._embedder else ""
        self._shape = f"{FINGERPRINT} {settings.shape()}"
        self._mark = mark_of(FINGERPRINT, settings.chunk_tokens, self._model)
        self._hashes = Hashes(source.git)
        self._tally = _Tally()
        selection = select(source, settings)
        self._entries = {each.path: each for each in selection.files}
        self._skipped = selection.skipped

    def preview(
        self, report: Report = unheard, cancelled: Callable[[], bool] = never, patience: float = PATIENCE
    ) -> Preview:
        """What a publish would do now. Nothing is sent but questions."""
        waits = Patience(patience, cancelled)
        return waits.attempt(lambda: self._look(report, cancelled), lambda error: _tell(report, error))

    def _look(self, report: Report, cancelled: Callable[[], bool]) -> Preview:
        report(Progress(Step.COMPARING))
        shown = self._shown()
        if shown is not None:
            difference = Difference(frozenset(self._entries), (), (), shown.chunks)
        elif self._index.last_generation(self._repository):
            difference = compare(self._keys(cancelled), self._index.open_versions(self._repository))
        else:
            difference = Difference(frozenset(), tuple(self._entries), (), 0)
        return Preview(
            self._repository,
            self._source.commit,
            self._source.branch,
            self._model,
            self._index.name,
            shown is not None,
            len(self._entries),
            len(difference.missing),
            sum(self._entries[path].size for path in difference.missing),
            len(difference.superfluous),
            self._skipped,
        )

    def publish(
        self, report: Report = unheard, cancelled: Callable[[], bool] = never, patience: float = PATIENCE
    ) -> Published:
        """Do it. While the engine is busy or away it is tried again, for so many seconds without any progress."""
        started = time.monotonic()
        waits = Patience(patience, cancelled)
        with _workers(self._settings) as pool:
            making = Making(self._source.git, pool, self._embedder, self._settings, self._mark)
            publication = waits.attempt(
                lambda: self._attempt(making, waits, report, cancelled),
                lambda error: _tell(report, error),
            )
        if self._tally.began:
            self._warm_up(publication, report, cancelled)
        return self._tally.published(self._index.name, publication, self._skipped, time.monotonic() - started)

    def _attempt(self, making: Making, waits: Patience, report: Report, cancelled: Callable[[], bool]) -> Publication:
        shown = self._shown()
        if shown is not None:
            return shown
        self._index.prepare(self._embedder.dimension if self._embedder else 0)
        with self._index.claim(self._repository, f"{platform.node()} {os.getpid()}"):
            return self._within_claim(making, waits, report, cancelled)

    def _within_claim(
        self, making: Making, waits: Patience, report: Report, cancelled: Callable[[], bool]
    ) -> Publication:
        report(Progress(Step.COMPARING))
        self._tally.began = True
        last = self._index.last_generation(self._repository)
        generation = last + 1
        # Where nothing ever was, nothing has to be compared.
        keys = self._keys(cancelled) if last else {}
        held = compare(keys, self._index.open_versions(self._repository) if last else ())
        reopened = self._reopen(generation, {path: keys[path] for path in held.missing}, cancelled)
        wanted = [entry for path, entry in self._entries.items() if path not in held.kept and path not in reopened]
        wanted = [entry for entry in wanted if entry.path not in self._tally.left_out]
        self._tally.reopened += len(reopened)
        report(Progress(Step.SENDING, 0, len(wanted)))
        done = 0
        # Closed whatever happens: the workers must be free when it is tried again.
        with closing(making.batches(wanted, cancelled)) as batches:
            for batch in batches:
                sent = self._index.insert(self._repository, generation, batch.files) if batch.files else 0
                self._tally.sent(batch, sent)
                waits.restore()
                keys |= {each.path: each.content for each in batch.files}
                done += len(batch.files) + len(batch.skipped)
                report(Progress(Step.SENDING, done, len(wanted)))
        for some in _some(held.superfluous):
            _check(cancelled)
            self._index.end(self._repository, generation, some)
            self._tally.ended += len(some)
        return self._show(generation, keys, cancelled)

    def _show(self, generation: int, keys: dict[str, bytes], cancelled: Callable[[], bool]) -> Publication:
        """Make it visible, after a look whether all is there that belongs to the commit, and nothing else."""
        keys = {path: key for path, key in keys.items() if path not in self._tally.left_out}
        whole = compare(keys, self._index.open_versions(self._repository))
        if whole.missing or whole.superfluous:
            raise RemoteUnreachable(
                f"{self._index.name} does not hold what was sent ({len(whole.missing)} files are missing and"
                f" {len(whole.superfluous)} too many); nothing of the commit is shown. Publish again"
            )
        _check(cancelled)
        publication = Publication(
            repository=self._repository,
            generation=generation,
            commit=self._source.commit,
            branch=self._source.branch,
            model=self._model,
            shape=self._shape,
            files=len(keys),
            chunks=whole.chunks,
            published=time.time(),
        )
        self._index.show(publication)
        return publication

    def _warm_up(self, shown: Publication, report: Report, cancelled: Callable[[], bool]) -> None:
        """Make the first search in place of others. All is published: neither failing nor stopping changes that."""
        report(Progress(Step.WARMING))
        try:
            self._index.warm_up(Where(shown.repository, shown.generation), cancelled)
        except RemoteError:
            pass

    def _shown(self) -> Publication | None:
        """The commit as it is published already; a branch that was given is part of it."""
        for each in self._index.publications(self._repository):
            same = (each.commit, each.model, each.shape) == (self._source.commit, self._model, self._shape)
            if same and self._source.branch in ("", each.branch):
                return each
        return None

    def _keys(self, cancelled: Callable[[], bool]) -> dict[str, bytes]:
        hashes = self._hashes.of(self._entries.values(), cancelled)
        return {path: marked(content_hash, self._mark) for path, content_hash in hashes.items()}

    def _reopen(self, generation: int, missing: dict[str, bytes], cancelled: Callable[[], bool]) -> set[str]:
        reopened: set[str] = set()
        for some in _some(missing.items()):
            _check(cancelled)
            reopened |= {path for path, _ in self._index.reopen(self._repository, generation, some)}
        return reopened


class _Tally:
    """What was done, over all attempts."""

    def __init__(self) -> None:
        self.left_out: dict[str, str] = {}
        """By path, why files turned out not to belong into an index once they were read."""
        self.ended = 0
        self.reopened = 0
        self.began = False
        self._files = self._chunks = self._bytes = self._masked = 0

    def sent(self, batch: Batch, size: int) -> None:
        """One batch arrived."""
        self.left_out |= batch.skipped
        self._files += len(batch.files)
        self._chunks += sum(len(each.chunks) for each in batch.files)
        self._bytes += size
        self._masked += batch.masked

    def published(self, where: str, shown: Publication, skipped: dict[str, int], seconds: float) -> Published:
        """The account of a publish that came to its end."""
        return Published(
            repository=shown.repository,
            commit=shown.commit,
            branch=shown.branch,
            model=shown.model,
            where=where,
            generation=shown.generation,
            was_published=not self.began,
            files=shown.files,
            chunks=shown.chunks,
            sent_files=self._files,
            sent_chunks=self._chunks,
            sent_bytes=self._bytes,
            # A batch whose answer was lost may have arrived: then it counts as found, not as sent.
            reused_files=shown.files - self._files,
            reopened_files=self.reopened,
            ended_files=self.ended,
            skipped=dict(Counter(skipped) + Counter(self.left_out.values())),
            masked=self._masked,
            seconds=round(seconds, 3),
        )


def _embedder(settings: Settings) -> Embedder | None:
    choice = choice_of(settings)
    return None if choice.kind == NONE else Maker(None, settings.vector_cache_bytes).make(choice)


@contextmanager
def _workers(settings: Settings) -> Generator[WorkerPool]:
    pool = WorkerPool(Setup(settings, (), FINGERPRINT), settings.workers)
    try:
        yield pool
    finally:
        pool.close()


def _tell(report: Report, error: RemoteError) -> None:
    report(Progress(Step.WAITING, detail=str(error)))


def _some(values: Iterable[T]) -> Generator[list[T]]:
    """Values in lists of a size that one call takes."""
    left = iter(values)
    while some := list(islice(left, CALL_VERSIONS)):
        yield some


def _check(cancelled: Callable[[], bool]) -> None:
    if cancelled():
        raise Cancelled("stopped; nothing of the commit is visible yet, and the same command goes on from here")
