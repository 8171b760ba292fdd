"""Why a file is, or is not, in the index."""

import stat
from pathlib import Path

import msgspec

from lurcher_index.building.scan import Folder
from lurcher_index.building.updates import place_in
from lurcher_index.files.listing import BAD_NAME, printable
from lurcher_index.files.rules import OWN_FILE
from lurcher_index.text.numbers import counted
from lurcher_index.workspace import Workspace


class Explanation(msgspec.Struct, frozen=True):
    """What the index knows of a path, and what to do about it."""

    path: str
    indexed: bool
    reason: str
    """One word or two: "indexed", or why not."""
    detail: str
    """The rule or error behind the reason, in words."""
    hint: str = ""
    """What a person can do if this is not what they want."""
    language: str = ""
    chunks: int = 0
    symbols: int = 0
    masked: int = 0
    folder: str = ""
    """The workspace folder that the path is relative to; empty if it lies in none."""


_HINTS = {
    "ignored": "name its folder in the setting include_ignored (--include-ignored) to index it all the same",
    "excluded": "take the rule out of the setting exclude",
    "too large": "raise the setting max_file_bytes (--max-file-bytes)",
    "minified": "index the source it was made from",
    "secret": "secrets are never indexed",
    "unreadable": "mend its permissions or name, then run `lurcher index`",
    "quarantined": "the file stays out until it changes; please report it",
}


def explain(workspace: Workspace, path: Path) -> Explanation:
    """Look at the index, the rules and the disk, in this order."""
    placed = place_in(path, workspace.folders)
    if placed is None:
        folders = ", ".join(str(folder.path) for folder in workspace.folders)
        return Explanation(str(path), False, "outside", f"it is in none of the workspace's folders: {folders}")
    folder, inside = placed
    return msgspec.structs.replace(_explained(workspace, folder, inside), folder=str(folder.path))


def _explained(workspace: Workspace, folder: Folder, inside: str) -> Explanation:
    if shown := printable(inside):
        return _left_out(shown, BAD_NAME.reason.value, BAD_NAME.detail)
    row = workspace.catalog.file_at(folder.folder_id, inside)
    if row is not None and row.content_id is not None:
        held = workspace.catalog.contents([row.content_id]).get(row.content_id)
        if held is not None:
            outline = held.outline
            detail = outline.note or f"{held.encoding}, {outline.line_count} lines"
            counts = (len(outline.chunks), len(outline.symbols), len(outline.masks))
            return Explanation(inside, True, "indexed", detail, "", outline.language, *counts)
    if row is not None and row.skip is not None:
        return _left_out(inside, row.skip.reason.value, row.skip.detail)
    try:
        status = (folder.path / inside).lstat()
    except (OSError, ValueError) as error:
        return Explanation(inside, False, "missing", f"there is no such file: {error}")
    skip = workspace.rules(folder.path).check(inside, is_dir=stat.S_ISDIR(status.st_mode))
    if skip is not None:
        return _left_out(inside, skip.reason.value, skip.detail)
    return _not_yet(workspace, folder.folder_id, inside, status.st_mode)


def _left_out(path: str, reason: str, detail: str) -> Explanation:
    hint = _HINTS.get(reason, "")
    if OWN_FILE in detail:
        hint = f"take the rule out of {OWN_FILE}, which nothing overrides"
    return Explanation(path, False, reason, detail, hint)


def _not_yet(workspace: Workspace, folder_id: int, path: str, mode: int) -> Explanation:
    if stat.S_ISDIR(mode):
        count = len(workspace.catalog.paths_below(folder_id, path))
        return Explanation(path, count > 0, "folder", f"the index knows {counted(count, 'file')} below it")
    if stat.S_ISLNK(mode):
        return Explanation(
            path, False, "link", "links are not followed; the file it points to is indexed where it lies"
        )
    if not stat.S_ISREG(mode):
        return Explanation(path, False, "special", "it is a socket, pipe or device, not a file with text")
    return Explanation(path, False, "not indexed yet", "no build has seen it so far", "index the workspace")
