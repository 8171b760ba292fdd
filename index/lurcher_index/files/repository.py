"""The git repository around a folder, as far as ignore rules and branch switches need it. Git itself is never run."""

import os
import stat
from pathlib import Path

MAX_RULE_FILE_BYTES = 4 << 20
"""No ignore file is larger; one that is (say a link to a device) must not fill the memory."""

# O_NONBLOCK: opening a pipe that nobody writes to would wait for ever.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def repository_root(folder: Path) -> Path | None:
    """The nearest folder at or above `folder`, which must be absolute, that holds `.git`."""
    for parent in (folder, *folder.parents):
        if has_git(parent):
            return parent
    return None


def has_git(folder: Path | str) -> bool:
    """Whether `folder` is the top of a repository or of a worktree."""
    return os.path.exists(f"{folder}/.git")  # noqa: PTH110 - pathlib takes five times as long, once per folder


def git_dir(root: Path) -> Path | None:
    """Where the repository with the top folder `root` keeps its HEAD; follows the `.git` file of a worktree."""
    dot_git = root / ".git"
    if dot_git.is_dir():
        return dot_git
    line = _first_line(dot_git)
    return root / line.removeprefix("gitdir: ") if line.startswith("gitdir: ") else None


def exclude_file(root: Path) -> Path:
    """The repository's own `info/exclude`, which all of its worktrees share."""
    found = git_dir(root) or root / ".git"
    common = _first_line(found / "commondir")
    return (found / common if common else found) / "info" / "exclude"


def head(root: Path) -> str:
    """What HEAD says: the branch, or the commit if it is detached; empty if it cannot be read."""
    found = git_dir(root)
    return _first_line(found / "HEAD") if found else ""


def read_rule_file(path: Path | str) -> bytes:
    """The bytes of an ignore file; empty if it is absent, unreadable or not a regular file."""
    try:
        number = os.open(path, _FLAGS)
    except (OSError, ValueError):
        return b""
    with os.fdopen(number, "rb") as file:
        return file.read(MAX_RULE_FILE_BYTES) if stat.S_ISREG(os.fstat(number).st_mode) else b""


def _first_line(path: Path) -> str:
    raw = read_rule_file(path)
    return raw.split(b"\n", 1)[0].decode("utf-8", "replace").strip()
