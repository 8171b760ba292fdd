import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

# Tests are imported one by one (importlib mode); this lets them share helper modules.
sys.path.insert(0, str(Path(__file__).parents[3]))

from tests.history.repositories import Repository
from tests.remote.joining.mirror import Mirror
from tests.remote.joining.shops import FILES, NAME, Shop


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Mirror]]:
    """A repository to copy, and the mirror of its one commit: an index takes a second to build."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    made = Repository(tmp_path_factory.mktemp("shop") / "template")
    first = made.commit("first", FILES)
    made.git("remote", "add", "origin", f"git@{NAME.replace('/', ':', 1)}.git")
    mirror = Mirror(made.folder, NAME, first)
    yield made.folder, mirror
    mirror.engine.close()


@pytest.fixture
def shop(tmp_path: Path, template: tuple[Path, Mirror]) -> Iterator[Shop]:
    folder, mirror = template
    mirror.straighten()
    made = Shop(tmp_path / "checkout", folder, mirror)
    yield made
    made.engine.close()
