"""A truth is read as its makers write it, and what stands for a definition is found."""

from pathlib import Path

import msgspec
import pytest
from benchmarks.callgraph import truth as reading
from benchmarks.callgraph.truth import Call, Definition, Spot, Status, TruthEdge, gathered, module, read_truth
from tests.callgraph.truths import BOX, INIT, OPEN, OTHER_SHUT, PROTOTYPE, call, definition, truth

F = '["a.py", 1, "f"]'
FILE = '["a.py", 0, ""]'
LINES = f"""\
{{"type": "file", "file": "a.py"}}
{{"type": "definition", "spot": {F}, "qualified": "f", "outer": {FILE}, "same": {F}}}

{{"type": "call", "file": "a.py", "line": 4, "name": "f", "caller": {FILE}, "status": "inside", "callees": [{F}]}}
{{"type": "call", "file": "a.py", "line": 5, "name": "g", "caller": {F}, "status": "unknown", "callees": []}}
"""


def test_lines_become_a_truth(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(LINES)
    found = read_truth(path)
    f = Spot("a.py", 1, "f")
    assert found.files == {"a.py"}
    assert found.definitions == {f: Definition(f, "f", module("a.py"), f)}
    assert found.calls == (
        Call("a.py", 4, "f", module("a.py"), Status.INSIDE, (f,)),
        Call("a.py", 5, "g", f, Status.UNKNOWN, ()),
    )
    assert found.edges() == [TruthEdge("a.py", "", "a.py", "f")]


@pytest.mark.parametrize(
    "line",
    [
        "{",
        '{"type": "rumour", "file": "a.py"}',
        '{"type": "file", "file": 1}',
        '{"type": "call", "file": "a.py", "line": 4, "name": "f", "caller": ["a.py"], "status": "inside"}',
    ],
)
def test_what_is_no_truth_is_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(line)
    with pytest.raises((msgspec.DecodeError, ValueError)):
        read_truth(path)


def test_a_file_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(LINES)
    monkeypatch.setattr(reading, "LARGEST", len(LINES) - 1)
    with pytest.raises(ValueError, match="more than a truth has"):
        read_truth(path)


def test_what_stands_for_a_definition() -> None:
    known = truth([])
    assert known.same(INIT) == BOX
    assert known.same(PROTOTYPE) == OTHER_SHUT
    assert known.same(OPEN) == OPEN
    stranger = Spot("lid.py", 99, "shut")
    assert known.same(stranger) == stranger


def test_definitions_that_stand_for_each_other_do_not_go_on_for_ever() -> None:
    one, other = Spot("a.py", 1, "f"), Spot("a.py", 2, "f")
    known = gathered([definition(one, same=other), definition(other, same=one)])
    assert {known.same(one), known.same(other)} <= {one, other}


def test_of_two_records_about_one_spot_the_first_counts() -> None:
    spot = Spot("a.py", 1, "f")
    known = gathered([definition(spot), definition(spot, outer=Spot("a.py", 9, "g"))])
    assert known.definitions[spot].qualified == "f"


def test_edges_have_qualified_names_and_come_once() -> None:
    known = truth([call(INIT, "open", OPEN), call(INIT, "open", OPEN, line=2), call(module("lid.py"), "Box", INIT)])
    assert known.edges() == [
        TruthEdge("box.py", "Box.__init__", "box.py", "open"),
        TruthEdge("lid.py", "", "box.py", "Box"),
    ]
