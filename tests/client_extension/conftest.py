import sys
from pathlib import Path

# Tests are imported one by one (importlib mode); this lets them share `tests.server.clients.surroundings`.
sys.path.insert(0, str(Path(__file__).parents[2]))
