"""What was kept out of the index, and which secrets were masked: rules and places, never the secrets."""

import msgspec

from lurcher_index.nodes import folder_labels, labelled
from lurcher_index.workspace import Workspace


class LeftOut(msgspec.Struct, frozen=True):
    """A file that is not in the index."""

    path: str
    reason: str
    rule: str


class Masked(msgspec.Struct, frozen=True):
    """A secret inside an indexed file that was replaced by asterisks before anything was stored."""

    path: str
    line: int
    rule: str


class Audit(msgspec.Struct, frozen=True):
    """Everything that is deliberately not in the index. Files that ignore rules cover are never even listed."""

    left_out: tuple[LeftOut, ...]
    masked: tuple[Masked, ...]


def audit(workspace: Workspace) -> Audit:
    """Go over the whole index."""
    left_out: list[LeftOut] = []
    masked: list[Masked] = []
    folders = workspace.folders
    labels = folder_labels([folder.path.name for folder in folders])
    label_of = {folder.folder_id: label for folder, label in zip(folders, labels, strict=True)}
    for row in workspace.catalog.all_files():
        if row.folder_id not in label_of:
            continue
        path = labelled(label_of[row.folder_id], row.path)
        if row.skip is not None:
            left_out.append(LeftOut(path, row.skip.reason.value, row.skip.detail))
        elif row.content_id is not None:
            held = workspace.catalog.contents([row.content_id]).get(row.content_id)
            masked += [Masked(path, mask.line, mask.rule) for mask in (held.outline.masks if held else ())]
    return Audit(tuple(left_out), tuple(masked))
