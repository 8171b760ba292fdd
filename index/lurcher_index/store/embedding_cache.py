"""Vectors that were expensive to make, kept on disk as raw bytes: nothing there is ever unpickled or names a file.

Whoever can write to the cache must not be able to do more than give us wrong vectors. diskcache's own way of storing
would run code out of a tampered row, read any file that a row names, and delete it when the row is evicted.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

DIRECTORY = "embeddings"
"""Name of the cache's directory, beside those of the indexes."""

BUSY_SECONDS = 5.0
"""How long a statement waits for another process; making the vector anew takes about as long."""

_MODE_RAW = 1
"""diskcache's number for a value that stands in the row itself."""

_POLICY = "least-recently-used"

if TYPE_CHECKING:

    class _Disk:
        """What we replace of diskcache.Disk, which has no types."""

        def __init__(self, directory: str, min_file_size: int = 0, pickle_protocol: int = 0) -> None: ...

else:
    from diskcache import Disk as _Disk


class _Cache(Protocol):
    """What we use of diskcache.Cache."""

    def get(self, key: bytes) -> bytes | None: ...
    def set(self, key: bytes, value: bytes) -> bool: ...
    def transact(self, retry: bool = False) -> AbstractContextManager[None]: ...
    def close(self) -> None: ...


class RawDisk(_Disk):
    """Keys and values are bytes inside the database. Every other kind is refused, whoever wrote it."""

    def put(self, key: object) -> tuple[memoryview, bool]:
        """A key as it is stored."""
        return sqlite3.Binary(_bytes(key)), True

    def get(self, key: object, raw: object) -> bytes:
        """A key as it was stored; one that was pickled is refused."""
        if not raw:
            raise ValueError("a pickled key is refused")
        return _bytes(key)

    def store(self, value: object, read: bool, key: object = None) -> tuple[int, int, None, memoryview]:
        """A value as it is stored: size on disk, mode, file name, value."""
        del key
        if read:
            raise TypeError("values are not read from files")
        return 0, _MODE_RAW, None, sqlite3.Binary(_bytes(value))

    def fetch(self, mode: object, filename: object, value: object, read: bool) -> bytes:
        """A value as it was stored; what was pickled or stands in a file is refused."""
        if mode != _MODE_RAW or filename is not None or read:
            raise ValueError("a value that is not in the row itself is refused")
        return _bytes(value)

    def filename(self, key: object = None, value: object = None) -> tuple[str, str]:
        """There are no files."""
        del key, value
        raise TypeError("values are not kept in files")

    def remove(self, file_path: object) -> None:
        """There are no files: a row that names one was written by somebody else, and the file is not ours."""


class EmbeddingCache:
    """Bytes by key, at most so many bytes in all; those that were not used for longest go first. Thread-safe.

    A cache that cannot be used holds nothing and says why in `problem`; it is never an error.
    """

    def __init__(self, directory: Path, most_bytes: int) -> None:
        """Open or create it."""
        self.problem = ""
        self._directory = directory
        self._cache: _Cache | None = None
        try:
            directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            kind: Any = import_module("diskcache").Cache
            # In two steps: one that turns out to be damaged has a connection by then, and nobody else would close it.
            made = kind.__new__(kind)
            try:
                made.__init__(
                    str(directory), timeout=BUSY_SECONDS, disk=RawDisk, size_limit=most_bytes, eviction_policy=_POLICY
                )
            finally:
                with suppress(AttributeError):  # It may have failed before it could have one.
                    made.close()
            self._cache = cast("_Cache", made)
        except Exception as error:  # noqa: BLE001 - a damaged database fails in many ways, and all mean: no cache
            self._give_up(error)

    def get(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """What is there of some keys."""
        cache, found = self._cache, dict[bytes, bytes]()
        if cache is None:
            return found
        try:
            # One transaction for all: each look notes when the row was last used.
            with cache.transact():
                for key in keys:
                    value = cache.get(key)
                    if value is not None:
                        found[key] = value
        except Exception as error:  # noqa: BLE001 - see above
            self._give_up(error)
        finally:
            self._let_go(cache)
        return found

    def put(self, values: Mapping[bytes, bytes]) -> None:
        """Keep some values, all or none."""
        cache = self._cache
        if cache is None:
            return
        try:
            with cache.transact():
                for key, value in values.items():
                    cache.set(key, value)
        except Exception as error:  # noqa: BLE001 - see above
            self._give_up(error)
        finally:
            self._let_go(cache)

    def _let_go(self, cache: _Cache) -> None:
        """Close this thread's connection: there is one a thread, and nobody knows when a thread is done with it. To
        open the next one takes less time than to embed a chunk."""
        try:
            cache.close()
        except Exception as error:  # noqa: BLE001 - see above
            self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        self._cache = None
        self.problem = (
            f"the cache of vectors in {self._directory} cannot be used ({type(error).__name__}); vectors are made anew."
            " Delete that directory, or free some space"
        )


def _bytes(value: object) -> bytes:
    if not isinstance(value, bytes | memoryview):
        raise TypeError(f"only bytes are kept, not {type(value).__name__}")
    return bytes(cast("Sequence[int]", value))
