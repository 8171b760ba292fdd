import sys
from pathlib import Path

# Tests are imported one by one (importlib mode), and the benchmarks are no installed package.
sys.path.insert(0, str(Path(__file__).parents[2]))
