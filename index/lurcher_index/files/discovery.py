"""Every file of a workspace folder that is not ignored: by ripgrep, or by the walker when ripgrep cannot."""

import logging
from pathlib import Path

from lurcher_index.config import Settings
from lurcher_index.files.listing import Listing, require_folder
from lurcher_index.files.ripgrep import ListFailed, find_ripgrep, list_files
from lurcher_index.files.walker import walk

__all__ = ["Listing", "discover", "walk"]

_log = logging.getLogger(__name__)


def discover(folder: Path, settings: Settings) -> Listing:
    """List `folder`, sorted by path. Files with secret names are listed: the reader refuses them with a reason."""
    require_folder(folder)
    listing = _listed(folder, settings)
    # What went away while it was listed is known in part at best.
    require_folder(folder)
    return listing


def _listed(folder: Path, settings: Settings) -> Listing:
    program = find_ripgrep() if settings.use_ripgrep else None
    if program is None:
        return walk(folder, settings)
    try:
        return list_files(program, folder, settings)
    except ListFailed as error:
        _log.warning("%s is listed by the slower walker: %s", folder, error)
        return walk(folder, settings)
