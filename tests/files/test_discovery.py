"""Listing a folder: what is on disk in all its oddity."""

import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.files.trees import listed, plant

from lurcher_index.config import Settings
from lurcher_index.errors import BadFolder
from lurcher_index.files import ripgrep
from lurcher_index.files.discovery import discover, walk
from lurcher_index.model import Reason

ODD = [
    " lead",
    "trail ",
    "new\nline",
    "tab\t",
    "-rf",
    "--files",
    "*",
    "[a]",
    "!x",
    "#x",
    "ünï/日本",
    "{a,b}",
    "back\\slash",
]


def test_odd_names(tmp_path: Path) -> None:
    plant(tmp_path, dict.fromkeys([*ODD, ".github/workflows/ci.yml", "-d/-f"], "x"))
    assert listed(tmp_path) == sorted([*ODD, ".github/workflows/ci.yml", "-d/-f"])


def test_size_and_time(tmp_path: Path) -> None:
    plant(tmp_path, {"a": "12345"})
    os.utime(tmp_path / "a", ns=(1, 1_234_567_890_123_456_789))
    assert discover(tmp_path, Settings()).files == [("a", 5, 1_234_567_890_123_456_789)]


def test_links_and_special_files_are_not_listed(tmp_path: Path) -> None:
    plant(tmp_path, {"ws/a": "", "ws/sub/b": "", "outside/c": ""})
    folder = tmp_path / "ws"
    (folder / "to-file").symlink_to("a")
    (folder / "to-outside").symlink_to(tmp_path / "outside")
    (folder / "sub" / "loop").symlink_to("..")
    (folder / "self").symlink_to("self")
    (folder / "broken").symlink_to("nowhere")
    os.mkfifo(folder / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(folder / "sock"))
    assert listed(folder) == ["a", "sub/b"]
    assert listed(folder, Settings(include_ignored=("to-outside", "to-outside/c", "sub/loop"))) == ["a", "sub/b"]


def test_names_that_are_no_text_are_reported(tmp_path: Path) -> None:
    plant(tmp_path, {"good": ""})
    for name in (b"bad\xff", b"dir\xfe/inner"):
        path = os.path.join(os.fsencode(tmp_path), name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb"):
            pass
    for listing in (discover(tmp_path, Settings()), walk(tmp_path, Settings())):
        assert [found.path for found in listing.files] == ["good"]
        assert set(listing.skipped) == {"bad\\xff", "dir\\xfe/inner"}
        assert {skip.reason for skip in listing.skipped.values()} == {Reason.UNREADABLE}


@pytest.fixture
def plain_user() -> Iterator[Path]:
    """A folder that an ordinary user may enter, and that user's rights for the time of the test."""
    folder = Path(tempfile.mkdtemp(prefix="lurcher-test-"))
    folder.chmod(0o777)
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield folder
    finally:
        if root:
            os.seteuid(0)
        for path in folder.rglob("*"):
            if path.is_dir():
                path.chmod(0o755)
        shutil.rmtree(folder)


def test_unreadable_folders_are_reported(plain_user: Path) -> None:
    plant(plain_user, {"a": "", "shut/b": "", "in/shut: too/c": ""})
    for name in ("shut", "in/shut: too"):
        (plain_user / name).chmod(0)
    for listing in (discover(plain_user, Settings()), walk(plain_user, Settings())):
        assert [found.path for found in listing.files] == ["a"]
        assert {path: skip.detail for path, skip in listing.skipped.items()} == {
            "shut": "permission denied",
            "in/shut: too": "permission denied",
        }


def test_folders_whose_files_cannot_be_looked_at_are_reported(plain_user: Path) -> None:
    """Their names can be read, and nothing else."""
    plant(plain_user, {"a": "", "names/b": ""})
    (plain_user / "names").chmod(0o444)
    for listing in (discover(plain_user, Settings()), walk(plain_user, Settings())):
        assert [found.path for found in listing.files] == ["a"]
        assert {path: skip.detail for path, skip in listing.skipped.items()} == {"names": "permission denied"}
    for rights in (0o000, 0o444, 0o111):
        (plain_user / "names").chmod(rights)
        with pytest.raises(BadFolder, match="permission denied"):
            discover(plain_user / "names", Settings())


def test_unknown_folder(tmp_path: Path) -> None:
    plant(tmp_path, {"file": ""})
    for folder, words in (
        (tmp_path / "no", "no such file"),
        (tmp_path / "file", "not a folder"),
        (Path("rel"), "full path"),
    ):
        with pytest.raises(BadFolder, match=words):
            discover(folder, Settings())
        with pytest.raises(BadFolder, match=words):
            walk(folder, Settings())


def test_very_long_paths(tmp_path: Path) -> None:
    top = os.open(tmp_path, os.O_RDONLY)
    here = top
    for _ in range(18):
        os.mkdir("d" * 250, dir_fd=here)
        here = os.open("d" * 250, os.O_RDONLY, dir_fd=here)
        os.close(os.open("f", os.O_CREAT, dir_fd=here))
    quick, slow = discover(tmp_path, Settings()), walk(tmp_path, Settings())
    assert quick.files == slow.files
    assert len(quick.files) == 16
    assert len(slow.skipped) == 1
    assert {skip.detail for skip in (*quick.skipped.values(), *slow.skipped.values())} <= {"file name too long"}
    shutil.rmtree("d" * 250, dir_fd=top)


def test_empty_folder_and_settings(tmp_path: Path) -> None:
    assert listed(tmp_path) == []
    assert discover(tmp_path, Settings(use_ripgrep=False)).lister == "walker"


@pytest.mark.parametrize("answer", ["exit 7", "echo 'rg: panic' >&2; exit 2", "printf 'a\\0'; kill -9 $$"])
def test_a_broken_ripgrep_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str) -> None:
    folder = plant(tmp_path / "ws", {"a": "", "b": ""})
    fake = plant(tmp_path, {"rg": f"#!/bin/sh\n{answer}\n"}) / "rg"
    fake.chmod(0o755)
    with pytest.raises(ripgrep.ListFailed):
        ripgrep.list_files(str(fake), folder, Settings())
    monkeypatch.setattr("lurcher_index.files.discovery.find_ripgrep", lambda: str(fake))
    assert [found.path for found in discover(folder, Settings()).files] == ["a", "b"]


def test_user_configuration_is_left_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(
        tmp_path, {"home/.config/git/ignore": "a\n", "home/.gitconfig": "[core]\nexcludesFile=~/.x\n", "home/.x": "b\n"}
    )
    plant(tmp_path, {"conf": "--glob=!c\n"})
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("RIPGREP_CONFIG_PATH", str(tmp_path / "conf"))
    folder = plant(tmp_path / "ws", {"a": "", "b": "", "c": "", ".git/HEAD": ""})
    assert listed(folder) == ["a", "b", "c"]


def test_built_in_rules(tmp_path: Path) -> None:
    kept = [
        "build/a.py",
        "target/b.rs",
        "bin/run.sh",
        "vendor/x.go",
        "src/app.ts",
        "lib/y.rb",
        ".env",
        "key.pem",
        "outer/z",
    ]
    gone = ["node_modules/a.js", "x/.venv/b.py", "dist/c.js", "__pycache__/d.pyc", "a.min.js", "a.js.map", "yarn.lock"]
    gone += ["logo.PNG".lower(), "a.zip", "f.woff2", "m.mp4", "doc.pdf", "lib.so", "debug.log", ".git/HEAD", "y/.hg/z"]
    plant(tmp_path, dict.fromkeys([*kept, *gone], "x"))
    assert listed(tmp_path) == sorted(kept)
