"""The watcher on real files. Waits are bounded; nothing depends on how fast the machine is."""

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import watchfiles
from tests.files.trees import plant

from lurcher_index.config import Settings
from lurcher_index.files.watching import Changes, watch

PATIENCE = 30.0
"""Seconds after which a test gives up."""


class Watcher:
    """Collects what `watch` says on a thread of its own."""

    def __init__(self, folders: Sequence[Path], settings: Settings) -> None:
        self.seen: list[Changes] = []
        self.stop = threading.Event()
        self.ready = threading.Event()
        self.thread = threading.Thread(target=self._run, args=(folders, settings))
        self.thread.start()
        assert self.ready.wait(PATIENCE)

    def _run(self, folders: Sequence[Path], settings: Settings) -> None:
        for changes in watch(folders, settings, self.stop, ready=self.ready):
            self.seen.append(changes)

    @property
    def paths(self) -> set[str]:
        return {path for changes in self.seen for paths in changes.paths.values() for path in paths}

    @property
    def rescans(self) -> list[str]:
        return [changes.note for changes in self.seen if changes.rescan]

    def until(self, condition: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, self.seen
            time.sleep(0.02)


@contextmanager
def watching(*folders: Path, settings: Settings | None = None) -> Iterator[Watcher]:
    watcher = Watcher(folders, settings or Settings())
    try:
        yield watcher
    finally:
        watcher.stop.set()
        watcher.thread.join(PATIENCE)
        assert not watcher.thread.is_alive()


def check(folder: Path, touch: Callable[[], object], expected: set[str], rescans: int = 0) -> list[str]:
    """After `touch` and one more file, exactly `expected` came out, and `rescans` calls to rescan."""
    with watching(folder) as watcher:
        touch()
        (folder / "last").write_text("x")
        watcher.until(lambda: "last" in watcher.paths or len(watcher.rescans) >= max(rescans, 1))
        watcher.until(lambda: len(watcher.rescans) >= rescans)
        assert watcher.paths - {"last"} == expected
        assert len(watcher.rescans) == rescans
        return watcher.rescans


def test_files_created_changed_removed(tmp_path: Path) -> None:
    plant(tmp_path, {"sub/changed": "", "gone": ""})

    def touch() -> None:
        plant(tmp_path, {"new": "", "sub/changed": "x"})
        (tmp_path / "gone").unlink()

    check(tmp_path, touch, {"new", "sub/changed", "gone"})


def test_ignored_files_never_come_out(tmp_path: Path) -> None:
    ignored = {
        "node_modules/a/.gitignore": "x",
        "build/b": "",
        ".git/index.lock": "",
        ".git/HEAD": "ref: x",
        "c.png": "",
    }
    plant(tmp_path, {**ignored, ".gitignore": "build/\n", "ex/d": ""})
    with watching(tmp_path, settings=Settings(exclude=("ex/",))) as watcher:
        plant(tmp_path, {**ignored, "ex/d": "2", "node_modules/new/e": "", ".git/objects/aa/bb": ""})
        shutil.rmtree(tmp_path / "node_modules")
        plant(tmp_path, {"last": ""})
        watcher.until(lambda: "last" in watcher.paths)
        assert watcher.paths == {"last"}
        assert not watcher.rescans


@pytest.mark.parametrize("name", [".gitignore", "sub/.lurcherignore", ".ignore", ".git/info/exclude"])
def test_changed_rules_mean_a_rescan_and_hold_at_once(tmp_path: Path, name: str) -> None:
    plant(tmp_path, {"sub/x": "", ".git/info/exclude": "", ".git/HEAD": "ref: a"})
    with watching(tmp_path) as watcher:
        plant(tmp_path, {name: "*.tmp\n"})
        watcher.until(lambda: bool(watcher.rescans))
        plant(tmp_path, {"sub/a.tmp": "", "sub/last": ""})
        watcher.until(lambda: "sub/last" in watcher.paths)
        assert "sub/a.tmp" not in watcher.paths


def test_folder_rename_means_a_rescan(tmp_path: Path) -> None:
    plant(tmp_path, {"old/a": "", "old/b": ""})
    with watching(tmp_path) as watcher:
        (tmp_path / "old").rename(tmp_path / "new")
        watcher.until(lambda: bool(watcher.rescans))


def test_folder_moved_away_comes_out_as_a_path(tmp_path: Path) -> None:
    folder = plant(tmp_path / "ws", {"old/a": "", "b": ""})
    with watching(folder) as watcher:
        (folder / "old").rename(tmp_path / "elsewhere")
        watcher.until(lambda: "old" in watcher.paths)


def test_branch_switch_means_a_rescan(tmp_path: Path) -> None:
    plant(tmp_path, {".git/HEAD": "ref: refs/heads/main\n", "sub/a": ""})
    with watching(tmp_path / "sub", tmp_path) as watcher:
        plant(tmp_path, {".git/HEAD.lock": "ref: refs/heads/other\n", ".git/index.lock": ""})
        (tmp_path / ".git/HEAD.lock").rename(tmp_path / ".git/HEAD")
        watcher.until(lambda: "another branch was checked out" in watcher.rescans)
        assert not watcher.paths


def test_links_are_not_followed(tmp_path: Path) -> None:
    folder = plant(tmp_path / "ws", {"a": ""})
    plant(tmp_path, {"outside/x": ""})
    (folder / "link").symlink_to(tmp_path / "outside")
    check(folder, lambda: plant(tmp_path, {"outside/x": "1", "outside/y": ""}), set())


def test_nested_folders_both_hear_of_it(tmp_path: Path) -> None:
    inner = plant(tmp_path, {"in/a": ""}) / "in"
    with watching(tmp_path, inner) as watcher:
        plant(inner, {"b": ""})
        watcher.until(lambda: {"in/b", "b"} <= watcher.paths)


def test_storm_ends_in_a_rescan(tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / str(number)).mkdir()
    with watching(tmp_path) as watcher:
        for number in range(20_000):
            (tmp_path / str(number % 20) / f"f{number}").touch()
        watcher.until(lambda: "it is quiet after many changes" in watcher.rescans)
        plant(tmp_path, {"after": ""})
        watcher.until(lambda: "after" in watcher.paths)


def test_vanished_folder_ends_in_a_rescan_and_is_watched_again_when_it_is_back(tmp_path: Path) -> None:
    folder = plant(tmp_path / "ws", {"a": ""})
    with watching(folder) as watcher:
        folder.rename(tmp_path / "elsewhere")
        watcher.until(lambda: watcher.rescans[-1:] == ["no folder can be opened"])
        (tmp_path / "elsewhere").rename(folder)
        watcher.until(lambda: watcher.rescans[-1:] == ["a folder can be opened again"])
        plant(folder, {"b": ""})
        watcher.until(lambda: "b" in watcher.paths)


def test_one_of_two_folders_vanishes(tmp_path: Path) -> None:
    one, two = plant(tmp_path / "one", {"a": ""}), plant(tmp_path / "two", {"a": ""})
    with watching(one, two) as watcher:
        shutil.rmtree(one)
        watcher.until(lambda: "a folder was removed or replaced" in watcher.rescans)
        watcher.until(lambda: plant(two, {"b": str(time.monotonic())}) is two and "b" in watcher.paths)
        plant(tmp_path / "one", {"a": ""})
        watcher.until(lambda: plant(one, {"c": str(time.monotonic())}) is one and "c" in watcher.paths)


def test_absent_folder_is_waited_for(tmp_path: Path) -> None:
    with watching(tmp_path / "no") as watcher:
        watcher.until(lambda: watcher.rescans == ["no folder can be opened"])
        plant(tmp_path / "no", {"a": ""})
        watcher.until(lambda: "a folder can be opened again" in watcher.rescans)


def test_folder_that_is_shut_and_opened_again_means_rescans(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = plant(tmp_path, {"in/a": ""}) / "in"
    access, shut = os.access, threading.Event()
    monkeypatch.setattr(os, "access", lambda path, mode: access(path, mode) and not (shut.is_set() and "in" in path))
    news = "the folder in can be opened again, or no longer"
    with watching(tmp_path) as watcher:
        os.utime(inner)
        shut.set()
        os.utime(inner)
        watcher.until(lambda: watcher.rescans == [news])
        shut.clear()
        os.utime(inner)
        watcher.until(lambda: watcher.rescans == [news, news])


def test_folder_that_was_shut_when_the_watch_began_is_watched_once_it_is_open(tmp_path: Path) -> None:
    inner = plant(tmp_path, {"in/a": "", "in/deep/b": ""}) / "in"
    inner.chmod(0)
    try:
        if os.access(inner, os.R_OK):
            pytest.skip("nothing is closed to this user")
        with watching(tmp_path) as watcher:
            inner.chmod(0o755)
            watcher.until(lambda: watcher.rescans[-2:] == 2 * ["a folder that nobody could watch was opened"])
            plant(inner, {"c": "", "deep/b": "x"})
            watcher.until(lambda: {"in/c", "in/deep/b"} <= watcher.paths)
    finally:
        inner.chmod(0o755)


def test_the_watch_begins_anew_for_what_was_shut_when_it_began_and_only_for_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same for a user to whom nothing is closed. What is ignored may stay shut."""
    inner = plant(tmp_path, {"in/a": "", "out/node_modules/b": ""}) / "in"
    access, shut = os.access, {str(inner), str(tmp_path / "out/node_modules")}
    monkeypatch.setattr(os, "access", lambda path, mode: access(path, mode) and path not in shut)
    begun: list[tuple[str, ...]] = []
    begin = watchfiles.watch

    def noted(*folders: Path, **rest: Any) -> Any:
        begun.append(tuple(map(str, folders)))
        return begin(*folders, **rest)

    monkeypatch.setattr(watchfiles, "watch", noted)
    with watching(tmp_path) as watcher:
        shut.clear()
        os.utime(tmp_path / "out/node_modules")
        os.utime(inner)
        watcher.until(lambda: watcher.rescans[-2:] == 2 * ["a folder that nobody could watch was opened"])
        os.utime(inner)
        plant(tmp_path, {"last": ""})
        watcher.until(lambda: "last" in watcher.paths)
        assert len(begun) == 2
