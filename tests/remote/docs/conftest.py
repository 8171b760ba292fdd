import sys
from pathlib import Path

# Tests are imported one by one (importlib mode); this lets them share helper modules.
sys.path.insert(0, str(Path(__file__).parents[3]))

from tests.remote.joining.conftest import shop, template

__all__ = ["shop", "template"]
