import sys
from pathlib import Path

# Tests are imported one by one (importlib mode); this lets them share `tests.features.grown` and `tests.files.trees`.
sys.path.insert(0, str(Path(__file__).parents[2]))
