"""Asks about every issue in every configuration, and writes down which files came in which order."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePosixPath

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
CONFIGURATIONS = {
    "the chooser's": LocateSettings(fuse_chunks=False),
    **{f"{each}, forced": LocateSettings(fuse_chunks=False, force_strategy=each) for each in Strategy},
    "the chooser's, fused with chunkSearch": LocateSettings(fuse_chunks=True),
}
"""What is compared; a forced strategy still has its fallback, the base finder and the last resort behind it."""


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
    primary = ""
    for name, settings in CONFIGURATIONS.items():
        located = engine.locate(issue, settings)
        ranked[name] = _files(located)
        tools[name] = f"{located.strategy_used}/{located.tool_used}"
        primary = primary or str(located.primary)
    places, _ = chunk_places(Sight(View(engine.workspace)), issue, (), engine.ask)
    ranked[CHUNK_SEARCH] = list(dict.fromkeys(place.path for place in places))
    words = issue.prose.lower()
    names = any(PurePosixPath(change.path).name.lower() in words for change in case.changes)
    return Asked(case, names, primary, tools, ranked)


def _files(located: Located) -> list[str]:
    return list(dict.fromkeys(location.path for location in located.locations))
