"""Starts the engine's own processes: same interpreter, nothing from the current directory, pipes at both ends."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

_SOURCE_ROOT = str(Path(__file__).resolve().parents[2])

ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1"}
"""Unless somebody says otherwise: numpy starts as many threads as there are cores, which takes up to 0.1 s of a core,
and nothing in these processes multiplies large matrices."""


def spawn(module: str, without: Sequence[str] = (), *, bare: bool = False) -> "subprocess.Popen[bytes]":
    """Run `main()` of one of our modules; its standard input and output are pipes.

    Modules that it goes `without` are not found, even if they are installed. A `bare` one starts without `site`, whose
    work is done already: the path is handed over. It does not know where programs of this environment are installed.
    """
    # -I keeps the current directory, which may be hostile, off the module path; the path is handed over instead.
    path = [_SOURCE_ROOT, *(entry for entry in sys.path if entry)]
    # What is loaded stays: to look for cycles among it, while it is loaded or later, finds none.
    code = (
        f"import gc, sys; gc.disable(); sys.path[:0] = {path!r}; sys.modules.update(dict.fromkeys({without!r}));"
        f"from {module} import main; gc.freeze(); gc.enable(); main()"
    )
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.BELOW_NORMAL_PRIORITY_CLASS
    errors = None if os.environ.get("LURCHER_DEBUG") else subprocess.DEVNULL
    return subprocess.Popen(
        [sys.executable, "-I", *(["-S"] if bare else []), "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        env=ENVIRONMENT | os.environ,
        creationflags=flags,
    )
