"""A source tree as a repository of its own, so that its commits can be published."""

import os
import random
import shutil
import subprocess
from pathlib import Path

HOST = "https://code.example.com"

_IDENTITY = {
    "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.com",
    "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.com",
    "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull,
}  # fmt: skip


def git(folder: Path, *arguments: str) -> str:
    """What git prints."""
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env=os.environ | _IDENTITY, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def checkout_of(tree: Path, name: str, to: Path) -> Path:
    """A copy of a tree with one commit of all its files; the one that is there is kept. `name` is `owner/name`."""
    if not (to / ".git" / "refs").is_dir():
        shutil.rmtree(to, ignore_errors=True)
        shutil.copytree(tree, to, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        git(to, "init", "-q", "-b", "main")
        git(to, "add", "-A", "-f")
        git(to, "commit", "-q", "-m", "all of it")
        git(to, "remote", "add", "origin", f"{HOST}/{name}.git")
    return to


def change(folder: Path, files: int, seed: int) -> list[str]:
    """Commit a small edit in so many source files; which."""
    sources = [path for path in git(folder, "ls-files", "-z").split("\0") if path.endswith((".go", ".py", ".c", ".js"))]
    chosen = sorted(random.Random(seed).sample(sources, min(files, len(sources))))
    for path in chosen:
        with (folder / path).open("a", encoding="utf-8") as file:
            file.write(f"\n// edit {seed}\n" if not path.endswith(".py") else f"\n# edit {seed}\n")
    git(folder, "add", "-A", "-f", *chosen)
    git(folder, "commit", "-q", "-m", f"change {files} files")
    return chosen
