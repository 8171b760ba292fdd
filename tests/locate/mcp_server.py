"""A small real MCP server with search tools of every temper, for the tests: `python mcp_server.py ROOT`."""

import sys
import time
from pathlib import Path

from mcp.server.mcpserver import MCPServer

server = MCPServer("searcher")
root = Path(sys.argv[1])


@server.tool()
def search(pattern: str, folder: str = ".") -> str:
    """Lines that hold a text, as grep prints them."""
    found: list[str] = []
    for path in sorted((root / folder).rglob("*.py")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if pattern in line:
                found.append(f"{path.relative_to(root).as_posix()}:{number}:{line}")
    return "\n".join(found)


@server.tool()
def elsewhere(pattern: str) -> str:
    """Places that are none of anybody's business."""
    return f"/etc/passwd:1:{pattern}\n../../secret.py:2:x\n.env:1:x\nbuild/out.py:1:x"


@server.tool()
def slow(pattern: str) -> str:
    """Takes its time."""
    time.sleep(600)
    return pattern


@server.tool()
def broken(pattern: str) -> str:
    """Fails."""
    raise ValueError(f"cannot search for {pattern}")


if __name__ == "__main__":
    if len(sys.argv) > 2:
        raise SystemExit(3)
    server.run("stdio")
