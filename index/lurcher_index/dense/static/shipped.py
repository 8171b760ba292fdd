"""The model that comes with the package."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

from lurcher_index.dense.static.embedder import StaticEmbedder
from lurcher_index.dense.static.modelfile import read_model
from lurcher_index.dense.static.phrases import PhraseBook, read_phrases
from lurcher_index.errors import ModelError

PHRASES = Path(__file__).with_name("phrases.tsv")
"""Beside the model; what phrases mean is said in words, so that they go with every model."""


class Release(NamedTuple):
    """What the code knows of the file beside it: only that very file is taken."""

    name: str
    file: str
    sha256: str
    dimension: int


def load_release(release: Release, folder: Path) -> StaticEmbedder:
    """The embedder of a released model; `ModelError` if its file cannot be used."""
    embedder = StaticEmbedder(read_model(folder / release.file, release.sha256), shipped_phrases)
    if (embedder.name, embedder.dimension) != (release.name, release.dimension):
        raise ModelError(
            f"{release.file} holds {embedder.name} and not {release.name}; install lurcher anew to repair it"
        )
    return embedder


@cache
def shipped_phrases() -> PhraseBook:
    """The phrases of all embedders in a process; a failure is not remembered."""
    return read_phrases(PHRASES)
