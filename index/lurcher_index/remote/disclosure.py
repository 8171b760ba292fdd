"""What remote code search sends from a folder, and what it never does, put together for people who check."""

from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from lurcher_index.remote.connection import Connection
from lurcher_index.remote.consent import Consents, Record, real_path
from lurcher_index.remote.sending import NEVER_SENT, described, what_is_never_sent, what_is_published


class FolderDisclosure(msgspec.Struct, frozen=True, kw_only=True):
    """One folder of a workspace."""

    folder: str
    """Its real path."""
    on: bool
    """Whether this folder allows it. A workspace is searched elsewhere only if all of its folders do."""
    answer: Literal["allowed", "never", "none"]
    when: float | None = None
    """When that was answered, in seconds since 1970."""
    connection: Connection | None = None
    sends: tuple[str, ...] = ()
    """What leaves the machine with every search; empty if nothing does."""
    publishes: tuple[str, ...] = ()
    """What `lurcher publish` would send there; it runs only when somebody types it."""
    never: tuple[str, ...] = NEVER_SENT
    repositories: tuple[str, ...] = ()
    """Those that would be named to the other side."""
    note: str = ""
    """What is odd about it, and what to do."""


class Disclosure(msgspec.Struct, frozen=True):
    """All folders of a workspace."""

    file: str
    """Where the answers are kept."""
    complaint: str
    """Why they are not believed; empty if they are."""
    folders: tuple[FolderDisclosure, ...]


def disclose(
    consents: Consents, folders: Sequence[str], repositories: Callable[[str], tuple[str, ...]] = lambda _folder: ()
) -> Disclosure:
    """Put it together; `repositories` names those of a folder, and asks nobody elsewhere for that."""
    names = list(dict.fromkeys(real_path(folder) for folder in folders))
    found = consents.about(names)
    rows = tuple(_row(name, found.records.get(name), repositories(name)) for name in names)
    return Disclosure(str(consents.path), found.complaint, rows)


def _row(folder: str, record: Record | None, repositories: tuple[str, ...]) -> FolderDisclosure:
    if record is None:
        return FolderDisclosure(folder=folder, on=False, answer="none", repositories=repositories)
    connection = record.in_force
    if connection is not None:
        return FolderDisclosure(
            folder=folder,
            on=True,
            answer=record.answer,
            when=record.when,
            connection=connection,
            sends=described(connection),
            publishes=what_is_published(connection.kind),
            never=what_is_never_sent(connection.kind),
            repositories=repositories,
        )
    lapsed = "" if record.answer == "never" else "this version would send more than you agreed to; allow it again"
    return FolderDisclosure(
        folder=folder,
        on=False,
        answer=record.answer,
        when=record.when,
        connection=record.connection,
        repositories=repositories,
        note=lapsed,
    )
