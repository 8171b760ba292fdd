"""How the files of a workspace are named to people and assistants, and what they mean by such names."""

import os
from collections.abc import Collection, Iterable
from pathlib import Path, PurePosixPath, PureWindowsPath

from lurcher_index.errors import BadQuery
from lurcher_index.nodes import folder_labels, labelled


class Names:
    """The workspace's files by the names a reader sees: below one folder their paths in it, else the folder's own
    name first."""

    def __init__(self, folders: Iterable[str], given: Iterable[str | Path] = ()) -> None:
        """Give each folder, which the engine has with links resolved, a name of its own. As they were given they may
        lead through links, and their files are named below these, too."""
        every = list(folders)
        names = [Path(folder).name or folder for folder in every]
        self._labels = dict(zip(every, folder_labels(names), strict=True))
        self.project = " + ".join(label or name for label, name in zip(self._labels.values(), names, strict=True))
        self._real = {**_reached(given, every), **{folder: folder for folder in every}}

    def shown(self, folder: str, path: str) -> str:
        """A file's name, or the id of what is in it."""
        return labelled(self._labels.get(folder, ""), path)

    def file(self, shown: str) -> str:
        """The path of what a reader sees under a name."""
        return self.placed(shown) if len(self._labels) > 1 else os.path.join(*self._labels, shown)  # noqa: PTH118

    def placed(self, given: str) -> str:
        """A path or glob as the engine takes it: absolute if it begins with a folder's name, below the folder itself if
        it leads there through a link, else as it is."""
        first, _, rest = given.removeprefix("./").partition("/")
        for folder, label in self._labels.items():
            if label and first == label:
                return f"{folder}/{rest}" if rest else folder
        return self.real(given)

    def real(self, given: str) -> str:
        """The same for what may be a feature, too, whose path may begin as a folder does: only links are resolved."""
        above = self._above(given)
        return given if above is None else self._real[above] + given[len(above) :]

    def known(self, given: str) -> str:
        """The same for what an assistant wrote; outside the workspace it is refused."""
        if "\0" in given or ".." in (*PurePosixPath(given).parts, *PureWindowsPath(given).parts):
            raise BadQuery(f"{given[:200]!r} leaves the workspace; name paths from its top, without `..`")
        if os.path.isabs(given) and self._above(given) is None:  # noqa: PTH117 - a glob is no path
            raise BadQuery(f"{given[:200]!r} is outside the workspace {', '.join(self._labels)}")
        return self.placed(given)

    def _above(self, given: str) -> str | None:
        """The innermost folder, as it is or as it was given, that an absolute path or glob begins with."""
        found = (each for each in self._real if given == each or given.startswith(each.rstrip("/") + "/"))
        return max(found, key=len, default=None)


def _reached(given: Iterable[str | Path], folders: Collection[str]) -> dict[str, str]:
    """By the absolute paths of folders as they were given the folders themselves."""
    shown = (os.path.abspath(os.path.expanduser(each)) for each in given)  # noqa: PTH100, PTH111 - follows no links
    return {each: real for each in shown if (real := os.path.realpath(each)) in folders}
