"""Hits out of passages: their final order, the symbol each stands for, and the reasons in words."""

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from lurcher_index.model import Chunk, Outline
from lurcher_index.ranking.nearness import nearness_boost
from lurcher_index.results import Hit, HitSymbol
from lurcher_index.store.catalog import FileRow, Held
from lurcher_index.text.terms import word_terms, words
from lurcher_index.words.candidates import Candidate
from lurcher_index.words.query import Group, WordQuery
from lurcher_index.words.weights import ALL_WORDS_BOOST


class Passage(NamedTuple):
    """A candidate with its text."""

    candidate: Candidate
    folder: Path
    row: FileRow
    held: Held
    chunk: Chunk
    text: str

    def sort_key(self) -> tuple[str, int]:
        """Decides between equal scores, so that the same question always gets the same answer."""
        return self.row.path, self.chunk.start


def ranked_hits(query: WordQuery, passages: Iterable[Passage], max_results: int) -> list[Hit]:
    """The final order. Words that stand close together count more, and so does holding all words of the question."""
    asked = _Asked(query)
    scored = [_score(query, asked, passage) for passage in passages]
    scored.sort(key=lambda each: (not each.passage.candidate.first, -each.score, each.passage.sort_key()))
    return [_hit(query, asked, each) for each in scored[:max_results]]


class _Asked(dict[str, tuple[str, ...]]):
    """Word of a text → its terms that the question asks for; nearly always none, and remembered."""

    def __init__(self, query: WordQuery) -> None:
        super().__init__()
        self.terms = query.weights().keys()
        self.alternatives = [group.alternatives() for group in query.groups]

    def __missing__(self, word: str) -> tuple[str, ...]:
        found = self[word] = tuple(term for term in word_terms(word) if term in self.terms)
        return found

    def within(self, text: str) -> set[str]:
        """The terms asked for that stand in a text."""
        return {term for word in words(text) for term in self[word]}

    def positions(self, text: str) -> dict[str, list[int]]:
        """Where the terms asked for stand in a text, counted in words."""
        positions: dict[str, list[int]] = {}
        for at, word in enumerate(words(text)):
            for term in self[word]:
                positions.setdefault(term, []).append(at)
        return positions


class _Scored(NamedTuple):
    """A passage with its final score and what led to it."""

    passage: Passage
    score: float
    found: list[str]
    """The words of the question that the chunk, its names or its path hold."""
    near: bool
    symbols: list[int]
    """Indexes of the symbols that the chunk defines or lies in."""


def _score(query: WordQuery, asked: _Asked, passage: Passage) -> _Scored:
    outline = passage.held.outline
    symbols = _overlapping(outline, passage.chunk)
    positions = asked.positions(passage.text)
    near = nearness_boost(asked.alternatives, positions)
    names = {term for at in symbols for term in asked.within(outline.symbols[at].name)}
    found = _found(query.groups, asked, {*positions, *names, *asked.within(passage.row.path)})
    boost = near
    if not query.is_short and len(found) == len(query.groups):
        boost *= ALL_WORDS_BOOST
    return _Scored(passage, passage.candidate.score * boost, found, near > 1.0, symbols)


def _hit(query: WordQuery, asked: _Asked, scored: _Scored) -> Hit:
    passage = scored.passage
    outline, chunk = passage.held.outline, passage.chunk
    symbol = _symbol_of(outline, chunk, scored.symbols, asked)
    name = outline.symbols[symbol].name if symbol >= 0 else ""
    return Hit(
        folder=str(passage.folder),
        path=passage.row.path,
        first_line=chunk.first_line,
        last_line=chunk.last_line,
        text=passage.text,
        score=round(scored.score, 4),
        language=outline.language,
        symbol=_described(outline, symbol) if symbol >= 0 else None,
        reasons=_reasons(query, asked, scored, name),
        digest=chunk.digest.hex(),
    )


def _overlapping(outline: Outline, chunk: Chunk) -> list[int]:
    """Indexes of the symbols that a chunk defines or lies in."""
    found: list[int] = []
    for at, symbol in enumerate(outline.symbols):
        if symbol.start >= chunk.end:
            break
        if symbol.end > chunk.start:
            found.append(at)
    return found


def _symbol_of(outline: Outline, chunk: Chunk, symbols: Sequence[int], asked: _Asked) -> int:
    """Index of the symbol that stands for a chunk, -1 if there is none.

    The one it defines that the question names best, else what it defines that is largest, else the innermost one
    that it lies in.
    """
    best, best_key = -1, (-1, -1, 0)
    for at in symbols:
        symbol = outline.symbols[at]
        defined = chunk.start <= symbol.name_start < chunk.end
        named = len(asked.within(symbol.name)) if defined else 0
        # Among those it lies in, the innermost starts last.
        key = (named, int(defined), symbol.end - symbol.start if defined else symbol.start)
        if key > best_key:
            best, best_key = at, key
    return best


def _described(outline: Outline, at: int) -> HitSymbol:
    symbol = outline.symbols[at]
    containers: list[str] = []
    above = symbol.container
    # Containers come before what they contain; anything else is damage, and must not run in a circle.
    while 0 <= above < at:
        containers.append(outline.symbols[above].name)
        at, above = above, outline.symbols[above].container
    return HitSymbol(symbol.name, symbol.kind.value, ".".join(reversed(containers)))


def _reasons(query: WordQuery, asked: _Asked, scored: _Scored, name: str) -> tuple[str, ...]:
    """Why a hit is in the answer, in words a person understands."""
    reasons: list[str] = []
    if len(query.groups) > 1:
        has_all = len(scored.found) == len(query.groups)
        reasons.append("all words" if has_all else "words: " + ", ".join(scored.found))
    for where, text in (("name", name), ("path", scored.passage.row.path)):
        if there := _found(query.groups, asked, asked.within(text)):
            reasons.append(f"in the {where}: " + ", ".join(there))
    return (*reasons, "words close together") if scored.near else tuple(reasons)


def _found(groups: Sequence[Group], asked: _Asked, terms: Collection[str]) -> list[str]:
    """The words of the question that some terms hold, whole or by all their parts."""
    return [
        group.word
        for group, alternatives in zip(groups, asked.alternatives, strict=True)
        if any(all(term in terms for term in each) for each in alternatives)
    ]
