"""Documents: what is text, what is refused and why."""

import os
import threading
from hashlib import blake2b
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lurcher_index.config import Settings
from lurcher_index.files.reading import decode_document, read_document
from lurcher_index.model import Document, Reason, Skip

TEXT = "def grüße():\n    return 'héllo wörld'\n" * 3


def check(raw: bytes, name: str = "a.py") -> Document:
    document = decode_document(raw, name, Settings())
    assert isinstance(document, Document), document
    assert document.content_hash == blake2b(raw, digest_size=16).digest()
    return document


def refuse(raw: bytes, name: str = "a.py", **chosen: int) -> Skip:
    skip = decode_document(raw, name, Settings.from_dict({**chosen}))
    assert isinstance(skip, Skip), skip
    return skip


@pytest.mark.parametrize(
    ("codec", "mark", "encoding"),
    [
        ("utf-8", b"", "utf-8"),
        ("utf-8", b"\xef\xbb\xbf", "utf-8-sig"),
        ("utf-16-le", b"\xff\xfe", "utf-16-le"),
        ("utf-16-be", b"\xfe\xff", "utf-16-be"),
        ("utf-16-le", b"", "utf-16-le"),
        ("utf-16-be", b"", "utf-16-be"),
        ("utf-32-le", b"\xff\xfe\0\0", "utf-32-le"),
        ("utf-32-be", b"\0\0\xfe\xff", "utf-32-be"),
        ("cp1252", b"", "cp1252"),
    ],
)
def test_encodings(codec: str, mark: bytes, encoding: str) -> None:
    document = check(mark + TEXT.encode(codec))
    assert document.data.decode() == TEXT
    assert document.encoding == encoding


def test_texts_of_every_size() -> None:
    assert check(b"").data == b""
    assert check(b"x").data == b"x"
    assert check(b"\xff\xfe").data == b""
    assert check("日本語\n".encode() * 1000).encoding == "utf-8"
    assert check(b"\x1b[31mred\x1b[0m\f\n").encoding == "utf-8"
    assert check("日本語".encode("utf-16")).data.decode() == "日本語"


def test_damaged_utf8_keeps_its_offsets() -> None:
    raw = "grüße ".encode() * 20 + b"\xff" + b"ende"
    document = check(raw)
    assert len(document.data) == len(raw)
    assert document.data.endswith(b"?ende")


@pytest.mark.parametrize(
    "raw",
    [
        b"\x00",
        b"a\x00b",
        b"\x7fELF\x02\x01\x01" + bytes(9),
        b"PK\x03\x04\x14\x00",
        bytes(range(256)) * 4,
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
        b"\x01\x02\x03\x04",
        b"\x1f\x8b\x08\x08\xd3\x01\x02\xfe" * 5,
        b"text " * 50000 + b"\x00",
        b"\xff\xfe\x01\x00\x02\x00\x03\x00",
    ],
)
def test_binary(raw: bytes) -> None:
    assert refuse(raw).reason is Reason.BINARY


@given(st.binary(max_size=300))
def test_any_bytes_give_a_document_or_a_reason(raw: bytes) -> None:
    result = decode_document(raw, "a", Settings())
    if isinstance(result, Document):
        result.data.decode()


def test_too_large() -> None:
    skip = refuse(b"x" * 1001, max_file_bytes=1000)
    assert skip == Skip(Reason.TOO_LARGE, "1,001 bytes; the limit is 1,000")


def test_one_and_a_half_mebibytes_are_read_and_a_byte_more_is_not() -> None:
    largest = b"line of text\n" * 120_988 + b"the end\n"
    most = 1_572_864
    assert isinstance(decode_document(largest[:most], "a", Settings()), Document)
    assert refuse((largest + b"x" * most)[: most + 1]).reason is Reason.TOO_LARGE


def test_minified() -> None:
    assert refuse(b"var a=1;" * 51 + b"\n").reason is Reason.MINIFIED
    assert refuse(b"a = 1\n" * 5000 + b"x" * 10_001).detail == "a line has 10,001 characters; the limit is 10,000"
    check(b"x" * 400 + b"\n")
    check("ü".encode() * 400 + b"\n")
    check(b"a = 1\n" * 5000 + "ü".encode() * 9_999)
    check(b"word " * 5000, "README.md")
    check(b"1,2,3," * 5000, "table.csv")
    check(b"a = 1\r" * 5000)


def test_secret_names_are_refused_unread(tmp_path: Path) -> None:
    assert refuse(b"A=1", ".env") == Skip(Reason.SECRET, "environment file")
    assert read_document(tmp_path / "absent", "sub/id_rsa", Settings()) == Skip(Reason.SECRET, "ssh key")


def test_reading_from_disk(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"\xef\xbb\xbfx = 1\r\n")
    document = read_document(path, "a.py", Settings())
    assert isinstance(document, Document)
    assert document.data == b"x = 1\r\n"
    assert read_document(path, "a.py", Settings(max_file_bytes=3)) == Skip(Reason.TOO_LARGE, "10 bytes; the limit is 3")


def test_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/etc/passwd")
    said = {
        name: read_document(tmp_path / name, name, Settings())
        for name in ("pipe", "link", "gone", ".", "nul\0", "n" * 300)
    }
    assert said == {
        "pipe": Skip(Reason.UNREADABLE, "it is not a regular file"),
        "link": Skip(Reason.UNREADABLE, "it is a symbolic link"),
        "gone": Skip(Reason.UNREADABLE, "no such file or directory"),
        ".": Skip(Reason.UNREADABLE, "it is not a regular file"),
        "nul\0": Skip(Reason.UNREADABLE, "its name cannot be a path"),
        "n" * 300: Skip(Reason.UNREADABLE, "file name too long"),
    }


def test_a_file_that_changes_is_never_mixed(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"a" * 200_000)
    stop = threading.Event()

    def write() -> None:
        letter = 0
        while not stop.is_set():
            letter = (letter + 1) % 26
            path.write_bytes(bytes([97 + letter]) * 200_000)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(200):
            result = read_document(path, "a.txt", Settings())
            if isinstance(result, Document):
                assert len(set(result.data)) <= 1
            else:
                assert result.detail == "it kept changing while it was read"
    finally:
        stop.set()
        writer.join()
