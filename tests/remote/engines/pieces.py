"""Small files and publishes for tests of shared indexes."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from lurcher_index.dense.embedder import Vectors
from lurcher_index.remote.engines.interface import Publication, SharedChunk, SharedFile, SharedIndex, Version, Where
from lurcher_index.remote.interface import RemoteHit, Wanted
from lurcher_index.words.candidates import Terms

DIMENSION = 8
HOME = "example.com/team/home"
OTHER = "example.com/team/other"


def content_of(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def unit(*numbers: float) -> Vectors:
    """A row of length 1."""
    row = np.zeros((1, DIMENSION), np.float32)
    row[0, : len(numbers)] = numbers
    length = float(np.linalg.norm(row))
    return (row / length if length else row).astype(np.float32)


def file(
    path: str, *bodies: str, language: str = "python", names: str = "", vectors: Vectors | None = None
) -> SharedFile:
    """A version of a file with one chunk of ten lines for each body; its content depends on all of that."""
    chunks = tuple(
        SharedChunk(1 + 10 * number, 10 + 10 * number, content_of(body)[:16], Terms(body, names))
        for number, body in enumerate(bodies)
    )
    content = content_of("\0".join((*bodies, names, language)))
    path_terms = path.lower().replace("/", " ").replace(".", " ")
    path_terms = path_terms.encode("utf-8", "replace").decode()
    return SharedFile(path, content, language, path_terms, chunks, vectors)


def version(each: SharedFile, since: int = 1) -> Version:
    return Version(each.path, each.content, since)


def publication(generation: int, repository: str = HOME, commit: str = "", files: int = 0) -> Publication:
    return Publication(
        repository, generation, commit or f"c{generation:039d}", "main", "hash-8", "s1", files, files, 1.5
    )


def publish(
    index: SharedIndex,
    generation: int,
    inserted: Sequence[SharedFile] = (),
    ended: Sequence[Version] = (),
    repository: str = HOME,
    commit: str = "",
) -> None:
    """A whole publish."""
    with index.claim(repository, "test"):
        if inserted:
            index.insert(repository, generation, inserted)
        if ended:
            index.end(repository, generation, ended)
        index.show(publication(generation, repository, commit, len(inserted)))


def asking(*terms: str, weights: Mapping[str, float] | None = None, limit: int = 100) -> Wanted:
    return Wanted(words=terms, terms=dict(weights) if weights else dict.fromkeys(terms, 1.0), limit=limit)


def paths(hits: Iterable[RemoteHit]) -> list[str]:
    return [hit.path for hit in hits]


def found(index: SharedIndex, generation: int, *terms: str, repository: str = HOME) -> set[str]:
    """Which files hold a term in a generation."""
    return set(paths(index.by_words(Where(repository, generation), asking(*terms))))
