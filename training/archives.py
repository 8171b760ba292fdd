"""Reads the files of an archive one after the other, without unpacking: .deb, tarballs, zip files."""

import io
import lzma
import subprocess
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO

LARGEST_ARCHIVE_BYTES = 3_000_000_000
"""How much an archive may hold before it is taken for a bomb."""

MOST_MEMBERS = 400_000
"""How many entries of an archive are looked at."""

LARGEST_MEMBER_BYTES = 8_000_000
"""What is read of a file unless the caller asks for more; sources are far smaller."""

BROKEN = (tarfile.TarError, zipfile.BadZipFile, lzma.LZMAError, zlib.error, EOFError, OSError, ValueError)
"""What a damaged archive raises."""


class ArchiveError(Exception):
    """An archive is damaged or not of a kind that is known."""


@dataclass(frozen=True, slots=True)
class Member:
    """A regular file in an archive. It can be read only until the next one is asked for."""

    path: str
    size: int
    read: Callable[[], bytes]


def members(archive: Path, largest: int = LARGEST_MEMBER_BYTES) -> Iterator[Member]:
    """Go through the regular files of an archive in the order they stand there; of each, `largest` bytes are read."""
    try:
        if archive.suffix == ".deb":
            yield from _deb(archive, largest)
        elif archive.suffix in (".whl", ".zip"):
            yield from _zip(archive, largest)
        else:
            with archive.open("rb") as file:
                yield from _tar(file, largest)
    except BROKEN as error:
        raise ArchiveError(f"{archive.name}: {error!r:.200}") from error


def _deb(archive: Path, largest: int) -> Iterator[Member]:
    command = ["dpkg-deb", "--fsys-tarfile", str(archive)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        try:
            yield from _tar(process.stdout, largest)
        finally:
            process.kill()


def _tar(file: IO[bytes], largest: int) -> Iterator[Member]:
    read = 0
    with tarfile.open(fileobj=file, mode="r|*") as tar:
        for number, entry in enumerate(tar):
            read += entry.size
            if number > MOST_MEMBERS or read > LARGEST_ARCHIVE_BYTES:
                raise ValueError("it holds too much")
            path = _clean(entry.name)
            if entry.isreg() and path:
                yield Member(path, entry.size, partial(_tar_content, tar, entry, largest))


def _zip(archive: Path, largest: int) -> Iterator[Member]:
    with zipfile.ZipFile(archive) as source:
        for number, entry in enumerate(source.infolist()):
            if number > MOST_MEMBERS:
                raise ValueError("it holds too much")
            path = _clean(entry.filename)
            if path and not entry.is_dir():
                yield Member(path, entry.file_size, partial(_zip_content, source, entry, largest))


def _tar_content(tar: tarfile.TarFile, entry: tarfile.TarInfo, largest: int) -> bytes:
    with tar.extractfile(entry) or io.BytesIO() as file:
        return file.read(largest)


def _zip_content(source: zipfile.ZipFile, entry: zipfile.ZipInfo, largest: int) -> bytes:
    with source.open(entry) as file:
        return file.read(largest)


def _clean(name: str) -> str:
    parts = [part for part in PurePosixPath(name).parts if part not in ("/", ".", "..")]
    return "/".join(parts)
