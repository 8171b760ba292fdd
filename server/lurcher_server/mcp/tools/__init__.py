"""The tools, one file for each group."""

from mcp.server.mcpserver import MCPServer

from lurcher_server.mcp.session import Session
from lurcher_server.mcp.tools import graph, locating, search, status, symbols, uses


def register(server: MCPServer[Session]) -> None:
    """Offer all tools."""
    for part in (search, symbols, uses, graph, locating, status):
        part.register(server)
