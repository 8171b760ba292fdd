"""The compiled part of indexing, where there is one: the same results as the Python beside it, several times quicker.

`compiled` is None where the package was installed without a compiler, and where LURCHER_PURE says so. To type checkers
it is always the module, so that they know what is in it: ask `if compiled` before.
"""

import os
from types import ModuleType
from typing import TYPE_CHECKING

__all__ = ["compiled"]

EDITION = 8
"""What `parts.h` has to say: sources may be newer than the module that was compiled of them."""


def _load() -> ModuleType | None:
    if os.environ.get("LURCHER_PURE"):
        return None
    try:
        from lurcher_index.native import _compiled
    except ImportError:
        return None
    return _compiled if _compiled.EDITION == EDITION else None


if TYPE_CHECKING:
    from lurcher_index.native import _compiled as compiled
else:
    compiled = _load()
