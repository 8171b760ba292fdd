"""The workspace: the one place where the index changes. Searches get frozen snapshots of it."""

import threading
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import filelock
import msgspec

from lurcher_index.building.builder import Builder
from lurcher_index.building.messages import Setup
from lurcher_index.building.pool import WorkerPool
from lurcher_index.building.progress import Cancelled, Phase, Progress, Report, never, unheard
from lurcher_index.building.recording import job_for, record
from lurcher_index.building.scan import Folder, Plan, Task, make_plan
from lurcher_index.building.updates import Update, place_in, sort_out
from lurcher_index.config import FINGERPRINT, Settings
from lurcher_index.courtesy import Courtesy
from lurcher_index.errors import BadFolder, StoreBusy, StoreError
from lurcher_index.errors import Cancelled as CancelledError
from lurcher_index.files.discovery import discover
from lurcher_index.files.listing import Listing, printable, problem_with, require_folder
from lurcher_index.files.rules import IgnoreRules
from lurcher_index.model import Found
from lurcher_index.overlay import OpenFile, Overlay
from lurcher_index.passages import RecentDocuments
from lurcher_index.store.catalog import Catalog, Counts, FileRow
from lurcher_index.store.database import Database
from lurcher_index.store.places import Place, relatives, write_about
from lurcher_index.ties import TreeOrder
from lurcher_index.words.postings import Postings

if TYPE_CHECKING:
    from lurcher_index.snapshot import Snapshot
    from lurcher_index.store.vectors import VectorRows
    from lurcher_index.words.delta import DeltaFile

DELTA_FILES = 256
"""Changed files kept in memory at most; more are left to a build, since every search walks over them."""

FOLD_FILES = 64
"""Changed files in memory at which they are folded into the postings."""

BUILD_NICENESS = 10
"""A build yields to the editor, to compilers and to searches; an update does not, for somebody waits for it."""

NO_FOLDER = 0
"""Number that stands for the folder of a document opened without a workspace; those of the index begin at 1."""

_LOCK_POLL_SECONDS = 0.1


class Workspace:
    """Folders, their index and the processes that keep it fresh. `place` None keeps everything in memory."""

    def __init__(self, folders: Sequence[Path], settings: Settings, place: Place | None) -> None:
        """Open the index, or start an empty one."""
        self.settings = settings
        self.place = place
        self._database = Database(place.database if place else None, FINGERPRINT)
        self.reset_reason = self._database.was_reset
        try:
            self.catalog = Catalog(self._database)
            self._tree = TreeOrder(self.catalog.places)
            self.epoch = self.catalog.epoch()
            if place:
                write_about(place, folders, settings.shape())
                place.drop_other_words(self.epoch)
            self._postings = Postings(place.words(self.epoch) if place else None, self.catalog.forget_postings)
            if self._postings.was_reset:
                self.reset_reason = "the word index was damaged"
            numbers = self.catalog.folder_ids(folders)
        except BaseException:
            self._database.close()
            raise
        self.folders = tuple(Folder(numbers[path], path) for path in folders)
        self._lock = filelock.FileLock(place.lock, thread_local=False) if place else None
        self._write_turn = threading.Lock()
        self._update_turn = threading.Lock()
        # Searches wait for this one. The longest thing done under it is reading the few files (`DELTA_FILES`) that
        # another process, or one that was killed, wrote down but did not fold.
        self._snapshot_turn = threading.RLock()
        self._building = False
        self._rules: dict[Path, IgnoreRules] = {}
        self._build_pool = WorkerPool(self._setup(BUILD_NICENESS), settings.workers)
        self._update_pool = WorkerPool(self._setup(0), 1)
        self._shown_pool = WorkerPool(self._setup(0), 1)
        self.overlay = Overlay(self._shown_pool)
        self._recent: dict[int, DeltaFile] = {}
        self._recent_turn = threading.Lock()
        self._stored: Snapshot | None = None
        self._snapshot: Snapshot | None = None
        self._seen_version = -1
        self.recent = RecentDocuments()
        self._counts: tuple[int, Counts] | None = None
        self.courtesy = Courtesy()
        self._scan_turn = threading.Lock()
        self._scans_wanted = self._scans_made = 0

    # -- what nobody has looked at

    @property
    def awaits_scan(self) -> bool:
        """Whether nobody has compared the index with the disk since it was opened, since a folder could not be opened
        or since more changed than was told, and that is going to be done."""
        return self._scans_made < self._scans_wanted

    def await_scan(self) -> None:
        """Until a scan that begins from now on has been made, no answer is complete."""
        with self._scan_turn:
            self._scans_wanted += 1

    def begin_scan(self) -> int:
        """What a scan that begins now answers for: not for what is found out while it goes on."""
        return self._scans_wanted

    def end_scan(self, answered: int) -> None:
        """A scan has been made, and all that it found can be searched."""
        with self._scan_turn:
            self._scans_made = max(self._scans_made, answered)

    # -- reading

    def is_complete(self, pending: int) -> bool:
        """Whether every file of the workspace can be found, if so many are pending."""
        return not pending and not self.awaits_scan and self.catalog.is_complete()

    def problems(self) -> tuple[str, ...]:
        """What is wrong with the folders that cannot be opened now. Until the next build no answer is complete then:
        nobody knows what became of their files."""
        found = tuple(problem for folder in self.folders if (problem := problem_with(folder.path)))
        if found:
            self.await_scan()
        return found

    def require_folders(self) -> tuple[str, ...]:
        """Refuse to search if no folder can be opened; what to say of those among several that cannot."""
        problems = self.problems()
        if problems and len(problems) == len(self.folders):
            raise BadFolder("; ".join(problems))
        return problems

    def backlog(self) -> tuple[int, int]:
        """Files that are pending and, of these, those that the index counts all the same; as snapshots tell it.

        No snapshot is taken for it: while a build writes, each would be another one.
        """
        with self._snapshot_turn:
            if self._stored is not None and self._seen_version == self._database.data_version():
                return self._stored.pending, self._stored.outdated
        unfolded, unread = self._out_of_reach(), self.catalog.unread()
        return unfolded + unread.files, unfolded + unread.known

    def _out_of_reach(self) -> int:
        """Files that the postings do not hold and that a snapshot taken now would not add to them."""
        with self._recent_turn:
            held = {(number, each.file.content_id) for number, each in self._recent.items()}
        count = self.catalog.unfolded_count(held)
        return 0 if count and self._may_read(self.catalog.unfolded(DELTA_FILES + 1)[0]) else count

    def snapshot(self) -> "Snapshot":
        """The newest state, with what this and other processes changed."""
        with self._snapshot_turn:
            version = self._database.data_version()
            if self._stored is None or version != self._seen_version:
                self._stored = self._take_stored()
                self._seen_version = version
            generation = (version, self.overlay.generation)
            if self._snapshot is None or self._snapshot.generation != generation:
                self._snapshot = self._with_shown(self._stored, generation)
            return self._snapshot

    def data_version(self) -> int:
        """Another number whenever the index has changed."""
        return self._database.data_version()

    def counts(self, version: int | None = None) -> Counts:
        """How much is in the index; remembered until it changes. Who knows its version spares us to look."""
        version = self.data_version() if version is None else version
        if self._counts is None or self._counts[0] != version:
            self._counts = (version, self.catalog.counts())
        return self._counts[1]

    def vector_rows(self, model: str, dimension: int) -> "VectorRows":
        """The stored vectors of a model."""
        # Here, not above: it needs numpy, which takes longer to load than all of ours, and a build does without.
        from lurcher_index.store.vectors import VectorRows

        return VectorRows(self._database, model, dimension)

    def stored_models(self) -> dict[str, str]:
        """The models that have vectors, each with how it can be made again."""
        from lurcher_index.store.vectors import stored_models

        return stored_models(self._database)

    def _with_shown(self, stored: "Snapshot", generation: tuple[int, int]) -> "Snapshot":
        shadowing = [file for file in self.overlay.files() if file.shadows]
        hidden = [self.catalog.known_file(file.folder.folder_id, file.path) for file in shadowing]
        words = [file.words for file in shadowing if file.words is not None]
        return msgspec.structs.replace(
            stored,
            generation=generation,
            delta=stored.stored.with_counted(words, [known.file_id for known in hidden if known is not None]),
            shown={file.number: file for file in shadowing},
        )

    def _take_stored(self) -> "Snapshot":
        from lurcher_index.snapshot import Snapshot
        from lurcher_index.words.delta import Delta

        if self.catalog.epoch() != self.epoch:
            raise StoreError("another version of Lurcher has replaced this workspace's index; restart to use it")
        # First the truth, then the postings: they are committed before the truth says so, never after.
        rows, gone = self.catalog.unfolded(DELTA_FILES + 1)
        if len(rows) > DELTA_FILES:
            # During a build there are many; what this process was told of in the meantime is among them somewhere.
            with self._recent_turn:
                told = self._recent.keys() - {row.file_id for row in rows}
            rows += self.catalog.unfolded_among(told)
        files = self._word_files(rows)
        delta = Delta().with_counted(files, [*gone, *_without_content(rows)])
        unfolded = max(0, self.catalog.unfolded_count() - len(files))
        unread = self.catalog.unread()
        return Snapshot(self._postings.searcher(), delta, unfolded + unread.files, unfolded + unread.known, self._tree)

    def _word_files(self, rows: Sequence[FileRow]) -> "list[DeltaFile]":
        """Terms of changed files: remembered where this process changed them, else read anew if they are few."""
        held = {row.file_id: row.content_id for row in rows if row.content_id is not None}
        with self._recent_turn:
            self._recent = {n: each for n, each in self._recent.items() if held.get(n) == each.file.content_id}
        unknown = [row for row in rows if row.content_id is not None and row.file_id not in self._recent]
        if unknown and self._may_read(rows):
            by_id = {folder.folder_id: folder for folder in self.folders}
            self._read([self._task_for(by_id[row.folder_id], row) for row in unknown if row.folder_id in by_id])
        with self._recent_turn:
            return [each for number, each in self._recent.items() if held.get(number) == each.file.content_id]

    def _may_read(self, rows: Sequence[FileRow]) -> bool:
        """Whether changed files are read anew by who searches: few are, unless somebody builds, who folds them."""
        return len(rows) <= DELTA_FILES and not self._building and not self._is_locked_elsewhere()

    # -- changing

    def build(self, report: Report = unheard, cancelled: Cancelled = never) -> bool:
        """Bring the index up to date with the disk; False if it was cancelled, with everything done so far kept."""
        with self._writing(report, cancelled):
            scan = self.begin_scan()
            report(Progress(Phase.SCANNING))
            self._rules.clear()
            plan, listed = self._plan()
            self._building = True
            try:
                builder = Builder(self.catalog, self._postings, self._build_pool, self._is_there)
                complete = builder.run(plan, report, cancelled)
            finally:
                self._building = False
                self._postings.release()
            if complete:
                for folder in listed:
                    # One that went away while its files were read has not been read.
                    require_folder(folder)
                self.catalog.mark_complete()
                self.end_scan(scan)
                self.catalog.drop_spare_contents()
            return complete

    def update(self, paths: Iterable[Path], may_build: bool = True) -> Update:
        """Follow changes at some paths; they can be searched when this returns, unless they need a scan.

        Without `may_build` the scan is left to the caller, who may have another process do it.
        """
        with self._update_turn:
            update = self._follow(sort_out(paths, self.folders, self.rules, self.catalog))
        if update.needs_scan and may_build:
            # Not under the turn above: a search that meets a changed file must not wait for a build.
            self.build()
        return update

    def correct(self, paths: Iterable[Path]) -> Update:
        """Follow changes that a search came across: only these files and never a scan, however they changed."""
        with self._update_turn:
            update = self._follow(sort_out(paths, self.folders, self.rules, self.catalog, may_scan=False))
        if update.unknown:
            self.require_folders()
        return update

    def _follow(self, update: Update) -> Update:
        if update.needs_scan or len(update.tasks) > DELTA_FILES:
            return msgspec.structs.replace(update, needs_scan=True)
        if update.gone:
            with self.catalog.write() as write:
                for folder, path in update.gone:
                    write.remove(folder.folder_id, path)
        self._read(update.tasks)
        if len(self.snapshot().stored.hidden()) >= FOLD_FILES:
            self.fold()
        return update

    def show(self, path: Path, text: str, version: int | None) -> OpenFile | None:
        """Take what an editor shows; searchable on return. None for a document that is no part of the workspace."""
        placed = self._place_of_shown(path)
        if placed is None:
            return None
        folder, inside = placed
        if printable(inside) is not None:
            return None
        if self.folders and self.rules(folder.path).check(inside) is not None:
            return None
        known = self.catalog.known_file(folder.folder_id, inside)
        with self.courtesy.serving():
            return self.overlay.show(folder, inside, text, version, known.hash if known else b"")

    def hide(self, path: Path) -> None:
        """Forget what an editor showed; what is on disk counts again."""
        placed = self._place_of_shown(path)
        if placed is not None:
            self.overlay.hide(*placed)

    def shown_at(self, path: Path) -> OpenFile | None:
        """The document an editor shows at a path."""
        placed = self._place_of_shown(path)
        return None if placed is None else self.overlay.file_at(placed[0].folder_id, placed[1])

    def _place_of_shown(self, path: Path) -> tuple[Folder, str] | None:
        """Without a folder, as when a single file was opened, every open document counts."""
        if self.folders:
            return place_in(path, self.folders)
        root = Path(path.anchor)
        return Folder(NO_FOLDER, root), path.relative_to(root).as_posix()

    def fold(self) -> bool:
        """Move the changes in memory into the postings; False if somebody is writing them just now."""
        try:
            with self._writing(unheard, never, wait=False):
                delta = self.snapshot().stored
                files = [each.file for each in delta.files.values()]
                try:
                    for file in files:
                        self._postings.replace(file)
                    for file_id in delta.gone:
                        self._postings.remove(file_id)
                    self._postings.commit()
                finally:
                    self._postings.release()
                left_out = [(file_id, None) for file_id in delta.gone]
                self.catalog.mark_folded([*((f.file_id, f.content_id) for f in files), *left_out], delta.gone)
                return True
        except filelock.Timeout:
            return False

    def forget_rules(self) -> None:
        """Read the ignore rules anew: another process has scanned because of them."""
        self._rules.clear()

    def rules(self, folder: Path) -> IgnoreRules:
        """The ignore rules of a folder, as of the last scan."""
        if folder not in self._rules:
            self._rules[folder] = IgnoreRules(folder, self.settings)
        return self._rules[folder]

    def close(self) -> None:
        """Stop the workers and close the index. Changes in memory are folded if nobody else is writing."""
        try:
            if self._stored is not None and self._stored.stored.hidden():
                self.fold()
        except StoreError:
            pass  # They are in the truth, and the next start folds them.
        finally:
            self._close_pools()
            self._database.close()

    def clear(self) -> None:
        """Close the index and delete it, unless somebody is writing it."""
        try:
            with self._writing(unheard, never, wait=False):
                self.abandon()
        except filelock.Timeout:
            raise StoreBusy("another process is writing this index; try again when it is done") from None

    def abandon(self) -> None:
        """Close a damaged index and delete it."""
        self._close_pools()
        self._database.close()
        if self.place:
            self.place.delete()

    # -- parts

    def _close_pools(self) -> None:
        for pool in (self._build_pool, self._update_pool, self._shown_pool):
            pool.close()

    def _plan(self) -> tuple[Plan, list[Path]]:
        """What is to be done, and the folders that could be listed."""
        # What is remembered is read before the disk: a row that another process adds meanwhile is no gone file.
        known = [self.catalog.known_files(folder.folder_id) for folder in self.folders]
        self.require_folders()
        listings = [self._list(folder.path) for folder in self.folders]
        listed = [folder.path for folder, listing in zip(self.folders, listings, strict=True) if listing is not None]
        return make_plan(zip(self.folders, known, listings, strict=True)), listed

    def _list(self, folder: Path) -> Listing | None:
        """A folder that cannot be opened keeps nobody from looking at the others; what is indexed of it stays."""
        try:
            return discover(folder, self.settings)
        except BadFolder:
            if len(self.folders) == 1:
                raise
            return None

    def _is_there(self, folder: Folder, path: str) -> bool:
        """Whether a file that belongs into the index is on disk now, or may be."""
        update = sort_out([folder.path / path], self.folders, self.rules, self.catalog, may_scan=False)
        return bool(update.tasks or update.unknown)

    def _read(self, tasks: Sequence[Task]) -> None:
        """Have some files read, write them down and remember their terms."""
        if not tasks:
            return
        from lurcher_index.words.delta import counted

        answers = list(self._update_pool.run([job_for(number, task) for number, task in enumerate(tasks)]))
        with self.catalog.write() as write:
            changes = [record(write, tasks[parsed.number], parsed) for parsed in answers]
        files = {change.file_id: counted(change.file) for change in changes if change and change.file}
        with self._recent_turn:
            self._recent |= files

    def _task_for(self, folder: Folder, row: FileRow) -> Task:
        known = self.catalog.known_file(row.folder_id, row.path)
        return Task(folder, Found(row.path, row.size, row.mtime_ns), known)

    def _setup(self, niceness: int) -> Setup:
        databases = [self.place.database, *(each.database for each in relatives(self.place))] if self.place else []
        return Setup(self.settings, tuple(str(path) for path in databases), FINGERPRINT, niceness)

    def _is_locked_elsewhere(self) -> bool:
        if self._lock is None or self._lock.is_locked:
            return False
        try:
            self._lock.acquire(blocking=False)
        except filelock.Timeout:
            return True
        self._lock.release()
        return False

    @contextmanager
    def _writing(self, report: Report, cancelled: Cancelled, wait: bool = True) -> Generator[None]:
        """The right to write the postings, among threads and among processes."""
        if not self._write_turn.acquire(blocking=wait):
            raise filelock.Timeout(str(self.place))
        try:
            if self._lock is None:
                yield
                return
            self._acquire(self._lock, report, cancelled, wait)
            try:
                yield
            finally:
                self._lock.release()
        finally:
            self._write_turn.release()

    def _acquire(self, lock: filelock.BaseFileLock, report: Report, cancelled: Cancelled, wait: bool) -> None:
        while True:
            try:
                lock.acquire(timeout=_LOCK_POLL_SECONDS if wait else 0)
                return
            except filelock.Timeout:
                if not wait:
                    raise
                if cancelled():
                    raise CancelledError("cancelled while another process was indexing this workspace") from None
                report(Progress(Phase.WAITING))
            except OSError as error:
                raise StoreError(f"the index cannot be locked for writing: {error}") from error


def _without_content(rows: Sequence[FileRow]) -> list[int]:
    """Files that are now left out: their old chunks must not be found."""
    return [row.file_id for row in rows if row.content_id is None]
