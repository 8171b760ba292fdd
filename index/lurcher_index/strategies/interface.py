"""What a way of searching is: a name, a search, perhaps something to do before. A new one is one file."""

from typing import TYPE_CHECKING, Protocol

import msgspec

from lurcher_index.answers import RemotePart
from lurcher_index.words.candidates import Candidate

if TYPE_CHECKING:
    from lurcher_index.strategies.context import Context, View

WORDS = "words"
MEANING = "meaning"
REMOTE = "remote"


class Ranking(msgspec.Struct, frozen=True):
    """What one retriever found, best first."""

    retriever: str
    """`WORDS`, `MEANING` or `REMOTE`: decides its weight in the fusion."""
    hits: tuple[Candidate, ...]
    counts: bool = True
    """Whether it has a part in the order; else it only tells places."""


class WholeFile(msgspec.Struct, frozen=True):
    """A file that is returned as it is."""

    folder: str
    path: str
    """Relative to the folder, with forward slashes."""
    text: str
    language: str
    tokens: int
    version: int | None = None
    """The editor's version, if the text is what an editor shows."""


class Retrieved(msgspec.Struct, frozen=True):
    """What a strategy found. Nothing found is a result too: an empty one."""

    rankings: tuple[Ranking, ...] = ()
    files: tuple[WholeFile, ...] | None = None
    """All files of the workspace: neither ranked nor cut. None from every strategy that searches."""
    alerts: tuple[str, ...] = ()
    missed: int = 0
    """Files that could not be looked at."""
    model: str = ""
    """Name of the embedding model behind the scores of `MEANING`."""
    view: "View | None" = None
    """The state that the hits are of, if files were read for this search; None for the state that was searched."""
    is_covered: bool | None = None
    """Whether all of the workspace was searched, here or elsewhere; None for what this machine's index says."""
    remote: tuple[RemotePart, ...] = ()


class Cannot(msgspec.Struct, frozen=True):
    """The strategy cannot search here and now; that is not an error, and not the same as finding nothing."""

    why: str


class Strategy(Protocol):
    """One way of searching. Instances hold no state of a single search: that is in the context."""

    @property
    def id(self) -> str:
        """Its name in requests, answers and metrics."""
        ...

    @property
    def timeout(self) -> float | None:
        """Seconds after which the next strategy starts beside it; None: only when it ends without a result."""
        ...

    async def prepare(self, context: "Context") -> None:
        """Anything that may have to ask a person first; its time does not count."""
        ...

    async def search(self, context: "Context") -> Retrieved | Cannot:
        """Search. Raise if it fails; return `Cannot` if it cannot search; leave at once when cancelled."""
        ...
