"""Where a question is asked: scopes as people write them, turned into files, folders and parts of files.

A scope is the path of a file or folder, the id of a symbol (`src/app.py:Server.start`), the id of a group of the
feature tree (`feature:…`) or its feature path. Paths come first: a folder is never taken for a feature of the same
name. What is none of these is reported and never guessed.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from lurcher_index.building.updates import place_in
from lurcher_index.features.values import GROUP_PREFIX, FeatureTree, Group, subtree
from lurcher_index.featuring import Featuring, folder_names
from lurcher_index.model import Outline
from lurcher_index.nodes import NodeId, qualified_names, readings
from lurcher_index.store.catalog import FileRow
from lurcher_index.view import View
from lurcher_index.words.filters import Part, Scope


class Scoped(NamedTuple):
    """The place that some scopes name together."""

    scope: Scope
    alerts: tuple[str, ...]
    """Scopes that are nowhere."""


def scope_of(view: View, featuring: Featuring, scopes: Sequence[str]) -> Scoped:
    """The union of some scopes. Only where one may name a feature is the feature tree waited for."""
    collected = _Collected()
    unknown: list[str] = []
    finder = _Finder(view, collected)
    for text in dict.fromkeys(scopes):
        if not (finder.find_path(text) or finder.find_feature(featuring.catch_up(view), text)):
            unknown.append(text)
    alerts = [f"unknown search scope {text!r}: no file, folder, symbol or feature has this name" for text in unknown]
    if unknown and len(unknown) == len(set(scopes)):
        alerts.append("all search scopes are unknown, so nothing was searched")
    return Scoped(collected.scope(), tuple(alerts))


class _Collected:
    """The places found so far."""

    def __init__(self) -> None:
        self.below: set[str] = set()
        self.keys: set[str] = set()
        self.parts: dict[int, Part] = {}

    def add_part(self, part: Part) -> None:
        known = self.parts.get(part.file_id)
        if known is not None:
            total = part.others + len(part.ordinals)
            ordinals = known.ordinals | part.ordinals
            part = Part(part.file_id, part.key, part.content_id, ordinals, total - len(ordinals))
        self.parts[part.file_id] = part

    def scope(self) -> Scope:
        """Everything once: what lies in something larger is part of that."""
        below = [each for each in sorted(self.below) if not self._is_covered(each)]
        keys = frozenset(key for key in self.keys if not self._is_covered(key))
        parts = (part for _, part in sorted(self.parts.items()))
        return Scope(
            tuple(below), keys, tuple(part for part in parts if part.key not in keys and not self._is_covered(part.key))
        )

    def _is_covered(self, key: str) -> bool:
        return any(key.startswith(folder + "/") for folder in self.below)


class _Finder:
    """Looks scopes up in one state of the workspace."""

    def __init__(self, view: View, found: _Collected) -> None:
        self._view = view
        self._found = found
        self._labels = folder_names(view)

    def find_path(self, text: str) -> bool:
        """Whether it is a file, a folder or a symbol; it is added then."""
        for reading in readings(text.strip()):
            for places in self._places(reading.path):
                # All of them: without a folder's name a path is meant wherever it is.
                found = [self._find(folder_id, path, reading) for folder_id, path in places]
                if any(found):
                    return True
        return False

    def _find(self, folder_id: int, path: str, reading: NodeId) -> bool:
        if reading.qualified:
            return self._find_symbol(folder_id, path, reading)
        return self._find_file_or_folder(folder_id, path)

    def find_feature(self, tree: FeatureTree, text: str) -> bool:
        """Whether it is a feature's id or path; everything below it is added then."""
        wanted = text.strip()
        group = tree.groups.get(wanted) if wanted.startswith(GROUP_PREFIX) else tree.by_path(wanted)
        if group is None:
            return False
        for each in subtree(tree, group.id):
            self._add_group(each)
        return True

    def _add_group(self, group: Group) -> None:
        if group.below is None:
            self._found.keys.update(group.files)
        else:
            self._found.below.add(_key(group.folder_id, group.below))

    def _places(self, path: str) -> Iterator[list[tuple[int, str]]]:
        """Folders of the workspace with paths in them: what a written path means, or else what it may mean."""
        if Path(path).is_absolute():
            placed = place_in(Path(path), self._view.workspace.folders)
            yield [(each.folder_id, "") for each in self._view.workspace.folders if each.path == Path(path)]
            yield [(placed[0].folder_id, placed[1])] if placed is not None else []
            return
        plain = path.removeprefix("./").rstrip("/")
        for folder_id, label in self._labels.items():
            if label and (plain == label or plain.startswith(label + "/")):
                yield [(folder_id, plain[len(label) + 1 :])]
        yield [(folder_id, "" if plain == "." else plain) for folder_id in self._labels]

    def _find_file_or_folder(self, folder_id: int, path: str) -> bool:
        if path and self._row(folder_id, path) is not None:
            self._found.keys.add(_key(folder_id, path))
            return True
        if path and not self._is_folder(folder_id, path):
            return False
        self._found.below.add(_key(folder_id, path))
        return True

    def _is_folder(self, folder_id: int, path: str) -> bool:
        if self._view.workspace.catalog.paths_below(folder_id, path):
            return True
        shown = self._view.snapshot.shown.values()
        if any(file.folder.folder_id == folder_id and file.path.startswith(path + "/") for file in shown):
            return True
        on_disk = self._not_indexed_yet(folder_id, path)
        return on_disk is not None and on_disk.is_dir()

    def _find_symbol(self, folder_id: int, path: str, reading: NodeId) -> bool:
        row = self._row(folder_id, path)
        outline = self._view.outline_of(row) if row is not None else None
        if row is None or outline is None:
            return False
        same = [at for at, name in enumerate(qualified_names(outline)) if name == reading.qualified]
        if reading.ordinal > len(same):
            return False
        ordinals = frozenset(_chunks_of(outline, same[reading.ordinal - 1]))
        others = len(outline.chunks) - len(ordinals)
        content_id = row.content_id if row.content_id is not None else row.file_id
        self._found.add_part(Part(row.file_id, _key(folder_id, path), content_id, ordinals, others))
        return True

    def _row(self, folder_id: int, path: str) -> FileRow | None:
        """The row of a file that can be searched, as an editor shows it or as it is on disk."""
        for shown in self._view.snapshot.shown.values():
            if (shown.folder.folder_id, shown.path) == (folder_id, path):
                return self._view.rows([shown.number]).get(shown.number) if shown.held is not None else None
        catalog = self._view.workspace.catalog
        row = catalog.file_at(folder_id, path)
        on_disk = self._not_indexed_yet(folder_id, path) if row is None else None
        if on_disk is not None and on_disk.is_file():
            self._view.workspace.correct([on_disk])
            row = catalog.file_at(folder_id, path)
        return row if row is not None and row.content_id is not None else None

    def _not_indexed_yet(self, folder_id: int, path: str) -> Path | None:
        """Where something is that may be searched elsewhere though the index here does not have it; None if it does."""
        if self._view.workspace.catalog.is_complete() or ".." in path.split("/"):
            return None
        return next((each.path / path for each in self._view.workspace.folders if each.folder_id == folder_id), None)


def _chunks_of(outline: Outline, at: int) -> Iterator[int]:
    """The chunks that hold something of a symbol or of what belongs to it, wherever that stands in the file."""
    members = _members(outline, at)
    ranges = [(outline.symbols[each].start, outline.symbols[each].end) for each in members]
    for ordinal, chunk in enumerate(outline.chunks):
        if any(start < chunk.end and chunk.start < end for start, end in ranges):
            yield ordinal


def _members(outline: Outline, start: int) -> set[int]:
    """A symbol and all that lie in it; each is visited once, whatever a damaged outline says."""
    inside: dict[int, list[int]] = {}
    for at, symbol in enumerate(outline.symbols):
        inside.setdefault(symbol.container, []).append(at)
    found: set[int] = set()
    waiting = [start]
    while waiting:
        at = waiting.pop()
        if at not in found:
            found.add(at)
            waiting += inside.get(at, ())
    return found


def _key(folder_id: int, path: str) -> str:
    return f"{folder_id}/{path}" if path else str(folder_id)
