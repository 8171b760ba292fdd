"""The model that comes with the package."""

from pathlib import Path
from typing import NamedTuple

from lurcher_index.dense.static.embedder import StaticEmbedder
from lurcher_index.dense.static.modelfile import read_model
from lurcher_index.errors import ModelError


class Release(NamedTuple):
    """What the code knows of the file beside it: only that very file is taken."""

    name: str
    file: str
    sha256: str
    dimension: int


def load_release(release: Release, folder: Path) -> StaticEmbedder:
    """The embedder of a released model; `ModelError` if its file cannot be used."""
    embedder = StaticEmbedder(read_model(folder / release.file, release.sha256))
    if (embedder.name, embedder.dimension) != (release.name, release.dimension):
        raise ModelError(
            f"{release.file} holds {embedder.name} and not {release.name}; install lurcher anew to repair it"
        )
    return embedder
