"""Which model belongs to this version of the code. Written by `training/export.py`."""

from functools import cache
from pathlib import Path

from lurcher_index.dense.static.embedder import StaticEmbedder
from lurcher_index.dense.static.shipped import Release, load_release

RELEASE = Release(
    name="lurcher-code-v4",
    file="lurcher-code-v4.safetensors",
    sha256="b5af4f2231d1121c19cb00c03a312a636cbd0c63fc5b362d0a9406320d186b74",
    dimension=256,
)


@cache
def shipped_embedder() -> StaticEmbedder:
    """The one embedder of all engines in a process; a failure is not remembered."""
    return load_release(RELEASE, Path(__file__).parent)
