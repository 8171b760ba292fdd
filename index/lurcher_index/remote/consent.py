"""Who agreed to what: one file in the user's own configuration, which nothing in a workspace can write.

Settings say what somebody wishes, and an editor cannot tell whether that was the person or a file of the workspace.
So nothing is sent because of a setting. It is sent because this file says that the person, for this folder, allowed
this address and was told what goes there.
"""

import os
import stat
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal

import filelock
import msgspec
import platformdirs

from lurcher_index.errors import BadSetting, RemoteError
from lurcher_index.remote.addresses import checked_connection
from lurcher_index.remote.connection import Connection
from lurcher_index.remote.sending import described

CONFIG_VARIABLE = "LURCHER_CONFIG"
"""Environment variable that moves the configuration."""

FILE_NAME = "remotes.json"

MAX_BYTES = 1024 * 1024
"""Largest file that is read or written: room for more than a thousand folders, and nothing that could be a burden."""

LOCK_SECONDS = 10.0
"""How long another process may take to write before we give up; it takes milliseconds."""

LAST_SECOND = 253_402_300_799
"""The end of the year 9999, beyond which no calendar goes."""

# O_NONBLOCK: a pipe in the file's place must not block. O_NOFOLLOW: a link in its place must not lead elsewhere.
_FLAGS = sum(getattr(os, name, 0) for name in ("O_RDONLY", "O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC", "O_BINARY"))


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a person answered for one folder."""

    answer: Literal["allowed", "never"]
    """`never`: nothing is sent from here, and nobody asks again."""
    when: Annotated[float, msgspec.Meta(ge=0, le=LAST_SECOND)]
    """Seconds since 1970."""
    connection: Connection | None = None
    """What was allowed."""
    sends: tuple[str, ...] = ()
    """What was said to be sent, line by line."""

    @property
    def in_force(self) -> Connection | None:
        """What is allowed now. Whoever would send more than was agreed to has to ask again."""
        if self.answer != "allowed" or self.connection is None:
            return None
        return self.connection if set(described(self.connection)) <= set(self.sends) else None


class Recorded(msgspec.Struct, frozen=True):
    """Everything that the file says."""

    records: dict[str, Record] = {}
    """By the real path of the folder."""
    complaint: str = ""
    """Why the file is not believed, and what to do; then there are no records, and nothing is allowed."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    folders: dict[str, Record]
    version: Literal[1] = 1
    """Of the file's layout; another one is not believed."""


class Consents:
    """The file. It is read anew with each question, for another process may have changed it; nothing is remembered."""

    def __init__(self, directory: Path | None = None) -> None:
        """`directory` is where the file lies, by default the user's configuration."""
        self.directory = directory or config_directory()

    @property
    def path(self) -> Path:
        """The file."""
        return self.directory / FILE_NAME

    def allowed(self, folder: Path | str) -> Connection | None:
        """The connection that is allowed for a folder, which is named by any of its paths; None if none is."""
        record = self.record(folder)
        return record.in_force if record is not None else None

    def record(self, folder: Path | str) -> Record | None:
        """What was answered for a folder."""
        return self.about([folder]).records.get(real_path(folder))

    def about(self, folders: Iterable[Path | str]) -> Recorded:
        """What was answered for some folders; nothing is believed of a file that is one of a folder's own."""
        names = {real_path(folder) for folder in folders}
        if any(Path(os.path.realpath(self.path)).is_relative_to(name) for name in names):
            return self._not_believed("it lies inside of the folder, whose files could then allow what they like")
        found = self.recorded()
        mine = {name: record for name, record in found.records.items() if name in names}
        return msgspec.structs.replace(found, records=mine)

    def all(self) -> dict[str, Record]:
        """Every answer, by the real path of its folder."""
        return dict(self.recorded().records)

    def allow(self, folder: Path | str, connection: Connection) -> Record:
        """Note that the person allowed a connection for a folder, having been told what it sends."""
        if complaint := self.about([folder]).complaint:
            raise RemoteError(complaint)
        name = real_path(folder)
        record = Record(answer="allowed", when=time.time(), connection=connection, sends=described(connection))
        self._change(lambda records: records | {name: record})
        return record

    def refuse(self, folder: Path | str) -> None:
        """Note that nothing is to be sent from a folder, and that nobody wants to be asked again."""
        record = Record(answer="never", when=time.time())
        self._change(lambda records: records | {real_path(folder): record})

    def forbid(self, folder: Path | str) -> bool:
        """Forget what was answered for a folder, so that nothing is allowed; False if nothing was answered."""
        name = real_path(folder)
        if name not in self.recorded().records:
            return False
        self._change(lambda records: {each: record for each, record in records.items() if each != name})
        return True

    def recorded(self) -> Recorded:
        """What the file says now; an absent one says nothing, one that is not as we write it is not believed."""
        try:
            raw = _read(self.path)
        except FileNotFoundError:
            return Recorded()
        except (OSError, ValueError) as error:
            return self._not_believed(str(error))
        try:
            records = msgspec.json.decode(raw, type=_File).folders
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return self._not_believed("it is damaged, or was written by another version")
        if not all(_is_ours(record) for record in records.values()):
            return self._not_believed("it allows what could not have been allowed")
        return Recorded(records)

    def stamp(self) -> object:
        """Something that is another one after the file has changed, to be compared; cheaper than to read it."""
        try:
            found = os.lstat(self.path)
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns

    def _not_believed(self, why: str) -> Recorded:
        return Recorded(
            complaint=f"remote code search is allowed for no folder, since {self.path} is not believed: {why}. Move or"
            " delete it, and allow again what you want"
        )

    def _change(self, change: Callable[[dict[str, Record]], dict[str, Record]]) -> None:
        """Read, change and write while no other process does; a reader sees the file before or after, never half."""
        try:
            self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            with filelock.FileLock(self.path.with_suffix(".lock"), timeout=LOCK_SECONDS, mode=0o600):
                now = self.recorded()
                if now.complaint:
                    raise RemoteError(now.complaint)
                self._write(msgspec.json.format(msgspec.json.encode(_File(change(now.records)))))
        except filelock.Timeout:
            raise RemoteError(f"another process keeps {self.path} locked; try again") from None
        except (OSError, UnicodeEncodeError) as error:
            raise RemoteError(f"{self.path} cannot be written, and nothing was changed: {error}") from None

    def _write(self, encoded: bytes) -> None:
        if len(encoded) > MAX_BYTES:
            raise RemoteError(f"{self.path} would grow too large; forget folders that you no longer use")
        # Made with mode 0600, and in the same directory, so that it can be put in the file's place in one step.
        number, draft = tempfile.mkstemp(prefix=FILE_NAME, suffix=".new", dir=self.directory)
        try:
            with os.fdopen(number, "wb") as file:
                file.write(encoded)
                file.flush()
                os.fsync(number)
            Path(draft).replace(self.path)
        except OSError:
            with suppress(OSError):
                Path(draft).unlink()
            raise


def config_directory() -> Path:
    """Where the user's configuration lies."""
    chosen = os.environ.get(CONFIG_VARIABLE)
    return Path(chosen) if chosen else platformdirs.user_config_path("lurcher", appauthor=False)


def real_path(folder: Path | str) -> str:
    """The name under which a folder is kept: absolute, with links resolved."""
    return os.path.realpath(Path(folder).expanduser())


def _is_ours(record: Record) -> bool:
    """Whether it can have been written by `allow` or `refuse`."""
    made = record.connection
    if record.answer == "never" or made is None:
        return record.answer == "never" and made is None
    try:
        return checked_connection(made.kind, made.url, made.token_variable) == made
    except BadSetting:
        return False


def _read(path: Path) -> bytes:
    """The whole file, if it is a plain one that only its owner can write."""
    number = os.open(path, _FLAGS)
    with os.fdopen(number, "rb") as file:
        found = os.fstat(number)
        if not stat.S_ISREG(found.st_mode):
            raise ValueError("it is not a regular file")
        if hasattr(os, "geteuid") and (found.st_uid != os.geteuid() or found.st_mode & 0o022):
            raise ValueError("others than you can write it")
        if found.st_size > MAX_BYTES:
            raise ValueError("it is too large")
        raw = file.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        raise ValueError("it is too large")
    return raw
