"""The folder that a command is about if none is named."""

from pathlib import Path

from lurcher_index.errors import BadFolder


def current_folder() -> Path:
    """Where the person stands; refused if somebody deleted that folder meanwhile."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise BadFolder("the current folder is no longer there; name another one, or change to it") from None
