"""The exceptions of the engine, one small tree: catch `LurcherError` to catch them all."""


class LurcherError(Exception):
    """Something a person can act on; its text says what happened and what to do next."""


class BadQuery(LurcherError):
    """The question cannot be searched for, for example because it is empty."""


class BadFolder(LurcherError):
    """A workspace folder does not exist, is not a folder or cannot be listed."""


class BadSetting(LurcherError):
    """A setting has an unknown name or a value of the wrong kind."""


class EmbedderError(LurcherError):
    """The embedding model cannot be used, now or at all; search goes on by words, and it is tried again by itself."""


class StoreError(LurcherError):
    """The index on disk cannot be read or written."""


class StoreDamaged(StoreError):
    """The index on disk is not what was written there; it has to be built anew."""


class StoreClosed(StoreError):
    """The index was closed while somebody still worked with it, as at the end of a session."""


class StoreReplaced(StoreError):
    """Another process has deleted the index on disk; it has to be opened again."""


class StoreBusy(StoreError):
    """Another process holds the index's write lock for longer than we were willing to wait."""


class ModelError(LurcherError):
    """The embedding model cannot be read, or is not the one that belongs to this version."""


class HistoryError(LurcherError):
    """The git history of a folder cannot be read."""


class UnknownCommit(HistoryError):
    """A commit that was named is not in the repository."""


class TooFewCommits(HistoryError):
    """A history has too few commits that can be asked about."""


class Cancelled(LurcherError):
    """The caller asked for the work to stop; what was finished until then is kept."""


class RemoteError(LurcherError):
    """Remote code search failed or cannot be used; search on this machine goes on. Its text holds no secret."""


class RemoteUnreachable(RemoteError):
    """Nobody answers there, or not in time, or not in a way that can be understood."""


class RemoteDenied(RemoteError):
    """The token is missing, wrong, or does not allow this (401, 403)."""


class RemoteUnknown(RemoteError):
    """There is no such repository, or no such server (404)."""


class RemoteBusy(RemoteError):
    """Too many requests, or somebody else is at it; it may be tried again after `wait` seconds."""

    def __init__(self, message: str, wait: float = 0.0) -> None:
        """`wait` are seconds, 0 if nobody says."""
        super().__init__(message)
        self.wait = wait
