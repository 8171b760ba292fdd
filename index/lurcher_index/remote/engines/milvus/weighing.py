"""Weights as Milvus takes them. Every form of it ranks alike then, and rarity is that of one repository."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from lurcher_index.remote.engines import weighing
from lurcher_index.remote.engines.interface import SharedChunk, SharedFile

NOTHING = 0
"""Number of no term. A chunk without terms has it, since a sparse vector must not be empty; among counts it stands for
the chunks themselves."""

_MOST = 2**32 - 2
"""Largest number that a sparse vector of Milvus takes."""


class Numbering(weighing.Numbering):
    """The numbers of terms. Of 200,000 terms of a repository, five share theirs with another."""

    def __init__(self) -> None:
        """The same for all repositories."""
        super().__init__(_MOST)


def stored_weights(file: SharedFile, chunk: SharedChunk, numbering: Numbering) -> dict[int, float]:
    """By the numbers of its terms, what each counts in a chunk."""
    return weighing.stored_weights(chunk, file.path_terms, numbering) or {NOTHING: 1.0}


def length_number(field: str) -> int:
    """Where among the counts the terms of a field are counted, of all chunks that were ever sent, for averages; under
    no field these chunks themselves."""
    return Numbering().number("length", field)


def measured(files: Collection[SharedFile]) -> dict[int, int]:
    """The lengths of some files' chunks, as counts."""
    lengths = weighing.field_lengths(files) | {"": sum(len(file.chunks) for file in files)}
    return {length_number(field): length for field, length in lengths.items()}


def counted(vectors: Iterable[Mapping[int, float]]) -> Counter[int]:
    """How many chunks hold each number, and under `NOTHING` how many there are."""
    counts: Counter[int] = Counter()
    chunks = 0
    for vector in vectors:
        counts.update(vector.keys())
        chunks += 1
    counts[NOTHING] = chunks
    return counts
