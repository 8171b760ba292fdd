"""A process that looks for structures in files: a text that crashes a parser takes this process and no other."""

import sys
from time import monotonic

import msgspec

from lurcher_index.building.messages import read_frame, write_frame
from lurcher_index.chunking.structures import lines_of_names, lines_of_structure, structure_query
from lurcher_index.config import PARSE_SECONDS, Settings
from lurcher_index.files.reading import read_document
from lurcher_index.model import Skip, Value


class SyntaxFile(Value, frozen=True, array_like=True):
    """A file to look at: where it is, or the text that an editor shows."""

    folder: str
    path: str
    language: str
    text: bytes | None = None


class SyntaxOrder(Value, frozen=True, array_like=True):
    """What to look for in which files."""

    files: tuple[SyntaxFile, ...]
    snippet: str
    names: tuple[str, ...]
    settings: Settings
    seconds: float


class SyntaxFound(Value, frozen=True, array_like=True):
    """One place: number of the file, number of the name or -1 for the structure, and lines from 1."""

    file: int
    name: int
    first_line: int
    last_line: int


class SyntaxAnswer(Value, frozen=True, array_like=True):
    """Everything that was found in time."""

    found: tuple[SyntaxFound, ...]
    complete: bool


def search(order: SyntaxOrder) -> SyntaxAnswer:
    """Look at one file after the other until the time is up."""
    end = monotonic() + order.seconds
    queries: dict[str, str] = {}
    found: list[SyntaxFound] = []
    for number, file in enumerate(order.files):
        left = min(PARSE_SECONDS, end - monotonic())
        if left <= 0:
            return SyntaxAnswer(tuple(found), False)
        if file.language not in queries:
            queries[file.language] = structure_query(order.snippet, file.language, left) if order.snippet else ""
        data = file.text if file.text is not None else _read(file, order.settings)
        if data is None:
            continue
        if query := queries[file.language]:
            lines = lines_of_structure(data, file.language, query, left)
            found += [SyntaxFound(number, -1, first, last) for first, last in lines]
        names = lines_of_names(data, file.language, order.names, left)
        found += [SyntaxFound(number, name, line, line) for name, line in names]
    return SyntaxAnswer(tuple(found), True)


def main() -> None:
    """Answer one order from standard input."""
    frame = read_frame(sys.stdin.buffer)
    if frame is not None:
        write_frame(sys.stdout.buffer, search(msgspec.msgpack.decode(frame, type=SyntaxOrder)))


def _read(file: SyntaxFile, settings: Settings) -> bytes | None:
    document = read_document(f"{file.folder}/{file.path}", file.path, settings)
    return None if isinstance(document, Skip) else document.data
