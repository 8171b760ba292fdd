"""The file that says for which folders remote code search is allowed: what it holds, and when it is not believed."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lurcher_index.errors import RemoteError
from lurcher_index.remote import consent
from lurcher_index.remote.connection import Connection, Kind
from lurcher_index.remote.consent import FILE_NAME, MAX_BYTES, Consents, config_directory
from lurcher_index.remote.sending import described

ROOT = Path(__file__).parents[3]
ZOEKT = Connection(kind=Kind.ZOEKT, url="https://zoekt.example.com")
POSTGRES = Connection(
    kind=Kind.POSTGRES,
    url="postgresql://me@db.example.com/code?sslmode=verify-full",
    token_variable="CODE_PASSWORD",
)


@pytest.fixture
def consents(tmp_path: Path) -> Consents:
    return Consents(tmp_path / "config" / "lurcher")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "tree"
    made.mkdir()
    return made


def test_nothing_is_allowed_before_somebody_allows_it(consents: Consents, folder: Path) -> None:
    assert consents.allowed(folder) is None
    assert consents.recorded() == consent.Recorded()
    assert not consents.directory.exists(), "looking writes nothing"


def test_what_was_allowed_is_kept_with_what_was_said(consents: Consents, folder: Path) -> None:
    record = consents.allow(folder, POSTGRES)
    again = Consents(consents.directory)
    assert again.allowed(folder) == POSTGRES
    assert again.all() == {str(folder.resolve()): record}
    assert record.sends == described(POSTGRES) and record.answer == "allowed" and record.when > 0
    assert any("CODE_PASSWORD" in line for line in record.sends)


def test_it_holds_for_that_folder_alone_by_whatever_name(consents: Consents, folder: Path, tmp_path: Path) -> None:
    consents.allow(folder, ZOEKT)
    (folder / "inner").mkdir()
    (tmp_path / "link").symlink_to(folder)
    assert consents.allowed(tmp_path / "link") == consents.allowed(folder / "inner" / "..") == ZOEKT
    assert consents.allowed(folder / "inner") is None
    assert consents.allowed(tmp_path) is None


def test_forbidding_forgets_and_refusing_is_remembered(consents: Consents, folder: Path) -> None:
    consents.allow(folder, ZOEKT)
    assert consents.forbid(folder) and not consents.forbid(folder)
    assert consents.record(folder) is None
    consents.refuse(folder)
    record = consents.record(folder)
    assert record is not None and (record.answer, record.connection) == ("never", None)
    assert consents.allowed(folder) is None
    consents.allow(folder, ZOEKT)
    assert consents.allowed(folder) == ZOEKT


def test_who_would_send_more_than_was_agreed_to_has_to_ask_again(consents: Consents, folder: Path) -> None:
    consents.allow(folder, ZOEKT)
    text = json.loads(consents.path.read_text())
    (entry,) = text["folders"].values()
    entry["sends"] = entry["sends"][1:]
    consents.path.write_text(json.dumps(text))
    assert consents.allowed(folder) is None
    assert consents.record(folder) is not None, "it is known that it was allowed once"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_only_the_user_can_read_it(consents: Consents, folder: Path) -> None:
    before = os.umask(0)
    try:
        consents.allow(folder, ZOEKT)
    finally:
        os.umask(before)
    assert consents.path.stat().st_mode & 0o777 == 0o600
    assert consents.directory.stat().st_mode & 0o777 == 0o700


# -- not believed


def not_believed(consents: Consents, folder: Path, why: str = "") -> None:
    assert consents.allowed(folder) is None
    found = consents.about([folder])
    assert found.records == {}
    assert str(consents.path) in found.complaint and why in found.complaint
    with pytest.raises(RemoteError, match="not believed"):
        consents.allow(folder, ZOEKT)
    assert consents.allowed(folder) is None


@pytest.mark.parametrize(
    "raw",
    [
        b"", b"\0" * 100, b"null", b"[]", b"{}", b'{"folders": []}', b'{"folders": {}, "version": 2}',
        b'{"folders": {}, "more": 1}', b"[" * 200_000, b'{"folders": {"/a": {"answer": "allowed", "when": -1}}}',
        b'{"folders": {"/a": {"answer": "allowed", "when": 1e300}}}', b'{"folders": {"/a": {"answer": "yes"}}}',
        b'{"folders": {"/a": {"answer": "allowed", "when": 1, "connection": {"kind": "ftp", "url": "ftp://a"}}}}',
    ],
    ids=range(13),
)  # fmt: skip
def test_a_damaged_file_allows_nothing_says_so_and_is_left_alone(consents: Consents, folder: Path, raw: bytes) -> None:
    consents.directory.mkdir(parents=True)
    consents.path.write_bytes(raw)
    consents.path.chmod(0o600)
    not_believed(consents, folder, "damaged")
    assert consents.path.read_bytes() == raw


def test_what_could_not_have_been_allowed_is_not_believed(consents: Consents, folder: Path) -> None:
    """As a plain address of another machine, an address with a password, or a variable that is none."""
    consents.allow(folder, ZOEKT)
    good = consents.path.read_text()
    for old, new in (
        ("https://zoekt.example.com", "http://zoekt.example.com"),
        ("https://zoekt.example.com", "https://a:b@zoekt.example.com"),
        ('"token_variable": ""', '"token_variable": "A B"'),
        ('"answer": "allowed"', '"answer": "never"'),
    ):
        assert old in good
        consents.path.write_text(good.replace(old, new))
        not_believed(consents, folder, "could not have been allowed")
    consents.path.write_text(good)
    assert consents.allowed(folder) == ZOEKT


def test_a_file_that_is_too_large_is_not_read(consents: Consents, folder: Path) -> None:
    consents.allow(folder, ZOEKT)
    with consents.path.open("ab") as file:
        file.write(b" " * MAX_BYTES)
    not_believed(consents, folder, "too large")


def test_a_file_that_would_grow_too_large_is_not_written(
    consents: Consents, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    consents.allow(folder, ZOEKT)
    before = consents.path.read_bytes()
    monkeypatch.setattr(consent, "MAX_BYTES", len(before) + 10)
    with pytest.raises(RemoteError, match="too large"):
        consents.allow(folder.parent / "other", ZOEKT)
    assert consents.path.read_bytes() == before


@pytest.mark.skipif(os.name == "nt", reason="Windows has neither")
@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_can_write_is_not_believed(consents: Consents, folder: Path, mode: int) -> None:
    consents.allow(folder, ZOEKT)
    consents.path.chmod(mode)
    not_believed(consents, folder, "others than you")


@pytest.mark.skipif(os.name == "nt", reason="Windows has neither")
def test_links_pipes_and_folders_in_its_place_are_not_believed(consents: Consents, folder: Path) -> None:
    consents.allow(folder, ZOEKT)
    elsewhere = consents.directory / "elsewhere.json"
    consents.path.rename(elsewhere)
    consents.path.symlink_to(elsewhere)
    not_believed(consents, folder)
    consents.path.unlink()
    os.mkfifo(consents.path, 0o600)
    not_believed(consents, folder, "not a regular file")
    consents.path.unlink()
    consents.path.mkdir()
    not_believed(consents, folder)


def test_nothing_in_a_workspace_can_allow_anything(folder: Path, tmp_path: Path) -> None:
    """A folder that brings a perfect file, and a variable that leads there, as an editor's settings can set for its
    terminals, are of no use; nor is a link that leads from elsewhere into the folder."""
    Consents(tmp_path / "real").allow(folder, ZOEKT)
    inside = folder / ".config" / "lurcher"
    inside.mkdir(parents=True)
    (tmp_path / "real" / FILE_NAME).rename(inside / FILE_NAME)
    not_believed(Consents(inside), folder, "inside of the folder")
    (tmp_path / "linked").symlink_to(inside)
    not_believed(Consents(tmp_path / "linked"), folder, "inside of the folder")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(raw=st.binary(max_size=300), at=st.integers(0, 2_000), to=st.integers(0, 255))
def test_random_damage_never_raises_and_never_allows_something_else(
    tmp_path: Path, raw: bytes, at: int, to: int
) -> None:
    consents = Consents(tmp_path / "config")
    consents.path.unlink(missing_ok=True)
    consents.allow(tmp_path / "tree", POSTGRES)
    whole = bytearray(consents.path.read_bytes())
    whole[at % len(whole)] = to
    for damaged in (raw, bytes(whole), bytes(whole[: at % len(whole)])):
        consents.path.write_bytes(damaged)
        found = consents.allowed(tmp_path / "tree")
        # One byte can make another address of an address; only who can write the file can do that.
        assert found is None or (found.kind, len(found.url)) == (POSTGRES.kind, len(POSTGRES.url))
    consents.path.unlink()


# -- writing


def test_a_full_disk_leaves_what_was_there(consents: Consents, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    consents.allow(folder, ZOEKT)
    before = consents.path.read_bytes()

    def full(_number: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(RemoteError, match=r"nothing was changed: .*No space"):
            consents.forbid(folder)
    assert consents.path.read_bytes() == before
    assert {path.name for path in consents.directory.iterdir()} <= {FILE_NAME, "remotes.lock"}


def test_a_reader_never_sees_half_of_it(consents: Consents, folder: Path) -> None:
    consents.allow(folder, ZOEKT)
    complaints: list[str] = []
    stop = threading.Event()

    def read() -> None:
        while not stop.is_set():
            found = consents.recorded()
            if found.complaint or str(folder.resolve()) not in found.records:
                complaints.append(found.complaint or "it was gone")

    reader = threading.Thread(target=read)
    reader.start()
    try:
        for number in range(60):
            consents.allow(folder.parent / f"other {number}", POSTGRES)
    finally:
        stop.set()
        reader.join()
    assert complaints == []


def test_two_processes_lose_nothing_of_each_other(consents: Consents, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from lurcher_index.remote.consent import Consents;"
        "from lurcher_index.remote.connection import Connection, Kind;"
        "wanted = Connection(kind=Kind.ZOEKT, url='https://zoekt.example.com');"
        "consents = Consents(Path(sys.argv[1]));"
        "[consents.allow(f'{sys.argv[2]}-{number}', wanted) for number in range(25)]"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT / "index")}
    writers = [
        subprocess.Popen([sys.executable, "-c", code, str(consents.directory), str(tmp_path / name)], env=environment)
        for name in ("one", "two", "three")
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    assert len(consents.all()) == 75
    assert all(record.in_force == ZOEKT for record in consents.all().values())


def test_the_stamp_tells_that_the_file_has_changed(consents: Consents, folder: Path) -> None:
    stamps = [consents.stamp()]
    consents.allow(folder, ZOEKT)
    stamps.append(consents.stamp())
    consents.refuse(folder)
    stamps.append(consents.stamp())
    assert len(set(stamps)) == 3
    assert consents.stamp() == stamps[-1]


def test_the_environment_can_move_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LURCHER_CONFIG", str(tmp_path / "moved"))
    assert config_directory() == Consents().directory == tmp_path / "moved"
    monkeypatch.delenv("LURCHER_CONFIG")
    assert config_directory().name == "lurcher"
