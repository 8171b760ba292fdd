"""What the feature tree takes in, and what it is."""

from collections.abc import Mapping

import msgspec

from lurcher_index.features.digests import Digest

GROUP_PREFIX = "feature:"
"""What the ids of groups begin with."""


class TreeFile(msgspec.Struct, frozen=True, order=True, gc=False):
    """A file as the tree sees it."""

    folder_id: int
    path: str
    number: int
    """Of its content; another one whenever the content changes, and below 0 for what only an editor has."""
    digest: Digest

    @property
    def key(self) -> str:
        """`<folder number>/<path>`, as the word indexes name it."""
        return f"{self.folder_id}/{self.path}"


class Group(msgspec.Struct, frozen=True, gc=False):
    """An area, category or subcategory."""

    id: str
    """From the folder and, where files of one folder were divided, from the file that most others are tied to."""
    label: str
    path: str
    """The labels of the groups it lies in and its own, joined by slashes."""
    terms: tuple[str, ...]
    """The words that set it apart from its neighbours, the strongest first."""
    level: int
    """1 for an area, 2 for a category, 3 for a subcategory."""
    size: int
    """Files in it and in the groups below."""
    folder_id: int
    below: str | None
    """The folder in the workspace folder of which it holds everything; None if it holds some files of one."""
    files: tuple[str, ...]
    """Keys of the files that are in no group below."""
    groups: tuple[str, ...]
    """Ids of the groups below."""


class FeatureTree(msgspec.Struct, frozen=True):
    """All groups of a workspace."""

    areas: tuple[str, ...] = ()
    """Ids of the groups at the top."""
    files: tuple[str, ...] = ()
    """Keys of files that are in no group."""
    groups: Mapping[str, Group] = {}
    group_of: Mapping[str, str] = {}
    """Key of a file → id of the innermost group that it is in."""

    def path_of(self, key: str) -> str | None:
        """The feature path of a file: empty if it is in no group, None if it is not known."""
        number = self.group_of.get(key)
        return None if number is None else (self.groups[number].path if number else "")

    def by_path(self, path: str) -> Group | None:
        """The group with a feature path; case does not count."""
        wanted = path.strip("/").casefold()
        return next((group for group in self.groups.values() if group.path.casefold() == wanted), None)


def subtree(tree: FeatureTree, start: str) -> list[Group]:
    """A group and all groups below it. Each comes once: a tree that was put together wrongly must not run for ever."""
    found: dict[str, Group] = {}
    waiting = [start]
    while waiting:
        number = waiting.pop()
        group = tree.groups.get(number)
        if group is not None and number not in found:
            found[number] = group
            waiting += reversed(group.groups)
    return list(found.values())
