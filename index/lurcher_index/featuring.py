"""The feature tree of one workspace, kept up to date in the background, and what people see of it."""

import threading
import time
from collections.abc import Hashable, Mapping
from typing import Literal, NamedTuple

import msgspec

from lurcher_index.errors import StoreError
from lurcher_index.features.digests import Digest, Digests, unpack_phrases
from lurcher_index.features.growing import Grower
from lurcher_index.features.modules import Modules
from lurcher_index.features.phrases import FEATURED, file_phrase, phrase_of
from lurcher_index.features.values import FeatureTree, Group, TreeFile
from lurcher_index.nodes import folder_labels, labelled, outer_names, symbol_ids
from lurcher_index.store.catalog import FileRow
from lurcher_index.view import View
from lurcher_index.workspace import Workspace

REST = 30
"""How many times as long as it worked the refreshing of the tree rests: 3 % of the time at most. A tree of 18,000 files
takes 0.1 s after an edit, during which answers are held up."""

REST_WHILE_BUILT = 300
"""The same while the index is built for the first time: every commit brings files, and a tree of some of them is worth
little of the time that people search in."""

BATCH_DIGESTS = 20_000
"""Digests read at a time, about 5 MB."""

DIGESTS_AT_ONCE = 100
"""Digests unpacked between two breaths: a few milliseconds."""


class FeatureNode(msgspec.Struct, frozen=True, kw_only=True):
    """A group, file or definition of the tree, as it is shown."""

    id: str
    """`feature:…` of a group, else the node id: a path, or a path and a name."""
    kind: str
    """`area`, `category`, `subcategory`, `file`, or the kind of the definition."""
    label: str
    feature: str = ""
    """What it is for: a verb and an object; for a group the words that set it apart."""
    feature_path: str
    """The labels of the groups it lies in, and its own if it is a group."""
    files: int = 1
    """Files in it."""
    folder: str = ""
    path: str = ""
    """Of a file or definition, or of the folder that a group is made of; relative to `folder`."""
    first_line: int | None = None
    last_line: int | None = None
    children: "tuple[FeatureNode, ...]" = ()


class TreeListing(msgspec.Struct, frozen=True):
    """The tree, or the part of it that was asked for."""

    files: int
    groups: int
    nodes: tuple[FeatureNode, ...]
    unknown: str = ""
    """What was asked for and is nowhere."""


class _Grown(NamedTuple):
    """A tree with what it grew from."""

    generation: Hashable
    tree: FeatureTree
    files: list[TreeFile]


class Featuring:
    """Holds the tree. `tree_now` never waits; `catch_up` brings the tree up to date and may take a while."""

    def __init__(self, workspace: Workspace) -> None:
        """Nothing is read before somebody asks."""
        self._rested_since = 0.0
        self._worked_seconds = 0.0
        self.workspace = workspace
        self._digests = Digests()
        self._known: dict[int, Digest] = {}
        self._last_content = 0
        self._grower = Grower(self._breathe)
        self._turn = threading.Lock()
        self._counting = threading.Lock()
        self._grown: _Grown | None = None
        self._modules: tuple[FeatureTree, Modules] | None = None
        self._refreshing = False
        self._awaited = 0

    @property
    def tree_now(self) -> FeatureTree | None:
        """The tree as it was when it was last looked at; None before the first time."""
        return self._grown.tree if self._grown else None

    def modules_now(self) -> Modules | None:
        """The groups of `tree_now` as modules that questions are about; made when first asked for."""
        grown = self._grown
        if grown is None:
            return None
        made = self._modules
        if made is None or made[0] is not grown.tree:
            made = self._modules = (grown.tree, Modules(grown.tree, {each.key: each.digest for each in grown.files}))
        return made[1]

    def catch_up(self, view: View) -> FeatureTree:
        """The tree of a view. Blocks; what was worked out before is used again where no file has changed."""
        with self._counting:
            self._awaited += 1
        try:
            return self._caught_up(view)
        finally:
            with self._counting:
                self._awaited -= 1

    def _caught_up(self, view: View) -> FeatureTree:
        with self._turn:
            generation = view.snapshot.generation
            if self._grown is None or self._grown.generation != generation:
                files = self._files(view)
                self._grown = _Grown(generation, self._grower.grown(files, folder_names(view)), files)
            return self._grown.tree

    def refresh_behind(self, view: View) -> None:
        """Have the tree brought up to date by a thread of its own, unless it is up to date or one is at it.

        While somebody types, every answer is about another state; the tree follows at its leisure, so that it takes no
        more than a small share of the time.
        """
        is_current = self._grown is not None and self._grown.generation == view.snapshot.generation
        if self._refreshing or is_current:
            return
        rest = REST if self.workspace.catalog.is_complete() else REST_WHILE_BUILT
        if time.monotonic() < self._rested_since + rest * self._worked_seconds:
            return
        self._refreshing = True
        threading.Thread(target=self._refresh, args=(view,), name="lurcher-features", daemon=True).start()

    def _refresh(self, view: View) -> None:
        try:
            self._caught_up(view)
        except StoreError:
            pass  # Closed, or damaged and soon replaced: answers do without.
        finally:
            # The thread has done nothing else, and its waiting is no work.
            self._rested_since, self._worked_seconds = time.monotonic(), time.thread_time()
            self._refreshing = False

    def _breathe(self) -> None:
        """Unless somebody waits for the tree itself, who is served comes first."""
        if not self._awaited:
            self.workspace.courtesy.step_back()

    def _files(self, view: View) -> list[TreeFile]:
        """All files with what is known of them, unsaved documents in place of what is on disk."""
        catalog = self.workspace.catalog
        while batch := catalog.digests_after(self._last_content, BATCH_DIGESTS):
            for at in range(0, len(batch), DIGESTS_AT_ONCE):
                self._breathe()
                self._known |= {
                    number: self._digests.read(packed) for number, packed in batch[at : at + DIGESTS_AT_ONCE]
                }
            self._last_content = batch[-1][0]
        shown = {(file.folder.folder_id, file.path): file for file in view.snapshot.shown.values()}
        folders = folder_names(view)
        placed = catalog.placed_contents()
        # A file that has an earlier content again, such as after a branch was switched back.
        again = {number for _, _, number in placed} - self._known.keys()
        self._known |= {number: self._digests.read(packed) for number, packed in catalog.digests(again).items()}
        files = [
            TreeFile(folder_id, path, number, self._known[number])
            for folder_id, path, number in placed
            if (folder_id, path) not in shown and folder_id in folders and number in self._known
        ]
        files += [
            TreeFile(folder_id, path, file.number, self._digests.read(file.content.digest))
            for (folder_id, path), file in shown.items()
            if file.content is not None
        ]
        used = {file.number for file in files}
        if len(self._known) > 2 * len(used):
            self._known = {number: digest for number, digest in self._known.items() if number in used}
        return sorted(files) if shown else files


def folder_names(view: View) -> dict[int, str]:
    """The name of each workspace folder, made unique, by number. The only one has none."""
    folders = view.workspace.folders
    labels = folder_labels([folder.path.name for folder in folders])
    return {folder.folder_id: label for folder, label in zip(folders, labels, strict=True)}


def listing(view: View, tree: FeatureTree, target: str = "", depth: int | None = None) -> TreeListing:
    """The tree or the part that a target names: a group's id or feature path, a folder, a file.

    Without a depth the whole tree shows its groups, and a part of it everything down to the files; a file shows its
    definitions.
    """
    lister = _Lister(view, tree)
    count = len(tree.group_of), len(tree.groups)
    if not target.strip("/ "):
        with_files = depth is not None
        return TreeListing(*count, lister.top(depth or len(tree.groups) + 1, with_files))
    found = lister.target(target.strip(), depth)
    return TreeListing(*count, found) if found else TreeListing(*count, (), target)


_LEVELS: Mapping[int, Literal["area", "category", "subcategory"]] = {1: "area", 2: "category", 3: "subcategory"}


class _Lister:
    """Turns the parts of a tree into what is shown."""

    def __init__(self, view: View, tree: FeatureTree) -> None:
        self._view = view
        self._tree = tree
        self._labels = folder_names(view)
        self._folders = {folder.folder_id: str(folder.path) for folder in view.workspace.folders}
        self._seen: set[str] = set()

    def top(self, depth: int, with_files: bool) -> tuple[FeatureNode, ...]:
        groups = [self._group(number, depth - 1, with_files) for number in self._tree.areas]
        files = [self._file(key, depth - 1) for key in self._tree.files] if with_files else []
        return (*groups, *files)

    def target(self, text: str, depth: int | None) -> tuple[FeatureNode, ...]:
        group = self._tree.groups.get(text)
        if group is None:
            keys = self._keys_at(text)
            if len(keys) == 1 and self._id(keys[0]) == text.strip("/"):
                return (self._file(keys[0], 1 if depth is None else depth),)
            group = self._of_folder(text) or self._tree.by_path(text)
            if group is None:
                return tuple(self._file(key, 0 if depth is None else depth - 1) for key in keys)
        return (self._group(group.id, len(self._tree.groups) + 1 if depth is None else depth, True, depth is None),)

    def _keys_at(self, text: str) -> list[str]:
        """Keys of the files at or below a path as ids have it."""
        path = text.strip("/")
        return [key for key in self._tree.group_of if self._id(key) == path or self._id(key).startswith(path + "/")]

    def _of_folder(self, text: str) -> Group | None:
        path = text.strip("/")
        groups = self._tree.groups.values()
        return next(
            (g for g in groups if g.below and labelled(self._labels.get(g.folder_id, ""), g.below) == path), None
        )

    def _group(self, number: str, depth: int, with_files: bool, only_files: bool = False) -> FeatureNode:
        group = self._tree.groups[number]
        children: list[FeatureNode] = []
        if depth > 0 and number not in self._seen:
            self._seen.add(number)
            children = [self._group(each, depth - 1, with_files, only_files) for each in group.groups]
            if with_files:
                children += [self._file(key, 0 if only_files else depth - 1) for key in group.files]
        return FeatureNode(
            id=group.id,
            kind=_LEVELS.get(group.level, "subcategory"),
            label=group.label,
            feature=", ".join(group.terms),
            feature_path=group.path,
            files=group.size,
            folder=self._folders.get(group.folder_id, ""),
            path=group.below or "",
            children=tuple(children),
        )

    def _file(self, key: str, depth: int) -> FeatureNode:
        folder_id, path = _parted(key)
        row = self._row(folder_id, path)
        path_of_groups = self._tree.path_of(key) or ""
        return FeatureNode(
            id=self._id(key),
            kind="file",
            label=path.rpartition("/")[2],
            feature=file_feature(self._view, row) if row is not None else file_phrase(path),
            feature_path=path_of_groups,
            folder=self._folders.get(folder_id, ""),
            path=path,
            children=self._symbols(row, self._id(key), path_of_groups) if row is not None and depth > 0 else (),
        )

    def _symbols(self, row: FileRow, node: str, path_of_groups: str) -> tuple[FeatureNode, ...]:
        """The definitions of a file, each below the one that it lies in."""
        outline = self._view.outline_of(row)
        if outline is None:
            return ()
        ids, phrases = symbol_ids(node, outline), symbol_features(self._view, row)
        below: dict[int, list[int]] = {}
        for at in phrases:
            above = outline.symbols[at].container
            while above >= 0 and above not in phrases and outline.symbols[above].container < above:
                above = outline.symbols[above].container
            below.setdefault(above if above in phrases and above != at else -1, []).append(at)

        def node_of(at: int, seen: frozenset[int]) -> FeatureNode:
            symbol = outline.symbols[at]
            inner = () if at in seen else tuple(node_of(each, seen | {at}) for each in below.get(at, ()))
            return FeatureNode(
                id=ids[at],
                kind=symbol.kind.value,
                label=symbol.name,
                feature=phrases[at],
                feature_path=path_of_groups,
                folder=str(self._view.folder_of(row)),
                path=row.path,
                first_line=symbol.first_line,
                last_line=symbol.last_line,
                children=inner,
            )

        return tuple(node_of(at, frozenset()) for at in below.get(-1, ()))

    def _row(self, folder_id: int, path: str) -> FileRow | None:
        shown = self._view.workspace.overlay.file_at(folder_id, path)
        if shown is not None and shown.number in self._view.snapshot.shown:
            return self._view.rows([shown.number]).get(shown.number)
        return self._view.workspace.catalog.file_at(folder_id, path)

    def _id(self, key: str) -> str:
        folder_id, path = _parted(key)
        return labelled(self._labels.get(folder_id, ""), path)


def file_feature(view: View, row: FileRow) -> str:
    """What a file is for."""
    shown = view.snapshot.shown.get(row.file_id)
    if shown is not None:
        packed = shown.content.digest if shown.content else b""
    elif row.content_id is not None:
        packed = view.workspace.catalog.digests([row.content_id]).get(row.content_id, b"")
    else:
        packed = b""
    return file_phrase(row.path, Digests().read(packed).phrase)


def symbol_features(view: View, row: FileRow) -> dict[int, str]:
    """What each definition of a file is for, by its number in the outline; parts and data have no feature."""
    outline = view.outline_of(row)
    if outline is None:
        return {}
    shown = view.snapshot.shown.get(row.file_id)
    if shown is not None:
        packed = shown.content.phrases if shown.content else b""
    else:
        packed = view.workspace.catalog.phrases([row.content_id or 0]).get(row.content_id or 0, b"")
    stored = unpack_phrases(packed)
    return {
        at: phrase_of(symbol.name, symbol.kind, ".".join(outer_names(outline, at)), row.path, stored.get(at, ""))
        for at, symbol in enumerate(outline.symbols)
        if symbol.kind in FEATURED
    }


def _parted(key: str) -> tuple[int, str]:
    number, _, path = key.partition("/")
    return int(number), path
