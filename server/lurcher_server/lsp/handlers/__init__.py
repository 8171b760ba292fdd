"""What the server does with each method; one file for each group."""

from lurcher_server.lsp.handlers import commands, documents, files, lifecycle, search, status, symbols
from lurcher_server.lsp.registry import Handlers
from lurcher_server.lsp.session import Session


def bind(handlers: Handlers, session: Session) -> None:
    """Bind all methods to one session."""
    for group in (lifecycle, documents, files, search, status, symbols, commands):
        group.register(handlers, session)
