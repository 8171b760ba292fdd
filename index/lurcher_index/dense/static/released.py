"""Which model belongs to this version of the code. Written by `training/export.py`."""

from functools import cache
from pathlib import Path

from lurcher_index.dense.static.embedder import StaticEmbedder
from lurcher_index.dense.static.shipped import Release, load_release

RELEASE = Release(
    name="lurcher-code-v5",
    file="lurcher-code-v5.safetensors",
    sha256="93627d4f5923298bee1cf2a1d1f76fd3946f11db65469898cbb999a0590e6f46",
    dimension=256,
)


@cache
def shipped_embedder() -> StaticEmbedder:
    """The one embedder of all engines in a process; a failure is not remembered."""
    return load_release(RELEASE, Path(__file__).parent)
