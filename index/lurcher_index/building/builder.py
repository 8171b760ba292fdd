"""Carries out a plan: workers read and parse, this process writes. Words are searchable while it goes on."""

import time
from collections.abc import Callable, Sequence

from lurcher_index.building.messages import Parsed
from lurcher_index.building.pool import WorkerPool
from lurcher_index.building.progress import Cancelled, Phase, Progress, Report
from lurcher_index.building.recording import Change, job_for, record
from lurcher_index.building.scan import NO_STAMP, Folder, Lost, Plan, Task, Unseen
from lurcher_index.store.catalog import Catalog, Unread
from lurcher_index.store.catalog_write import CatalogWrite
from lurcher_index.words.postings import Postings

BATCH_FILES = 128
"""Answers written in one transaction."""

BATCH_SECONDS = 0.5
"""Longest time answers wait for their transaction."""

FIRST_COMMIT_SECONDS = 0.5
"""When the first words become searchable; every later commit waits twice as long as the one before …"""

LAST_COMMIT_SECONDS = 30.0
"""… up to this: each commit costs time and makes a segment that has to be merged."""

LAST_SECONDS = 1.0
"""How near the end no commit but the last one is made: on small trees another one costs 2 % of the whole build."""

ONE_WORKER_BYTES = 2_000_000
"""Up to this, one worker reads all: to start another one takes 0.1 s of a core, a tenth of such a build, for an end
that comes 0.1 s sooner."""

REPORT_SECONDS = 0.1
"""How often progress is told."""


class Builder:
    """The one writer of a build. Whoever runs it holds the workspace's write lock."""

    def __init__(
        self, catalog: Catalog, postings: Postings, pool: WorkerPool, is_there: Callable[[Folder, str], bool]
    ) -> None:
        """Take the parts it works on; `is_there` looks whether a file that belongs into the index is on disk now."""
        self._catalog = catalog
        self._postings = postings
        self._pool = pool
        self._is_there = is_there
        self._changes: list[Change] = []
        self._unread = Unread(0, 0)

    def run(self, plan: Plan, report: Report, cancelled: Cancelled) -> bool:
        """Do everything in the plan; False if it was cancelled. What is done until then is kept."""
        clock = _Clock(plan, report)
        tasks = plan.tasks
        unread = _unread_of(tasks)
        self._unread = Unread(unread.files + plan.kept, unread.known + plan.kept, plan.kept)
        self._drop(plan)
        jobs = [job_for(number, task) for number, task in enumerate(tasks)]
        batch: list[Parsed] = []
        is_small = sum(task.found.size for task in tasks) <= ONE_WORKER_BYTES
        for parsed in self._pool.run(jobs, cancelled, 1 if is_small else None):
            batch.append(parsed)
            clock.done += 1
            clock.tell()
            if len(batch) >= BATCH_FILES or clock.batch_is_due():
                self._write(tasks, batch)
                batch.clear()
                if clock.commit_is_due():
                    self._commit()
        self._write(tasks, batch)
        self._commit()
        complete = clock.done == len(tasks)
        clock.end(Phase.DONE if complete else Phase.CANCELLED)
        return complete

    def _drop(self, plan: Plan) -> None:
        """Take out what is gone, and what an earlier process took out of the truth but not of the postings."""
        _, buried = self._catalog.unfolded(0)
        for file_id in buried:
            self._apply(Change(file_id, None, None, removed=True))
        with self._catalog.write() as write:
            removed = [
                write.remove(lost.folder.folder_id, lost.path)
                for lost in plan.gone
                if not (_was_read_since(write, lost) and self._is_there(lost.folder, lost.path))
            ]
            left_out = [
                write.file(unseen.folder.folder_id, unseen.path, NO_STAMP, unseen.skip)
                for unseen in plan.unreadable
                if not _was_read_since(write, unseen)
            ]
            write.unread(*self._unread)
        for number in removed:
            if number is not None:
                self._apply(Change(number, None, None, removed=True))
        for file_id in left_out:
            self._apply(Change(file_id, None, None))

    def _write(self, tasks: tuple[Task, ...], batch: Sequence[Parsed]) -> None:
        read = _unread_of([tasks[parsed.number] for parsed in batch])
        left = self._unread
        self._unread = Unread(left.files - read.files, left.known - read.known, left.kept)
        with self._catalog.write() as write:
            changes = [record(write, tasks[parsed.number], parsed) for parsed in batch]
            write.unread(*self._unread)
        for change in changes:
            if change is not None:
                self._apply(change)

    def _apply(self, change: Change) -> None:
        if change.file is not None:
            self._postings.replace(change.file)
        else:
            self._postings.remove(change.file_id)
        self._changes.append(change)

    def _commit(self) -> None:
        """Postings first, then the mark: a crash in between only means that the files are folded once more."""
        if not self._changes:
            return
        self._postings.commit()
        self._catalog.mark_folded(
            [(change.file_id, change.content_id) for change in self._changes if not change.removed],
            [change.file_id for change in self._changes if change.removed],
        )
        self._changes.clear()


def _was_read_since(write: CatalogWrite, planned: Lost | Unseen) -> bool:
    """Whether somebody else, say an update, has read a file since the plan began: before it was listed, or after."""
    read_ns = write.read_ns(planned.folder.folder_id, planned.path)
    return read_ns is not None and read_ns != planned.read_ns


def _unread_of(tasks: Sequence[Task]) -> Unread:
    """How many of some files nobody else counts as pending. What the index has but the postings have not yet is counted
    there, and what was left out before is no file that the index counts."""
    left = [task.known for task in tasks if task.known is None or task.known.folded or not task.known.hash]
    return Unread(len(left), sum(known is not None and bool(known.hash) for known in left))


class _Clock:
    """When to write, to commit and to tell."""

    def __init__(self, plan: Plan, report: Report) -> None:
        self.done = 0
        self._plan = plan
        self._report = report
        self._start = self._batch = self._commit = self._told = time.monotonic()
        self._patience = FIRST_COMMIT_SECONDS
        self._tell(Phase.INDEXING)

    def batch_is_due(self) -> bool:
        """Whether answers have waited long enough."""
        now = time.monotonic()
        due = now - self._batch >= BATCH_SECONDS
        if due:
            self._batch = now
        return due

    def commit_is_due(self) -> bool:
        """Whether the postings should be committed."""
        now = time.monotonic()
        if now - self._commit < self._patience or self._seconds_left(now) < LAST_SECONDS:
            return False
        self._commit = now
        self._patience = min(2 * self._patience, LAST_COMMIT_SECONDS)
        return True

    def _seconds_left(self, now: float) -> float:
        """How long the rest takes if it goes on like this."""
        return (now - self._start) * (len(self._plan.tasks) - self.done) / self.done

    def tell(self) -> None:
        """Report progress, not too often."""
        now = time.monotonic()
        if now - self._told >= REPORT_SECONDS:
            self._told = now
            self._tell(Phase.INDEXING)

    def end(self, phase: Phase) -> None:
        """Report the end."""
        self._tell(phase)

    def _tell(self, phase: Phase) -> None:
        seconds = time.monotonic() - self._start
        self._report(Progress(phase, self.done, len(self._plan.tasks), self._plan.unchanged, seconds))
