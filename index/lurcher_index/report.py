"""An answer as text for people and assistants: a header, numbered results, the best in full, the rest in short.

Pure but for what it is given to read symbols with; nothing is ever longer than the budget.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum

import msgspec

from lurcher_index.answers import AnswerChunk
from lurcher_index.excerpts import Excerpt
from lurcher_index.presenting import Asked
from lurcher_index.ranking.packing import cut_to_tokens
from lurcher_index.ranking.skeleton import skeleton
from lurcher_index.rendering import dedented, fenced
from lurcher_index.results import HitSymbol
from lurcher_index.text.terms import words
from lurcher_index.text.tokens import estimate_tokens
from lurcher_index.words.query import WordQuery

FULL_RESULTS = 2
"""Results that are shown in full, if the budget allows; seed 002's figure."""

WHOLE_SHARE = 3
"""A symbol that is larger than its chunk is shown whole if it takes at most one in so many tokens of the budget, so
that two of them leave room for the others; our figure."""


class Extent(StrEnum):
    """How much of a result is shown."""

    SYMBOL = "whole symbol"
    CONTEXT = "with context"
    CHUNK = "full"
    SKELETON = "skeleton"
    CUT = "cut"


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One result as it is shown."""

    number: int
    chunk: AnswerChunk
    where: str
    """Its path as the reader names it."""
    first_line: int
    last_line: int
    extent: Extent
    code: str
    shown: tuple[str, ...]
    """Ids of the chunks that the reader has seen with it."""


Measure = Callable[[Entry], int]
"""Tokens that an entry takes in the answer."""


def match_of(chunk: AnswerChunk) -> str:
    """How a chunk was found: by its name, by words, by meaning."""
    kinds = [
        ("name", any(reason.startswith("in the name") for reason in chunk.reasons)),
        ("words", chunk.trace.keyword_rank is not None),
        ("meaning", chunk.trace.dense_rank is not None),
    ]
    return ", ".join(kind for kind, holds in kinds if holds) or chunk.strategy


def symbol_name(symbol: HitSymbol) -> str:
    """A symbol with what it lies in."""
    return f"{symbol.container}.{symbol.name}" if symbol.container else symbol.name


def heading(entry: Entry) -> str:
    """The line above a result: number, place, symbol, kind of match, score."""
    chunk = entry.chunk
    lines = f"{entry.first_line}-{entry.last_line}" if entry.last_line > entry.first_line else f"{entry.first_line}"
    parts = [f"{entry.number}. {entry.where}:{lines}"]
    if chunk.symbol is not None:
        parts.append(f"{chunk.symbol.kind} {symbol_name(chunk.symbol)}")
    parts += [f"match: {match_of(chunk)}", f"score {chunk.score:.2f}", entry.extent.value]
    return " · ".join(map(on_one_line, parts))


def on_one_line(text: str) -> str:
    """Names may hold line ends or terminal commands; they are shown, not obeyed."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def written(entry: Entry) -> str:
    """A result as text."""
    return f"{heading(entry)}\n{fenced(entry.chunk.language, entry.code)}"


def tokens_of(entry: Entry) -> int:
    """The tokens of a result as text, with the blank line before it."""
    return estimate_tokens("\n\n" + written(entry)) + 1


def lay_out(
    chunks: Sequence[AnswerChunk],
    around: Callable[[AnswerChunk], Excerpt | None],
    query: WordQuery,
    budget: int,
    *,
    name: Callable[[AnswerChunk], str] = lambda chunk: chunk.path,
    measure: Measure = tokens_of,
) -> list[Entry]:
    """The results that fit the budget, best first: the first two in full, the rest as skeletons.

    `around` reads the symbol, or the lines, around a chunk. A better result always has the first choice. The best is
    never left out for being too long: as many of its first lines are given as fit. What is shown already as part of
    another result, or half of it, is not repeated.
    """
    asked = Asked(query)
    entries: list[Entry] = []
    shown: set[str] = set()
    left = budget
    for chunk in chunks:
        if chunk.chunk_id in shown or any(_is_mostly_in(chunk, entry) for entry in entries):
            continue
        plain = Entry(
            number=len(entries) + 1,
            chunk=chunk,
            where=name(chunk),
            first_line=chunk.first_line,
            last_line=chunk.last_line,
            extent=Extent.CHUNK,
            code=dedented(chunk.raw_text),
            shown=(chunk.chunk_id,),
        )
        excerpt = around(chunk) if plain.number <= FULL_RESULTS else None
        forms = _forms(plain, excerpt, asked, budget, measure)
        entry = next((form for form in forms if measure(form) <= left), None)
        if entry is None and not entries:
            entry = _cut(plain, left, measure)
        if entry is not None:
            entries.append(entry)
            shown.update(entry.shown)
            left -= measure(entry)
    return entries


def telling_lines(code: str, asked: Asked, name: str) -> set[int]:
    """Lines, from 0, that hold a word of the question or the symbol's name."""
    lines = enumerate(code.split("\n"))
    return {at for at, line in lines if (name and name in line) or any(asked[word] for word in words(line))}


def _is_mostly_in(chunk: AnswerChunk, entry: Entry) -> bool:
    """Whether half the lines of a chunk, or more, are shown with another one."""
    if (chunk.folder, chunk.path) != (entry.chunk.folder, entry.chunk.path):
        return False
    both = min(chunk.last_line, entry.last_line) - max(chunk.first_line, entry.first_line) + 1
    return 2 * both >= chunk.last_line - chunk.first_line + 1


def _forms(plain: Entry, excerpt: Excerpt | None, asked: Asked, budget: int, measure: Measure) -> list[Entry]:
    """The forms of a result in the order in which they are tried."""
    symbol = plain.chunk.symbol
    kept = telling_lines(plain.code, asked, symbol.name if symbol else "")
    short = msgspec.structs.replace(plain, extent=Extent.SKELETON, code=skeleton(plain.code, kept))
    if plain.number > FULL_RESULTS:
        # A chunk with nothing to leave out is not called a skeleton.
        return [plain if short.code == plain.code else short]
    if excerpt is None or (excerpt.first_line, excerpt.last_line) == (plain.first_line, plain.last_line):
        is_whole = excerpt is not None and excerpt.symbol is not None
        return [msgspec.structs.replace(plain, extent=Extent.SYMBOL) if is_whole else plain, short]
    wide = msgspec.structs.replace(
        plain,
        first_line=excerpt.first_line,
        last_line=excerpt.last_line,
        extent=Extent.SYMBOL if excerpt.symbol is not None else Extent.CONTEXT,
        code=dedented(excerpt.text).rstrip("\r\n"),
        shown=tuple(dict.fromkeys((*plain.shown, *excerpt.chunk_ids))),
    )
    return [wide, plain, short] if measure(wide) * WHOLE_SHARE <= budget else [plain, short]


def _cut(plain: Entry, left: int, measure: Measure) -> Entry | None:
    def cut(code: str) -> Entry:
        return msgspec.structs.replace(plain, extent=Extent.CUT, code=code)

    code = cut_to_tokens(plain.code, left, lambda text: measure(cut(text)))
    return cut(code) if code else None
