"""What the term indexes take in and give out."""

from typing import NamedTuple

import msgspec

from lurcher_index.model import Value


class Terms(Value, frozen=True, array_like=True, gc=False):
    """The terms of one chunk, blank-separated: of its text, of the names it defines or belongs to, and of what is said
    about these."""

    body: str
    names: str
    docs: str = ""


class WordFile(msgspec.Struct, frozen=True):
    """One file as the term indexes see it."""

    file_id: int
    content_id: int
    key: str
    """`<folder number>/<path in the folder>`."""
    path_terms: str
    language: str
    chunks: tuple[Terms, ...]

    @property
    def place(self) -> tuple[int, str]:
        """Number of the folder, and the path in it."""
        folder_id, _, path = self.key.partition("/")
        return int(folder_id), path


class Candidate(NamedTuple):
    """A chunk that matches: which content of which file, and how well."""

    file_id: int
    content_id: int
    ordinal: int
    score: float
    first: bool
    """Whether it comes before the others, whatever their score: it holds every word of a short question."""
    partly: bool = False
    """Whether only parts of its words, or words that are written a little otherwise, led to it."""
