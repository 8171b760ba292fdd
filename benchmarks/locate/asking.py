"""Asks about every issue in every configuration, and writes down which files came in which order."""

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec

from benchmarks.locate.mining import Case
from lurcher_index import MEMORY, Engine
from lurcher_index.locate.chunks import chunk_places
from lurcher_index.locate.issue import Issue
from lurcher_index.locate.located import Located
from lurcher_index.locate.scoring import Strategy
from lurcher_index.locate.settings import LocateSettings
from lurcher_index.locate.sight import Sight
from lurcher_index.view import View

CHUNK_SEARCH = "chunkSearch"
CHOOSER = "chooser"
FUSED = " + chunks"


class Asked(msgspec.Struct, frozen=True):
    """What came back for one issue."""

    case: Case
    names_a_file: bool
    """Whether the issue names one of the files that were changed."""
    primary: str
    tools: dict[str, str]
    ranked: dict[str, list[str]]
    """Configuration → files, best first."""


def ask_all(folder: Path, cases: Iterable[Case], told: Callable[[str], object]) -> Iterator[Asked]:
    """Index each tree in memory, and ask."""
    for case in cases:
        told(case.name)
        with Engine.open([folder / "trees" / case.name], store=MEMORY) as engine:
            engine.build_all()
            yield _asked(engine, case)


def _asked(engine: Engine, case: Case) -> Asked:
    issue = Issue(title=case.title, description=case.description)
    tools: dict[str, str] = {}
    ranked: dict[str, list[str]] = {}
    chooser = engine.locate(issue, LocateSettings(fuse_chunks=False))
    for name, strategy in ((CHOOSER, None), *((str(each), each) for each in Strategy)):
        for suffix, fuse in (("", False), (FUSED, True)):
            located = engine.locate(issue, LocateSettings(force_strategy=strategy, fuse_chunks=fuse))
            ranked[name + suffix] = _files(located)
            tools[name] = f"{located.strategy_used}/{located.tool_used}"
    places = chunk_places(Sight(View(engine.workspace)), issue, (), engine.ask)
    ranked[CHUNK_SEARCH] = list(dict.fromkeys(place.path for place in places))
    words = issue.prose.lower()
    names = any(os.path.basename(change.path).lower() in words for change in case.changes)
    return Asked(case, names, str(chooser.primary), tools, ranked)


def _files(located: Located) -> list[str]:
    return list(dict.fromkeys(location.path for location in located.locations))
