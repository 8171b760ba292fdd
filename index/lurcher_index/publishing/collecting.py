"""Forgets old commits of a shared index, so that it does not grow for ever."""

import os
import platform
import time
from collections.abc import Sequence

from lurcher_index.publishing.values import Collected
from lurcher_index.remote.engines.interface import Publication, SharedIndex

KEEP_COMMITS = 20
"""Newest commits that are kept, whatever their age: those that people who are a little behind have checked out."""

KEEP_DAYS = 30.0
"""Commits younger than this are kept, however many there are: as long as a branch lives before it is merged."""

DAY_SECONDS = 86_400.0


def outdated(publications: Sequence[Publication], keep: int, since: float) -> list[Publication]:
    """Those to be forgotten: not among the newest `keep`, and published before `since` (seconds since 1970)."""
    newest_first = sorted(publications, key=lambda each: -each.generation)
    return [each for each in newest_first[keep:] if each.published < since]


def collect(
    index: SharedIndex, repository: str, keep: int = KEEP_COMMITS, days: float = KEEP_DAYS, dry_run: bool = False
) -> Collected:
    """Forget what is outdated. What a publish that died left behind goes, too, once a later one has ended it."""
    since = time.time() - days * DAY_SECONDS
    if dry_run:
        return _account(index.publications(repository), keep, since, repository, (0, 0))
    with index.claim(repository, f"{platform.node()} {os.getpid()}"):
        publications = index.publications(repository)
        gone = outdated(publications, keep, since)
        went = index.collect(repository, [each.generation for each in gone])
    return _account(publications, keep, since, repository, went)


def _account(
    publications: Sequence[Publication], keep: int, since: float, repository: str, went: tuple[int, int]
) -> Collected:
    gone = outdated(publications, keep, since)
    return Collected(repository, len(publications) - len(gone), tuple(each.commit for each in gone), *went)
