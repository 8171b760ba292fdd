"""The account an answer gives of itself: whether it is complete, what was tried, and why it is empty if it is."""

from collections.abc import Iterator, Sequence

import msgspec

from lurcher_index.answers import Answer, AskedQuery, Dropped, Empty, Freshness, StrategyAttempt
from lurcher_index.asking import Ask
from lurcher_index.finishing import Finished
from lurcher_index.query.parsed import ParsedQuery
from lurcher_index.race import Outcome, Raced
from lurcher_index.strategies.full_workspace import FullWorkspace
from lurcher_index.strategies.interface import Retrieved
from lurcher_index.unmatched import unmatched
from lurcher_index.view import View
from lurcher_index.words.query import MAX_QUERY_WORDS, WordQuery

NONE_SEARCHES = (
    "those that were chosen only answer questions for a line of a file that is there, or for the uses of a name"
)
"""What became of a race with nobody in it."""


def account(
    ask: Ask,
    view: View,
    parsed: ParsedQuery,
    query: WordQuery,
    raced: Raced[Retrieved],
    strategy: str,
    finished: Finished,
    alerts: Sequence[str],
    vectors_ready: float,
    timings: dict[str, float],
) -> Answer:
    """Put an answer together."""
    found = raced.value or Retrieved()
    here = view.is_complete
    indexed = here if found.is_covered is None else found.is_covered
    failed = not strategy
    is_fresh = indexed and not finished.changed
    notes = [*alerts, *finished.alerts, *_notes(ask, view, query, indexed, found, bool(finished.chunks))]
    if raced.deadline_hit:
        notes.append(f"the search was stopped after {ask.deadline_seconds:.3g} s; this is the best so far")
    elif failed:
        notes.append(f"no strategy had a result: {raced.failures or NONE_SEARCHES}")
    return Answer(
        chunks=finished.chunks,
        strategy=strategy,
        is_full_workspace=strategy == FullWorkspace.id,
        alerts=tuple(dict.fromkeys(notes)),
        empty=None
        if finished.chunks
        else _why_empty(ask, view, finished.dropped, is_fresh, failed and (here or _broke(raced)), bool(found.remote)),
        complete=is_fresh and not (raced.deadline_hit or failed or found.missed),
        limit_hit=bool(finished.dropped.limit or finished.dropped.budget),
        parsed_query=_asked(parsed, query),
        attempts=tuple(
            StrategyAttempt(row.id, row.outcome.value, row.detail, row.started_ms, row.ended_ms, row.timed_out)
            for row in raced.attempts
        ),
        freshness=_freshness(view, vectors_ready),
        answerability=finished.answerability,
        remote=found.remote,
        dropped=finished.dropped,
        nearby=finished.nearby,
        tokens=finished.tokens,
        timings=timings,
    )


def _broke(raced: Raced[Retrieved]) -> bool:
    """Whether something failed; those who only have nothing to search in yet did not."""
    return raced.deadline_hit or any(row.outcome is Outcome.FAILED for row in raced.attempts)


def _why_empty(ask: Ask, view: View, dropped: Dropped, indexed: bool, failed: bool, elsewhere: bool) -> Empty:
    scope = ask.filters.scope
    if scope is not None and scope.is_nowhere:
        return Empty.UNKNOWN_SCOPE
    if failed:
        return Empty.FAILED
    if dropped.seen:
        return Empty.ALL_SEEN
    if not indexed:
        return Empty.NOT_INDEXED
    if dropped.spread:
        return Empty.BELOW_SPREAD
    if elsewhere:
        # The index here knows only files that searches were led to: it cannot say that there are no others.
        return Empty.NO_MATCH
    if not view.counts().files and not view.snapshot.shown:
        return Empty.NO_FILES
    return Empty.NO_MATCH if view.snapshot.any_file_passes(ask.filters) else Empty.ALL_EXCLUDED


def _notes(ask: Ask, view: View, query: WordQuery, indexed: bool, found: Retrieved, has_found: bool) -> Iterator[str]:
    if view.snapshot.pending and not found.remote:
        pending = view.snapshot.pending
        yield f"{pending:,} of {_indexed(view) + pending:,} files are not indexed yet; the answer may miss them"
    elif view.workspace.awaits_scan and not indexed:
        yield "the index has not been compared with the files yet; the answer may miss what changed while nobody looked"
    elif not indexed:
        yield "the workspace has not been indexed completely yet; the answer may miss files"
    if query.cut:
        yield f"only the first {MAX_QUERY_WORDS} words of the question were searched for"
    yield from unmatched(view.snapshot, ask.filters, has_found=has_found, is_elsewhere=bool(found.remote))


def _freshness(view: View, vectors_ready: float) -> Freshness:
    counts = view.counts()
    return Freshness(
        indexed=_indexed(view),
        pending=view.snapshot.pending,
        skipped=sum(counts.skipped.values()),
        unsaved=len(view.snapshot.shown),
        vectors_ready=round(vectors_ready, 4),
    )


def _indexed(view: View) -> int:
    """Files that can be found as they are."""
    return max(0, view.counts().files - view.snapshot.outdated)


def _asked(parsed: ParsedQuery, query: WordQuery) -> AskedQuery:
    fields = msgspec.structs.asdict(parsed)
    fields["keywords"] = tuple(group.word for group in query.groups)
    return AskedQuery(**fields, terms=tuple(query.searched()), cut=query.cut)
