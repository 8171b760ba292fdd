"""Whether a path is ignored, and by which rule of which file.

From strongest to weakest: version control's own folders, `.lurcherignore`, the setting `exclude`; these only take away.
Then, each able to take back what a weaker one ignores: `.rgignore`, `.ignore`, `.gitignore`, the repository's exclude
file, the built-in rules. Within one kind the nearest file wins, within one file the last line. Nothing below an ignored
folder comes back, except through the setting `include_ignored`.
"""

from collections.abc import Collection
from enum import Enum
from pathlib import Path

from lurcher_index.config import Settings
from lurcher_index.files.defaults import BUILT_IN, VERSION_CONTROL
from lurcher_index.files.layers import EXCLUDE, Chain, Layer, Place
from lurcher_index.files.patterns import RuleSet
from lurcher_index.model import Reason, Skip

OWN_FILE = ".lurcherignore"
RULE_FILES = (OWN_FILE, ".rgignore", ".ignore", ".gitignore")

_VERSION_CONTROL = RuleSet("built-in rule", VERSION_CONTROL)
_BUILT_IN = RuleSet("built-in rule", BUILT_IN)


def is_rule_file(path: str) -> bool:
    """Whether a change to this file can change what is ignored."""
    return path.rpartition("/")[2] in RULE_FILES or f"/{path}".endswith(f"/{EXCLUDE}")


class Removals:
    """The rules that only take away: version control's folders, `.lurcherignore` and the setting `exclude`."""

    def __init__(self, place: Place, settings: Settings) -> None:
        """Read the rule files of the folder itself and above; those below are read when they are needed."""
        self.own = Layer(place, OWN_FILE)
        self.exclude = RuleSet("setting exclude", settings.exclude)

    def check(self, path: str, is_dir: bool, own: Chain) -> Skip | None:
        """Whether `path` itself is taken away; `own` is what holds in its folder."""
        rule = _VERSION_CONTROL.match(path, is_dir)
        if rule is not None:
            return Skip(Reason.IGNORED, f"built-in rule: {rule.text}")
        skip = _last_word(own, path, is_dir) if own else None
        if skip is not None and skip is not _TAKEN_BACK:
            return skip
        if self.exclude:
            rule = self.exclude.match(path, is_dir)
            if rule is not None and not rule.negated:
                return Skip(Reason.EXCLUDED, f"setting exclude: {rule.text}")
        return None


class IgnoreRules:
    """All rules of one workspace folder. Rule files are read once; make a new instance when one has changed."""

    def __init__(self, folder: Path, settings: Settings, place: Place | None = None) -> None:
        """Read the rule files of the folder itself and above; those below are read when they are needed.

        `place` says what is above, if that is not for the disk to say.
        """
        place = place or Place.of(folder)
        self._removals = Removals(place, settings)
        self._layers = (
            Layer(place, ".rgignore", bounded=False),
            Layer(place, ".ignore", bounded=False),
            Layer(place, ".gitignore", stops=True),
            Layer(place, EXCLUDE, stops=True),
        )
        self._included = included_paths(settings)
        self._verdicts: dict[str, Skip | None] = {"": None}
        self._closed: dict[str, Skip] = {}

    def check(self, path: str, is_dir: bool = False) -> Skip | None:
        """Why the path, relative to the workspace folder, is ignored; None if it is not."""
        slash = path.find("/")
        while slash >= 0:
            skip = self._check_folder(path[:slash])
            if skip is not None:
                return skip
            slash = path.find("/", slash + 1)
        return self._check_folder(path) if is_dir else self.check_entry(path, False)

    def enter(self, folder: str, names: Collection[str]) -> None:
        """Say what lies in a folder that is not ignored, so that no rule file is looked for in vain."""
        self._removals.own.chain(folder, names)
        for layer in self._layers:
            layer.chain(folder, names)

    def check_entry(self, path: str, is_dir: bool) -> Skip | None:
        """`check` for a path whose folder is known not to be ignored."""
        folder = path[: max(path.rfind("/"), 0)]
        skip = self._removals.check(path, is_dir, self._removals.own.chain(folder))
        if skip is not None or not self._included:
            return skip or self._ignored(folder, path, is_dir)
        where = _where(path, self._included)
        if where is _Where.INSIDE:
            return _built_in(path, is_dir)
        closed = self._closed.get(folder) or self._ignored(folder, path, is_dir)
        if where is _Where.OUTSIDE or closed is None:
            return closed
        self._closed[path] = closed
        return None

    def _check_folder(self, path: str) -> Skip | None:
        if path not in self._verdicts:
            self._verdicts[path] = self.check_entry(path, True)
        return self._verdicts[path]

    def _ignored(self, folder: str, path: str, is_dir: bool) -> Skip | None:
        for layer in self._layers:
            chain = layer.chain(folder)
            skip = _last_word(chain, path, is_dir) if chain else None
            if skip is not None:
                return None if skip is _TAKEN_BACK else skip
        return _built_in(path, is_dir)


class _Where(Enum):
    OUTSIDE = 0
    THROUGH = 1
    """The included folder itself, or a folder on the way to it: open, but what else lies in it stays ignored."""
    INSIDE = 2


_TAKEN_BACK = Skip(Reason.IGNORED, "")
"""Marks that a negated rule had the last word."""


def included_paths(settings: Settings) -> tuple[str, ...]:
    """The setting `include_ignored` as plain relative paths; those that leave the folder are dropped."""
    cleaned = (entry.replace("\\", "/").strip("/").removeprefix("./") for entry in settings.include_ignored)
    return tuple(entry for entry in cleaned if entry and not {"", ".", ".."} & set(entry.split("/")))


def _where(path: str, included: tuple[str, ...]) -> _Where:
    if any(path.startswith(f"{entry}/") for entry in included):
        return _Where.INSIDE
    if any(f"{entry}/".startswith(f"{path}/") for entry in included):
        return _Where.THROUGH
    return _Where.OUTSIDE


def _last_word(chain: Chain, path: str, is_dir: bool) -> Skip | None:
    for held in chain:
        rule = held.match(path, is_dir)
        if rule is not None:
            return _TAKEN_BACK if rule.negated else Skip(Reason.IGNORED, held.rules.describe(rule))
    return None


def _built_in(path: str, is_dir: bool) -> Skip | None:
    rule = _BUILT_IN.match(path, is_dir)
    return Skip(Reason.IGNORED, f"built-in rule: {rule.text}") if rule else None
