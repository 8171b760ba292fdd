"""Ids of files, folders and symbols that a person can read and write: `src/app.py`, `src/app.py:Server.start#2`."""

from collections import Counter
from collections.abc import Sequence

import msgspec

from lurcher_index.model import Outline

MAX_ID_CHARACTERS = 4_096
"""Longest id that is looked at: the longest path there can be, nearly; what is longer names nothing."""

MAX_READINGS = 64
"""Ways in which one id is read at most. Each colon in it gives two; real ones have one or two colons."""


class NodeId(msgspec.Struct, frozen=True):
    """One reading of an id."""

    path: str
    """Of a file or folder, with forward slashes; the folder's label first if the workspace has more than one."""
    qualified: str = ""
    """Outer names and the symbol's own, joined by dots; empty for a file or folder."""
    ordinal: int = 1
    """Which of the definitions of that name in the file, counted from 1 in the order of the text."""


def format_node(path: str, qualified: str = "", ordinal: int = 1) -> str:
    """The id of a file or folder, or of a symbol in a file."""
    if not qualified:
        return path
    return f"{path}:{qualified}" if ordinal <= 1 else f"{path}:{qualified}#{ordinal}"


def readings(text: str) -> list[NodeId]:
    """All ways to read an id, those with the longest path first: names and paths may hold colons themselves.

    Which one is meant is known by whoever knows the files. A text that can be no id has none.
    """
    if not text or len(text) > MAX_ID_CHARACTERS or not is_text(text):
        return []
    found = [NodeId(text)]
    at = text.rfind(":")
    while at > 0 and len(found) < MAX_READINGS:
        path, rest = text[:at], text[at + 1 :]
        if rest:
            found.append(NodeId(path, rest))
            name, mark, number = rest.rpartition("#")
            if mark and name and _is_ordinal(number):
                found.append(NodeId(path, name, int(number)))
        at = text.rfind(":", 0, at)
    return found


def is_text(text: str) -> bool:
    """Whether a text can be written down; half of a pair of surrogates, which JSON can carry, cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def qualified_names(outline: Outline) -> list[str]:
    """For each symbol of an outline its outer names and its own, joined by dots."""
    names: list[str] = []
    for at, symbol in enumerate(outline.symbols):
        names.append(".".join((*outer_names(outline, at), symbol.name)))
    return names


def outer_names(outline: Outline, at: int) -> tuple[str, ...]:
    """The names of what a symbol lies in, outermost first; the type it belongs to may be in another file."""
    outer: list[str] = []
    seen = {at}
    while True:
        if outline.symbols[at].owner:
            outer.append(outline.symbols[at].owner)
        above = outline.symbols[at].container
        # A type may stand below its methods, so containers need not come first; damage must not run in a circle.
        if not 0 <= above < len(outline.symbols) or above in seen:
            break
        outer.append(outline.symbols[above].name)
        seen.add(above)
        at = above
    return tuple(reversed(outer))


def innermost(outline: Outline | None, first: int, last: int) -> int:
    """The innermost definition that some lines lie in, -1 for none; that of a definition is itself."""
    best, size = -1, 0
    for at, symbol in enumerate(outline.symbols if outline else ()):
        lines = symbol.last_line - symbol.first_line
        if symbol.first_line <= first and last <= symbol.last_line and (best < 0 or lines <= size):
            best, size = at, lines
    return best


def symbol_ids(path: str, outline: Outline) -> list[str]:
    """The id of each symbol of a file."""
    seen: Counter[str] = Counter()
    found: list[str] = []
    for qualified in qualified_names(outline):
        seen[qualified] += 1
        found.append(format_node(path, qualified, seen[qualified]))
    return found


def symbol_id(path: str, outline: Outline, at: int) -> str:
    """The id of one symbol, without making those of all others."""
    name = outline.symbols[at].name
    qualified = ".".join((*outer_names(outline, at), name))
    before = [other for other in range(at) if outline.symbols[other].name == name]
    same = sum(".".join((*outer_names(outline, other), name)) == qualified for other in before)
    return format_node(path, qualified, same + 1)


def folder_labels(names: Sequence[str]) -> list[str]:
    """What stands before the paths of each workspace folder: nothing if there is one, else its name, made unique."""
    if len(names) < 2:
        return [""] * len(names)
    labels: list[str] = []
    taken = Counter(names)
    for name in names:
        label, number = name or "folder", 2
        while label in labels or (label != name and taken[label]):
            label, number = f"{name or 'folder'}-{number}", number + 1
        labels.append(label)
    return labels


def labelled(label: str, path: str) -> str:
    """A path as ids have it."""
    return f"{label}/{path}" if label else path


def _is_ordinal(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 9 and text[0] != "0" and text != "1"
