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


class Passage(NamedTuple):
    """A candidate with its text."""

    candidate: Candidate
    folder: Path
    row: FileRow
    held: Held
    chunk: Chunk
    text: str


def ranked_hits(query: WordQuery, passages: Iterable[Passage]) -> list[Hit]:
    """The final order: all words first, then by score; words that stand close together count more."""
    wanted = query.weights().keys()
    hits = [(passage.candidate.all_words, _hit(query, passage, wanted)) for passage in passages]
    hits.sort(key=lambda pair: (not pair[0], -pair[1].score, pair[1].path, pair[1].first_line))
    return [hit for _, hit in hits]


def _hit(query: WordQuery, passage: Passage, wanted: Collection[str]) -> Hit:
    outline = passage.held.outline
    positions = _positions(passage.text, wanted)
    boost = nearness_boost([group.alternatives() for group in query.groups], positions)
    symbol = _symbol_of(outline, passage.chunk, wanted)
    reasons = _reasons(query, passage, positions.keys(), outline.symbols[symbol].name if symbol >= 0 else "")
    return Hit(
        folder=str(passage.folder),
        path=passage.row.path,
        first_line=passage.chunk.first_line,
        last_line=passage.chunk.last_line,
        text=passage.text,
        score=round(passage.candidate.score * boost, 4),
        language=outline.language,
        symbol=_described(outline, symbol) if symbol >= 0 else None,
        reasons=(*reasons, "words close together") if boost > 1.0 else reasons,
        digest=passage.chunk.digest.hex(),
    )


def _positions(text: str, wanted: Collection[str]) -> dict[str, list[int]]:
    """Where the wanted terms stand in a text, counted in words."""
    positions: dict[str, list[int]] = {}
    for at, word in enumerate(words(text)):
        for term in word_terms(word):
            if term in wanted:
                positions.setdefault(term, []).append(at)
    return positions


def _symbol_of(outline: Outline, chunk: Chunk, wanted: Collection[str]) -> int:
    """Index of the symbol that stands for a chunk, -1 if there is none.

    The one it defines that the question names best, else what it defines that is largest, else the innermost one
    that it lies in.
    """
    best, best_key = -1, (-1, -1, 0)
    for at, symbol in enumerate(outline.symbols):
        if symbol.start >= chunk.end:
            break
        if symbol.end <= chunk.start:
            continue
        defined = chunk.start <= symbol.name_start < chunk.end
        named = sum(term in wanted for term in word_terms(symbol.name)) if defined else 0
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


def _reasons(query: WordQuery, passage: Passage, in_text: Collection[str], name: str) -> tuple[str, ...]:
    """Why a hit is in the answer, in words a person understands."""
    in_name = {term for word in words(name) for term in word_terms(word)}
    in_path = {term for word in words(passage.row.path) for term in word_terms(word)}
    found = _found(query.groups, in_name | in_path | set(in_text))
    reasons: list[str] = []
    if len(query.groups) > 1:
        reasons.append("all words" if passage.candidate.all_words else "words: " + ", ".join(found))
    for where, terms in (("name", in_name), ("path", in_path)):
        if there := _found(query.groups, terms):
            reasons.append(f"in the {where}: " + ", ".join(there))
    return tuple(reasons)


def _found(groups: Sequence[Group], terms: Collection[str]) -> list[str]:
    return [group.word for group in groups if any(all(term in terms for term in each) for each in group.alternatives())]
