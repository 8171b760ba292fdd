"""What the tests with real clients stand on: a small tree, an environment, the editors' page, a look at processes."""

import os
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
PROGRAMS = Path(sys.executable).parent
LURCHER = str(PROGRAMS / "lurcher")

PATIENCE = 120.0
"""Seconds after which a test that waits has failed; never waited for when all is well."""

_SAMPLES = ("parcel.py", "parcel.ts", "parcel.go", "parcel.md")


def small_tree(folder: Path) -> Path:
    """A workspace of four real files in four languages, and one that a test may exclude by a setting."""
    tree = folder / "depot"
    (tree / ".git").mkdir(parents=True)  # Editors take this for the root of a project.
    for name in _SAMPLES:
        shutil.copyfile(ROOT / "fixtures" / "languages" / name, tree / name)
    (tree / "attic").mkdir()
    (tree / "attic" / "old.py").write_text("def wheelbarrow():\n    return 'before there were lorries'\n", "utf-8")
    return tree


def environment(folder: Path) -> dict[str, str]:
    """Variables for a client and its server: `lurcher` can be started by name, and nothing is kept outside `folder`."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    places = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
    path = os.pathsep.join((str(PROGRAMS), os.environ.get("PATH", os.defpath)))
    return {**os.environ, **places, "HOME": str(home), "LURCHER_CACHE": str(folder / "indexes"), "PATH": path}


def block_of(heading: str, language: str) -> str:
    """The one code block of a language under a heading of docs/editors.md."""
    page = (ROOT / "docs" / "editors.md").read_text("utf-8")
    section = re.split(r"^## ", page, flags=re.MULTILINE)
    (chosen,) = [text for text in section if text.startswith(heading + "\n")]
    (block,) = re.findall(rf"^```{language}\n(.*?)^```$", chosen, re.DOTALL | re.MULTILINE)
    return str(block)


def descendants(pid: int) -> set[int]:
    """The processes below one, by what Linux tells of each."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text("utf-8", "replace").rpartition(")")[2].split()[1])
        except (OSError, IndexError):
            continue  # It ended while we looked.
        children.setdefault(parent, []).append(int(stat.parent.name))
    found: set[int] = set()
    todo = [pid]
    while todo:
        for child in children.get(todo.pop(), []):
            found.add(child)
            todo.append(child)
    return found


def is_running(pid: int) -> bool:
    """Whether a process runs; one that has ended and was not yet collected by its parent does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
