"""From a worker's answer to rows in the truth and to what the term indexes take."""

import time
from typing import NamedTuple

from lurcher_index.building.messages import Job, Parsed
from lurcher_index.building.scan import NO_STAMP, Task
from lurcher_index.model import Reason
from lurcher_index.store.catalog_write import CatalogWrite
from lurcher_index.text.terms import terms
from lurcher_index.words.candidates import WordFile


class Change(NamedTuple):
    """A file whose chunks in the term indexes have to change: to `file`, or to none."""

    file_id: int
    content_id: int | None
    file: WordFile | None
    removed: bool = False
    """Whether the file itself is gone, rather than only left out."""


def job_for(number: int, task: Task) -> Job:
    """The question a worker is asked. A file the postings do not hold needs a full answer, changed or not."""
    known_hash = task.known.hash if task.known is not None and task.known.folded else b""
    return Job(number, str(task.folder.path), task.found.path, known_hash)


def record(write: CatalogWrite, task: Task, parsed: Parsed) -> Change | None:
    """Write down an answer; what the term indexes have to follow, None if nothing."""
    folder_id, path = task.folder.folder_id, task.found.path
    if _is_outdated(write, task, parsed):
        return None
    if parsed.unchanged and task.known is not None:
        write.restamp(task.known.file_id, parsed.stamp)
        return None
    if parsed.gone:
        file_id = write.remove(folder_id, path)
        return None if file_id is None else Change(file_id, None, None, removed=True)
    if parsed.skip is not None or parsed.content is None:
        assert parsed.skip is not None, "a worker answers with one of content, skip, unchanged and gone"
        stamp = parsed.stamp
        if parsed.skip.reason is Reason.QUARANTINED:
            # The worker may have died before it could tell; the listing's stamp keeps the file out until it changes.
            stamp = (task.found.size, task.found.mtime_ns, time.time_ns())
        elif parsed.skip.reason is Reason.UNREADABLE:
            # Rights come back without a trace in size and time: every scan tries it again.
            stamp = NO_STAMP
        return Change(write.file(folder_id, path, stamp, parsed.skip), None, None)
    content_id = write.content(parsed.content)
    file_id = write.file(folder_id, path, parsed.stamp, content_id)
    key = f"{folder_id}/{path}"
    file = WordFile(file_id, content_id, key, terms(path.encode()), parsed.content.language, parsed.terms)
    return Change(file_id, content_id, file)


def _is_outdated(write: CatalogWrite, task: Task, parsed: Parsed) -> bool:
    """Whether somebody else, say an update during a build, has read the file later than this answer.

    Only what was written since the task was made can be newer: a clock that was set back must not block a file.
    """
    read_ns = write.read_ns(task.folder.folder_id, task.found.path)
    if read_ns is None or (task.known is not None and task.known.read_ns == read_ns):
        return False
    # "Unchanged" was said of what stood in the index before.
    return parsed.unchanged or read_ns > parsed.stamp[2] > 0
