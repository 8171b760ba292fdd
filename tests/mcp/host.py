"""A host for the tests: the SDK's own client at a server in memory or in a process of its own."""

import os
import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.types import CallToolResult, TextContent

from lurcher_server.mcp.server import make_server
from lurcher_server.mcp.session import Wishes

ROOT = Path(__file__).parents[2]

MODES = ("legacy", "auto")
"""The two ways to speak: with a greeting and a session, and with everything in each request."""

FILES = {
    "src/shop/cart.py": '''"""The shopping cart."""

from shop.prices import price_of


class Cart:
    """Holds what a customer wants to buy."""

    def __init__(self) -> None:
        self.lines = []

    def add_item(self, article, amount=1):
        """Put an article into the cart."""
        self.lines.append((article, amount))

    def total(self):
        """Add up the prices of all lines."""
        return sum(price_of(article) * amount for article, amount in self.lines)


def empty_cart():
    return Cart()
''',
    "src/shop/prices.py": '''"""What things cost."""

DISCOUNT = 0.1


def price_of(article):
    """Look up the price of one article and take the discount off."""
    return _listed(article) * (1 - DISCOUNT)


def _listed(article):
    return {"pear": 3.0, "plum": 2.0}[article]
''',
    "src/shop/checkout.py": '''"""Paying."""

from shop.cart import Cart


def check_out(cart: Cart, card):
    """Charge the customer's card with the total of the cart."""
    amount = cart.total()
    if amount <= 0:
        raise ValueError("an empty cart cannot be paid")
    return card.charge(amount)
''',
    "web/cart.ts": """export function renderCart(lines: string[]): string {
  // One list item for each line of the shopping cart.
  return lines.map((line) => `<li>${line}</li>`).join("");
}
""",
    "README.md": "# Shop\n\nA shop with a shopping cart, prices with a discount, and a checkout.\n",
}
"""A small project in two languages."""


@asynccontextmanager
async def hosted(folders: Sequence[Path], store: Path, mode: str = "auto", **how: Any) -> AsyncGenerator[Client]:
    """A client of a server in memory."""
    server = make_server(Wishes(tuple(map(str, folders)), str(store)))
    async with Client(server, mode=mode, **how) as client:
        yield client


def process(*arguments: str, cwd: Path | None = None) -> StdioServerParameters:
    """How a host starts the server."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(str(ROOT / name) for name in ("index", "server"))}
    command = ["-m", "lurcher_server", "mcp", *arguments]
    return StdioServerParameters(command=sys.executable, args=command, env=environment, cwd=cwd)


async def call(client: Client, tool: str, **arguments: object) -> CallToolResult:
    """The answer of a tool, which must not be an error."""
    answer = await client.call_tool(tool, arguments)
    assert isinstance(answer, CallToolResult)
    assert not answer.is_error, text_of(answer)
    return answer


async def refusal(client: Client, tool: str, **arguments: object) -> str:
    """The message of the error that a tool must answer with."""
    answer = await client.call_tool(tool, arguments)
    assert isinstance(answer, CallToolResult)
    assert answer.is_error, text_of(answer)
    return text_of(answer)


async def ready(client: Client) -> None:
    """Wait until everything is indexed."""
    answer = await call(client, "index_status", wait_seconds=120)
    assert structure(answer)["index"]["complete"], text_of(answer)


def text_of(answer: CallToolResult) -> str:
    """What a person or a model reads."""
    return "\n".join(block.text for block in answer.content if isinstance(block, TextContent))


def structure(answer: CallToolResult) -> dict[str, Any]:
    """What a program reads."""
    assert isinstance(answer.structured_content, dict)
    return answer.structured_content


def ids(answer: CallToolResult) -> list[str]:
    """The chunks of a search's answer."""
    return [result["chunk_id"] for result in structure(answer)["results"]]
