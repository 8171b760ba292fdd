"""`docs/protocol.md` agrees with the types in `protocol.py` and with what a real server answers.

After a change run this file as a script: it rewrites the answers in the examples, and what is elided stays elided.
"""

import json
import re
import sys
import tempfile
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

import msgspec
import pytest

ROOT = Path(__file__).parents[2]
# Tests are imported one by one (importlib mode); this lets them share `tests.server.client`.
sys.path.insert(0, str(ROOT))

from tests.files.trees import plant  # noqa: E402
from tests.server.client import Client  # noqa: E402

from lurcher_server.lsp import protocol, standard, wire  # noqa: E402
from lurcher_server.lsp.metrics import Metrics  # noqa: E402
from lurcher_server.lsp.uris import uri_of  # noqa: E402
from lurcher_server.lsp.wire import Wire  # noqa: E402

DOCUMENT = ROOT / "docs" / "protocol.md"
SHOWN_ROOT = "file:///home/me/shop"
"""The folder of the examples, which lies elsewhere when they are run."""

SHOWN_STORE = "/home/me/.cache/lurcher"
ELIDED = "…"
VOLATILE = {
    "id", "chunkId", "score", "keywordScore", "denseScore", "fused", "rerank", "started", "ended", "store",
    "prepare", "race", "finish", "total", "correlationId", "since", "version", "filesUpdated", "documentsShown",
    "builds", "model",
}  # fmt: skip
"""Fields of which only the type is compared: they depend on the machine, the moment or the release."""

TREE = {
    "cart.py": "class Cart:\n    def add(self, item):\n        self.items.append(item)\n\n"
    "    def total(self):\n        return sum(item.price for item in self.items)\n",
    "prices.py": "def discount(price, percent):\n    return price * (100 - percent) / 100\n",
    "README.md": "# Shop\n\nA cart adds up the prices of its items.\n",
}

EXAMPLE = re.compile(
    r"^(Request|Answer|Notification of the server|Request of the server):\n\n```json\n(.*?)\n```", re.M | re.S
)
TABLE = re.compile(r"^`(\w+)`(?::| )[^\n]*\n\n\| field \|[^\n]*\n\|[-|]+\n((?:\|[^\n]*\n)+)", re.M)


# -- tables


def structs() -> dict[str, type[Wire]]:
    found = [*vars(protocol).values(), *vars(wire).values(), *vars(standard).values()]
    return {each.__name__: each for each in found if isinstance(each, type) and issubclass(each, Wire)}


def tables() -> dict[str, list[list[str]]]:
    """Rows of each table, by the name of what it describes."""
    text = DOCUMENT.read_text("utf-8")
    split = re.compile(r"(?<!\\)\|")
    return {
        name: [[cell.strip() for cell in split.split(row)[1:-1]] for row in rows.splitlines()]
        for name, rows in TABLE.findall(text)
    }


@pytest.mark.parametrize("name", sorted(set(structs()) - {"Wire"}))
def test_every_field_is_in_its_table_and_the_other_way_round(name: str) -> None:
    struct = structs()[name]
    rows = tables()[name]
    expected = [expected_row(field, has_default=len(rows[0]) == 4) for field in msgspec.structs.fields(struct)]
    assert [row[:-1] for row in rows] == expected
    assert all(row[-1] for row in rows), "every field has a meaning"


def test_every_table_is_of_something_that_is_there() -> None:
    assert set(tables()) == (set(structs()) - {"Wire"}) | {"Metrics", "Search"}


def test_metrics_are_in_their_table() -> None:
    named = [row[0].strip("`") for row in tables()["Metrics"]]
    assert list(Metrics().as_answer()) == named


def test_every_message_has_its_section() -> None:
    headings = set(re.findall(r"^## `([^`]+)`", DOCUMENT.read_text("utf-8"), re.M))
    assert {*protocol.COMMANDS.values(), protocol.STATUS_CHANGED} <= headings
    for command in protocol.COMMANDS:
        assert f"`{command}`" in DOCUMENT.read_text("utf-8")


def expected_row(field: msgspec.structs.FieldInfo, has_default: bool) -> list[str]:
    row = [f"`{field.encode_name}`", in_words(field.type)]
    return [*row, default_of(field)] if has_default else row


def in_words(kind: Any) -> str:
    """A type as the tables call it."""
    plain = {str: "string", int: "integer", float: "number", bool: "boolean", Any: "anything", type(None): "null"}
    if kind in plain:
        return plain[kind]
    inside = get_args(kind)
    if get_origin(kind) is Annotated:
        return in_words(inside[0])
    if get_origin(kind) in (UnionType, Union):
        return " or ".join(in_words(each) for each in inside)
    if get_origin(kind) is Literal:
        return ", ".join(f'`"{each}"`' for each in inside)
    if get_origin(kind) is tuple:
        return f"list of {in_words(inside[0])}"
    if get_origin(kind) is dict:
        return f"map of {in_words(inside[1])}"
    return f"`{kind.__name__}`"


def default_of(field: msgspec.structs.FieldInfo) -> str:
    if field.required:
        return "required"
    value = field.default_factory() if field.default is msgspec.NODEFAULT else field.default
    return f"`{json.dumps(value)}`"


# -- examples


class Example(NamedTuple):
    kind: str
    shown: Any
    real: Any


def run_examples(place: Path) -> list[Example]:
    """Every example of the document beside what really happens, on one server, in the order of the document."""
    tree = plant(place / "shop", TREE)
    text = DOCUMENT.read_text("utf-8").replace(SHOWN_ROOT, uri_of(tree))
    examples: list[Example] = []
    with Client(place / "store") as client:
        client.settings = {"store": str(place / "store"), "exclude": ["legacy/"]}
        answer: Any = None
        for kind, body in EXAMPLE.findall(text):
            shown = json.loads(body)
            if kind == "Request":
                answer = _asked(client, shown)
                real: Any = shown
            elif kind == "Answer":
                real = answer
            else:
                real = _heard(client, kind, shown)
            examples.append(Example(kind, shown, real))
    text = json.dumps(examples).replace(uri_of(tree), SHOWN_ROOT)
    for real_path, shown_path in ((tree, SHOWN_ROOT.removeprefix("file://")), (place / "store", SHOWN_STORE)):
        text = text.replace(str(real_path), shown_path)
    return [Example(*each) for each in json.loads(text)]


def _asked(client: Client, request: Any) -> Any:
    answer = client.answer(client.begin(request["method"], request.get("params")))
    if request["method"] == "initialize":
        client.tell("initialized", {})
        client.ready()
    return {"error": answer["error"]} if "error" in answer else {"result": answer["result"]}


def _heard(client: Client, kind: str, shown: Any) -> Any:
    method, token = shown["method"], shown.get("params", {}).get("token")
    state = shown["params"].get("state")

    def fits(params: Any) -> bool:
        return params.get("token") == token and (state is None or params["state"] == state)

    params = client.await_heard(method, fits)
    return {"method": method, "params": params}


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> list[Example]:
    return run_examples(tmp_path_factory.mktemp("protocol"))


def test_examples_say_what_a_server_says(examples: list[Example]) -> None:
    asked = [example.shown["method"] for example in examples if example.kind == "Request"]
    assert {*protocol.COMMANDS.values(), "workspace/executeCommand"} <= set(asked)
    assert sum(example.kind == "Answer" for example in examples) == len(asked)
    assert any(example.shown.get("method") == protocol.STATUS_CHANGED for example in examples)
    for example in examples:
        compare(example.shown, example.real, f"{example.kind} {json.dumps(example.shown)[:120]}")


def compare(shown: Any, real: Any, where: str, volatile: bool = False) -> None:
    """Equal but for what is elided or volatile, of which the type has to be right."""
    if shown == ELIDED:
        return
    if isinstance(shown, dict):
        assert isinstance(real, dict), where
        assert shown.keys() == real.keys(), where
        for key, value in shown.items():
            compare(value, real[key], f"{where} → {key}", key in VOLATILE)
    elif isinstance(shown, list):
        assert isinstance(real, list), where
        assert len(shown) == len(real), where
        for at, (one, other) in enumerate(zip(shown, real, strict=True)):
            compare(one, other, f"{where} → {at}")
    elif volatile:
        assert isinstance(real, (int, float) if isinstance(shown, int | float) else type(shown)), where
    else:
        assert shown == real, where


# -- rewriting


def rewritten(place: Path) -> str:
    """The document with answers of today."""
    real = iter(run_examples(place))

    def block(match: re.Match[str]) -> str:
        example = next(real)
        body = json.dumps(_merged(example.shown, example.real), indent=2, ensure_ascii=False)
        return match[0] if example.kind == "Request" else f"{example.kind}:\n\n```json\n{body}\n```"

    return EXAMPLE.sub(block, DOCUMENT.read_text("utf-8"))


def _merged(shown: Any, real: Any) -> Any:
    if shown == ELIDED:
        return ELIDED
    if isinstance(shown, dict) and isinstance(real, dict):
        return {key: _merged(shown.get(key), value) for key, value in real.items()}
    if isinstance(shown, list) and isinstance(real, list) and len(shown) == len(real):
        return [_merged(one, other) for one, other in zip(shown, real, strict=True)]
    return real


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        DOCUMENT.write_text(rewritten(Path(name)), "utf-8")
