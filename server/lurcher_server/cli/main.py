"""`lurcher`: finds out what is wanted, and loads only what that needs."""

import os
from collections.abc import Sequence

from lurcher_index.building.spawning import ENVIRONMENT
from lurcher_server.cli.arguments import make_parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code tells scripts how it went."""
    options = make_parser().parse_args(arguments)
    for name, value in ENVIRONMENT.items():
        os.environ.setdefault(name, value)  # Before numpy is loaded: this process is one of ours, too.
    if options.command == "serve":
        # An editor waits for the answer to `initialize`; the engine is loaded behind it.
        from lurcher_server.lsp.app import serve

        return serve(options.tcp, options.host)
    if options.command == "mcp":
        from lurcher_server.cli.assistants import serve_assistants

        return serve_assistants(options)
    from lurcher_server.cli.app import run

    return run(options)
