"""The folder that is meant if none is named, and what names none."""

from argparse import ArgumentTypeError
from pathlib import Path

from lurcher_index.errors import BadFolder

GONE = "the current folder is no longer there; name another one, or change to it"


def current_folder(gone: str = GONE) -> Path:
    """Where the person, or the program, stands; refused, in these words, if somebody deleted that folder meanwhile."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise BadFolder(gone) from None


def folder_name(typed: str) -> str:
    """A folder as it was typed. As a path an empty name, as of a variable that is not set, would be the current one."""
    if not typed:
        raise ArgumentTypeError("an empty name is no folder; leave it out if you mean the current one")
    return typed
