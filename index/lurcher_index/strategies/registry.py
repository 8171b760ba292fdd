"""Which strategies there are, in the order of the chain. A new one is a file and a line here."""

from collections.abc import Awaitable, Callable, Sequence

from lurcher_index.errors import BadQuery
from lurcher_index.strategies.code_search import CodeSearch, RemoteProvider
from lurcher_index.strategies.embeddings import Embeddings
from lurcher_index.strategies.full_workspace import FullWorkspace
from lurcher_index.strategies.interface import Strategy
from lurcher_index.strategies.tfidf import Tfidf
from lurcher_index.strategies.tfidf_semantic import TfidfSemantic


def default_strategies(
    remote: RemoteProvider | None = None, before_remote: Callable[[], Awaitable[RemoteProvider | None]] | None = None
) -> tuple[Strategy, ...]:
    """All strategies, made once for a workspace: some remember what they found out about it."""
    return (
        FullWorkspace(),
        CodeSearch(remote, before_remote),
        Embeddings(),
        TfidfSemantic(),
        Tfidf(),
    )


def chosen(strategies: Sequence[Strategy], ids: Sequence[str], others: Sequence[str] = ()) -> tuple[Strategy, ...]:
    """Those with the given ids, in the order of the chain; all of them if no id is given. `others` are no strategies of
    the race but may be named."""
    known = [*others, *(strategy.id for strategy in strategies)]
    unknown = [name for name in ids if name not in known]
    if unknown:
        raise BadQuery(f"unknown strategy {', '.join(unknown)}; there are {', '.join(known)}")
    return tuple(strategy for strategy in strategies if not ids or strategy.id in ids)
