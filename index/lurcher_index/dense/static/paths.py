"""The part of a path that says what a file is about."""

KEPT_FOLDERS = 2
"""Folders next to the file that count; those further up are the same for most of a tree."""

GENERIC_FOLDERS = frozenset(
    "src lib main java kotlin scala php usr share source sources include pkg package packages org com net io"
    " github.com . ..".split()
)
"""Folders that say nothing about what is in them."""


def path_words(path: bytes) -> bytes:
    """The last telling folders of a path and the name of the file without its ending, separated by blanks."""
    *folders, name = path.replace(b"\\", b"/").split(b"/")
    stem = name.rpartition(b".")[0] or name
    telling = [folder for folder in folders if folder.lower() not in _GENERIC]
    return b" ".join((*telling[-KEPT_FOLDERS:], stem))


_GENERIC = frozenset(folder.encode() for folder in GENERIC_FOLDERS)
