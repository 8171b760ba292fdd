"""Calls of a Python package as jedi sees them: `python with_jedi.py FOLDER > truth.jsonl`.

A script of its own, for jedi's environment: it imports nothing of this repository. The text of a definition includes
its decorators and the defaults of its parameters, so a call there has that definition as its caller.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jedi
import parso

Spot = tuple[str, int, str]
"""File, line of the name (0 for the module), name."""

CALLABLE = ("function", "class")
"""What jedi calls the things that a call can lead to; an instance or a parameter is a value, whatever it holds."""

jedi.settings.dynamic_params = False
jedi.settings.dynamic_array_additions = False
"""Both guess from how the function happens to be called: what they say is no truth."""


class Module:
    """One file: its definitions and its calls."""

    def __init__(self, root: Path, path: Path, project: Any) -> None:
        """Parse it, and find its definitions."""
        self._root = root
        self.file = path.relative_to(root).as_posix()
        text = path.read_text(encoding="utf-8", errors="replace")
        self._tree = parso.parse(text)
        self._script = jedi.Script(text, path=path, project=project)
        self._package = self.file.split("/")[0]

    def definitions(self) -> Iterator[dict[str, Any]]:
        """Every class and function; those of one name in one scope (overloads, branches) are one, the last of them."""
        found = list(_definitions(self._tree))
        last = {_qualified(node): self._spot(node) for node in found}
        for node in found:
            spot, qualified = self._spot(node), _qualified(node)
            same = last[qualified]
            outer = _outer(node)
            if node.name.value == "__init__" and outer is not None and outer.type == "classdef":
                same = last[_qualified(outer)]
            around = self._spot(outer) if outer is not None else (self.file, 0, "")
            yield {"type": "definition", "spot": spot, "qualified": qualified, "outer": around, "same": same}

    def calls(self) -> Iterator[dict[str, Any]]:
        """Every call whose callee is written as a name, and every decorator."""
        for name, chain, is_certain in _called(self._tree):
            caller = _outer(name)
            status, callees = self._resolved(name, chain)
            yield {
                "type": "call",
                "file": self.file,
                "line": name.start_pos[0],
                "name": name.value,
                "caller": self._spot(caller) if caller is not None else (self.file, 0, ""),
                "status": status if is_certain else "unknown",
                "callees": sorted(callees) if is_certain else [],
            }

    def _resolved(self, name: Any, chain: Any) -> tuple[str, set[Spot]]:
        found = self._ask(self._script.goto, name, follow_imports=True, follow_builtin_imports=True)
        if not any(each.type in CALLABLE for each in found):
            if any(each.type == "module" and not self._is_inside(each) for each in found):
                return "outside", set()
            # A plain name that is a parameter or a local variable means no definition, whatever it holds.
            is_local = name is chain and any(each.type in ("param", "statement") for each in found)
            found = self._ask(self._script.infer, name)
            if is_local and not any(each.type in CALLABLE for each in found):
                return "outside", set()
        # A lambda has no name to be found by: it is a value, like an instance.
        found = [each for each in found if each.type in CALLABLE and each.name != "<lambda>"]
        inside = {spot for each in found if (spot := self._spot_of(each)) is not None}
        if inside:
            return "inside", inside
        if found or self._begins_outside(chain):
            return "outside", set()
        return "unknown", set()

    def _begins_outside(self, chain: Any) -> bool:
        """Whether the first name of the chain was imported from another package, even one that is not installed."""
        if chain is None or chain.type != "name":
            return False
        for each in self._ask(self._script.goto, chain, follow_imports=False):
            if each.line is None:
                return bool(each.type == "module")
            statement = self._tree.get_leaf_for_position((each.line, each.column))
            while statement is not None and statement.type not in ("import_from", "import_name"):
                statement = statement.parent
            if statement is None:
                return False
            if getattr(statement, "level", 0):
                return False
            return all(path[0].value != self._package for path in statement.get_paths() if path)
        return False

    def _ask(self, question: Any, name: Any, **options: Any) -> list[Any]:
        line, column = name.start_pos
        try:
            return list(question(line, column, **options))
        except Exception as error:  # noqa: BLE001 - jedi meets code that it cannot think about; that is an unknown call
            print(f"{self.file}:{line}: {type(error).__name__}: {error}", file=sys.stderr)
            return []

    def _is_inside(self, found: Any) -> bool:
        path = found.module_path
        return path is not None and Path(path).is_relative_to(self._root)

    def _spot_of(self, found: Any) -> Spot | None:
        if not self._is_inside(found) or found.line is None:
            return None
        return (Path(found.module_path).relative_to(self._root).as_posix(), found.line, found.name)

    def _spot(self, node: Any) -> Spot:
        return (self.file, node.name.start_pos[0], node.name.value)


def _definitions(node: Any) -> Iterator[Any]:
    for child in getattr(node, "children", ()):
        if child.type in ("funcdef", "classdef"):
            yield child
        yield from _definitions(child)


def _outer(node: Any) -> Any | None:
    """The innermost definition around a node; a decorator belongs to what it decorates."""
    inner, node = node, node.parent
    while node is not None:
        if node.type in ("funcdef", "classdef"):
            return node
        if node.type == "decorated" and inner.type in ("decorator", "decorators"):
            decorated = node.children[-1]
            # `async def` is wrapped once more.
            return decorated if decorated.type in ("funcdef", "classdef") else decorated.children[-1]
        inner, node = node, node.parent
    return None


def _qualified(node: Any) -> str:
    outer = _outer(node)
    return f"{_qualified(outer)}.{node.name.value}" if outer is not None else str(node.name.value)


def _called(node: Any) -> Iterator[tuple[Any, Any, bool]]:
    """The name that is called, the first part of what it stands in, and whether it is a call for certain."""
    for child in getattr(node, "children", ()):
        if child.type == "trailer" and child.children[0].value == "(":
            before = child.parent.children[child.parent.children.index(child) - 1]
            name = before.children[-1] if before.type == "trailer" and before.children[0].value == "." else before
            if name.type == "name":
                yield name, child.parent.children[0], True
        elif child.type == "decorator" and child.children[1].type in ("name", "atom_expr", "dotted_name"):
            # `@name` calls, but is not written as a call: to say so is neither right nor wrong.
            last = child.children[1].get_last_leaf()
            if last.type == "name":
                yield last, None, False
        yield from _called(child)


def main() -> int:
    """Print what is in the folder."""
    root = Path(sys.argv[1]).resolve()
    project = jedi.Project(root, sys_path=[str(root), *sys.path[1:]], smart_sys_path=False)
    for path in sorted(root.rglob("*.py")):
        module = Module(root, path, project)
        print(json.dumps({"type": "file", "file": module.file}))
        for record in (*module.definitions(), *module.calls()):
            print(json.dumps(record))
    return 0


if __name__ == "__main__":
    sys.exit(main())
