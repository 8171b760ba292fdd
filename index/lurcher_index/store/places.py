"""Where the index of a workspace lives: one directory per set of folders in the user's cache."""

import hashlib
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import platformdirs

from lurcher_index.errors import StoreError

CACHE_VARIABLE = "LURCHER_CACHE"
"""Environment variable that moves the cache, for example to a larger disk."""

_ABOUT = "about.json"


class Place(msgspec.Struct, frozen=True):
    """The directory of one workspace's index, and the names in it."""

    directory: Path

    @property
    def root(self) -> Path:
        """The directory for indexes that this one lies in."""
        return self.directory.parent.parent

    @property
    def database(self) -> Path:
        """The SQLite file that is the truth."""
        return self.directory / "index.sqlite"

    def words(self, epoch: str) -> Path:
        """The postings derived from the truth of one epoch; a database that starts anew gets new postings."""
        return self.directory / f"words-{epoch}"

    def drop_other_words(self, epoch: str) -> None:
        """Delete the postings of databases that are no more; whoever still reads them keeps what it has open."""
        for old in self.directory.glob("words-*"):
            if old != self.words(epoch):
                shutil.rmtree(old, ignore_errors=True)

    def delete(self) -> None:
        """Delete the index. The lock stays, for somebody may be waiting for it."""
        try:
            for name in self.directory.iterdir():
                if name == self.lock:
                    continue
                if name.is_dir():
                    shutil.rmtree(name)
                else:
                    name.unlink(missing_ok=True)
        except FileNotFoundError:
            return
        except OSError as error:
            raise StoreError(f"the index {self.directory} cannot be deleted: {error}") from error

    @property
    def lock(self) -> Path:
        """Held by the one process that writes at a time; the system frees it when that process dies."""
        return self.directory / "write.lock"


class About(msgspec.Struct, frozen=True):
    """What a place says about itself, so that people and other workspaces can find it."""

    folders: tuple[str, ...]
    repositories: tuple[str, ...]
    """The git directories that the folders' worktrees share."""
    shape: str
    """The settings that shape the index; contents of another shape are of no use."""


def cache_root() -> Path:
    """The directory below which all indexes lie."""
    chosen = os.environ.get(CACHE_VARIABLE)
    return Path(chosen) if chosen else platformdirs.user_cache_path("lurcher", appauthor=False)


def place_for(folders: Sequence[Path], shape: str, root: Path | None = None) -> Place:
    """The place of a workspace; the order of its folders does not matter, the settings that shape the index do."""
    names = [shape, *sorted(str(folder) for folder in folders)]
    digest = hashlib.blake2b("\0".join(names).encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()
    first = min(folders, key=str).name if folders else "empty"
    readable = "".join(char if char.isalnum() else "-" for char in first)[:32]
    return Place((root or cache_root()) / "workspaces" / f"{readable}-{digest}")


def write_about(place: Place, folders: Sequence[Path], shape: str) -> None:
    """Leave a note of what the place is for; written beside and renamed, so that no reader sees half of it."""
    repositories = tuple(sorted({str(found) for folder in folders if (found := shared_git_directory(folder))}))
    about = About(tuple(str(folder) for folder in folders), repositories, shape)
    target = place.directory / _ABOUT
    try:
        place.directory.mkdir(parents=True, exist_ok=True)
        encoded = msgspec.json.format(msgspec.json.encode(about))
        if target.exists() and target.read_bytes() == encoded:
            return
        draft = target.with_suffix(f".{os.getpid()}")
        draft.write_bytes(encoded)
        draft.replace(target)
    except (OSError, UnicodeEncodeError) as error:
        raise StoreError(f"the index directory {place.directory} cannot be written: {error}") from error


def relatives(place: Place) -> list[Place]:
    """Places of other worktrees of the same repositories: what they know about a content need not be found anew."""
    own = _about(place)
    if own is None or not own.repositories:
        return []
    return [
        other
        for other, about in _all_places(place.directory.parent)
        if other != place and about.shape == own.shape and set(about.repositories) & set(own.repositories)
    ]


def shared_git_directory(folder: Path) -> Path | None:
    """The git directory that all worktrees of the folder's repository share, read without running git."""
    for above in (folder, *folder.parents):
        git = above / ".git"
        try:
            if git.is_dir():
                return git.resolve()
            if git.is_file():
                pointer = git.read_text("utf-8", "replace").removeprefix("gitdir:").strip()
                own = (above / pointer).resolve()
                common = own / "commondir"
                return (own / common.read_text("utf-8").strip()).resolve() if common.is_file() else own
        except OSError:
            return None
    return None


def _all_places(workspaces: Path) -> Iterator[tuple[Place, About]]:
    try:
        directories = sorted(entry for entry in workspaces.iterdir() if entry.is_dir())
    except OSError:
        return
    for directory in directories:
        place = Place(directory)
        about = _about(place)
        if about is not None:
            yield place, about


def _about(place: Place) -> About | None:
    try:
        return msgspec.json.decode((place.directory / _ABOUT).read_bytes(), type=About)
    except (OSError, msgspec.DecodeError):
        return None
