"""What a person means by a name: `Class.method`, `module:func`, `a::b`, `Class#method`, `src/app.py:Server.start`."""

import re
from collections.abc import Sequence

import msgspec

from lurcher_index.nodes import is_text

MAX_NAME_CHARACTERS = 1_000
"""Longest name that is looked up; a longer one is a text."""

_BRACKETS = re.compile(r"\s*\([^()]*\)\s*;?$")
_SEPARATOR = re.compile(r"::|->|\?\.|[.#:/\\]")
_PACKAGE_FILES = frozenset({"__init__", "__main__", "index", "mod", "lib", "main", "init"})
"""Files that speak for their folder: `pkg/__init__.py` is the module `pkg`."""


class AskedName(msgspec.Struct, frozen=True):
    """A name taken apart."""

    bare: str
    outer: tuple[str, ...] = ()
    """What stands before it, outermost first: names of classes, modules, packages or folders."""


def asked_names(text: str) -> list[AskedName]:
    """How a name can be read, as written first; none for what is no name."""
    if len(text) > MAX_NAME_CHARACTERS:
        return []
    cleaned = _BRACKETS.sub("", text.strip().strip("`'\"")).strip()
    if not cleaned or len(cleaned) > MAX_NAME_CHARACTERS or "\n" in cleaned or not is_text(cleaned):
        return []
    found = [AskedName(cleaned)]
    parts = [part for part in _SEPARATOR.split(cleaned) if part]
    if len(parts) > 1:
        found.append(AskedName(parts[-1], tuple(parts[:-1])))
    return found


def chain(path: str, outer: Sequence[str]) -> list[str]:
    """Everything a definition can be qualified by: folders, module, classes. Dotted names count part by part."""
    *folders, file = path.split("/")
    stem = file.partition(".")[0] or file
    modules = [*folders, *([] if stem in _PACKAGE_FILES and folders else [stem])]
    return [*modules, *(part for name in outer for part in _SEPARATOR.split(name) if part)]


def closeness(asked: AskedName, path: str, outer: Sequence[str]) -> int:
    """How well a definition fits what stands before the name: 0 not at all, 1 in its order with gaps, 2 exactly."""
    if not asked.outer:
        return 2
    names = chain(path, outer)
    if names[-len(asked.outer) :] == list(asked.outer):
        return 2
    left = iter(names)
    return 1 if all(part in left for part in asked.outer) else 0
