import sys
from pathlib import Path

# Tests are imported one by one (importlib mode); this lets them share `tests.server.client` and `tests.cli.test_cli`.
sys.path.insert(0, str(Path(__file__).parents[3]))
