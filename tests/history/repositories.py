"""Real git repositories, made by the real git, with nothing of the person's configuration in them."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

_DAY = 86_400
_FIRST_DAY = 1_735_732_800  # 2025-01-01, noon in Greenwich


class Repository:
    """A repository in which every commit is a day later than the one before."""

    def __init__(self, folder: Path, object_format: str = "sha1") -> None:
        folder.mkdir(parents=True)
        self.folder = folder
        self._day = 0
        self.git("init", "-q", "-b", "main", f"--object-format={object_format}")

    @classmethod
    def at(cls, folder: Path) -> "Repository":
        """One that is there already."""
        found = cls.__new__(cls)
        found.folder, found._day = folder, int(git("rev-list", "--count", "--all", cwd=folder))
        return found

    def commit(
        self, message: str, files: Mapping[str, str | bytes | None] | None = None, author: str = "Ada <ada@example.org>"
    ) -> str:
        """Write some files (None deletes one) and commit everything; the commit's name."""
        for path, content in (files or {}).items():
            place = self.folder / path
            if content is None:
                place.unlink()
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content.encode() if isinstance(content, str) else content)
        self.git("add", "-A")
        self._day += 1
        self.git("commit", "-q", "--allow-empty", "--author", author, "-F", "-", given=message)
        return self.git("rev-parse", "HEAD")

    def git(self, *arguments: str, given: str = "") -> str:
        """What git prints, without blanks at the end."""
        return git(*arguments, cwd=self.folder, given=given, seconds=_FIRST_DAY + self._day * _DAY)


def git(*arguments: str, cwd: Path, given: str | bytes = "", seconds: int = _FIRST_DAY) -> str:
    done = subprocess.run(
        ["git", "-c", "protocol.file.allow=always", *arguments],
        cwd=cwd,
        env=_environment(seconds),
        input=given.encode() if isinstance(given, str) else given,
        capture_output=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().strip()


def _environment(seconds: int) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    when = f"{seconds} +0000"
    return kept | {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_DATE": when,
        "GIT_COMMITTER_DATE": when,
        "GIT_AUTHOR_NAME": "Ada",
        "GIT_AUTHOR_EMAIL": "ada@example.org",
        "GIT_COMMITTER_NAME": "Ada",
        "GIT_COMMITTER_EMAIL": "ada@example.org",
    }
