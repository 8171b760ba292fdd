"""Whether vectors fit what an engine holds: each engine would fail otherwise, in its own way or not at all."""

from collections.abc import Sequence

import numpy as np

from lurcher_index.dense.embedder import Vectors
from lurcher_index.errors import RemoteError
from lurcher_index.remote.engines.interface import SharedFile
from lurcher_index.remote.interface import Wanted


def check_files(files: Sequence[SharedFile], dimension: int, where: str) -> None:
    """Refuse to send vectors that do not fit, or are no numbers: nobody would ever be like them."""
    for each in files:
        if each.vectors is None:
            continue
        if each.vectors.shape != (len(each.chunks), dimension):
            raise RemoteError(
                f"the vectors of a file have another shape than {where} holds ({dimension} numbers a chunk);"
                " prepare it with the model that is published"
            )
        if not np.isfinite(each.vectors).all():
            raise RemoteError(f"the embedding model gave vectors that are no numbers for {each.path!r}; choose another")


def asked_vector(wanted: Wanted, dimension: int, where: str) -> Vectors | None:
    """The question's vector as one row of numbers; None if there is none here or there."""
    if wanted.vector is None or not dimension:
        return None
    vector = np.asarray(wanted.vector, np.float32).reshape(-1)
    if len(vector) != dimension:
        raise RemoteError(
            f"{where} holds vectors of {dimension} numbers, the question's has {len(vector)}; search with the embedding"
            " model that was published"
        )
    if not np.isfinite(vector).all():
        raise RemoteError("the embedding model gave a vector that is no number for the question; choose another")
    return vector
