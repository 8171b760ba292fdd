"""Section 9: what is counted of a search, from its attempts alone."""

from collections.abc import Iterable

import msgspec
import pytest

from lurcher_index.answers import Answer, AskedQuery, Freshness, StrategyAttempt
from lurcher_index.query.parser import parse
from lurcher_server.lsp.metrics import Metrics


def answered(strategy: str, attempts: Iterable[tuple[str, str, bool]]) -> Answer:
    return Answer(
        chunks=(),
        strategy=strategy,
        complete=True,
        limit_hit=False,
        parsed_query=AskedQuery(**msgspec.structs.asdict(parse("otter")), terms=(), cut=False),
        attempts=tuple(StrategyAttempt(name, outcome, "", 0.0, 1.0, late) for name, outcome, late in attempts),
        freshness=Freshness(1, 0, 0, 0, 1.0),
    )


UNABLE = [("fullWorkspace", "cannot search", False), ("codeSearch", "cannot search", False)]


@pytest.mark.parametrize(
    ("winner", "attempts", "stood_in"),
    [
        ("embeddings", [*UNABLE, ("embeddings", "won", False)], 0),
        ("embeddings", [*UNABLE, ("embeddings", "won", True), ("tfidfSemantic", "cancelled", False)], 0),
        ("tfidf", [*UNABLE, ("embeddings", "failed", False), ("tfidf", "won", False)], 1),
        ("tfidf", [*UNABLE, ("embeddings", "timed out", True), ("tfidf", "won", False)], 1),
        ("tfidf", [*UNABLE, ("embeddings", "cannot search", False), ("tfidf", "won", False)], 1),
        ("embeddings", [("codeSearch", "failed", False), ("embeddings", "won", False)], 1),
        ("", [("embeddings", "failed", False), ("tfidf", "failed", False)], 0),
    ],
)
def test_section_9_errors_timeouts_and_fallbacks_are_counted_by_strategy(
    winner: str, attempts: list[tuple[str, str, bool]], stood_in: int
) -> None:
    metrics = Metrics()
    metrics.searched(answered(winner, attempts), "an-id")
    counted = metrics.as_answer()["strategies"]
    for name, outcome, late in attempts:
        assert counted[name][outcome] == 1
        assert counted[name]["timedOut"] == late
    assert sum(each.get("asFallback", 0) for each in counted.values()) == stood_in
    assert counted.get(winner, {}).get("asFallback", 0) == stood_in
