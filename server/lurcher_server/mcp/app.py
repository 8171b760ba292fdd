"""`lurcher mcp`: tools for chat assistants at standard input and output."""

import logging
import sys

from lurcher_server.lsp.logs import set_up_logs
from lurcher_server.mcp.server import make_server
from lurcher_server.mcp.session import Wishes

SWITCH_SECONDS = 0.001
"""How long a thread that works may keep the interpreter from the event loop; as in the language server."""


def serve(wishes: Wishes) -> int:
    """Run until the host leaves; answers the exit code."""
    sys.setswitchinterval(SWITCH_SECONDS)
    set_up_logs("warning", None)
    # The SDK says at INFO what a tool was asked; questions are nobody's business.
    logging.getLogger("mcp").setLevel(logging.WARNING)
    try:
        make_server(wishes).run("stdio")
    except KeyboardInterrupt:
        pass
    return 0
