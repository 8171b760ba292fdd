"""Which model belongs to this version of the code. Written by `training/export.py`."""

from functools import cache
from pathlib import Path

from lurcher_index.dense.static.embedder import StaticEmbedder
from lurcher_index.dense.static.shipped import Release, load_release

RELEASE = Release(
    name="lurcher-code-v2",
    file="lurcher-code-v2.safetensors",
    sha256="0762d87bcd86c73ff62b0ff964b9466baa3ee065a57a5157674152ca0e4aa3cd",
    dimension=256,
)


@cache
def shipped_embedder() -> StaticEmbedder:
    """The one embedder of all engines in a process; a failure is not remembered."""
    return load_release(RELEASE, Path(__file__).parent)
