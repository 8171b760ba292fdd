"""Trees on disk for the tests of this folder, and the two listers side by side."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

from lurcher_index.config import Settings
from lurcher_index.files.discovery import discover, walk
from lurcher_index.files.rules import IgnoreRules


def plant(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def everything(folder: Path) -> list[str]:
    """Every regular file below the folder that no link leads to, but for git's own."""
    found: list[str] = []
    for path in folder.rglob("*"):
        relative = path.relative_to(folder)
        parents = [folder / parent for parent in relative.parents]
        if path.is_file() and not path.is_symlink() and not any(parent.is_symlink() for parent in parents):
            found.append(relative.as_posix())
    return sorted(found)


def listed(folder: Path, settings: Settings | None = None) -> list[str]:
    """What both listers and the rules agree to be there."""
    settings = settings or Settings()
    quick, slow = discover(folder, settings), walk(folder, settings)
    assert quick.lister == "ripgrep"
    assert slow.lister == "walker"
    assert quick.files == slow.files
    assert quick.skipped == slow.skipped
    paths = [found.path for found in quick.files]
    rules = IgnoreRules(folder, settings)
    assert [path for path in everything(folder) if rules.check(path) is None] == paths
    return paths


def git_listed(folder: Path) -> list[str]:
    """What git itself would track: the third witness for trees that have .gitignore files only."""
    subprocess.run(["git", "init", "-q", folder], check=True, capture_output=True)
    command = ["git", "-c", "core.excludesFile=", "ls-files", "-z", "--others", "--exclude-standard"]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return sorted(name.decode() for name in done.stdout.split(b"\0")[:-1])
