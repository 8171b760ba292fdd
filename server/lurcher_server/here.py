"""The folder that is meant if none is named."""

from pathlib import Path

from lurcher_index.errors import BadFolder

GONE = "the current folder is no longer there; name another one, or change to it"


def current_folder(gone: str = GONE) -> Path:
    """Where the person, or the program, stands; refused, in these words, if somebody deleted that folder meanwhile."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise BadFolder(gone) from None
