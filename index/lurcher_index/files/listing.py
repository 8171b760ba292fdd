"""What a lister answers with, and the words both listers share."""

import os
import stat
from pathlib import Path
from typing import NamedTuple

from lurcher_index.errors import BadFolder
from lurcher_index.model import Found, Reason, Skip

BAD_NAME = Skip(Reason.UNREADABLE, "its name is not valid UTF-8")


class Listing(NamedTuple):
    """Every file of a folder that is not ignored, sorted by path, and what could not be looked at."""

    files: list[Found]
    skipped: dict[str, Skip]
    """Files whose name is not text and folders that cannot be opened, by path."""
    lister: str
    """Who made the list: "ripgrep" or "walker"."""


def require_folder(folder: Path) -> None:
    """Refuse a folder that is not there, with a text that says what to do."""
    if not folder.is_absolute():
        raise BadFolder(f"the workspace folder {str(folder)!r} is a relative path; give its full path")
    try:
        mode = folder.stat().st_mode
        if stat.S_ISDIR(mode):
            os.scandir(folder).close()
            return
    except OSError as error:
        problem = (error.strerror or str(error)).lower()
        text = f"cannot list the workspace folder {str(folder)!r}: {problem}; check its path and its permissions"
        raise BadFolder(text) from None
    raise BadFolder(f"the workspace folder {str(folder)!r} is not a folder; open the folder that holds it")


def unreadable(number: int | None) -> Skip:
    """An operating system error in words."""
    return Skip(Reason.UNREADABLE, os.strerror(number or 0).lower())


def printable(path: str) -> str | None:
    """The path as it is shown if it is not valid UTF-8; None if it is."""
    if path.isascii():
        return None
    try:
        path.encode()
    except UnicodeEncodeError:
        return os.fsencode(path).decode("utf-8", "backslashreplace")
    return None
