"""What a publish is told, and what it tells."""

from collections.abc import Callable
from enum import StrEnum

import msgspec


class Step(StrEnum):
    """What a publish is doing."""

    COMPARING = "comparing the commit with what is there"
    SENDING = "publishing"
    WAITING = "waiting to try again"
    WARMING = "waiting for the first search, so that nobody else has to"


class Progress(msgspec.Struct, frozen=True):
    """One report, in files."""

    step: Step
    done: int = 0
    total: int = 0
    detail: str = ""
    """Why it waits."""


Report = Callable[[Progress], object]


def unheard(_: Progress) -> None:
    """The `Report` of a publish that nobody watches."""


class Preview(msgspec.Struct, frozen=True):
    """What a publish would do now."""

    repository: str
    commit: str
    branch: str
    model: str
    where: str
    is_published: bool
    """Whether this very commit, made in this way, is there already: then nothing is sent."""
    files: int
    """Files of the commit that are read. Those that turn out to be binary or minified are not sent."""
    send_files: int
    """Of these, how many the engine lacks as they are."""
    send_source_bytes: int
    """Bytes of these files. Not their text is sent but terms, places, hashes and vectors made of it."""
    end_files: int
    """Versions that are there and do not belong to the commit."""
    skipped: dict[str, int]
    """Files that are left out, by reason."""


class Published(msgspec.Struct, frozen=True):
    """What a publish has done."""

    repository: str
    commit: str
    branch: str
    model: str
    where: str
    generation: int
    was_published: bool
    """Whether it was there before, so that nothing had to be done."""
    files: int
    chunks: int
    sent_files: int
    sent_chunks: int
    sent_bytes: int
    """About; as the engine counts them."""
    reused_files: int
    """Those that the engine had already."""
    reopened_files: int
    """Of the reused ones, those that an earlier publish had ended."""
    ended_files: int
    skipped: dict[str, int]
    masked: int
    """Secrets that were replaced in the files that were sent."""
    seconds: float


class Collected(msgspec.Struct, frozen=True):
    """What a collection did for one repository, or would do."""

    repository: str
    kept: int
    """Commits that stay."""
    forgotten: tuple[str, ...]
    """Commits that do not."""
    versions: int
    chunks: int
    """What went with them; 0 in a dry run, which cannot know."""
