"""Rankers and maps of questions that have not seen a repository, kept for those who ask the product itself about it.

`python -m benchmarks.quality --unseen DIR` reads them (`benchmarks/quality/unseen.py`).
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np
from benchmarks.quality.unseen import INDEX_FILE, Parts

from training.query_map import Floats
from training.ranker.release import Unseen


def keep_unseen(folder: Path, rankers: Sequence[Unseen], maps: Mapping[str, Floats]) -> None:
    """Write a ranker for each fold and each map once, and which of them go with which repository."""
    folder.mkdir(parents=True, exist_ok=True)
    parts: dict[str, Parts] = {}
    # Repositories of a fold share one map.
    numbers: dict[bytes, int] = {}
    for number, (repositories, data) in enumerate(rankers):
        ranker = f"ranker-{number}.json"
        (folder / ranker).write_bytes(msgspec.json.encode(data))
        for name in sorted(repositories):
            found = maps[name].astype(np.float32)
            at = numbers.setdefault(found.tobytes(), len(numbers))
            np.save(folder / f"map-{at}.npy", found, allow_pickle=False)
            parts[name] = Parts(ranker, f"map-{at}.npy")
    (folder / INDEX_FILE).write_bytes(msgspec.json.format(msgspec.json.encode(parts)))
