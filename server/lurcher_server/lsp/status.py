"""The status object: one picture of the index for the status bar, for people and for programs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from lurcher_index.building.progress import Phase
from lurcher_index.remote.states import RemoteState, RemoteStatus, Repository, all_ready
from lurcher_index.results import Status
from lurcher_index.text.numbers import counted
from lurcher_server.lsp.indexing import Indexing, State
from lurcher_server.lsp.protocol import RepositoryAnswer, StatusAnswer
from lurcher_server.lsp.uris import uri_of

if TYPE_CHECKING:
    from lurcher_server.lsp.session import Session

FEW_PENDING = 0.05
"""Share of files that may still be waiting while the index counts as ready for a fast search."""

_STATES: dict[State, Literal["starting", "updating", "ready", "requiresIndexing", "failed"]] = {
    State.STARTING: "starting",
    State.UPDATING: "updating",
    State.READY: "ready",
    State.REQUIRES_INDEXING: "requiresIndexing",
    State.FAILED: "failed",
}


def status_answer(
    session: "Session",
    indexing: Indexing,
    engine: Status | None,
    remote: RemoteStatus | None = None,
    remote_alerts: Sequence[str] = (),
) -> StatusAnswer:
    """Put the status together from what the engine, the builds and remote code search say."""
    elsewhere = remote or RemoteStatus(RemoteState.DISABLED)
    progress = indexing.progress
    running = indexing.state is State.UPDATING
    found = engine or Status((), "", 0, 0, {}, 0, False, 0, ())
    return StatusAnswer(
        state=_STATES[indexing.state],
        message=_message(indexing, found),
        folders=tuple(session.folders.values()) or tuple(uri_of(folder) for folder in found.folders),
        store=found.store,
        indexed=found.indexed,
        pending=found.pending,
        skipped=found.skipped,
        chunks=found.chunks,
        unsaved=found.unsaved,
        vectors_ready=round(found.vectors_ready, 4),
        model=found.model,
        next_model=found.next_model,
        complete=found.complete,
        has_fast_search=_has_fast_search(found) or is_fast_elsewhere(elsewhere),
        phase=progress.phase.value if running else "",
        done=progress.done if running else 0,
        total=progress.total if running else 0,
        files_per_second=round(progress.rate, 1) if running else 0.0,
        eta_seconds=_eta(indexing) if running else None,
        last_error=indexing.last_error,
        alerts=(*session.alerts, *found.alerts, *remote_alerts),
        remote=elsewhere.state.value,
        repositories=repository_answers(elsewhere.repositories),
    )


def is_fast_elsewhere(remote: RemoteStatus) -> bool:
    """Whether a search elsewhere covers the workspace at once: there are repositories, and all of them are ready."""
    return bool(remote.repositories) and all_ready(remote.state, remote.repositories)


def repository_answers(repositories: Sequence[Repository]) -> tuple[RepositoryAnswer, ...]:
    """Repositories as the client is told of them."""
    return tuple(
        RepositoryAnswer(name=each.name, state=each.state.value, commit=each.commit, detail=each.detail)
        for each in repositories
    )


def _has_fast_search(found: Status) -> bool:
    """From what is there, not from what is hoped for: the index is loaded and few files are missing in it. Then small
    workspaces can be returned whole, too."""
    return found.complete or (found.compared and 0 < found.pending <= FEW_PENDING * (found.indexed + found.pending))


def _eta(indexing: Indexing) -> float | None:
    remaining = indexing.progress.remaining_seconds
    return None if remaining is None else round(remaining, 1)


def _message(indexing: Indexing, found: Status) -> str:
    progress = indexing.progress
    match indexing.state:
        case State.STARTING:
            return "Starting."
        case State.UPDATING if progress.phase is Phase.EMBEDDING:
            return f"Making vectors, {progress.done:,} of {progress.total:,} files; words are searchable."
        case State.UPDATING if progress.total:
            return f"Indexing, {progress.done:,} of {progress.total:,} files; what is done is searchable."
        case State.UPDATING:
            return f"{progress.phase.value.capitalize()}."
        case State.READY:
            return f"Ready: {counted(found.indexed, 'file')}, {counted(found.chunks, 'chunk')}."
        case State.REQUIRES_INDEXING if found.complete:
            return "Words are searchable; not all vectors are made. Run “Lurcher: Build index” to make them."
        case State.REQUIRES_INDEXING:
            return "Not indexed completely. Run “Lurcher: Build index” to index the workspace."
        case State.FAILED:
            return f"The index could not be built: {indexing.last_error}. It is tried again by itself."
