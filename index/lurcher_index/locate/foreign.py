"""Reads places out of what other programs answer: lines like those of grep, or JSON of some kind."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

import msgspec

from lurcher_index.locate.sight import Sight
from lurcher_index.store.catalog import FileRow

MAX_ANSWER_CHARACTERS = 4_000_000
"""What is read of one answer."""

MAX_DEPTH = 12
"""How deep JSON is looked into."""

_LINE = re.compile(r"^(?P<path>(?:[A-Za-z]:)?[^:\0]{1,1000}):(?P<line>\d{1,9})(?::|$)")
_INSIDE = re.compile(r"(\d{1,9})\s*:")
_PATHS = ("path", "file", "file_path", "filePath", "relative_path", "relativePath", "filename", "uri")
_LINES = ("line", "line_number", "lineNumber", "start_line", "startLine")


def places_in(sight: Sight, answer: str) -> list[tuple[FileRow, int]]:
    """Files of the index and lines, from 1, that an answer names; anything else in it is passed over."""
    text = answer[:MAX_ANSWER_CHARACTERS]
    try:
        found = list(_in_json(sight, msgspec.json.decode(text), MAX_DEPTH))
    except (msgspec.DecodeError, RecursionError):
        found = []
    return list(dict.fromkeys(found or _in_lines(sight, text)))


def _in_lines(sight: Sight, text: str) -> Iterator[tuple[FileRow, int]]:
    for line in text.splitlines():
        match = _LINE.match(line)
        row = sight.row_at(match["path"]) if match else None
        if match and row is not None:
            yield row, max(1, int(match["line"]))


def _in_json(sight: Sight, value: object, depth: int) -> Iterator[tuple[FileRow, int]]:
    if depth == 0:
        return
    if isinstance(value, str):
        yield from _in_lines(sight, value)
    elif isinstance(value, list):
        for each in cast("Sequence[object]", value):
            yield from _in_json(sight, each, depth - 1)
    elif isinstance(value, dict):
        fields = cast("Mapping[str, object]", value)
        named = next((fields[key] for key in _PATHS if isinstance(fields.get(key), str)), None)
        line = next((fields[key] for key in _LINES if isinstance(fields.get(key), int)), None)
        row = sight.row_at(str(named).removeprefix("file://")) if named is not None else None
        if row is not None and isinstance(line, int):
            yield row, max(1, line)
            return
        for key, each in fields.items():
            # A file's name with its lines below it, as Serena answers.
            inside = sight.row_at(key)
            if inside is not None and isinstance(each, list):
                for text in cast("Sequence[object]", each):
                    for line in text.splitlines() if isinstance(text, str) else ():
                        if match := _INSIDE.match(line.lstrip().removeprefix(">").lstrip()):
                            yield inside, max(1, int(match[1]))
            else:
                yield from _in_json(sight, each, depth - 1)
