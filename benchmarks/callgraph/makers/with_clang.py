"""Calls of a C package as clang sees them: `python with_clang.py FOLDER [INCLUDED …] > truth.jsonl`.

A script of its own, for libclang's environment: it imports nothing of this repository. The compiler sees one
configuration of the source: what stands in the text as a call but not in its tree (another branch of the preprocessor,
the body of a macro) is an unknown call. A call of a macro that looks like a function is a call of that macro.
"""

import ctypes
import json
import re
import sys
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from clang import cindex
from clang.cindex import CursorKind, TranslationUnit

Spot = tuple[str, int, str]
"""File, line of the name (0 for the file), name."""

Called = tuple[str, str, Spot | None, str]
"""A name, what it is if it leads to nothing here, the declaration it leads to, and the compiler's name for that."""

OPTIONS = TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD | 0x200
"""Macros are kept, and a header that is missing does not end the parse (libclang's KeepGoing)."""

ARGUMENTS = ("-xc", "-std=gnu11", "-D_GNU_SOURCE", "-w", "-ferror-limit=0")

_CALL = re.compile(rb"\b([A-Za-z_]\w*)\s*\(")
_MACRO = re.compile(rb"(?m)^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)")
_NOISE = re.compile(rb'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
_KEYWORDS = {b"if", b"while", b"for", b"switch", b"return", b"sizeof", b"defined", b"do", b"else", b"case"}


class Source:
    """The text of one file, and what was found in it."""

    def __init__(self, file: str, text: bytes) -> None:
        """Find its lines."""
        self.file = file
        self.text = text
        self._starts = [0, *(match.end() for match in re.finditer(rb"\n", text))]
        self.calls: dict[int, Called] = {}
        """By offset."""
        self.bodies: dict[int, tuple[int, Spot, bool]] = {}
        """By the offset of its name: a function's end and spot, and whether it is defined rather than declared."""

    def line(self, offset: int) -> int:
        """The line of an offset, from 1."""
        return bisect_right(self._starts, offset)

    def has(self, name: str, offset: int) -> bool:
        """Whether the name stands there, rather than in a macro that was expanded there."""
        return self.text[offset : offset + len(name)] == name.encode()

    def caller(self, offset: int, starts: list[int]) -> tuple[Spot, bool]:
        """The function around an offset, or the file, and whether it is in a body. C has no nested ones."""
        at = bisect_right(starts, offset) - 1
        if at >= 0 and offset < self.bodies[starts[at]][0]:
            return self.bodies[starts[at]][1:]
        return (self.file, 0, ""), False

    def written(self) -> Iterator[tuple[int, str]]:
        """Everything that looks like a call, wherever it stands but in comments and strings."""
        for match in _CALL.finditer(self._plain()):
            if match.group(1) not in _KEYWORDS:
                yield match.start(1), match.group(1).decode()

    def macros(self) -> Iterator[tuple[int, str]]:
        """Every macro that is defined in the text, compiled or not."""
        for match in _MACRO.finditer(self._plain()):
            yield match.start(1), match.group(1).decode()

    def _plain(self) -> bytes:
        return _NOISE.sub(lambda match: b" " * len(match.group()), self.text)


class Package:
    """All units of a folder, as far as they lie in it."""

    def __init__(self, root: Path, included: list[Path]) -> None:
        """List the files."""
        self._root = root
        found = sorted(path for path in root.rglob("*") if path.suffix in (".c", ".h") and path.is_file())
        self._sources = {
            path: Source(path.relative_to(root).as_posix(), path.read_bytes().replace(b"\r", b" ")) for path in found
        }
        folders = sorted({path.parent for path in found} | {root})
        self._arguments = [*ARGUMENTS, *(f"-I{folder}" for folder in (*folders, *included))]
        self._index = cindex.Index.create()
        self._declared: dict[Spot, str] = {}
        """Functions that are declared or defined, by the compiler's name for them."""
        self._defined: dict[str, Spot] = {}
        self._macros: dict[tuple[str, int], Spot] = {}
        self._paths: dict[str, Source | None] = {}

    def read(self) -> None:
        """Parse every unit."""
        for path in self._sources:
            if path.suffix == ".c":
                unit = self._index.parse(str(path), self._arguments, options=OPTIONS)
                for cursor in unit.cursor.get_children():
                    self._top(cursor)

    def records(self) -> Iterator[dict[str, Any]]:
        """What was found."""
        compiled: dict[Spot, Spot] = {spot: spot for spot in self._macros.values()}
        for spot, usr in self._declared.items():
            compiled[spot] = self._defined.get(usr, spot)
        others = self._others(compiled)
        for source in self._sources.values():
            yield {"type": "file", "file": source.file}
        for spot, same in (compiled | others).items():
            outer = (spot[0], 0, "")
            yield {"type": "definition", "spot": spot, "qualified": spot[2], "outer": outer, "same": same}
        other_names = {spot[2] for spot in others}
        for source in self._sources.values():
            yield from self._calls(source, compiled, other_names)

    def _others(self, compiled: dict[Spot, Spot]) -> dict[Spot, Spot]:
        """Branches of the preprocessor that define a compiled name, too, are the same definition; macros in others are
        definitions that nobody can judge.
        """
        by_name = {spot[2]: same for spot, same in compiled.items()}
        others: dict[Spot, Spot] = {}
        for source in self._sources.values():
            starts = sorted(source.bodies)
            for at, name in source.written():
                spot = (source.file, source.line(at), name)
                if name in by_name and spot not in compiled and not source.caller(at, starts)[0][1]:
                    others[spot] = by_name[name]
            for at, name in source.macros():
                spot = (source.file, source.line(at), name)
                if spot not in compiled:
                    others[spot] = by_name.get(name, spot)
        return others

    def _calls(self, source: Source, compiled: dict[Spot, Spot], other_names: set[str]) -> Iterator[dict[str, Any]]:
        starts = sorted(source.bodies)
        unseen: dict[int, Called] = {at: (name, "unknown", None, "") for at, name in source.written()}
        for at, (name, status, callee, usr) in sorted((unseen | source.calls).items()):
            line = source.line(at)
            caller, is_in_body = source.caller(at, starts)
            if (source.file, line, name) in compiled and caller in ((source.file, 0, ""), (source.file, line, name)):
                continue  # where it is defined or declared
            # A function that is called before it is declared is known by its name alone.
            end = compiled.get(callee, self._defined.get(usr)) if callee is not None else None
            inside = [end] if end is not None and is_in_body else []
            # What stands outside of all bodies are macros that declare something, hardly calls.
            is_judged = is_in_body and (callee is None or end is not None) and name not in other_names
            yield {
                "type": "call",
                "file": source.file,
                "line": line,
                "name": name,
                "caller": caller,
                "status": "inside" if inside else status if is_judged else "unknown",
                "callees": inside,
            }

    def _top(self, cursor: Any) -> None:
        place = self._place(cursor)
        if place is None:
            return
        source, offset = place
        match cursor.kind:
            case CursorKind.MACRO_DEFINITION:
                self._macros[source.file, offset] = (source.file, source.line(offset), cursor.spelling)
            case CursorKind.MACRO_INSTANTIATION:
                self._expanded(cursor, source, offset)
            case CursorKind.FUNCTION_DECL:
                spot = (source.file, source.line(offset), cursor.spelling)
                self._declared[spot] = cursor.get_usr()
                is_definition = cursor.is_definition()
                ends = self._place(cursor, ends=True)
                if ends is not None and ends[0] is source:
                    # Macros that say something about a prototype stand behind it.
                    end = ends[1] if is_definition else source.text.find(b";", ends[1])
                    source.bodies[offset] = (end, spot, is_definition)
                if is_definition:
                    self._defined[cursor.get_usr()] = spot
                    self._body(cursor)

    def _expanded(self, cursor: Any, source: Source, offset: int) -> None:
        """A macro that is used where its name stands; as a call only if it is written as one."""
        name = cursor.spelling
        if not source.has(name, offset) or source.text[offset + len(name) :].lstrip()[:1] != b"(":
            return
        definition = cursor.referenced
        place = self._place(definition) if definition is not None else None
        callee = self._macros.get((place[0].file, place[1])) if place is not None else None
        source.calls[offset] = (name, "outside", callee, "")

    def _body(self, cursor: Any) -> None:
        for child in cursor.get_children():
            if child.kind is CursorKind.CALL_EXPR:
                self._call(child)
            self._body(child)

    def _call(self, call: Any) -> None:
        named = next(iter(call.get_children()), None)
        while named is not None and named.kind in (CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR):
            named = next(iter(named.get_children()), None)
        if named is None or named.kind is not CursorKind.DECL_REF_EXPR:
            return  # through a pointer: it is found in the text, and nobody knows where it leads
        place = self._place(named)
        if place is None or not place[0].has(named.spelling, place[1]):
            return
        source, offset = place
        # Outside, too, is a parameter or variable: the name means no definition, whatever it holds.
        callee, declaration = None, named.referenced
        if declaration is not None and declaration.kind is CursorKind.FUNCTION_DECL:
            where = self._place(declaration)
            if where is not None:
                callee = (where[0].file, where[0].line(where[1]), declaration.spelling)
        source.calls[offset] = (named.spelling, "outside", callee, declaration.get_usr() if callee else "")

    def _place(self, cursor: Any, ends: bool = False) -> tuple[Source, int] | None:
        """File and offset as a reader sees them: a macro's argument where it is written; None outside the folder."""
        file, offset = cindex.c_object_p(), ctypes.c_uint()
        location = cursor.extent.end if ends else cursor.location
        cindex.conf.lib.clang_getFileLocation(location, ctypes.byref(file), None, None, ctypes.byref(offset))
        if not file:
            return None
        name = cindex.File(file).name
        if name not in self._paths:
            self._paths[name] = self._sources.get(Path(name).resolve())
        source = self._paths[name]
        return (source, offset.value) if source is not None else None


def main() -> int:
    """Print what is in the folder."""
    lib = cindex.conf.lib
    lib.clang_getFileLocation.argtypes = [cindex.SourceLocation, *[ctypes.c_void_p] * 4]
    lib.clang_getFileLocation.restype = None
    package = Package(Path(sys.argv[1]).resolve(), [Path(each) for each in sys.argv[2:]])
    sys.setrecursionlimit(10_000)
    package.read()
    for record in package.records():
        print(json.dumps(record))
    return 0


if __name__ == "__main__":
    sys.exit(main())
