"""What variables hold, from the text around them: types as written, reduced to the name that counts."""

import re
from collections.abc import Sequence
from functools import lru_cache

from lurcher_index.chunking.findings import HintRange, Range
from lurcher_index.chunking.nesting import Nest
from lurcher_index.model import Hint, Symbol
from lurcher_index.native import compiled

MAX_TYPE_BYTES = 200
"""Longest type that is looked at; a longer one is a structure, not a name."""

MEMO = 16_384
"""Types kept in mind between documents: the same few thousand are written all over a workspace."""

_WRAPPED = re.compile(
    r"^(?:typing\.|t\.|std::|core::)?(?:Optional|Final|ClassVar|Annotated|Awaitable|Type|type|Promise|Readonly|Partial|"
    r"Box|Rc|Arc|Option|Result|RefCell|Cell|Mutex|RwLock|Weak|unique_ptr|shared_ptr|weak_ptr|Task|Lazy)\s*[\[<]\s*(.*)[\]>]$",
    re.DOTALL,
)
_DECORATION = re.compile(r"^(?:const|readonly|mut|dyn|impl|struct|final|volatile|'\w+)\s+")
_NAME = re.compile(r"[A-Za-z_$\\][\w$]*(?:(?:\.|::|\\)[A-Za-z_$][\w$]*)*")
_STRUCTURES = "[({"
"""What types begin with that have no name."""
_SELF = re.compile(r"^(?:self|this|cls|\$this)(?:\.|->|\?\.)([\w$]+)$")


def build_hints(
    data: bytes, found: list[HintRange], returns: list[Range], nest: Nest, symbols: tuple[Symbol, ...]
) -> tuple[Hint, ...]:
    """Each hint once, with the innermost definition around it."""
    if not compiled:
        return build_hints_in_python(data, found, returns, nest, symbols)
    return compiled.hints(_RULES, data, found, returns, (nest.starts, nest.ends, nest.parents), symbols)


def build_hints_in_python(
    data: bytes, found: list[HintRange], returns: list[Range], nest: Nest, symbols: Sequence[Symbol]
) -> tuple[Hint, ...]:
    """The same without the compiled part, which has this loop once more."""
    hints: dict[Hint, None] = {}
    for start, end, type_start, type_end, is_call in found:
        variable = variable_name(data[start:end])
        kind = (called_name if is_call else type_name)(data[type_start:type_end])
        if variable and kind:
            symbol = nest.innermost(start)
            if symbol >= 0 and symbols[symbol].name_start <= start < symbols[symbol].name_end:
                # A field is a definition itself; what counts is the type that has it.
                symbol = symbols[symbol].container
            hints[Hint(symbol, variable, kind, is_call)] = None
    for start, end in returns:
        kind = type_name(data[start:end])
        if kind:
            symbol = nest.innermost(start)
            hints[Hint(symbol, "", kind)] = None
    return tuple(hints)


@lru_cache(MEMO)
def variable_name(text: bytes) -> str:
    """A variable as hints name it: `.x` for a field of the object itself; empty for what is none."""
    name = text.decode("utf-8", "ignore").strip()
    if name.isidentifier():
        return name
    if found := _SELF.match(name):
        return "." + found[1]
    bare = name.lstrip("$@#")
    if not bare.isidentifier():
        return ""
    return ("." if name.startswith("@") else "") + bare


@lru_cache(MEMO)
def type_name(text: bytes) -> str:
    """The one name in a type: `Foo` for `*Foo`, `Optional[Foo]`, `"Foo"`, `Foo | None` and `Foo<Bar>`; else empty."""
    if len(text) > MAX_TYPE_BYTES:
        # The arguments of a generic type can fill a page.
        text = text[:MAX_TYPE_BYTES].partition(b"<")[0]
    name = text.decode("utf-8", "ignore").strip().lstrip("$")
    if name.isidentifier():
        return name
    if name[:1] in _STRUCTURES:
        return ""
    for _ in range(4):
        before = name
        name = name.strip().strip("\"'").lstrip("&*?").rstrip("&*?!").strip()
        if found := _DECORATION.match(name):
            name = name[found.end() :]
        if found := _WRAPPED.match(name):
            name = found[1].split(",")[0]
        if name == before:
            break
    parts = [part.strip() for part in name.split("|")]
    parts = [part for part in parts if part not in ("None", "null", "undefined", "")]
    if len(parts) != 1 or parts[0][:1] in _STRUCTURES or parts[0].startswith(("map[", "func(", "chan ")):
        return ""
    found = _NAME.match(parts[0])
    # What follows may be arguments of a generic type, but a list of something is not that something.
    return found[0] if found and not parts[0].endswith("[]") else ""


@lru_cache(MEMO)
def called_name(text: bytes) -> str:
    """What is called to get a value: `Foo`, `pkg.make`, `Foo::new`; a method of the object itself keeps its `self`."""
    if len(text) > MAX_TYPE_BYTES:
        return ""
    name = text.decode("utf-8", "ignore").strip()
    name = name.partition("(")[0] if name.endswith(")") else name
    name = re.sub(r"->|\?\.", ".", name).replace("$", "")
    found = _NAME.fullmatch(name)
    return found[0] if found else ""


if compiled:
    _RULES = (
        Hint,
        compiled.Memo(variable_name.__wrapped__, MEMO),
        compiled.Memo(type_name.__wrapped__, MEMO),
        compiled.Memo(called_name.__wrapped__, MEMO),
    )
