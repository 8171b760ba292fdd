"""Every rule in `docs/rules.md` names tests that exist, or says why there is none."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEST = re.compile(r"`([\w/]+\.py)::(test_\w+)`")
REASON = re.compile(r"^\*(?:not built|measured, not tested|cannot happen|by construction): .{20,}\*$")
SECTIONS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "B", "D"]


def rules() -> list[tuple[str, str, str]]:
    """Section, rule and what stands beside it."""
    found: list[tuple[str, str, str]] = []
    section = ""
    for line in (ROOT / "docs" / "rules.md").read_text("utf-8").splitlines():
        if heading := re.match(r"## (\d+|[A-D])\.", line):
            section = heading[1]
        elif (row := re.match(r"\| (.+?) \| (.+) \|$", line)) and row[1] != "rule":
            found.append((section, row[1], row[2]))
    return found


@cache
def names_in(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text("utf-8"))
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return frozenset(node.name for node in functions if node.name.startswith("test_"))


@pytest.mark.parametrize(("section", "rule", "holders"), rules(), ids=lambda text: text[:60])
def test_every_rule_is_held_by_tests_that_exist(section: str, rule: str, holders: str) -> None:
    named = TEST.findall(holders)
    assert named or REASON.match(holders), f"section {section}: nothing holds {rule!r}"
    for file, name in named:
        path = ROOT / "tests" / file
        assert path.is_file(), f"there is no {file}"
        assert name in names_in(path), f"{file} has no {name}"


def test_every_section_has_rules_and_none_stands_twice() -> None:
    listed = rules()
    assert list(dict.fromkeys(section for section, _, _ in listed)) == SECTIONS
    keys = [(section, rule) for section, rule, _ in listed]
    assert len(keys) == len(set(keys))


def test_every_test_that_names_a_section_is_listed() -> None:
    """So that a test of a rule is found from the rule, too; those below `clients` repeat them with real editors."""
    named = {(file, name) for _, _, holders in rules() for file, name in TEST.findall(holders)}
    for folder in ("answers", "server"):
        for path in sorted((ROOT / "tests" / folder).glob("test_*.py")):
            file = path.relative_to(ROOT / "tests").as_posix()
            for name in names_in(path):
                assert not name.startswith("test_section_") or (file, name) in named, f"{file}::{name} is in no row"
