"""The product as it is, but with a ranker and a map of questions that have not seen the repository that is asked.

What ships has learned from the very questions that are asked here, so that its figures flatter. Those who learn it
leave each repository out once and can keep what comes of that: `python -m training.ranker --unseen DIR`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import msgspec
import numpy as np

from lurcher_index.dense.static import released
from lurcher_index.dense.static.embedder import StaticEmbedder
from lurcher_index.dense.static.modelfile import read_model
from lurcher_index.dense.static.shipped import shipped_phrases
from lurcher_index.judging import shipped_evidence
from lurcher_index.ranking.learned import read_ranker

INDEX_FILE = "repositories.json"
"""By the name of a repository the `Parts` that have not seen it."""


class Parts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Names of files in the same folder."""

    ranker: str
    query_map: str


class Unseen:
    """A folder of such parts."""

    def __init__(self, folder: Path) -> None:
        """Raises `OSError` or `ValueError` if it is none."""
        self._folder = folder
        self._parts = msgspec.json.decode((folder / INDEX_FILE).read_bytes(), type=dict[str, Parts])

    def knows(self, repository: str) -> bool:
        """Whether there are parts that have not seen it."""
        return repository in self._parts

    @contextmanager
    def asked(self, repository: str) -> Iterator[None]:
        """Engines that are opened meanwhile have not seen the repository. Its chunks have the vectors of what ships."""
        parts = self._parts[repository]
        ranker = read_ranker((self._folder / parts.ranker).read_bytes())
        if ranker.evidence != shipped_evidence().name:
            raise ValueError(f"{parts.ranker} was taught with {ranker.evidence}, which is not what ships")
        model = read_model(Path(released.__file__).parent / released.RELEASE.file, released.RELEASE.sha256)
        if ranker.model != model.facts.name:
            raise ValueError(f"{parts.ranker} was taught with {ranker.model}, which is not what ships")
        query_map = np.load(self._folder / parts.query_map, allow_pickle=False)
        embedder = StaticEmbedder(msgspec.structs.replace(model, query_map=query_map), shipped_phrases)
        with (
            patch("lurcher_index.judging.shipped_ranker", lambda: ranker),
            patch("lurcher_index.dense.static.released.shipped_embedder", lambda: embedder),
        ):
            yield
