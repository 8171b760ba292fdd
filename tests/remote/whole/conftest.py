import sys
from pathlib import Path

# Tests are imported one by one (importlib mode); this lets them share helper modules.
sys.path.insert(0, str(Path(__file__).parents[3]))

from tests.remote.engines.conftest import milvus_server, postgres_server

__all__ = ["milvus_server", "postgres_server"]
