"""From a question to hits: candidates from the snapshot, their text from disk, the final order, the reasons."""

import time
from collections.abc import Sequence

from lurcher_index.asking import narrowed, unseen_note, widened_note
from lurcher_index.errors import StoreDamaged, StoreError
from lurcher_index.presenting import ranked_hits
from lurcher_index.query.expansion import expand
from lurcher_index.query.parsed import ParsedQuery
from lurcher_index.query.parser import parse
from lurcher_index.results import Outcome, SearchResult
from lurcher_index.snapshot import Snapshot
from lurcher_index.unmatched import unmatched
from lurcher_index.view import View
from lurcher_index.words.filters import Filters
from lurcher_index.words.query import MAX_QUERY_WORDS, WordQuery, understand
from lurcher_index.workspace import Workspace

MARGIN = 5
"""Candidates read beyond those asked for, so that nearness can lift one into the answer; each costs 0.2 ms."""

WIDENED_AFTER = frozenset({Outcome.NO_MATCH, Outcome.ALL_EXCLUDED, Outcome.NOT_INDEXED})
"""Kinds of empty answers that a language out of the question's words may be the reason for."""

ROUNDS = 3
"""Searches made for one answer when files turn out to have changed; after that, changed ones are left out."""


def search(
    workspace: Workspace, text: str, max_results: int, filters: Filters, alerts: Sequence[str] = ()
) -> SearchResult:
    """Answer a question about the workspace."""
    start = time.perf_counter()
    parsed = expand(parse(text))
    alerts = (*alerts, *workspace.require_folders())
    found = _search(workspace, parsed, max_results, narrowed(filters, parsed), alerts, start)
    if parsed.languages and not filters.languages and found.outcome in WIDENED_AFTER:
        found = _search(workspace, parsed, max_results, filters, (*alerts, widened_note(parsed)), start)
    return found


def _search(
    workspace: Workspace,
    parsed: ParsedQuery,
    max_results: int,
    filters: Filters,
    alerts: Sequence[str],
    start: float,
) -> SearchResult:
    query = understand(parsed.text)
    limit = 2 * max_results + MARGIN
    rounds = 0
    while True:
        view = View(workspace)
        snapshot = view.snapshot
        passages, changed = view.passages(view.words(query, filters, limit), stop_at=max_results + MARGIN)
        rounds += 1
        if not changed or rounds == ROUNDS:
            break
        # What was indexed is no longer what is on disk: never shown, but followed and searched again.
        try:
            unknown = len(workspace.correct(changed).unknown)
        except StoreDamaged:
            raise
        except StoreError as error:
            # A full disk, say: what did not change can be found all the same.
            alerts = (*alerts, f"{len(changed)} changed files are left out: {error}")
            break
        if unknown == len(changed):
            alerts = (*alerts, unseen_note(unknown))
            break
    hits = tuple(ranked_hits(query, passages, max_results))
    complete = workspace.is_complete(snapshot.pending)
    return SearchResult(
        outcome=Outcome.FOUND if hits else _why_empty(workspace, snapshot, filters, complete),
        hits=hits,
        words=tuple(group.word for group in query.groups),
        complete=complete,
        pending=snapshot.pending,
        alerts=(*alerts, *_alerts(query, snapshot, filters, complete, has_found=bool(hits))),
        milliseconds=(time.perf_counter() - start) * 1000.0,
        parsed_query=parsed,
    )


def _why_empty(workspace: Workspace, snapshot: Snapshot, filters: Filters, complete: bool) -> Outcome:
    if not complete:
        return Outcome.NOT_INDEXED
    if not workspace.catalog.counts().files:
        return Outcome.NOTHING_TO_SEARCH
    return Outcome.NO_MATCH if snapshot.any_file_passes(filters) else Outcome.ALL_EXCLUDED


def _alerts(query: WordQuery, snapshot: Snapshot, filters: Filters, complete: bool, has_found: bool) -> list[str]:
    alerts: list[str] = []
    if snapshot.pending:
        alerts.append(f"{snapshot.pending:,} files are not indexed yet; the answer may miss them")
    elif not complete:
        alerts.append("the index has never been completed; run `lurcher index`")
    if query.cut:
        alerts.append(f"only the first {MAX_QUERY_WORDS} words of the question were searched for")
    return [*alerts, *unmatched(snapshot, filters, has_found=has_found)]
