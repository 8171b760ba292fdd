"""Lurcher's engine: an index of a workspace's source code and the search over it. It knows nothing of LSP."""

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
