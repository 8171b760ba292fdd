"""The tools, one file for each group."""

from mcp.server.mcpserver import MCPServer

from lurcher_server.mcp.session import Session
from lurcher_server.mcp.tools import search, status, symbols


def register(server: MCPServer[Session]) -> None:
    """Offer all tools."""
    for part in (search, symbols, status):
        part.register(server)
