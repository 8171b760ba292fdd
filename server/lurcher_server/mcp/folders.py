"""Which folders are searched, and how their files are named to an assistant."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath, PureWindowsPath

from lurcher_index.errors import BadFolder, BadQuery
from lurcher_index.nodes import folder_labels, labelled
from lurcher_server.lsp.uris import path_of

MAX_ROOTS = 64
"""Roots of a client that are looked at; nobody opens more, and each is a tree to be indexed."""


def folders_of_roots(uris: Sequence[str]) -> list[Path]:
    """The folders among a client's roots; what is not on this machine, or no folder, is left out."""
    paths = (path_of(uri) for uri in uris[:MAX_ROOTS])
    return [path for path in paths if path is not None and is_folder(path)]


def implied_folder(current: Path) -> Path:
    """The current folder as the workspace, if nobody named one.

    Hosts start servers in all kinds of places; a whole disk or home is what none of them means.
    """
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


class Names:
    """The workspace's files by the names an assistant sees: below one folder their paths in it, else the folder's own
    name first."""

    def __init__(self, folders: Iterable[str]) -> None:
        """Give each folder a name of its own."""
        every = list(folders)
        names = [Path(folder).name or folder for folder in every]
        self._labels = dict(zip(every, folder_labels(names), strict=True))
        self.project = " + ".join(label or name for label, name in zip(self._labels.values(), names, strict=True))

    def shown(self, folder: str, path: str) -> str:
        """A file's name, or the id of what is in it."""
        return labelled(self._labels.get(folder, ""), path)

    def known(self, given: str) -> str:
        """A path or glob that an assistant wrote, as the engine takes it; outside the workspace it is refused."""
        if "\0" in given or ".." in (*PurePosixPath(given).parts, *PureWindowsPath(given).parts):
            raise BadQuery(f"{given[:200]!r} leaves the workspace; name paths from its top, without `..`")
        if os.path.isabs(given):  # noqa: PTH117 - a glob is no path
            if any(given == folder or given.startswith(folder.rstrip("/") + "/") for folder in self._labels):
                return given
            raise BadQuery(f"{given[:200]!r} is outside the workspace {', '.join(self._labels)}")
        first, _, rest = given.removeprefix("./").partition("/")
        for folder, label in self._labels.items():
            if label and first == label:
                return f"{folder}/{rest}" if rest else folder
        return given
