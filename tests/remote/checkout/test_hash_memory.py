"""Files are read once, unless they may have changed since."""

import os
import time
from pathlib import Path

import pytest

from lurcher_index.checkout import hashing
from lurcher_index.checkout.hashing import HashMemory

EMPTY = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
HELLO = "ce013625030ba8dba906f756967f9e9ca394464a"  # "hello\n", as `git hash-object` says


@pytest.fixture
def place(tmp_path: Path) -> Path:
    made = tmp_path / "a"
    made.write_bytes(b"hello\n")
    return made


def ask(memory: HashMemory, place: Path, found: os.stat_result | None = None) -> str | None:
    return memory.blob(place.parent, place.name, found or place.lstat(), "sha1")


def read_after(place: Path, milliseconds: int, patch: pytest.MonkeyPatch) -> HashMemory:
    """A memory that has read a file some time after it was written."""
    memory = HashMemory()
    patch.setattr(time, "time_ns", lambda: place.stat().st_ctime_ns + milliseconds * 1_000_000)
    assert ask(memory, place) == HELLO
    return memory


def knows(memory: HashMemory, place: Path, patch: pytest.MonkeyPatch) -> bool:
    """Whether it can tell without reading."""
    patch.setattr(hashing, "MAX_HASHED_BYTES", -1)
    return ask(memory, place) is not None


def test_what_git_would_call_it(place: Path) -> None:
    assert ask(HashMemory(), place) == HELLO
    place.write_bytes(b"")
    assert ask(HashMemory(), place) == EMPTY
    long_name = HashMemory().blob(place.parent, "a", place.lstat(), "sha256")
    assert long_name == "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"


def test_larger_than_a_piece(place: Path) -> None:
    place.write_bytes(b"x" * (3 << 20))
    assert ask(HashMemory(), place) == "18c1c3070c50aba268be62a059a5d66e0922c0e9"


def test_read_clearly_later_than_written_it_is_remembered(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert knows(read_after(place, 21, monkeypatch), place, monkeypatch)


def test_read_at_once_it_is_not(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not knows(read_after(place, 20, monkeypatch), place, monkeypatch)


def test_another_status_is_another_file(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = read_after(place, 1_000, monkeypatch)
    os.utime(place, ns=(1, 1))
    assert not knows(memory, place, monkeypatch)


def test_others_are_forgotten(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = read_after(place, 1_000, monkeypatch)
    memory.keep_only({"a", "b"})
    memory.keep_only({})
    assert not knows(memory, place, monkeypatch)


def test_what_changed_since_its_status_was_taken_is_not_told(place: Path) -> None:
    found = place.lstat()
    place.write_bytes(b"longer than before\n")
    assert ask(HashMemory(), place, found) is None
    place.unlink()
    assert ask(HashMemory(), place, found) is None
