"""Downloads many files at once, each bounded, checked and written under its name only when it is whole."""

import hashlib
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

TIMEOUT_SECONDS = 30.0
"""How long a server may be silent."""

ATTEMPTS = 3
"""How often a file is tried: registries behind a cache sometimes break off or answer 503 once."""

LARGEST_BYTES = 120_000_000
"""The largest archive that is taken; compilers and browsers beyond it would be most of the volume."""

PIECE_BYTES = 1 << 18
"""How much is read at a time."""


class DownloadError(Exception):
    """A file could not be fetched; the text says which and why."""


@dataclass(frozen=True, slots=True)
class Remote:
    """A file of a registry: where it is, and what its index says about its contents (empty: nothing)."""

    url: str
    size: int = 0
    algorithm: str = ""
    digest: str = ""


def download(remote: Remote, target: Path, largest: int = LARGEST_BYTES) -> None:
    """Fetch a file unless it is there."""
    if target.exists():
        return
    if remote.size > largest:
        raise DownloadError(f"{remote.url}: {remote.size} bytes are too many")
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(target.name + ".part")
    for attempt in range(ATTEMPTS):
        try:
            _transfer(remote, part, largest)
            part.rename(target)
            return
        except (OSError, ValueError, DownloadError) as error:
            part.unlink(missing_ok=True)
            gone = isinstance(error, urllib.error.HTTPError) and error.code in (401, 403, 404, 410)
            if isinstance(error, DownloadError) or attempt == ATTEMPTS - 1 or gone:
                raise DownloadError(f"{remote.url}: {error}") from error
            time.sleep(0.5 + attempt)


def read(url: str, largest: int) -> bytes:
    """Fetch a small document."""
    try:
        with _open(url) as answer:
            data: bytes = answer.read(largest + 1)
    except (OSError, ValueError) as error:
        raise DownloadError(f"{url}: {error}") from error
    if len(data) > largest:
        raise DownloadError(f"{url}: more than {largest} bytes")
    return data


def _transfer(remote: Remote, part: Path, largest: int) -> None:
    checksum = hashlib.new(remote.algorithm) if remote.algorithm else None
    size = 0
    with _open(remote.url) as answer, part.open("wb") as file:
        while piece := answer.read(PIECE_BYTES):
            size += len(piece)
            if size > largest:
                raise DownloadError(f"more than {largest} bytes")
            if checksum:
                checksum.update(piece)
            file.write(piece)
    if checksum and checksum.hexdigest() != remote.digest:
        raise OSError("the checksum is another one")


def _open(url: str):  # type: ignore[no-untyped-def]
    if not url.startswith(("https://", "http://")):
        raise ValueError("not an address of the web")
    return urllib.request.urlopen(url, timeout=TIMEOUT_SECONDS)
