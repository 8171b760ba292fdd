"""A team: an engine they share, repositories that are published to it, and a checkout that is worked in."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from tests.history.repositories import Repository
from tests.server.client import Client

ROOT = Path(__file__).parents[3]


class Team:
    """Where everything lies, and the command line of one machine."""

    def __init__(self, folder: Path, kind: str, url: str) -> None:
        self.folder = folder
        self.kind = kind
        self.url = url
        self.config = folder / "config"

    def lurcher(self, *arguments: str, code: int = 0) -> str:
        """What a command prints."""
        done = subprocess.run(
            [sys.executable, "-m", "lurcher_server", *arguments],
            env=self.environment(),
            capture_output=True,
            text=True,
            timeout=600,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == code, f"{arguments}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def publish(self, checkout: Path, *more: str) -> dict[str, Any]:
        """Send a commit."""
        told = self.lurcher("publish", "--to", self.url, "--kind", self.kind, "--json", *more, str(checkout))
        return cast("dict[str, Any]", json.loads(told))

    def allow(self, *checkouts: Path) -> None:
        """Say yes for some folders."""
        folders = [word for checkout in checkouts for word in ("--workspace", str(checkout))]
        self.lurcher("remote", "allow", self.kind, self.url, "--yes", *folders)

    def client(self, settings: Mapping[str, Any] | None = None) -> Client:
        """An editor without an index."""
        chosen = {"indexOnStart": False, "remoteUse": "always", **(settings or {})}
        return Client(self.folder / "store", chosen, {"LURCHER_CONFIG": str(self.config)})

    def environment(self) -> dict[str, str]:
        paths = os.pathsep.join(str(ROOT / name) for name in ("index", "server"))
        mine = {"LURCHER_CONFIG": str(self.config), "LURCHER_CACHE": str(self.folder / "cli-store")}
        return os.environ | mine | {"PYTHONPATH": paths}


def cloned(repository: Repository, name: str, to: Path) -> Path:
    """A checkout of a repository that others know by a name."""
    repository.git("clone", "-q", str(repository.folder), str(to))
    subprocess.run(["git", "remote", "set-url", "origin", f"https://{name}.git"], cwd=to, check=True)
    return to
