"""One kind of ignore file (say `.gitignore`) over a whole tree: the rules that hold in each folder."""

from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from lurcher_index.files.patterns import Rule, RuleSet, split_lines
from lurcher_index.files.repository import exclude_file, has_git, read_rule_file, repository_root

EXCLUDE = ".git/info/exclude"
"""Stands for the repository's own exclude file, wherever a worktree keeps it."""


class Held(NamedTuple):
    """A rule file that holds somewhere: how to turn a path of the workspace folder into one of the file's folder."""

    strip: int
    prefix: str
    rules: RuleSet

    def match(self, path: str, is_dir: bool) -> Rule | None:
        """The file's last word about `path`."""
        return self.rules.match(self.prefix + path[self.strip :], is_dir)


Chain = tuple[Held, ...]
"""Rule files in force in a folder, the nearest first."""


class Place(NamedTuple):
    """A workspace folder and the folders above it whose rules reach into it."""

    folder: Path
    repository: Path | None
    """Top of the repository that holds the folder. Without one, no rule from above reaches in: a `.gitignore` in
    somebody's home folder must not empty every project below it."""

    @classmethod
    def of(cls, folder: Path) -> "Place":
        """Look at the disk once; links on the way to the folder are resolved."""
        real = folder.resolve()
        return cls(real, repository_root(real))

    def above(self, bounded: bool) -> list[Path]:
        """Folders above that count, the nearest first: up to the repository's top, or (unbounded) to the very top."""
        if self.repository is None:
            return []
        parents = list(self.folder.parents)
        if not bounded:
            return parents
        return [parent for parent in parents if parent.is_relative_to(self.repository)]


class Layer:
    """Reads the files called `name` when their folder is asked for the first time, and keeps them."""

    def __init__(self, place: Place, name: str, *, stops: bool = False, bounded: bool = True) -> None:
        """`stops`: what lies outside a nested repository does not hold inside it. `bounded`: see `Place.above`."""
        self._place = place
        self._name = name
        self._stops = stops and place.repository is not None
        top = place.folder
        chain = self._own(top, "", 0, "")
        # A repository's top is the last folder whose git rules count, and it may be the workspace folder itself.
        for parent in place.above(bounded):
            prefix = top.relative_to(parent).as_posix()
            chain += self._own(parent, "../" * len(Path(prefix).parts), 0, f"{prefix}/")
        self._chains: dict[str, Chain] = {"": chain}

    def chain(self, folder: str, names: Collection[str] | None = None) -> Chain:
        """What holds in `folder`, a relative path; `names` is what lies in it, if known."""
        known = self._chains.get(folder)
        if known is not None:
            return known
        missing = [folder]
        while (parent := missing[-1].rpartition("/")[0]) not in self._chains:
            missing.append(parent)
        for path in reversed(missing):
            self._chains[path] = self._enter(path, names if path == folder else None)
        return self._chains[folder]

    def _enter(self, folder: str, names: Collection[str] | None) -> Chain:
        outer = self._chains[folder.rpartition("/")[0]]
        marker = self._name.partition("/")[0]
        if names is not None and marker not in names and not (self._stops and ".git" in names):
            return outer
        path = f"{self._place.folder}/{folder}"
        own = self._own(path, f"{folder}/", len(folder) + 1, "")
        return own if self._stops and has_git(path) else own + outer

    def _own(self, folder: Path | str, label: str, strip: int, prefix: str) -> Chain:
        # Outside a repository ripgrep does not follow the `.git` file of a nested worktree; neither do we.
        follow = self._name == EXCLUDE and self._place.repository is not None and has_git(folder)
        raw = read_rule_file(exclude_file(Path(folder)) if follow else f"{folder}/{self._name}")
        rules = RuleSet(label + self._name, split_lines(raw)) if raw else None
        return (Held(strip, prefix, rules),) if rules else ()
