"""Which part of the workspace belongs to which repository: a remote search knows paths of repositories only."""

from collections.abc import Sequence
from pathlib import PurePosixPath

import msgspec

from lurcher_index.building.scan import Folder
from lurcher_index.checkout.values import Checkout
from lurcher_index.files.listing import printable

MAX_PATH_CHARACTERS = 4_096
"""Longest path that any system opens."""


class Place(msgspec.Struct, frozen=True):
    """A file, or a folder, of the workspace."""

    folder: Folder
    path: str
    """Relative to the folder, with forward slashes."""

    @property
    def key(self) -> str:
        """As filters and scopes name it."""
        return f"{self.folder.folder_id}/{self.path}" if self.path else str(self.folder.folder_id)


class Area(msgspec.Struct, frozen=True):
    """A repository's working tree as far as it is in one folder of the workspace."""

    folder: Folder
    checkout: Checkout

    @property
    def root(self) -> Place:
        """Where in the folder it begins."""
        return Place(self.folder, self.checkout.inside.rstrip("/"))

    @property
    def below(self) -> tuple[str, ...]:
        """The folders of the repository that are in the workspace; empty if all of it is."""
        return (self.checkout.prefix.rstrip("/"),) if self.checkout.prefix else ()

    @property
    def nested(self) -> tuple[Place, ...]:
        """Where in the folder other repositories lie in it."""
        inside, prefix = self.checkout.inside, self.checkout.prefix
        return tuple(Place(self.folder, f"{inside}{each[len(prefix) :]}".rstrip("/")) for each in self.checkout.nested)

    def place(self, path: str, folders: Sequence[Folder]) -> Place | None:
        """Where a file of the repository is; None if it is not in this area.

        The path comes from elsewhere: one that leads out of the repository, or is no path, is in no workspace.
        """
        inside = self.checkout.in_workspace(path) if is_plain(path) else None
        if not inside:
            return None
        # Of folders that lie in each other the innermost has the file, and its own area names it.
        inner = (each.path for each in folders if each != self.folder and each.path.is_relative_to(self.folder.path))
        if any(inside.startswith(f"{each.relative_to(self.folder.path).as_posix()}/") for each in inner):
            return None
        return Place(self.folder, inside) if self.folder in folders else None


def uncovered(folders: Sequence[Folder], areas: Sequence[Area], covered: Sequence[Area]) -> tuple[str, ...]:
    """Keys of the parts of the workspace that no covered area holds."""
    around = {each.folder for each in covered if not each.checkout.inside}
    parts = [Place(folder, "").key for folder in folders if folder not in around]
    parts += [each.root.key for each in areas if each not in covered]
    # One that git does not open has no area, and its files are nevertheless not those of the one around it.
    known = {each.root for each in areas}
    parts += [place.key for each in covered for place in each.nested if place not in known]
    return tuple(dict.fromkeys(parts))


def is_plain(path: str) -> bool:
    """Whether a path that somebody else wrote leads to a file below where it begins."""
    if not path or len(path) > MAX_PATH_CHARACTERS or "\0" in path or "\\" in path or path.startswith("/"):
        return False
    parts = PurePosixPath(path).parts
    # As it is written, too: `a//b` and `a/./b` are other names of a file that is known under its plain one.
    return ".." not in parts and "/".join(parts) == path and ":" not in parts[0] and printable(path) is None
