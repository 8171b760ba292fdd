"""Lurcher's engine: an index of a workspace's source code and the search over it. It knows nothing of LSP."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lurcher_index.building.progress import Phase, Progress
    from lurcher_index.config import Settings
    from lurcher_index.engine import MEMORY, Engine
    from lurcher_index.errors import (
        BadFolder,
        BadQuery,
        BadSetting,
        Cancelled,
        LurcherError,
        StoreBusy,
        StoreDamaged,
        StoreError,
    )
    from lurcher_index.results import Hit, HitSymbol, Outcome, SearchResult, Status

__all__ = [
    "MEMORY",
    "BadFolder",
    "BadQuery",
    "BadSetting",
    "Cancelled",
    "Engine",
    "Hit",
    "HitSymbol",
    "LurcherError",
    "Outcome",
    "Phase",
    "Progress",
    "SearchResult",
    "Settings",
    "Status",
    "StoreBusy",
    "StoreDamaged",
    "StoreError",
]

_HOMES = {
    "lurcher_index.building.progress": ("Phase", "Progress"),
    "lurcher_index.config": ("Settings",),
    "lurcher_index.engine": ("MEMORY", "Engine"),
    "lurcher_index.errors": (
        "BadFolder",
        "BadQuery",
        "BadSetting",
        "Cancelled",
        "LurcherError",
        "StoreBusy",
        "StoreDamaged",
        "StoreError",
    ),
    "lurcher_index.results": ("Hit", "HitSymbol", "Outcome", "SearchResult", "Status"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Load a public name when it is first asked for: a worker process needs none of them, and starts twice as fast."""
    if name in _HOME_OF:
        return getattr(import_module(_HOME_OF[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
