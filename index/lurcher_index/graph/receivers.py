"""What stands before a name in a call: a module, a type of the workspace, something outside of it, or not known."""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto
from functools import lru_cache
from typing import NamedTuple

from lurcher_index.graph.families import SELF, SUPER, TYPES
from lurcher_index.graph.files import GraphFile
from lurcher_index.graph.fitting import best_fit, fit_of, go_package
from lurcher_index.graph.modules import EXACT, module_paths
from lurcher_index.graph.namesakes import Namesakes, Spot
from lurcher_index.graph.reading import GraphFiles
from lurcher_index.model import EdgeKind, Hint, Import, SymbolKind
from lurcher_index.store.linkage import name_key

MAX_STEPS = 12
"""Steps from one hint to the next; a longer way is a circle or tells nothing."""

MAX_BASES = 40
"""Types that are looked at on the way up from one."""

MAX_HANDED = 60
"""Imports that are followed from a module that hands on a name to the one that defines it."""

_ARROWS = re.compile(r"\?->|->|\?\.|!!?\.|&\.|::|\\|:")
_GENERIC = re.compile(r"[<\[].*$")
_FUNCTIONS = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR})


class What(Enum):
    """What kind of thing a receiver is."""

    TYPES = auto()
    """A type of the workspace, or a value of it."""
    BASES = auto()
    """What a type inherits (`super`)."""
    MODULE = auto()
    OUTSIDE = auto()
    """Something that is not defined in the workspace."""
    UNKNOWN = auto()


class Receiver(NamedTuple):
    """What stands before a name."""

    what: What
    types: tuple[Spot, ...] = ()
    module: str = ""
    importer: GraphFile | None = None
    name: str = ""
    """Of a type that is named but not found in the workspace."""


UNKNOWN = Receiver(What.UNKNOWN)
OUTSIDE = Receiver(What.OUTSIDE)


@lru_cache(16_384)
def parts_of(qualifier: str) -> tuple[str, ...]:
    """A qualifier as names: `$this->repo` is `this`, `repo`; `@pool` is `self`, `pool`."""
    plain = _ARROWS.sub(".", qualifier)
    plain = re.sub(r"^@+", "self.", plain)
    return tuple(part for part in re.sub(r"[$&*!?#]", "", plain).split(".") if part)


class Receivers:
    """Tells receivers, over the files of one view."""

    def __init__(self, files: GraphFiles) -> None:
        """Take the files."""
        self._files = files
        self._named: dict[tuple[str, str], tuple[Spot, ...]] = {}
        self._given: dict[tuple[str, str, tuple[int, str], str], list[Spot]] = {}
        self._told: dict[tuple[str, int, str], Receiver] = {}
        self._based: dict[tuple[str, int], tuple[list[Spot], bool]] = {}

    def of(self, file: GraphFile, symbol: int, qualifier: str) -> Receiver:
        """What a qualifier means where a symbol of a file uses it."""
        parts = parts_of(qualifier)
        key = (file.id, symbol if _depends_on_place(file, parts) else -1, qualifier)
        if key not in self._told:
            self._told[key] = self._chain(file, symbol, parts, MAX_STEPS)
        return self._told[key]

    # -- types and their members

    def types_named(self, name: str, file: GraphFile) -> tuple[Spot, ...]:
        """The types that a name means in a file: its own, imported ones, those of its folder, the only ones."""
        key = (file.id, name)
        if key not in self._named:
            self._named[key] = self._types_named(name, file)
        return self._named[key]

    def _types_named(self, name: str, file: GraphFile) -> tuple[Spot, ...]:
        *outer, bare = parts_of(_GENERIC.sub("", name)) or ("",)
        local = file.imported.get(bare) if not outer else None
        wanted = local.name if local is not None and local.name not in ("", "*", "default") else bare
        named = self._files.namesakes(wanted, file.family.name)
        count = len(named.entries(TYPES))
        if not count:
            return ()
        near = named.beside(TYPES, file.place)
        own = [each for each in near if each.file is file]
        if own and not outer:
            return tuple(own)
        if local is not None:
            return self._types_from(wanted, file, local.module)
        if outer:
            module = self._imported_module(file, ".".join(outer))
            if module is not None:
                return self._types_from(wanted, file, module)
            key = name_key(outer[-1])
            inner = [each for each in named.in_container(key) if each.kind in TYPES]
            if inner:
                return tuple(inner)
        if near and file.family.folder_scope:
            return tuple(near)
        visible = self._visible(named, file) if file.wildcards else []
        if near and not visible:
            return tuple(near)
        if visible:
            return tuple(visible)
        if count == 1 or file.family.global_scope:
            return tuple(named.of_kinds(TYPES))
        return ()

    def _visible(self, named: Namesakes, file: GraphFile) -> list[Spot]:
        """The types that are in a module all of whose names can be used in a file."""
        spots = named.of_kinds(TYPES)
        return [each for each in spots if any(fit_of(file, module, each) for module in file.wildcards)]

    def members(self, types: Sequence[Spot], name: str) -> tuple[list[Spot], bool]:
        """Definitions of a name in some types or the nearest ones they inherit; and whether all of these are known."""
        seen: set[tuple[str, int]] = set()
        front = list(types)
        whole = True
        while front and len(seen) < MAX_BASES:
            found = [spot for each in front for spot in self._own_members(each, name)]
            if found:
                return found, True
            coming: list[Spot] = []
            for each in front:
                seen.add((each.file.id, each.symbol))
                bases, all_known = self.bases(each)
                whole = whole and all_known
                coming += [base for base in bases if (base.file.id, base.symbol) not in seen]
            front = coming
        return [], whole

    def bases(self, spot: Spot) -> tuple[list[Spot], bool]:
        """The types that a type inherits, and whether all of them are in the workspace."""
        key = (spot.file.id, spot.symbol)
        if key not in self._based:
            self._based[key] = self._bases(spot)
        return self._based[key]

    def _bases(self, spot: Spot) -> tuple[list[Spot], bool]:
        found: list[Spot] = []
        whole = True
        for edge in spot.file.edges:
            if edge.kind is EdgeKind.INHERIT and edge.symbol == spot.symbol:
                name = f"{edge.qualifier}.{edge.name}" if edge.qualifier else edge.name
                bases = self.types_named(name, spot.file)
                whole = whole and bool(bases)
                found += bases
        return [base for base in found if (base.file, base.symbol) != (spot.file, spot.symbol)], whole

    def own_types(self, file: GraphFile, symbol: int) -> tuple[Spot, ...]:
        """The type in which a symbol lies."""
        at = file.type_around(symbol)
        if at >= 0:
            return (spot_of(file, at),)
        owner = file.owner_around(symbol)
        return self.types_named(owner, file) if owner else ()

    def _own_members(self, type_: Spot, name: str) -> list[Spot]:
        type_name = (
            type_.file.outline.symbols[type_.symbol].name if type_.symbol < len(type_.file.outline.symbols) else ""
        )
        key = name_key(type_name)
        found = self._files.namesakes(name, type_.file.family.name).in_container(key)
        own = [each for each in found if each.file is type_.file]
        if own:
            inside = [each for each in own if type_.symbol in set(each.file.around(each.symbol))]
            return inside or own
        # Methods can stand apart from their type: in another file of the folder in Go, beside the header in C++.
        near = [each for each in found if each.file.place == type_.file.place]
        return self._apart(near) or self._apart(found)

    def _apart(self, spots: Sequence[Spot]) -> list[Spot]:
        self._files.read_definitions(each.file for each in spots)
        return [each for each in spots if _stands_apart(each)]

    # -- chains of names

    def _chain(self, file: GraphFile, symbol: int, parts: Sequence[str], steps: int) -> Receiver:
        if not parts or steps <= 0:
            return UNKNOWN
        if file.family.name == "rust" and parts[0] in ("crate", "super"):
            # In a module that is written inside its file, the first `super` is the file.
            inner = any(at >= 0 and file.outline.symbols[at].kind is SymbolKind.MODULE for at in file.around(symbol))
            root = "self" if inner and parts[0] == "super" else parts[0]
            return self._go_on(Receiver(What.MODULE, module=root, importer=file), parts[1:], steps - 1)
        for length in range(len(parts), 1, -1):
            # `import a.b` is used as `a.b.f()`.
            module = file.imported.get(".".join(parts[:length]))
            if module is not None and not module.name:
                return self._go_on(
                    Receiver(What.MODULE, module=module.module, importer=file), parts[length:], steps - 1
                )
        return self._go_on(self._head(file, symbol, parts[0], steps - 1), parts[1:], steps - 1)

    def _go_on(self, receiver: Receiver, parts: Sequence[str], steps: int) -> Receiver:
        for part in parts:
            if steps <= 0:
                return UNKNOWN
            receiver = self._inside(receiver, part, steps)
            steps -= 1
        return receiver

    def _head(self, file: GraphFile, symbol: int, head: str, steps: int) -> Receiver:
        if head in SUPER and (head != "base" or file.language == "csharp"):
            return Receiver(What.BASES, self.own_types(file, symbol))
        if head in SELF:
            types = self.own_types(file, symbol)
            return Receiver(What.TYPES, types) if types else UNKNOWN
        if head.endswith("()"):
            return self._result(file, symbol, head[:-2], steps)
        hint = file.hint(symbol, head)
        # `const a = require("./a")` is an import, whatever else it looks like.
        if hint is not None and not (hint.is_call and hint.type in ("require", "import")):
            return self._held(file, hint, steps)
        if (imported := self._import_named(file, head)) is not None:
            return self._imported(file, imported)
        if file.family.implicit_self:
            for type_ in self.own_types(file, symbol):
                hint = type_.file.field(type_.symbol, head)
                if hint is not None:
                    return self._held(type_.file, hint, steps)
        types = self.types_named(head, file)
        if types:
            return Receiver(What.TYPES, types)
        # A type that nothing here defines or imports is one of the language's own: `JSON`, `Character`.
        return OUTSIDE if head[0].isupper() and not self._files.defined(head) else UNKNOWN

    def from_module(self, name: str, file: GraphFile, module: str) -> list[Spot]:
        """Definitions that a module gives to who imports it: its own, those it hands on, those in its parts."""
        key = (name, file.family.name, file.place, module)
        if key not in self._given:
            self._given[key] = self._handed(name, file, module, set())
        return self._given[key]

    def _handed(self, name: str, file: GraphFile, module: str, seen: set[tuple[str, str, str]]) -> list[Spot]:
        fits = best_fit(self._files.namesakes(name, file.family.name), file, module)
        if any(fit_of(file, module, each) == EXACT for each in fits):
            return fits
        # Modules that hand on each other's names must not run in a circle.
        seen.add((file.id, module, name))
        for path in module_paths(file.family.name, module, file.path):
            barrel = self._files.in_same_folder(file, path)
            if barrel is None or barrel is file:
                continue
            for each in barrel.links.imports:
                real = name if each.name in ("*", "default") else each.name
                known = (barrel.id, each.module, real) in seen or len(seen) >= MAX_HANDED
                if not known and (each.name == "*" or (each.local == name and each.name)):
                    handed = self._handed(real, barrel, each.module, seen)
                    if handed:
                        return handed
        return fits

    def _types_from(self, name: str, file: GraphFile, module: str) -> tuple[Spot, ...]:
        return tuple(each for each in self.from_module(name, file, module) if each.kind in TYPES)

    def _held(self, file: GraphFile, hint: Hint, steps: int) -> Receiver:
        """What a variable with this hint holds."""
        if steps <= 0:
            return UNKNOWN
        if hint.is_call:
            name = hint.type
            if name in ("require", "import"):
                return UNKNOWN
            *outer, last = parts_of(name)
            return self._result(file, hint.symbol, last, steps - 1, outer)
        if hint.type in SELF:
            return Receiver(What.TYPES, self.own_types(file, hint.symbol))
        # A field that is set to a parameter holds what that one holds.
        passed = file.hint(hint.symbol, hint.type) if hint.variable.startswith(".") else None
        if passed is not None and passed != hint:
            return self._held(file, passed, steps - 1)
        if hint.variable.startswith(".") and passed is None and hint.type[:1].islower():
            return UNKNOWN
        types = self.types_named(hint.type, file)
        return Receiver(What.TYPES, types) if types else Receiver(What.OUTSIDE, name=hint.type)

    def _result(self, file: GraphFile, symbol: int, name: str, steps: int, outer: Sequence[str] = ()) -> Receiver:
        """What a call gives: a value of the type that is called, or what a function says that it returns."""
        if steps <= 0:
            return UNKNOWN
        if outer:
            before = self._chain(file, symbol, outer, steps - 1)
            return self._inside(before, name + "()", steps - 1)
        if (name + "()") in SUPER:
            return Receiver(What.BASES, self.own_types(file, symbol))
        types = self.types_named(name, file)
        if types:
            return Receiver(What.TYPES, types)
        imported = file.imported.get(name)
        wanted = imported.name if imported is not None and imported.name else name
        named = self._files.namesakes(wanted, file.family.name)
        near = named.beside(_FUNCTIONS, file.place)
        own = [each for each in near if each.file is file]
        if not own and imported is not None:
            own = [each for each in self.from_module(wanted, file, imported.module) if each.kind in _FUNCTIONS]
            if not own:
                return OUTSIDE
        if not own and file.family.folder_scope:
            own = near
        if not own and file.family.global_scope and len(named.entries(_FUNCTIONS)) == 1:
            own = named.of_kinds(_FUNCTIONS)
        return self._returned(own, steps)

    def _returned(self, functions: Iterable[Spot], steps: int) -> Receiver:
        for each in functions:
            hint = each.file.returned(each.symbol)
            if hint is not None:
                if hint.type in SELF:
                    return Receiver(What.TYPES, self.own_types(each.file, each.symbol))
                return self._held(each.file, hint, steps - 1)
        return UNKNOWN

    def _inside(self, receiver: Receiver, part: str, steps: int) -> Receiver:
        """What a member of a receiver is."""
        is_call, name = part.endswith("()"), part.removesuffix("()")
        if receiver.what is What.OUTSIDE:
            return OUTSIDE
        if receiver.what is What.MODULE and receiver.importer is not None:
            return self._in_module(receiver, name, is_call, steps)
        if receiver.what not in (What.TYPES, What.BASES):
            return UNKNOWN
        if is_call:
            found, _ = self.members(receiver.types, name)
            if not found and name in ("new", "default", "create", "getInstance", "instance"):
                return receiver
            return self._returned(found, steps - 1)
        for type_ in self._with_bases(receiver.types):
            hint = type_.file.field(type_.symbol, name)
            if hint is not None:
                return self._held(type_.file, hint, steps - 1)
        inner = [each for type_ in receiver.types for each in self._own_members(type_, name) if each.kind in TYPES]
        return Receiver(What.TYPES, tuple(inner)) if inner else UNKNOWN

    def _in_module(self, receiver: Receiver, name: str, is_call: bool, steps: int) -> Receiver:
        importer = receiver.importer
        assert importer is not None
        found = self.from_module(name, importer, receiver.module)
        types = [each for each in found if each.kind in TYPES]
        if types:
            return Receiver(What.TYPES, tuple(types))
        if is_call:
            return self._returned([each for each in found if each.kind in _FUNCTIONS], steps) if found else OUTSIDE
        separator = (
            "::"
            if importer.family.name == "rust" or "::" in receiver.module
            else "/"
            if "/" in receiver.module
            else "."
        )
        return Receiver(What.MODULE, module=f"{receiver.module}{separator}{name}", importer=importer)

    def _with_bases(self, types: Sequence[Spot]) -> Iterator[Spot]:
        seen: set[tuple[str, int]] = set()
        front = list(types)
        while front and len(seen) < MAX_BASES:
            each = front.pop(0)
            if (each.file.id, each.symbol) in seen:
                continue
            seen.add((each.file.id, each.symbol))
            yield each
            front += self.bases(each)[0]

    # -- imports

    def _import_named(self, file: GraphFile, name: str) -> Import | None:
        found = file.imported.get(name)
        if found is not None:
            return found
        if file.family.name == "go":
            return next(
                (each for each in file.links.imports if not each.local and go_package(each.module) == name), None
            )
        # `import a.b` makes `a` known, too.
        return next((each for each in file.links.imports if not each.name and each.local.startswith(name + ".")), None)

    def _imported(self, file: GraphFile, imported: Import) -> Receiver:
        if not imported.name:
            return Receiver(What.MODULE, module=imported.module, importer=file)
        wanted = imported.local if imported.name == "default" else imported.name
        types = self._types_from(wanted, file, imported.module)
        if types:
            return Receiver(What.TYPES, types)
        separator = "::" if "::" in imported.module or file.family.name == "rust" else "."
        if file.family.name == "python":
            joined = (
                imported.module + imported.name
                if imported.module.endswith(".")
                else f"{imported.module}.{imported.name}"
            )
            return Receiver(What.MODULE, module=joined, importer=file)
        if file.family.name == "ecma":
            return Receiver(What.MODULE, module=imported.module, importer=file)
        return Receiver(What.MODULE, module=f"{imported.module}{separator}{imported.name}", importer=file)

    def _imported_module(self, file: GraphFile, name: str) -> str | None:
        found = self._import_named(file, name)
        return None if found is None else found.module if not found.name else f"{found.module}.{found.name}"


def _depends_on_place(file: GraphFile, parts: Sequence[str]) -> bool:
    """Whether a chain of names can mean one thing here and another there in the same file."""
    if not parts or file.family.implicit_self or file.family.name == "rust":
        return True
    return parts[0].endswith("()") or parts[0] in SELF or parts[0] in SUPER or file.is_hinted(parts[0])


def spot_of(file: GraphFile, at: int) -> Spot:
    """A definition of a file as a spot."""
    symbol = file.outline.symbols[at]
    return Spot(file, at, symbol.kind, 0)


def _stands_apart(spot: Spot) -> bool:
    symbols = spot.file.outline.symbols
    return spot.symbol < len(symbols) and bool(symbols[spot.symbol].owner)
