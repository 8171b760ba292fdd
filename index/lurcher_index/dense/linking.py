"""Links a package's shared libraries without holding up other threads.

An import keeps the interpreter to itself while the system links a library: for faiss 8 ms if it was read lately, over
100 if it comes from the disk, in which a language server answers nobody. A call through ctypes lets the others run, and
the import that follows finds the library there.
"""

import ctypes
import os
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from pathlib import Path


def link_early(package: str) -> None:
    """Link the libraries that lie in a package's folder; what cannot be linked so is left to the import."""
    if os.name != "posix":
        return
    try:
        spec = find_spec(package)
        system = ctypes.CDLL(None)
        for place in (spec.submodule_search_locations or ()) if spec else ():
            for file in _libraries(Path(place)):
                system.dlopen(os.fsencode(file), os.RTLD_NOW)
    except (OSError, AttributeError, ImportError, ValueError):
        pass  # No such call here, or no such package: whoever imports it hears why.


def _libraries(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if file.name.endswith(tuple(EXTENSION_SUFFIXES)))
