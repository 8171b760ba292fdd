"""What an engine must do to hold an index that a team shares.

A repository has a history of *generations*, numbered from 1 in the order of their publishing. Every version of a file
is there from a generation on and, unless it is open, until another: version `v` belongs to generation `g` if
`v.since <= g < v.until`. A publish writes the versions of the next generation, which nobody sees, ends those that are
no longer there, which still belong to every earlier one, and then shows the generation with one write. What a publish
that died left behind belongs to no generation that is shown; the next one takes over what fits and ends the rest.

The source text is not in it: terms, places and vectors are.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

import msgspec

from lurcher_index.dense.embedder import Vectors
from lurcher_index.remote.interface import RemoteHit, Statistics, Wanted
from lurcher_index.words.candidates import Terms

OPEN = 2**31 - 1
"""`until` of a version that no generation has ended."""


class Publication(msgspec.Struct, frozen=True):
    """A generation that is shown, or shall be."""

    repository: str
    generation: int
    commit: str
    branch: str
    model: str
    """Name of the embedding model behind the vectors; empty for none."""
    shape: str
    """What else decides whether chunks are comparable: `config.FINGERPRINT` and the size of chunks."""
    files: int
    chunks: int
    published: float
    """Seconds since 1970."""


class SharedChunk(msgspec.Struct, frozen=True):
    """One chunk of a version."""

    first_line: int
    last_line: int
    digest: bytes
    terms: Terms
    """Blank-separated terms of its text, its names and its documentation."""


class SharedFile(msgspec.Struct, frozen=True):
    """One version of a file with its chunks: the unit that is sent."""

    path: str
    content: bytes
    """The key of the content: `Document.content_hash` and what it was made with, see `marks`."""
    language: str
    path_terms: str
    chunks: tuple[SharedChunk, ...]
    vectors: Vectors | None
    """One row of length 1 for each chunk; None if there is no model."""


class Version(msgspec.Struct, frozen=True):
    """Which version of a file, without its chunks."""

    path: str
    content: bytes
    since: int
    chunks: int = 0


class Where(msgspec.Struct, frozen=True):
    """What is searched."""

    repository: str
    generation: int


class SharedIndex(Protocol):
    """A shared index in some engine. Thread-safe; every call ends in bounded time; errors are `RemoteError`s."""

    @property
    def name(self) -> str:
        """What and where it is, for people; nothing secret."""
        ...

    def prepare(self, dimension: int) -> None:
        """Create what is missing, for vectors of so many numbers. Only those who publish need to."""
        ...

    # -- what is there

    def publications(self, repository: str) -> list[Publication]:
        """The generations that are shown, newest first; none if the repository, or everything, is unknown."""
        ...

    def repositories(self) -> list[str]:
        """All that have a generation that is shown."""
        ...

    def is_claimed(self, repository: str) -> bool:
        """Whether somebody is publishing it just now."""
        ...

    def open_versions(self, repository: str) -> Iterator[Version]:
        """Every version that no generation has ended, also those of a publish that died. A version is listed only if
        all of its chunks are there."""
        ...

    def last_generation(self, repository: str) -> int:
        """The largest number in use anywhere, shown or not; 0 for an unknown repository."""
        ...

    # -- publishing, all of it within a claim

    def claim(self, repository: str, owner: str) -> AbstractContextManager[None]:
        """The right to publish one repository; `RemoteBusy` if another has it. Whoever dies loses it soon."""
        ...

    def insert(self, repository: str, generation: int, files: Sequence[SharedFile]) -> int:
        """Write versions that are there from a generation on; the bytes that were sent, about.

        To repeat it after a failure is harmless: nothing is there twice.
        """
        ...

    def reopen(self, repository: str, generation: int, wanted: Iterable[tuple[str, bytes]]) -> set[tuple[str, bytes]]:
        """Versions (path, content) that were ended but are still stored, made to be there again from a generation on,
        without sending them; those for which that was possible."""
        ...

    def end(self, repository: str, generation: int, versions: Sequence[Version]) -> None:
        """Make versions end at a generation: they do not belong to it."""
        ...

    def show(self, publication: Publication) -> None:
        """Make a generation visible, in one step. The same commit shown again replaces its older generation's entry."""
        ...

    def collect(self, repository: str, generations: Iterable[int]) -> tuple[int, int]:
        """Forget shown generations and then every version that belongs to none that is left, open ones apart; how many
        versions and chunks went. Generations are forgotten first: a search never sees half of one."""
        ...

    def forget(self, repository: str) -> None:
        """Delete a repository with all its generations."""
        ...

    # -- searching

    def by_words(self, where: Where, wanted: Wanted) -> list[RemoteHit]:
        """The best chunks of a generation by BM25 over our terms, or what comes nearest to it."""
        ...

    def by_meaning(self, where: Where, wanted: Wanted) -> list[RemoteHit]:
        """The chunks of a generation whose vectors are most like `wanted.vector`; the score is the cosine."""
        ...

    def statistics(self, where: Where, terms: Iterable[str]) -> Statistics:
        """How common some terms are in the bodies of a repository's chunks; may count ended versions too."""
        ...

    def warm_up(self, where: Where, cancelled: Callable[[], bool]) -> None:
        """Let the engine do now what it would do when somebody first searches a generation, however long that takes,
        within reason. Whoever shows one calls it then, so that people do not wait."""
        ...

    def close(self) -> None:
        """Give up connections."""
        ...
