"""The states of remote code search and of the repositories it knows; their names are those of the wire."""

from collections.abc import Iterable
from enum import StrEnum

import msgspec

from lurcher_index.remote.connection import Connection


class RemoteState(StrEnum):
    """Whether remote code search can be asked at all."""

    DISABLED = "disabled"
    LOADING = "loading"
    LOADED = "loaded"


class RepositoryState(StrEnum):
    """How far the remote index of one repository is."""

    NOT_RESOLVABLE = "notResolvable"
    RESOLVING = "resolving"
    CHECKING = "checking"
    NOT_YET_INDEXED = "notYetIndexed"
    NOT_INDEXABLE = "notIndexable"
    COULD_NOT_CHECK = "couldNotCheck"
    NOT_AUTHORIZED = "notAuthorized"
    BUILDING = "building"
    READY = "ready"


class Repository(msgspec.Struct, frozen=True):
    """One repository of the workspace as the remote side sees it."""

    name: str
    state: RepositoryState
    commit: str | None = None
    """The commit that the remote index knows; None before there is one, and for an empty repository."""
    detail: str = ""
    """What a person should know or do, for example how to sign in."""


class RemoteStatus(msgspec.Struct, frozen=True):
    """All there is to say about remote code search in a workspace."""

    state: RemoteState = RemoteState.DISABLED
    repositories: tuple[Repository, ...] = ()
    connection: Connection | None = None
    sends: tuple[str, ...] = ()
    """What leaves the machine with every search, one line each."""
    detail: str = ""
    """What a person should know or do."""


def all_ready(state: RemoteState, repositories: Iterable[Repository]) -> bool:
    """Whether every repository can be searched at once.

    No repositories are ready only once the list is loaded; before that an empty list means that nobody has looked.
    """
    return state is RemoteState.LOADED and all(each.state is RepositoryState.READY for each in repositories)
