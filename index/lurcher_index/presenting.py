"""Hits out of passages: their final order, the symbol each stands for, and the reasons in words."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from math import prod
from pathlib import Path
from typing import NamedTuple

from lurcher_index.model import Chunk, Outline, SymbolKind
from lurcher_index.ranking.nearness import nearness_boost
from lurcher_index.results import Hit, HitSymbol
from lurcher_index.store.catalog import FileRow
from lurcher_index.store.outlines import Held
from lurcher_index.text.terms import blanked, name_terms, word_terms, words_of
from lurcher_index.words.candidates import Candidate
from lurcher_index.words.query import WordQuery
from lurcher_index.words.weights import ALL_WORDS_BOOST


class Passage(NamedTuple):
    """A candidate with its text."""

    candidate: Candidate
    folder: Path
    row: FileRow
    held: Held
    chunk: Chunk
    data: bytes
    """Its text in UTF-8."""

    def symbols(self) -> Sequence[int]:
        """Indexes of the symbols that the chunk defines or lies in."""
        return self.held.symbols_of(self.candidate.ordinal)

    def sort_key(self) -> tuple[str, int]:
        """Decides between equal scores, so that the same question always gets the same answer."""
        return self.row.path, self.chunk.start


def ranked_hits(query: WordQuery, passages: Iterable[Passage], max_results: int) -> list[Hit]:
    """The final order. Words that stand close together count more, and so does holding all words of the question."""
    asked = Asked(query)
    scored = score_passages(query, asked, passages)
    return [_hit(query, asked, each) for each in scored[:max_results]]


def score_passages(query: WordQuery, asked: "Asked", passages: Iterable[Passage]) -> "list[Scored]":
    """Passages with their scores by words, best first."""
    scored = [score_passage(query, asked, passage) for passage in passages]
    scored.sort(key=lambda each: (not each.passage.candidate.first, -each.score, each.passage.sort_key()))
    return scored


class Asked(dict[str | bytes, tuple[str, ...]]):
    """Word of a text → its terms that the question asks for; nearly always none, and remembered."""

    def __init__(self, query: WordQuery) -> None:
        super().__init__()
        self.terms = frozenset(query.weights())
        self.alternatives = [group.alternatives() for group in query.groups]
        self._positions: dict[bytes, dict[str, list[int]]] = {}
        self._within: dict[str, frozenset[str]] = {}
        self._stubs = {term: _stub(term) for term in self.terms}
        stubs = frozenset(self._stubs.values())
        self._finders = frozenset[bytes]() if b"" in stubs else stubs

    def __missing__(self, word: str | bytes) -> tuple[str, ...]:
        terms = word_terms(word)
        if self.terms.isdisjoint(terms):
            found: tuple[str, ...] = ()
        else:
            found = tuple(term for term in terms if term in self.terms)
        self[word] = found
        return found

    def within(self, text: str) -> frozenset[str]:
        """The terms asked for that stand in a name or a path; remembered, for chunks of a file share most of these."""
        known = self._within.get(text)
        if known is None:
            known = self._within[text] = self.terms.intersection(name_terms(text))
        return known

    def may_hold_all(self, data: bytes, elsewhere: Collection[str] = ()) -> bool:
        """Whether a text may hold every word of the question, but for terms that stand `elsewhere`.

        Most texts do not, and this is several times quicker than looking at each of their words.
        """
        lower = data.lower()
        there = {term for term, stub in self._stubs.items() if stub in lower}
        there.update(elsewhere)
        return all(any(there.issuperset(terms) for terms in each) for each in self.alternatives)

    def positions(self, data: bytes) -> dict[str, list[int]]:
        """Where the terms asked for stand in a text, counted in words; remembered, since reasons ask again."""
        known = self._positions.get(data)
        if known is not None:
            return known
        positions: dict[str, list[int]] = {}
        self._positions[data] = positions
        asked = self._asked_words(data) if data.isascii() and self._finders else enumerate(words_of(data))
        for at, word in asked:
            for term in self[word]:
                positions.setdefault(term, []).append(at)
        return positions

    def _asked_words(self, data: bytes) -> Iterator[tuple[int, bytes]]:
        """The words of an ASCII text that may hold a term asked for, in order, with their number in it.

        There are few of them, and to find those with a stub takes a fraction of the time of looking at each word.
        """
        lower, separated = data.lower(), blanked(data)
        found: dict[int, int] = {}
        for stub in self._finders:
            at = lower.find(stub)
            while at >= 0:
                end = separated.find(b" ", at)
                end = end if end >= 0 else len(data)
                found[separated.rfind(b" ", 0, at) + 1] = end
                at = lower.find(stub, end)
        number = before = 0
        for start in sorted(found):
            number += len(separated[before:start].split())
            before = start
            yield number, separated[start : found[start]]


class Scored(NamedTuple):
    """A passage with its final score and what led to it."""

    passage: Passage
    score: float
    boosts: dict[str, float]
    """Factors that are in the score, by name."""


def score_passage(query: WordQuery, asked: Asked, passage: Passage) -> Scored:
    """A passage with its score by words, boosts included."""
    # One word is near nothing, and that it is there is known.
    boosts = _boosts(query, asked, passage) if len(query.groups) > 1 else {}
    return Scored(passage, passage.candidate.score * prod(boosts.values()), boosts)


def _boosts(query: WordQuery, asked: Asked, passage: Passage) -> dict[str, float]:
    elsewhere = () if query.is_short else _terms_outside(asked, passage)
    if not asked.may_hold_all(passage.data, elsewhere):
        return {}
    positions = asked.positions(passage.data)
    boosts: dict[str, float] = {}
    if (near := nearness_boost(asked.alternatives, positions)) > 1.0:
        boosts["near"] = near
    if not query.is_short and len(_found(query, asked, {*positions, *elsewhere})) == len(query.groups):
        boosts["allWords"] = ALL_WORDS_BOOST
    return boosts


def _terms_outside(asked: Asked, passage: Passage) -> set[str]:
    """The terms asked for that the chunk's names or its path hold."""
    there = set(asked.within(passage.row.path))
    for at in passage.symbols():
        there.update(asked.within(passage.held.outline.symbols[at].name))
    return there


def _stub(term: str) -> bytes:
    """What stands in lower case in every text that holds the term: its beginning, since the end may be a stem's.

    Nothing at all for letters whose case only Unicode knows.
    """
    piece = term.replace("-", "_").partition("_")[0]
    return piece[: max(2, len(piece) - 2)].encode() if term.isascii() else b""


def _hit(query: WordQuery, asked: Asked, scored: Scored) -> Hit:
    passage = scored.passage
    outline, chunk = passage.held.outline, passage.chunk
    symbol = symbol_of(passage, asked)
    name = outline.symbols[symbol].name if symbol >= 0 else ""
    return Hit(
        folder=str(passage.folder),
        path=passage.row.path,
        first_line=chunk.first_line,
        last_line=chunk.last_line,
        text=passage.data.decode("utf-8", "replace"),
        score=round(scored.score, 4),
        language=outline.language,
        symbol=described(outline, symbol) if symbol >= 0 else None,
        reasons=reasons_for(query, asked, scored, name),
        digest=chunk.digest.hex(),
    )


_WITH_A_BODY = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR})


def symbol_of(passage: Passage, asked: Asked) -> int:
    """Index of the symbol that stands for a chunk, -1 if there is none.

    The one it defines that the question names best, else the one it holds most of: what it defines, or the function
    whose rest it is. Else the innermost one that it lies in.
    """
    chunk = passage.chunk
    best, best_key = -1, (-1, -1, 0)
    for at in passage.symbols():
        symbol = passage.held.outline.symbols[at]
        defined = chunk.start <= symbol.name_start < chunk.end
        named = len(asked.within(symbol.name)) if defined else 0
        held = min(symbol.end, chunk.end) - max(symbol.start, chunk.start)
        # Of a class it would hold most wherever it lies. Among those it lies in, the innermost starts last.
        counts = defined or symbol.kind in _WITH_A_BODY
        key = (named, int(counts), held if counts else symbol.start)
        if key > best_key:
            best, best_key = at, key
    return best


def described(outline: Outline, at: int) -> HitSymbol:
    """A symbol with the names of what it lies in."""
    symbol = outline.symbols[at]
    containers: list[str] = []
    above = symbol.container
    # Containers come before what they contain; anything else is damage, and must not run in a circle.
    while 0 <= above < at:
        containers.append(outline.symbols[above].name)
        at, above = above, outline.symbols[above].container
    return HitSymbol(symbol.name, symbol.kind.value, ".".join(reversed(containers)))


def reasons_for(query: WordQuery, asked: Asked, scored: Scored, name: str) -> tuple[str, ...]:
    """Why a hit is in the answer, in words a person understands."""
    reasons: list[str] = []
    if len(query.groups) > 1:
        passage = scored.passage
        found = _found(query, asked, {*asked.positions(passage.data), *_terms_outside(asked, passage)})
        if found:
            reasons.append("all words" if len(found) == len(query.groups) else "words: " + ", ".join(found))
    for where, text in (("name", name), ("path", scored.passage.row.path)):
        if there := _found(query, asked, asked.within(text)):
            reasons.append(f"in the {where}: " + ", ".join(there))
    return (*reasons, "words close together") if "near" in scored.boosts else tuple(reasons)


def _found(query: WordQuery, asked: Asked, terms: set[str] | frozenset[str]) -> list[str]:
    """The words of the question that some terms hold, whole or by all their parts."""
    if not terms:
        return []
    holds = terms.issuperset
    return [
        group.word
        for group, alternatives in zip(query.groups, asked.alternatives, strict=True)
        if any(map(holds, alternatives))
    ]
