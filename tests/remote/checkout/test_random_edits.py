"""Whatever happens to a checkout, the differences are those that reading everything finds."""

import os
import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.history.repositories import Repository, needs_git
from tests.remote.checkout.checkouts import by_reading, checkout, listed

from lurcher_index.checkout.differences import HashMemory, Lists, differences
from lurcher_index.checkout.values import Differences

PATHS = st.sampled_from(["a", "b", "c", "d/a", "d/b", "d/e/a", "A", "ü", "x.log"])
"""`x.log` is ignored by our rules once it is there."""

TEXTS = st.sampled_from(["", "1\n", "2\n", "3\r\n", "long text\n" * 10])
"""Some of the same size, so that only the times can tell them apart."""


class Edits(RuleBasedStateMachine):
    """A person and git at work on one checkout; a memory lives through all of it."""

    @initialize(object_format=st.sampled_from(["sha1", "sha256"]))
    def begin(self, object_format: str) -> None:
        self.above = tempfile.mkdtemp(prefix="lurcher-edits-")
        self.repository = Repository(Path(self.above) / "r", object_format)
        self.commits = [self.repository.commit("Begin", {"a": "1\n", "d/a": "2\n", ".gitignore": "*.log\n"})]
        self.memory = HashMemory()
        self.lists = Lists()
        self.checkout = checkout(self.repository.folder)

    @rule(path=PATHS, text=TEXTS, again=st.none() | TEXTS, staged=st.booleans(), same_time=st.booleans())
    def write(self, path: str, text: str, again: str | None, staged: bool, same_time: bool) -> None:
        """Write a file, stage it or not, and write it once more at once, perhaps with the time it had."""
        place = self.repository.folder / path
        if place.is_dir() and not place.is_symlink():
            shutil.rmtree(place)
        for parent in reversed(place.relative_to(self.repository.folder).parents[:-1]):
            above = self.repository.folder / parent
            if above.is_symlink() or above.is_file():
                above.unlink()
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.is_symlink():
            place.unlink()
        place.write_bytes(text.encode())
        if staged:
            self.repository.git("add", "-f", "--", path)
        if again is not None:
            before = place.stat()
            place.write_bytes(again.encode())
            if same_time:
                os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))

    @rule(pick=st.integers(0, 20), staged=st.booleans())
    def delete(self, pick: int, staged: bool) -> None:
        place = self.some_file(pick)
        if place is not None:
            place.unlink()
            if staged:
                self.repository.git("add", "-A")

    @rule(pick=st.integers(0, 20), name=st.sampled_from(["moved", "d/moved", "a"]), staged=st.booleans())
    def rename(self, pick: int, name: str, staged: bool) -> None:
        place, target = self.some_file(pick), self.repository.folder / name
        if place is not None and not target.is_dir() and (self.repository.folder / "d").is_dir():
            place.replace(target)
            if staged:
                self.repository.git("add", "-A")

    @rule(pick=st.integers(0, 20), seconds=st.sampled_from([0, 1, 1_000_000_000, 2_000_000_000]))
    def touch(self, pick: int, seconds: int) -> None:
        if (place := self.some_file(pick)) is not None:
            os.utime(place, (seconds, seconds), follow_symlinks=False)

    @rule(pick=st.integers(0, 20))
    def link(self, pick: int) -> None:
        if (place := self.some_file(pick)) is not None:
            place.unlink()
            place.symlink_to("b")

    @rule()
    def commit(self) -> None:
        self.commits.append(self.repository.commit("More"))

    @precondition(lambda self: len(self.commits) > 1)
    @rule(pick=st.integers(0, 20))
    def check_out(self, pick: int) -> None:
        self.repository.git("checkout", "-q", "--force", self.commits[pick % len(self.commits)])

    @rule()
    def refresh(self) -> None:
        self.repository.git("status", "--porcelain")

    @rule(flag=st.sampled_from(["--assume-unchanged", "--skip-worktree"]), pick=st.integers(0, 20))
    def flag(self, flag: str, pick: int) -> None:
        known = self.repository.git("ls-files", "-z").split("\0")[:-1]
        if known:
            self.repository.git("update-index", flag, known[pick % len(known)])

    @rule(pick=st.integers(0, 20))
    def compare(self, pick: int) -> None:
        self.check(self.commits[pick % len(self.commits)])

    @invariant()
    def differences_are_those_of_the_latest_commit(self) -> None:
        self.check(self.commits[-1])

    def check(self, commit: str) -> None:
        folder = self.repository.folder
        expected = by_reading(self.repository, commit)
        for memory, lists in ((None, None), (self.memory, None), (None, self.lists), (self.memory, self.lists)):
            found = differences(self.checkout, commit, listed(folder), memory=memory, lists=lists)
            assert isinstance(found, Differences)
            assert (set(found.changed), set(found.gone), found.total) == expected

    def some_file(self, pick: int) -> Path | None:
        """A file that is not below `.git`, links among them."""
        folder = self.repository.folder
        files = [path for path in sorted(folder.rglob("*")) if ".git" not in path.parts and not path.is_dir()]
        files = [path for path in files if path.name != ".gitignore"]
        return files[pick % len(files)] if files else None

    def teardown(self) -> None:
        shutil.rmtree(self.above, ignore_errors=True)


TestEdits = Edits.TestCase
TestEdits.settings = settings(
    max_examples=8,
    stateful_step_count=15,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
TestEdits = needs_git(TestEdits)
