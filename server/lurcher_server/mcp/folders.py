"""Which folders are searched, and how their files are named to an assistant."""

import os
from collections.abc import Sequence
from pathlib import Path

from lurcher_index.errors import BadFolder
from lurcher_server.here import current_folder
from lurcher_server.lsp.uris import path_of

MAX_ROOTS = 64
"""Roots of a client that are looked at; nobody opens more, and each is a tree to be indexed."""

GONE = (
    "no workspace is known: the folder that this server was started in is no longer there, and the client names no"
    " folders. Start it again where the project is, or with `lurcher mcp -w /path/to/project`"
)
"""A folder that has been made anew since is another one; the process still stands in the old one."""


def folders_of_roots(uris: Sequence[str]) -> list[Path]:
    """The folders among a client's roots; what is not on this machine, or no folder, is left out."""
    paths = (path_of(uri) for uri in uris[:MAX_ROOTS])
    return [path for path in paths if path is not None and is_folder(path)]


def implied_folder() -> Path:
    """The current folder as the workspace, if nobody named one.

    Hosts start servers in all kinds of places; a whole disk or home is what none of them means.
    """
    current = current_folder(GONE)
    # `Path.home` raises where nobody is at home.
    if current == Path(current.anchor) or current == Path(os.path.expanduser("~")):  # noqa: PTH111
        raise BadFolder(
            f"no workspace is known: this server was started in {current}, and the client names no folders."
            " Start it with `lurcher mcp -w /path/to/project`"
        )
    return current


def is_folder(path: Path) -> bool:
    """Whether there is a folder at a path that may be looked at."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False
