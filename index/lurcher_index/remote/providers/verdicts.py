"""What an error says about a repository."""

from lurcher_index.errors import RemoteDenied, RemoteError, RemoteUnknown
from lurcher_index.remote.interface import Checked
from lurcher_index.remote.states import RepositoryState


def verdict(error: RemoteError) -> Checked:
    """The state of a repository that could not be looked at, and why."""
    match error:
        case RemoteDenied():
            state = RepositoryState.NOT_AUTHORIZED
        case RemoteUnknown():
            state = RepositoryState.NOT_INDEXABLE
        case _:
            state = RepositoryState.COULD_NOT_CHECK
    return Checked(state, detail=str(error))
