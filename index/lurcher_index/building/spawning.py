"""Starts the engine's own processes: same interpreter, nothing from the current directory, pipes at both ends."""

import os
import subprocess
import sys
from pathlib import Path

_SOURCE_ROOT = str(Path(__file__).resolve().parents[2])


def spawn(module: str) -> "subprocess.Popen[bytes]":
    """Run `main()` of one of our modules; its standard input and output are pipes."""
    # -I keeps the current directory, which may be hostile, off the module path; the path is handed over instead.
    path = [_SOURCE_ROOT, *(entry for entry in sys.path if entry)]
    code = f"import sys; sys.path[:0] = {path!r}; from {module} import main; main()"
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.BELOW_NORMAL_PRIORITY_CLASS
    errors = None if os.environ.get("LURCHER_DEBUG") else subprocess.DEVNULL
    return subprocess.Popen(
        [sys.executable, "-I", "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        creationflags=flags,
    )
