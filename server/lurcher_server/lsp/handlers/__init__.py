"""What the server does with each method; one file for each group."""

from lurcher_server.lsp.handlers import (
    calls,
    commands,
    definitions,
    documents,
    features,
    files,
    lifecycle,
    locating,
    nodes,
    remote,
    search,
    status,
    symbols,
)
from lurcher_server.lsp.registry import Handlers
from lurcher_server.lsp.session import Session


def bind(handlers: Handlers, session: Session) -> None:
    """Bind all methods to one session."""
    for group in (
        lifecycle,
        documents,
        files,
        search,
        status,
        symbols,
        definitions,
        calls,
        nodes,
        features,
        locating,
        remote,
        commands,
    ):
        group.register(handlers, session)
