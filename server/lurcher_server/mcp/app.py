"""`lurcher mcp`: tools for chat assistants at standard input and output."""

import logging

from lurcher_server.lsp.logs import set_up_logs
from lurcher_server.lsp.sparing import spare_the_loop
from lurcher_server.mcp.server import make_server
from lurcher_server.mcp.session import Wishes


def serve(wishes: Wishes) -> int:
    """Run until the host leaves; answers the exit code."""
    spare_the_loop()
    set_up_logs("warning", None)
    # The SDK says at INFO what a tool was asked; questions are nobody's business.
    logging.getLogger("mcp").setLevel(logging.WARNING)
    try:
        make_server(wishes).run("stdio")
    except KeyboardInterrupt:
        pass
    return 0
