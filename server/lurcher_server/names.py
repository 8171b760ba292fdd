"""How the files of a workspace are named to people and assistants, and what they mean by such names."""

import os
from collections.abc import Iterable
from pathlib import Path, PurePosixPath, PureWindowsPath

from lurcher_index.errors import BadQuery
from lurcher_index.nodes import folder_labels, labelled


class Names:
    """The workspace's files by the names a reader sees: below one folder their paths in it, else the folder's own
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

    def placed(self, given: str) -> str:
        """A path or glob as the engine takes it: absolute if it begins with a folder's name, else as it is."""
        first, _, rest = given.removeprefix("./").partition("/")
        for folder, label in self._labels.items():
            if label and first == label:
                return f"{folder}/{rest}" if rest else folder
        return given

    def known(self, given: str) -> str:
        """The same for what an assistant wrote; outside the workspace it is refused."""
        if "\0" in given or ".." in (*PurePosixPath(given).parts, *PureWindowsPath(given).parts):
            raise BadQuery(f"{given[:200]!r} leaves the workspace; name paths from its top, without `..`")
        if os.path.isabs(given):  # noqa: PTH117 - a glob is no path
            if any(given == folder or given.startswith(folder.rstrip("/") + "/") for folder in self._labels):
                return given
            raise BadQuery(f"{given[:200]!r} is outside the workspace {', '.join(self._labels)}")
        return self.placed(given)
