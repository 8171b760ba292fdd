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
    """Refuse a folder that is not there or cannot be opened, with a text that says what to do."""
    problem = problem_with(folder)
    if problem:
        raise BadFolder(problem)


def problem_with(folder: Path) -> str:
    """Why a workspace folder cannot be listed, and what to do; empty if it can. Nothing is known of its files then."""
    if not folder.is_absolute():
        return f"the workspace folder {str(folder)!r} is a relative path; give its full path"
    try:
        if not stat.S_ISDIR(folder.stat().st_mode):
            return f"the workspace folder {str(folder)!r} is not a folder; open the folder that holds it"
        # The right to list names is one, the right to look at what they name another.
        os.stat(os.path.join(folder, "."))  # noqa: PTH116, PTH118 - a `Path` drops the dot
        os.scandir(folder).close()
    except OSError as error:
        problem = (error.strerror or str(error)).lower()
        return f"cannot list the workspace folder {str(folder)!r}: {problem}; check its path and its permissions"
    return ""


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
