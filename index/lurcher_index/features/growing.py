"""Grows the feature tree: areas, categories and subcategories out of folders, and out of communities where a folder is
flat or large. The same files give the same tree, whatever was there before; only what changed is worked out anew."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from itertools import groupby

import msgspec

from lurcher_index.features.communities import communities
from lurcher_index.features.folders import Folder, Opened, folder_tree, is_code, opened, opened_root
from lurcher_index.features.labels import (
    Names,
    Words,
    folder_label,
    made_label,
    names_in,
    strongest,
    telling,
    unique,
    words_in,
)
from lurcher_index.features.likeness import ties, words_of
from lurcher_index.features.values import GROUP_PREFIX, FeatureTree, Group, TreeFile

LEVELS = 3
"""Levels of groups above the files: area, category, subcategory, as the paper behind the idea has them."""

FLAT_FILES = 12
"""Files of code beside each other that are still read at a glance; more are divided. Tuned by eye on ten trees."""

LARGE_FILES = 40
"""Files of a community that is divided once more."""

ID_BYTES = 5
"""Random-looking bytes of an id: two of ten thousand groups are the same with a chance of one in 20,000, and then the
later one gets another."""

SPARE = 4
"""Results of folders that are remembered for each group, at most: those of folders that are gone are dropped then."""

PROJECT = "project files"
"""Documents and settings at the top of a project: its readme, its licence, how it is built."""


LOOSE = "loose files"
"""Names the group of a project's files of code that are in no other, for its id; its label is made of its words."""


class Branch(msgspec.Struct, frozen=True, gc=False):
    """A group with those below it. It does not know its own label, which depends on its neighbours."""

    id: str
    name: str
    """What its label shall be; empty if it has to be made of its words."""
    home: str
    """The folder it comes from."""
    below: str | None
    loose: tuple[TreeFile, ...]
    branches: "tuple[Branch, ...]"
    labels: tuple[str, ...]
    """Of the branches, as they stand beside each other."""
    terms: tuple[tuple[str, ...], ...]
    """What else sets the branches apart."""
    words: Words
    names: Names
    """The words of the names of its files."""
    size: int


class Grower:
    """Keeps what was worked out of each folder until its files change. Not thread-safe."""

    def __init__(self, breathe: Callable[[], object] = lambda: None) -> None:
        """Nothing is known yet. `breathe` is called every few milliseconds of work."""
        self._breathe = breathe
        self._known: dict[tuple[object, ...], tuple[int, Branch]] = {}
        self._fresh: dict[tuple[object, ...], tuple[int, Branch]] = {}

    def grown(self, files: Iterable[TreeFile], names: dict[int, str]) -> FeatureTree:
        """The tree over some files, which come in the order of folders; `names` are those of the workspace folders."""
        self._fresh = {}
        trunks = [
            self._trunk(number, list(own), names.get(number, ""), 1 if len(names) < 2 else 2)
            for number, own in groupby(files, key=lambda file: file.folder_id)
        ]
        # What lies in a folder that did not change was not looked at, and is wanted again when it does change.
        self._known |= self._fresh
        tree = _flattened(trunks[0] if len(names) < 2 and trunks else _branch("", "", "", None, (), trunks))
        if len(self._known) > SPARE * (len(tree.groups) + 1):
            self._known = self._fresh
        return tree

    def _trunk(self, folder_id: int, files: Sequence[TreeFile], name: str, level: int) -> Branch:
        """All of a workspace folder."""
        root = folder_tree(files)
        content = opened_root(root)
        branches = [self._grown(folder, folder_id, level) for folder in content.folders]
        about = sorted(file for loose in content.loose.values() for file in loose if not is_code(file))
        if len(about) > 1:
            content.loose = {home: [file for file in loose if is_code(file)] for home, loose in content.loose.items()}
            branches.append(_branch(_id(folder_id, "", PROJECT), PROJECT, "", None, about, ()))
        divided, rest = self._divided(content, folder_id, level)
        few = [file for file in rest if is_code(file)]
        if len(few) > 1:
            # The heart of a small library often lies at its top, and shall have a feature path too.
            divided.append(_branch(_id(folder_id, "", LOOSE), "", "", None, few, ()))
            rest = [file for file in rest if not is_code(file)]
        return _branch(_id(folder_id, "", ""), name, "", "", rest, (*branches, *divided))

    def _grown(self, folder: Folder, folder_id: int, level: int) -> Branch:
        key, signature = (folder_id, folder.path, level), _signature(folder.below())
        known = self._known.get(key)
        if known is None or known[0] != signature:
            self._breathe()
            known = (signature, self._new(folder, folder_id, level))
        self._fresh[key] = known
        return known[1]

    def _new(self, folder: Folder, folder_id: int, level: int) -> Branch:
        name, number = folder_label(folder.name), _id(folder_id, folder.path, "")
        if level == LEVELS:
            return _branch(number, name, folder.path, folder.path, list(folder.below()), ())
        content = opened(folder)
        while not content.loose and len(content.folders) == 1:
            content = opened(content.folders[0])
        branches = [self._grown(inner, folder_id, level + 1) for inner in content.folders]
        divided, rest = self._divided(content, folder_id, level + 1)
        return _branch(number, name, folder.path, folder.path, rest, (*branches, *divided))

    def _divided(self, content: Opened, folder_id: int, level: int) -> tuple[list[Branch], list[TreeFile]]:
        """The loose files of a folder as communities, if they are many, and those that belong to none."""
        branches: list[Branch] = []
        rest: list[TreeFile] = []
        for home in sorted(content.loose):
            code = [file for file in content.loose[home] if is_code(file)]
            rest += [file for file in content.loose[home] if not is_code(file)]
            if len(code) <= FLAT_FILES:
                rest += code
                continue
            found, alone = self._communities(code, folder_id, home, level, "")
            branches += found
            rest += alone
        return branches, sorted(rest)

    def _communities(
        self, files: Sequence[TreeFile], folder_id: int, home: str, level: int, whole: str
    ) -> tuple[list[Branch], list[TreeFile]]:
        """Files of one folder, or of the community `whole` of it, as communities, and those that are alone."""
        key, signature = ("divided", folder_id, home, level, whole), _signature(files)
        known = self._known.get(key)
        if known is None or known[0] != signature:
            self._breathe()
            tied = ties(files)
            groups = [[files[at] for at in group] for group in communities(tied)]
            degrees = {file.path: sum(row.values()) for file, row in zip(files, tied, strict=True)}
            alone = [group[0] for group in groups if len(group) == 1]
            several = [group for group in groups if len(group) > 1]
            if len(several) < 2:
                several, alone = [], list(files)
            branches = [self._community(group, degrees, folder_id, home, level) for group in several]
            known = (signature, _branch("", "", home, None, alone, branches))
        self._fresh[key] = known
        return list(known[1].branches), list(known[1].loose)

    def _community(
        self, files: Sequence[TreeFile], degrees: dict[str, float], folder_id: int, home: str, level: int
    ) -> Branch:
        anchor = min(files, key=lambda file: (-round(degrees[file.path], 6), file.path)).path
        number = _id(folder_id, home, anchor)
        if len(files) <= LARGE_FILES or level >= LEVELS:
            return _branch(number, "", home, None, files, ())
        branches, alone = self._communities(files, folder_id, home, level + 1, number)
        return _branch(number, "", home, None, alone, branches)


def _branch(
    number: str,
    name: str,
    home: str,
    below: str | None,
    loose: Sequence[TreeFile],
    branches: Sequence[Branch],
) -> Branch:
    labels, terms = _labelled(loose, branches)
    return Branch(
        id=number,
        name=name,
        home=home,
        below=below,
        loose=tuple(loose),
        branches=tuple(branches),
        labels=labels,
        terms=terms,
        words=words_in(loose, (branch.words for branch in branches)),
        names=names_in(loose) | {word: None for branch in branches for word in branch.names},
        size=len(loose) + sum(branch.size for branch in branches),
    )


def _labelled(
    loose: Sequence[TreeFile], branches: Sequence[Branch]
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Labels of some groups that stand beside each other, and what else sets them apart."""
    if not branches:
        return (), ()
    around = Counter([word for file in loose for word in words_of(file)])
    for branch in branches:
        around.update(branch.words)
    size = len(loose) + sum(branch.size for branch in branches)
    ranked = [strongest(branch.words, branch.names, branch.size, around, size) for branch in branches]
    names = [
        branch.name or made_label(best) or folder_label(_shared_folder(branch.loose)) or "files"
        for branch, best in zip(branches, ranked, strict=True)
    ]
    labels = unique(names, [branch.home for branch in branches])
    return tuple(labels), tuple(telling(best, label) for best, label in zip(ranked, labels, strict=True))


def _flattened(whole: Branch) -> FeatureTree:
    """All groups with their paths; what holds them all is none itself."""
    groups: dict[str, Group] = {}
    group_of: dict[str, str] = {}
    areas = _flatten(whole, "", 1, groups, group_of)
    files = tuple(file.key for file in whole.loose)
    return FeatureTree(areas, files, groups, group_of | dict.fromkeys(files, ""))


# Not a function within the one above: that would hold itself, and with it all of the tree until the garbage collector
# comes, which then stops everything for 20 ms and more.
def _flatten(
    branch: Branch, above: str, level: int, groups: dict[str, Group], group_of: dict[str, str]
) -> tuple[str, ...]:
    """Add the groups below a branch; answers which stand right below it, the largest first."""
    numbers: list[str] = []
    for inner, label, terms in zip(branch.branches, branch.labels, branch.terms, strict=True):
        number = inner.id
        while number in groups:
            number += "2"
        keys = tuple([file.key for file in inner.loose])
        path = f"{above}/{label}" if above else label
        group = Group(number, label, path, terms, level, inner.size, _folder_of(inner), inner.below, keys, ())
        # Its place is taken before the groups below come, so that areas stand before what they hold.
        groups[number] = group
        if inner.branches:
            below = _flatten(inner, path, level + 1, groups, group_of)
            groups[number] = msgspec.structs.replace(group, groups=below)
        group_of.update(dict.fromkeys(keys, number))
        numbers.append(number)
    order = sorted(range(len(numbers)), key=lambda at: (-branch.branches[at].size, branch.labels[at]))
    return tuple(numbers[at] for at in order)


def _shared_folder(files: Sequence[TreeFile]) -> str:
    """The name of the innermost folder that all files are in."""
    parts = [file.path.split("/")[:-1] for file in files]
    shared = [column[0] for column in zip(*parts, strict=False) if len(set(column)) == 1]
    return shared[-1] if shared else ""


def _folder_of(branch: Branch) -> int:
    while not branch.loose:
        branch = branch.branches[0]
    return branch.loose[0].folder_id


def _id(folder_id: int, home: str, anchor: str) -> str:
    name = "\0".join((str(folder_id), home, anchor)).encode("utf-8", "surrogateescape")
    return GROUP_PREFIX + blake2b(name, digest_size=ID_BYTES).hexdigest()


def _signature(files: Iterable[TreeFile]) -> int:
    return hash(tuple([(file.path, file.number) for file in files]))
