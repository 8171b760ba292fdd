"""Run by `test_spawning` in a process of its own: tells what it started with."""

import json
import os
import sys


def main() -> None:
    """Print it."""
    told = {
        "site": "site" in sys.modules,
        "threads": os.environ.get("OPENBLAS_NUM_THREADS"),
        "isolated": bool(sys.flags.isolated),
        "here": "" in sys.path,
    }
    print(json.dumps(told))
