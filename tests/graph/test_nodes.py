"""Ids of nodes: written and read, with colons in paths and names, overloads and several folders."""

import pytest

from lurcher_index.chunking.outline import outline
from lurcher_index.nodes import MAX_READINGS, NodeId, folder_labels, format_node, labelled, readings, symbol_ids


@pytest.mark.parametrize(
    "node",
    [
        NodeId("src/app.py"),
        NodeId("src/app.py", "Server.start"),
        NodeId("src/app.py", "Server.start", 3),
        NodeId("a:b/c.rs", "A::b"),
        NodeId("styles.css", "a:hover"),
        NodeId("notes.md", "C# and #2"),
    ],
)
def test_what_is_written_is_among_the_readings(node: NodeId) -> None:
    assert node in readings(format_node(node.path, node.qualified, node.ordinal))


def test_the_whole_text_is_the_first_reading() -> None:
    assert readings("a:b:c") == [NodeId("a:b:c"), NodeId("a:b", "c"), NodeId("a", "b:c")]


@pytest.mark.parametrize("text", ["", "x" * 5_000, ":"])
def test_what_can_be_no_id_of_a_symbol_has_no_such_reading(text: str) -> None:
    assert not [each for each in readings(text) if each.qualified]


@pytest.mark.parametrize("ending", ["#0", "#1", "#01", "#x", "#", "#99999999999"])
def test_an_ordinal_is_written_one_way(ending: str) -> None:
    assert [each.ordinal for each in readings("a.py:f" + ending)] == [1, 1]


def test_many_colons_are_not_read_in_every_way() -> None:
    assert len(readings(":".join("a" * 1_000))) <= MAX_READINGS + 1


def test_later_definitions_of_a_name_are_numbered() -> None:
    text = b"class A:\n    def f(self): ...\n    def f(self, x): ...\ndef f(): ...\n"
    assert symbol_ids("m.py", outline(text, "python")) == ["m.py:A", "m.py:A.f", "m.py:A.f#2", "m.py:f"]


@pytest.mark.parametrize(
    ("names", "labels"),
    [
        (["app"], [""]),
        ([], []),
        (["app", "lib"], ["app", "lib"]),
        (["app", "app"], ["app", "app-2"]),
        (["app", "app", "app-2"], ["app", "app-3", "app-2"]),
        (["", "x"], ["folder", "x"]),
    ],
)
def test_folders_get_labels_that_differ(names: list[str], labels: list[str]) -> None:
    assert folder_labels(names) == labels


def test_a_label_stands_before_the_path() -> None:
    assert labelled("app", "src/a.py") == "app/src/a.py"
    assert labelled("", "src/a.py") == "src/a.py"
