import sys
from pathlib import Path

# Tests are imported one by one (importlib mode); this lets them share `tests.cli.test_cli` and `tests.history`.
sys.path.insert(0, str(Path(__file__).parents[2]))
