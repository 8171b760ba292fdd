"""The definitions that the frames of a stack trace name: by the function in that file, else by the line."""

from collections.abc import Sequence

import msgspec

from lurcher_index.locate.fusing import FramePlace
from lurcher_index.locate.placing import shown_lines
from lurcher_index.locate.sight import Sight
from lurcher_index.model import Outline, SymbolKind
from lurcher_index.nodes import innermost, outer_names
from lurcher_index.query.frames import Frame
from lurcher_index.store.catalog import FileRow
from lurcher_index.whereabouts import Meant, files_meant

STACK_TRACE, FRAMES = "stack-trace", "frames"
"""What comes before all strategies where an issue names places, and who reads these."""

MAX_FRAME_PLACES = 10
"""Places that frames give at most: half of an answer, so that what is found otherwise has its turn."""

MAX_MEANT = 4
"""Files that one frame may mean; one that fits more of them tells nothing."""

MAX_ALIKE = 16
"""Files that are looked into for the function that a frame names."""

MAX_NEAR = 3
"""Functions of the same name in one file that a frame may mean where none of them is at its line."""

FURTHER_OUT = 0.9
"""What each frame counts of the one that it called: the innermost is where it went wrong. A guess."""

ONLY_BY_LINE = 0.8
"""What a frame counts whose function is not in its file: lines move between versions. A guess."""

ONLY_ALIKE = 0.7
"""What it counts that only the ends of both paths are alike, as long as the function is there. A guess."""

ONLY_NAMED_ALIKE = 0.4
"""The same without a function that says so. A guess."""

_CALLED = frozenset(
    {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.CLASS, SymbolKind.STRUCT}
    | {SymbolKind.MACRO, SymbolKind.PROPERTY, SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.FIELD}
)
"""Kinds that can be on a stack: of JavaScript a variable or a field that holds a function, too."""


class _Read(msgspec.Struct, frozen=True):
    """A frame in one file."""

    row: FileRow
    outline: Outline
    symbols: tuple[int, ...]
    """The definitions that it may be, the nearest to its line first; -1 for none around it."""
    by_name: bool


def frame_places(sight: Sight, frames: Sequence[Frame]) -> list[FramePlace]:
    """The places of those frames whose files are here, surest first; each definition once."""
    found: dict[tuple[int, int, int], FramePlace] = {}
    meant: dict[str, Meant] = {}
    weight = 1.0
    for frame in frames:
        if frame.path not in meant:
            meant[frame.path] = files_meant(sight.view, frame.path)
        read, certainty = _read(sight, frame, meant[frame.path])
        for each in read:
            sure = weight * certainty / len(read)
            for symbol in each.symbols:
                # Of several that are called so, and none of them at the line, the nearest is the likeliest.
                sure *= ONLY_BY_LINE if len(each.symbols) > 1 else 1.0
                place = _place(each, symbol, frame, sure, len(read))
                found.setdefault((place.file, place.symbol, 0 if place.symbol >= 0 else place.first_line), place)
        if read:
            weight *= FURTHER_OUT
        if len(found) >= MAX_FRAME_PLACES:
            break
    return sorted(found.values(), key=lambda place: -place.certainty)[:MAX_FRAME_PLACES]


def _read(sight: Sight, frame: Frame, meant: Meant) -> tuple[list[_Read], float]:
    """What a frame is in the files that it may mean, and how sure that is; in those with its function, if there are."""
    if len(meant.rows) > MAX_ALIKE or (frame.is_exact and not meant.is_whole):
        return [], 0.0
    read = [each for row in meant.rows if (each := _in_file(sight, frame, row)) is not None]
    by_name = [each for each in read if each.by_name]
    if len(by_name or read) > MAX_MEANT:
        return [], 0.0
    if by_name:
        return by_name, 1.0 if meant.is_whole else ONLY_ALIKE
    if not frame.function:
        return read, 1.0 if meant.is_whole else ONLY_NAMED_ALIKE
    # A file that is only called alike, and has no such function, is another one.
    return (read, ONLY_BY_LINE) if meant.is_whole else ([], 0.0)


def _in_file(sight: Sight, frame: Frame, row: FileRow) -> _Read | None:
    outline = sight.outline(row)
    if outline is None:
        return None
    if named := _named(outline, frame):
        return _Read(row, outline, named, by_name=True)
    if not 1 <= frame.line <= outline.line_count:
        return None
    return _Read(row, outline, (innermost(outline, frame.line, frame.line),), by_name=False)


def _named(outline: Outline, frame: Frame) -> tuple[int, ...]:
    """The definition of a frame's function at its line; if none is there, the nearest, of its owner if there are."""
    same = [
        at
        for at, symbol in enumerate(outline.symbols)
        if frame.function and symbol.name == frame.function and symbol.kind in _CALLED
    ]
    same = [at for at in same if frame.owner in outer_names(outline, at)] or same
    same.sort(key=lambda at: (_distance(outline, at, frame.line), at))
    return tuple(same[:1] if same and not _distance(outline, same[0], frame.line) else same[:MAX_NEAR])


def _distance(outline: Outline, at: int, line: int) -> int:
    """Lines between a line and a definition; 0 inside."""
    symbol = outline.symbols[at]
    return max(symbol.first_line - line, line - symbol.last_line, 0)


def _place(read: _Read, symbol: int, frame: Frame, certainty: float, files: int) -> FramePlace:
    outline, line = read.outline, frame.line
    is_there = symbol < 0 or not _distance(outline, symbol, line)
    if not is_there:
        line = outline.symbols[symbol].first_line
    first, last = shown_lines(outline, symbol, line, line, is_beginning=not is_there)
    told = [f"the text names line {frame.line}" + (f" in {frame.function}" if frame.function else "")]
    if frame.function and not read.by_name:
        told.append("no such function is there now")
    if not is_there:
        told.append(f"one of {len(read.symbols)} called so" if len(read.symbols) > 1 else "it stands elsewhere now")
    if files > 1:
        told.append(f"or in one of {files - 1} other files that end alike")
    return FramePlace(read.row.file_id, read.row.path, first, last, symbol, ", ".join(told), certainty)
