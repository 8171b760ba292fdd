"""Downloads many files at once, each bounded, checked and written under its name only when it is whole."""

import hashlib
import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

TIMEOUT_SECONDS = 30.0
"""How long a server may be silent."""

LONGEST_SECONDS = 900.0
"""How long one file may take: a server that sends a byte now and then is never silent and never done."""

ATTEMPTS = 3
"""How often a file is tried: registries behind a cache sometimes break off or answer 503 once."""

LARGEST_BYTES = 120_000_000
"""The largest archive that is taken; compilers and browsers beyond it would be most of the volume."""

PIECE_BYTES = 1 << 18
"""How much is read at a time."""


BROKEN = (OSError, ValueError, http.client.HTTPException)
"""What a connection raises that breaks off or was never made."""


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
        except (*BROKEN, DownloadError) as error:
            part.unlink(missing_ok=True)
            gone = isinstance(error, urllib.error.HTTPError) and error.code in (401, 403, 404, 410)
            if isinstance(error, DownloadError) or attempt == ATTEMPTS - 1 or gone:
                raise DownloadError(f"{remote.url}: {error}") from error
            time.sleep(0.5 + attempt)


def read(url: str, largest: int) -> bytes:
    """Fetch a small document."""
    try:
        return b"".join(_pieces(url, largest))
    except (*BROKEN, DownloadError) as error:
        raise DownloadError(f"{url}: {error}") from error


def _transfer(remote: Remote, part: Path, largest: int) -> None:
    checksum = hashlib.new(remote.algorithm) if remote.algorithm else None
    with part.open("wb") as file:
        for piece in _pieces(remote.url, largest):
            if checksum:
                checksum.update(piece)
            file.write(piece)
    if checksum and checksum.hexdigest() != remote.digest:
        raise OSError("the checksum is another one")


def _pieces(url: str, largest: int) -> Iterator[bytes]:
    if not url.startswith(("https://", "http://")):
        raise ValueError("not an address of the web")
    end = time.monotonic() + LONGEST_SECONDS
    size = 0
    answer: http.client.HTTPResponse
    with urllib.request.urlopen(url, timeout=TIMEOUT_SECONDS) as answer:
        while piece := answer.read1(PIECE_BYTES):
            size += len(piece)
            if size > largest:
                raise DownloadError(f"more than {largest} bytes")
            if time.monotonic() > end:
                raise DownloadError(f"not done after {LONGEST_SECONDS:.0f} s")
            yield piece
