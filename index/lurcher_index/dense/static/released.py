"""Which model belongs to this version of the code. Written by `training/export.py`."""

from functools import cache
from pathlib import Path

from lurcher_index.dense.static.embedder import StaticEmbedder
from lurcher_index.dense.static.shipped import Release, load_release

RELEASE = Release(
    name="lurcher-code-v5",
    file="lurcher-code-v5.safetensors",
    sha256="b4fc9b29821cae1b0561b296dca05f0fa48d95020259aa80cc251d52f2891402",
    dimension=256,
)


@cache
def shipped_embedder() -> StaticEmbedder:
    """The one embedder of all engines in a process; a failure is not remembered."""
    return load_release(RELEASE, Path(__file__).parent)
