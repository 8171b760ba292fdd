"""Definitions by name or node id."""

from collections.abc import Sequence

from lurcher_index.graph.asked import AskedName, asked_names, chain, closeness
from lurcher_index.graph.files import GraphFile
from lurcher_index.graph.namesakes import Spot
from lurcher_index.graph.reading import GraphFiles
from lurcher_index.graph.targets import Definition, FewTargets, ManyTargets, Targets
from lurcher_index.nodes import NodeId, outer_names, readings
from lurcher_index.store.linkage import name_key

LOOKED_AT = 20
"""Definitions of one name that are read to see whether they really have it."""


def find(files: GraphFiles, name: str) -> list[Definition]:
    """What a bare or qualified name or a node id stands for, overloads and namesakes included; case counts."""
    by_id = by_node_id(files, name)
    if by_id is not None:
        return [by_id]
    in_file = _in_a_file(files, name)
    if in_file:
        return in_file
    found = _fitting(files, asked_names(name))
    best = max((fit for fit, _ in found), default=0)
    return [definition for fit, definition in found if fit == best]


def targets_of(files: GraphFiles, name: str) -> Targets:
    """The same for who asks about them; those of a common name are not all made."""
    asked = asked_names(name)
    if len(asked) == 1 and not asked[0].outer:
        entries = files.defined(asked[0].bare).all()
        if len(entries) > LOOKED_AT and by_node_id(files, name) is None and not _in_a_file(files, name):
            return ManyTargets(files, entries)
    return FewTargets(find(files, name))


def by_node_id(files: GraphFiles, text: str) -> Definition | None:
    """The file or symbol with exactly this id."""
    for reading in readings(text):
        file = files.by_id(reading.path)
        if file is None:
            continue
        if not reading.qualified:
            return file, -1
        at = _symbol(file, reading)
        if at is not None:
            return file, at
    return None


def _symbol(file: GraphFile, reading: NodeId) -> int | None:
    same = [at for at, qualified in enumerate(file.qualified) if qualified == reading.qualified]
    return same[reading.ordinal - 1] if reading.ordinal <= len(same) else None


def _in_a_file(files: GraphFiles, name: str) -> list[Definition]:
    """`app.py:Server.start` in whatever folder `app.py` lies, for those who do not write whole paths."""
    for reading in readings(name):
        if not reading.qualified or "." not in reading.path:
            continue
        found = [
            (file, at)
            for _, (file, at) in _fitting(files, asked_names(reading.qualified))
            if file.id == reading.path or file.id.endswith("/" + reading.path)
        ]
        if found:
            return found
    return []


def _fitting(files: GraphFiles, asked: Sequence[AskedName]) -> list[tuple[int, Definition]]:
    found: list[tuple[int, Definition]] = []
    for each in asked:
        spots = files.spots(each.bare)
        if not each.outer:
            if len(spots) <= LOOKED_AT:
                files.read_definitions(spot.file for spot in spots)
            # Two names can have one key: the first few are looked at, since reading all would take long.
            found += [
                (2, (spot.file, spot.symbol)) for spot in spots if len(spots) > LOOKED_AT or _has_name(spot, each)
            ]
            continue
        key = name_key(each.outer[-1])
        for spot in spots:
            if (spot.container == key or each.outer[-1] in chain(spot.file.id, ())) and _has_name(spot, each):
                fit = closeness(each, spot.file.id, outer_names(spot.file.outline, spot.symbol))
                if fit:
                    found.append((fit, (spot.file, spot.symbol)))
    return found


def _has_name(spot: Spot, asked: AskedName) -> bool:
    symbols = spot.file.outline.symbols
    return spot.symbol < len(symbols) and symbols[spot.symbol].name == asked.bare
