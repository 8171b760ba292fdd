"""Section 9: the status object, from what engine and builds say."""

import asyncio
from types import SimpleNamespace
from typing import cast

import msgspec
import pytest
from tests.server.units.test_indexing import Builds, indexing_of

from lurcher_index import Phase, Progress
from lurcher_index.results import Status
from lurcher_server.lsp.indexing import Indexing, State
from lurcher_server.lsp.protocol import StatusAnswer
from lurcher_server.lsp.session import Session
from lurcher_server.lsp.status import status_answer

INDEXED = Status(
    ("/f",), "memory", indexed=95, pending=0, skipped={}, chunks=9, complete=True, bytes_on_disk=0, alerts=()
)


def told(state: State, progress: Progress, engine: Status | None) -> StatusAnswer:
    async def main() -> StatusAnswer:
        indexing: Indexing = await indexing_of(Builds())
        indexing.state, indexing.progress = state, progress
        session = SimpleNamespace(folders={}, alerts=[])
        return status_answer(cast("Session", session), indexing, engine)

    return asyncio.run(main())


def test_section_9_progress_is_told_while_a_build_runs_and_not_afterwards() -> None:
    half = Progress(Phase.INDEXING, done=50, total=200, seconds=2.0)
    running = told(State.UPDATING, half, msgspec.structs.replace(INDEXED, pending=150, complete=False))
    assert (running.state, running.phase, running.done, running.total) == ("updating", "indexing", 50, 200)
    assert (running.files_per_second, running.eta_seconds, running.pending) == (25.0, 6.0, 150)
    assert "50 of 200 files" in running.message
    over = told(State.READY, half, INDEXED)
    assert (over.state, over.phase, over.done, over.total) == ("ready", "", 0, 0)
    assert (over.files_per_second, over.eta_seconds) == (0.0, None)


@pytest.mark.parametrize(
    ("state", "name"),
    [(State.STARTING, "starting"), (State.FAILED, "failed"), (State.REQUIRES_INDEXING, "requiresIndexing")],
)
def test_section_5_every_state_has_its_name_and_says_what_it_means(state: State, name: str) -> None:
    answer = told(state, Progress(Phase.SCANNING), None)
    assert answer.state == name
    assert answer.message
    assert not answer.has_fast_search


def test_section_9_what_is_missing_is_words_or_vectors() -> None:
    """A build that was stopped may have all words: then nothing is missing but vectors."""
    scanned = Progress(Phase.SCANNING)
    without_vectors = told(State.REQUIRES_INDEXING, scanned, INDEXED).message
    without_words = told(State.REQUIRES_INDEXING, scanned, msgspec.structs.replace(INDEXED, complete=False)).message
    assert "Words are searchable" in without_vectors and "vectors" in without_vectors
    assert "Not indexed completely" in without_words
    assert all("Build index" in message for message in (without_vectors, without_words))


@pytest.mark.parametrize(
    ("indexed", "pending", "complete", "fast"),
    [
        (95, 0, True, True),
        (95, 5, False, True),  # Few are missing: one in twenty.
        (94, 6, False, False),
        (50, 0, False, False),  # Nobody knows yet what is missing.
        (0, 0, False, False),
        (0, 0, True, True),  # There are no files.
    ],
)
def test_section_2_a_search_is_fast_if_few_files_are_missing(
    indexed: int, pending: int, complete: bool, fast: bool
) -> None:
    found = msgspec.structs.replace(INDEXED, indexed=indexed, pending=pending, complete=complete)
    assert told(State.READY, Progress(Phase.SCANNING), found).has_fast_search is fast
