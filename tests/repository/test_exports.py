"""The public names: what the documents promise can be imported, and nothing else is promised."""

import inspect
import re
from pathlib import Path

import lurcher_index
from lurcher_index import Engine, LurcherError

ROOT = Path(__file__).parents[2]

ENGINE = {"open", "build", "update", "search", "status", "explain", "audit", "follow", "clear", "close", "workspace"}
"""What may not vanish without a note in the changelog."""


def test_the_readme_names_exactly_what_is_exported() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    listed = re.search(r"`lurcher_index\.__all__`: (.*?)\.\n", text, re.DOTALL)
    assert listed is not None
    assert re.findall(r"`(\w+)`", listed[1]) == lurcher_index.__all__


def test_everything_exported_is_there_and_documented() -> None:
    for name in lurcher_index.__all__:
        value = getattr(lurcher_index, name)
        assert isinstance(value, str) or inspect.getdoc(value), name


def test_exported_exceptions_are_one_tree() -> None:
    values = [getattr(lurcher_index, name) for name in lurcher_index.__all__]
    raised = [value for value in values if isinstance(value, type) and issubclass(value, Exception)]
    assert LurcherError in raised
    assert all(issubclass(each, LurcherError) for each in raised)


def test_what_an_engine_can_do() -> None:
    offered = {name: value for name, value in vars(Engine).items() if not name.startswith("_")}
    assert offered.keys() >= ENGINE
    assert [name for name, value in offered.items() if not inspect.getdoc(value)] == []
