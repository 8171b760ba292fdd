"""Which files of a commit belong into an index: those that a local index of a clean checkout would read."""

import tempfile
from collections import Counter
from pathlib import Path

import msgspec

from lurcher_index.config import Settings
from lurcher_index.errors import HistoryError
from lurcher_index.files.layers import Place
from lurcher_index.files.repository import MAX_RULE_FILE_BYTES
from lurcher_index.files.rules import RULE_FILES, IgnoreRules
from lurcher_index.files.secrets import secret_file
from lurcher_index.history.git import Git
from lurcher_index.model import Reason
from lurcher_index.publishing.source import Entry, Source, tree_of

MAX_RULES_BYTES = 64 << 20
"""Most bytes of all ignore files of a commit; a small tree can be made to hold the same one without end."""

LINK = "symbolic link"
SUBMODULE = "submodule"
UNNAMEABLE = "name that cannot be used"
"""Why a commit's entry is left out, beside the reasons that every index has."""


class Selection(msgspec.Struct, frozen=True):
    """The files to be read, and how many were left out for which reason."""

    files: tuple[Entry, ...]
    skipped: dict[str, int]


def select(source: Source, settings: Settings) -> Selection:
    """Apply the commit's own ignore rules and what needs no look into the files: their names and sizes.

    What is ignored on this machine alone, by a file above the repository or in its `.git`, is no part of the commit.
    """
    tree = tree_of(source)
    skipped = Counter({LINK: tree.links, SUBMODULE: tree.submodules, UNNAMEABLE: tree.unnameable})
    files: list[Entry] = []
    with tempfile.TemporaryDirectory(prefix="lurcher-") as scratch:
        folder = Path(scratch).resolve()
        _write_rules(source.git, [each for each in tree.files if _is_rule_file(each.path)], folder)
        rules = IgnoreRules(folder, settings, Place(folder, None))
        for entry in tree.files:
            reason = _left_out(entry, rules, settings)
            if reason is None:
                files.append(entry)
            else:
                skipped[reason.value] += 1
    return Selection(tuple(files), dict(+skipped))


def _is_rule_file(path: str) -> bool:
    return path.rpartition("/")[2] in RULE_FILES


def _left_out(entry: Entry, rules: IgnoreRules, settings: Settings) -> Reason | None:
    skip = rules.check(entry.path)
    if skip is not None:
        return skip.reason
    if secret_file(entry.path):
        return Reason.SECRET
    return Reason.TOO_LARGE if entry.size > settings.max_file_bytes else None


def _write_rules(git: Git, entries: list[Entry], folder: Path) -> None:
    """Rules are read from a folder; it is ours alone and empty, so that no link in it leads elsewhere."""
    if sum(min(each.size, MAX_RULE_FILE_BYTES) for each in entries) > MAX_RULES_BYTES:
        raise HistoryError(f"the ignore files of the commit take more than {MAX_RULES_BYTES >> 20} MiB; it is not read")
    for entry, stored in zip(entries, git.objects((each.blob for each in entries), MAX_RULE_FILE_BYTES), strict=True):
        place = folder / entry.path
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(stored.data or b"")
        except OSError as error:
            # Without its rules too much would be sent.
            raise HistoryError(f"the ignore file {entry.path!r} cannot be written down: {error.strerror}") from None
