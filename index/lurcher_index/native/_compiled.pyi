"""What the C sources in `src` export."""

from collections.abc import Callable, Container, Sequence
from typing import Generic, TypeVar, final

from lurcher_index.chunking.findings import Definition, HintRange, Range, Reference
from lurcher_index.chunking.nesting import Placed
from lurcher_index.chunking.pieces import Borders
from lurcher_index.model import Edge, EdgeKind, Hint, Symbol, SymbolKind

_T = TypeVar("_T")

EDITION: int

@final
class Reader:
    """Reads texts of one language (`syntax.c`). For one thread at a time."""

    def __new__(
        cls, grammar: object, patterns: tuple[object, ...], definition: Callable[..., Definition]
    ) -> Reader: ...
    def read(self, text: bytes, microseconds: int) -> Syntax | None: ...
    def reset(self) -> None: ...

@final
class Syntax:
    """What one text is made of."""

    def find(
        self, text: bytes
    ) -> (
        tuple[
            list[Definition],
            list[Reference],
            list[Range],
            list[Range],
            list[Range],
            list[Range],
            list[Range],
            list[HintRange],
        ]
        | None
    ): ...
    def ranges(
        self,
        text: bytes,
        starts: list[int],
        sums: list[int],
        tops: dict[int, int],
        full: int,
        tiny: int,
        most: int,
        /,
    ) -> list[Borders]: ...

def ranges(
    text: bytes, starts: list[int], sums: list[int], tops: dict[int, int], full: int, tiny: int, most: int, /
) -> list[Borders]:
    """The same for a text without syntax (`segmenting.c`)."""

@final
class Terms:
    """Text into search terms (`terms.c`); remembers the terms of `most` runs."""

    def __new__(cls, missing: Callable[[bytes], bytes], most: int) -> Terms: ...
    def __len__(self) -> int: ...
    def between(self, data: bytes, borders: Sequence[int], /) -> str: ...

def named_words(name: str, /) -> tuple[str, ...] | None: ...
def measure_lines(data: bytes, /) -> tuple[list[int], list[int]]: ...
def is_deeper(data: bytes, most: int, /) -> bool: ...
def counted(text: bytes, /) -> tuple[int, int]: ...

@final
class Memo(Generic[_T]):
    """What a function says about pieces of text, kept in mind (`recall.c`)."""

    def __new__(cls, function: Callable[[bytes], _T], count: int, /) -> Memo[_T]: ...
    def __call__(self, text: bytes, /) -> _T: ...

_Nest = tuple[list[int], list[int], list[int]]
"""Starts, ends and parents."""
_Pair = tuple[str, str]
_EdgeRules = tuple[
    type[Edge],
    tuple[EdgeKind, EdgeKind, EdgeKind],
    tuple[Memo[_Pair], Memo[_Pair]],
    tuple[tuple[SymbolKind, ...], int, Callable[[bytes, Sequence[Symbol], int, str], bool]],
    int,
    int,
]

def edges(
    rules: _EdgeRules,
    data: bytes,
    lines: list[int],
    references: list[Reference],
    nest: _Nest,
    inheriting: Callable[[int], int],
    symbols: Sequence[Symbol],
    /,
) -> tuple[Edge, ...]: ...
def hints(
    rules: tuple[type[Hint], Memo[str], Memo[str], Memo[str]],
    data: bytes,
    found: list[HintRange],
    returns: list[Range],
    nest: _Nest,
    symbols: tuple[Symbol, ...],
    /,
) -> tuple[Hint, ...]: ...
def used_keys(
    edges: tuple[Edge, ...], import_kind: EdgeKind, module_key: Callable[[str], int], more: tuple[int, ...], /
) -> bytes: ...
def defined_keys(symbols: tuple[Symbol, ...], kinds: dict[SymbolKind, int], kind_bits: int, /) -> bytes: ...
def attachments(
    data: bytes, lines: list[int], comments: list[Range], attached: list[Range], /
) -> tuple[dict[int, int], dict[int, Range]]: ...

_Kinds = tuple[SymbolKind, ...]
_NestingRules = tuple[
    type[Placed],
    tuple[_Kinds, _Kinds, _Kinds],
    Container[str],
    tuple[Callable[[bytes, int, int], str], Callable[[SymbolKind, str, str], SymbolKind]],
    tuple[SymbolKind, SymbolKind, SymbolKind, SymbolKind, SymbolKind],
]

def place(rules: _NestingRules, data: bytes, definitions: list[Definition], /) -> list[Placed] | None: ...
def beginnings(
    data: bytes,
    lines: list[int],
    placed: list[Placed],
    tops: dict[int, int],
    comments: dict[int, Range],
    nothing: Range,
    own_start: Callable[[bytes, int, int], int],
    /,
) -> tuple[list[int], list[int], list[Range]]: ...
def symbols(
    make: type[Symbol],
    data: bytes,
    lines: list[int],
    placed: list[Placed],
    starts: list[int],
    firsts: list[int],
    docs: list[Range],
    /,
) -> tuple[Symbol, ...]: ...

@final
class Needles:
    """Looks for all of some words at once (`needles.c`); those in lower case stand for themselves in any case."""

    def __new__(cls, words: tuple[bytes, ...]) -> Needles: ...
    def held(self, data: bytes) -> set[bytes]: ...

@final
class Pooling:
    """Words of texts and sums of their vectors (`pooling.c`); `words` are one a line, `table` has signed bytes."""

    def __new__(
        cls, words: bytes, missing: Callable[[bytes], bytes], table: memoryview, weights: memoryview, most: int
    ) -> Pooling: ...
    def pooled(self, texts: Sequence[bytes], /) -> tuple[bytearray, list[bytes]]: ...
    def numbers(self, text: bytes, /) -> bytes: ...
