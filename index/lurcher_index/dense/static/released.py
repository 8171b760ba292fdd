"""Which model belongs to this version of the code. Written by `training/export.py`."""

from functools import cache
from pathlib import Path

from lurcher_index.dense.static.embedder import StaticEmbedder
from lurcher_index.dense.static.shipped import Release, load_release

RELEASE = Release(
    name="lurcher-code-v5",
    file="lurcher-code-v5.safetensors",
    sha256="bcb5c8cebd982330aed1d12010f1dd25a95817aed85776a759dc4075d58ea9fa",
    dimension=256,
)


@cache
def shipped_embedder() -> StaticEmbedder:
    """The one embedder of all engines in a process; a failure is not remembered."""
    return load_release(RELEASE, Path(__file__).parent)
