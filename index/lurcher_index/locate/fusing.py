"""Joins the places that tools found with those of chunk search by their ranks. Pure."""

from collections.abc import Iterable, Sequence

import msgspec

from lurcher_index.locate.placing import Spot

RANK_K = 20
"""Flattens the first ranks, as in reciprocal rank fusion; see decision 0023 for how it was chosen."""

TOOL_WEIGHT = 0.2
"""What a rank among the tools' places counts beside one among the chunks where an issue is words alone. Names and words
of prose are weak clues; see decision 0023 for the measurement."""

SURE_TOOL_WEIGHT = 5.0
"""The same where the issue shows code: a text that stands in the code is where it stands. A guess: the issues that were
measured show none."""

NEXT_PLACE_FACTOR = 0.85
"""A file's second place counts so much of its first, and so on: other files get their turn, good ones two."""

MAX_PER_FILE = 3
"""Places of one file."""

MAX_LOCATIONS = 20
"""Places in an answer; whoever has looked at twenty asks another question."""

ALL_LOCATIONS = 1_000
"""The same for who wants all of them: every reference, every duplicate."""


class ChunkPlace(msgspec.Struct, frozen=True):
    """A chunk that chunk search found, with the number of its file."""

    file: int
    path: str
    first_line: int
    last_line: int
    reason: str


class Placed(msgspec.Struct, frozen=True):
    """A place in the answer's order: what tools say of it, what chunk search says, or both."""

    score: float
    spot: Spot | None
    chunk: ChunkPlace | None


def fused(
    spots: Sequence[Spot],
    chunks: Sequence[ChunkPlace],
    tool_weight: float = TOOL_WEIGHT,
    limit: int = MAX_LOCATIONS,
    per_file: int = MAX_PER_FILE,
) -> list[Placed]:
    """Files in the order of their fused ranks, each with its best places; scores from 0 to 1."""
    by_tools = _ranks(spot.file for spot in spots)
    by_chunks = _ranks(chunk.file for chunk in chunks)
    files = {
        file: _share(by_tools.get(file), tool_weight) + _share(by_chunks.get(file), 1.0)
        for file in {**by_tools, **by_chunks}
    }
    # Two lists, or one: the best possible is the first rank in each that is there.
    best = (_share(1, tool_weight) if spots else 0.0) + (_share(1, 1.0) if chunks else 0.0)
    placed: list[Placed] = []
    for file, score in files.items():
        for turn, (spot, chunk) in enumerate(_of_file(file, spots, chunks, per_file)):
            placed.append(Placed(score / best * NEXT_PLACE_FACTOR**turn, spot, chunk))
    placed.sort(key=lambda each: (-each.score, *_key(each)))
    return placed[:limit]


def _of_file(
    file: int, spots: Sequence[Spot], chunks: Sequence[ChunkPlace], most: int
) -> list[tuple[Spot | None, ChunkPlace | None]]:
    """A file's places: those that both found first, then the tools', then the chunks'."""
    own = [chunk for chunk in chunks if chunk.file == file]
    pairs: list[tuple[Spot | None, ChunkPlace | None]] = []
    for spot in [spot for spot in spots if spot.file == file][: 2 * most]:
        both = next((chunk for chunk in own if _overlap(spot, chunk)), None)
        pairs.append((spot, both))
    pairs.sort(key=lambda pair: pair[1] is None)
    told = [spot for spot, _ in pairs if spot is not None]
    pairs += [(None, chunk) for chunk in own if not any(_overlap(spot, chunk) for spot in told)]
    return pairs[:most]


def _overlap(spot: Spot, chunk: ChunkPlace) -> bool:
    return spot.first_line <= chunk.last_line and chunk.first_line <= spot.last_line


def _ranks(files: Iterable[int]) -> dict[int, int]:
    return {file: rank for rank, file in enumerate(dict.fromkeys(files), 1)}


def _share(rank: int | None, weight: float) -> float:
    return 0.0 if rank is None else weight / (RANK_K + rank)


def _key(placed: Placed) -> tuple[str, int]:
    place = placed.spot or placed.chunk
    assert place is not None
    return place.path, place.first_line
