"""A small checkout to work in."""

import asyncio
import shutil
from pathlib import Path

import msgspec
from tests.history.repositories import Repository
from tests.remote.joining.mirror import Mirror

from lurcher_index import Engine
from lurcher_index.answers import Answer
from lurcher_index.asking import Ask

NAME = "code.example.org/team/shop"

FILES = {
    "shop/cart.py": "def add_to_cart(cart, item):\n    '''Put an item into the shopping cart.'''\n    cart.add(item)\n",
    "shop/money.py": "def round_price(price):\n    '''Round a price to whole cents.'''\n    return round(price, 2)\n",
    "shop/mail.py": "def send_receipt(customer):\n    '''Mail the receipt to a customer.'''\n    print(customer)\n",
    "web/login.ts": "// Checks a password.\nexport function checkPassword(word: string) { return word }\n",
    "docs/guide.md": "# Guide\n\nHow to add an item to the cart and mail a receipt.\n",
    **{
        f"filler/part{at}.py": f"def part_{at}(value):\n    '''Part {at} of the machine.'''\n    return value + {at}\n"
        for at in range(12)
    },
}


class Shop:
    """A checkout to work in, and the mirror of its first commit."""

    def __init__(self, folder: Path, template: Path, mirror: Mirror) -> None:
        shutil.copytree(template, folder, symlinks=True)
        self.folder = folder
        self.repository = Repository.at(folder)
        self.first = mirror.commits[0].commit
        self.mirror = mirror
        self.engine = Engine.open([folder], store=":memory:")

    def use(self, use: str = "always") -> None:
        self.engine.set_provider(self.mirror, use)

    def ask(self, text: str, **more: object) -> Answer:
        return asyncio.run(self.engine.ask(msgspec.convert({"text": text, "max_results": 8} | more, Ask)))


def paths(answer: Answer) -> list[str]:
    """The files that an answer shows."""
    return [chunk.path for chunk in answer.chunks]
