import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

# Tests are imported one by one (importlib mode); this lets them share `tests.dense.shelf`.
sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.dense.shelf import Shelf


@pytest.fixture(params=["disk", "memory"])
def shelf(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Shelf]:
    made = Shelf(tmp_path / "tree", tmp_path / "index.sqlite" if request.param == "disk" else None)
    yield made
    made.database.close()
