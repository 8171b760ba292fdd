"""Looks names up among the definitions of the index."""

from lurcher_index.locate.matches import Match, MatchKind, Wanted
from lurcher_index.locate.sight import Sight
from lurcher_index.naming import NamedSymbol, find_symbols
from lurcher_index.query.code_terms import identifier_of

MAX_SYMBOLS = 50
"""Definitions of one name that are looked at."""


class SymbolIndex:
    """Our own index of symbols, unsaved documents included."""

    id = "symbol-index"

    def probe(self, _seconds: float, /) -> None:
        """It is here."""

    def run(self, sight: Sight, wanted: Wanted, _seconds: float, /) -> list[Match]:
        """Definitions of the names among the patterns; those that only hold a name count if none is called so."""
        found: list[Match] = []
        for number, pattern in enumerate(wanted.patterns):
            outer, name = _split(identifier_of(pattern))
            if name:
                found += [
                    match
                    for each in _best(find_symbols(sight.view, name, MAX_SYMBOLS), outer, name)
                    if (match := _match(sight, each, number)) is not None
                ]
        return found


def _split(name: str) -> tuple[str, str]:
    """What stands before the last part of a qualified name, and that part."""
    bare = name.lstrip("$@").replace("::", ".").replace("->", ".").replace("#", ".").replace("?.", ".")
    outer, _, last = bare.rpartition(".")
    return outer.rpartition(".")[2], last


def _best(symbols: list[NamedSymbol], outer: str, name: str) -> list[NamedSymbol]:
    folded = name.casefold()
    same = [each for each in symbols if each.symbol.name.casefold() == folded]
    if outer and (inside := [each for each in same if outer.casefold() in each.container.casefold().split(".")]):
        return inside
    exact = [each for each in same if each.symbol.name == name]
    return exact or same or [each for each in symbols if folded in each.symbol.name.casefold()]


def _match(sight: Sight, each: NamedSymbol, number: int) -> Match | None:
    row = sight.row_at(f"{each.folder}/{each.path}")
    if row is None:
        return None
    return Match(row, each.symbol.first_line, each.symbol.last_line, number, MatchKind.DEFINITION)
