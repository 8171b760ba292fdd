"""What a remote search is to us: somebody who knows repositories at commits and names places in their files.

Nobody else's text is ever shown. A hit names a file and lines of it; the text comes from this machine's disk, and only
if the file there is the one that was meant. Everything here blocks and is called in threads.
"""

from collections.abc import Callable
from typing import Protocol

import msgspec

from lurcher_index.dense.embedder import Vectors
from lurcher_index.remote.states import RepositoryState


class IndexedCommit(msgspec.Struct, frozen=True):
    """A commit of a repository that can be searched."""

    commit: str
    """Full name in hex; empty if the provider does not tell which one it has."""
    generation: int = 0
    """The provider's own number for it, larger for what came later; 0 where there are no such numbers."""
    branch: str = ""
    model: str = ""
    """Name of the embedding model behind its vectors; empty if it has none."""
    chunks: int = 0


class Checked(msgspec.Struct, frozen=True):
    """What a provider says about one repository."""

    state: RepositoryState
    commits: tuple[IndexedCommit, ...] = ()
    """Those that can be searched, newest first; only where the state is ready, and none for an empty repository."""
    detail: str = ""
    """What a person should know or do."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """What is looked for in one repository."""

    words: tuple[str, ...]
    """The words of the question as they were written, without those that only ask."""
    terms: dict[str, float]
    """Our own terms of these words with what a match of each counts: see `words.query`."""
    vector: Vectors | None = None
    """The question's vector, one row of length 1; None if there is none or another model was published."""
    languages: tuple[str, ...] = ()
    """Names of languages as our index has them; empty for all."""
    below: tuple[str, ...] = ()
    """Folders of the repository, without slashes at their ends, of which one must hold the file; empty for all."""
    accepts: Callable[[str, str], bool] = lambda _path, _language: True
    """Whether a file passes all filters, by its path in the repository and its language, which may be unknown (empty).
    Whoever can filter inside the search only by some of it fetches more until enough pass."""
    limit: int = 100
    """Hits wanted of each way of searching."""
    cancelled: Callable[[], bool] = lambda: False


class RemoteHit(msgspec.Struct, frozen=True):
    """A place in a file that a remote search names."""

    path: str
    """In the repository, with forward slashes. Not to be trusted: it may lead anywhere."""
    first_line: int
    last_line: int
    """From 1, inclusive."""
    score: float = 0.0
    """Better is larger; not comparable with any other search's."""
    language: str = ""
    content: bytes = b""
    """`Document.content_hash` of the file that was published; empty if the provider does not tell."""
    digest: bytes = b""
    """`Chunk.digest` of the chunk; empty for places that are no chunks of ours."""


class Statistics(msgspec.Struct, frozen=True):
    """How common terms are in a repository: a few files on this machine cannot tell."""

    chunks: int
    holding: dict[str, int]
    """By term, the chunks that hold it in their text; at least those that were asked for are there."""
    fields: dict[str, dict[str, int]] = {}
    """The same for their names and paths, by the field; what is missing is not known."""
    lengths: dict[str, float] = {}
    """By field, how many terms a chunk has on average; what is missing is not known."""


class RemoteFound(msgspec.Struct, frozen=True):
    """What a provider found, best first."""

    words: tuple[RemoteHit, ...] = ()
    meaning: tuple[RemoteHit, ...] = ()
    statistics: Statistics | None = None
    alerts: tuple[str, ...] = ()
    """What a person should know, as that the provider cut its search short."""


class Provider(Protocol):
    """Searches repositories somewhere else. Thread-safe. Its errors are `RemoteError`s, and every call has an end."""

    @property
    def name(self) -> str:
        """What it is, and where, for people: `zoekt at code.example.com`."""
        ...

    def check(self, repository: str) -> Checked:
        """What it knows of a repository, which is named as `github.com/owner/name`."""
        ...

    def begin_index(self, repository: str, commit: str) -> bool:
        """Ask for a repository to be indexed soon; False if nobody can be asked. It sends no code."""
        ...

    def search(self, repository: str, commit: IndexedCommit, wanted: Wanted) -> RemoteFound:
        """Search one repository as it was at a commit."""
        ...

    def close(self) -> None:
        """Give up connections."""
        ...
