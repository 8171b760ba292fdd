"""Small disks: real ones, which only root can have."""

import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest


class Disk:
    """A file system in memory that can be filled to the last byte, and emptied again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    def fill(self, leave: int = 0) -> None:
        """Leave so many bytes."""
        with self._ballast.open("ab", buffering=0) as ballast:
            try:
                while ballast.write(b"x" * 65_536) == 65_536:
                    pass
            except OSError:
                pass
            if leave:
                ballast.truncate(max(0, ballast.tell() - leave))

    def free(self) -> None:
        self._ballast.unlink(missing_ok=True)


@contextmanager
def small_disk(megabytes: int) -> Generator[Disk]:
    """One of some size; the test is skipped where nobody may mount."""
    if not sys.platform.startswith("linux"):
        pytest.skip("small disks are made with Linux's tmpfs")
    # Not below pytest's folders: they are their owner's alone, and a server may run as somebody else.
    folder = Path(tempfile.mkdtemp(prefix="lurcher-disk-"))
    folder.chmod(0o711)
    mounting = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=0777", "tmpfs", str(folder)]
    done = subprocess.run(mounting, capture_output=True, text=True)
    if done.returncode:
        folder.rmdir()
        pytest.skip(f"a small disk cannot be mounted here: {done.stderr.strip()}")
    try:
        yield Disk(folder)
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
        folder.rmdir()
