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

BESIDE_FRAMES = 0.6
"""What other places count where a stack trace names some: one whose file and function are here is no guess, and its
frames say more than likeness down to the fifth. A guess that was not fitted."""

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


class FramePlace(msgspec.Struct, frozen=True):
    """A definition that a frame names, or the lines around its line where there is none."""

    file: int
    path: str
    first_line: int
    last_line: int
    symbol: int
    """Index in the file's outline, -1 for none."""
    reason: str
    certainty: float
    """From 0 to 1."""


_Place = FramePlace | Spot | ChunkPlace


class Placed(msgspec.Struct, frozen=True):
    """A place in the answer's order: what tools say of it, what chunk search says, or both."""

    score: float
    spot: Spot | None
    chunk: ChunkPlace | None
    frame: FramePlace | None = None

    @property
    def place(self) -> _Place:
        """Where it is, by who knows best."""
        place = self.frame or self.spot or self.chunk
        assert place is not None
        return place


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


def led_by(frames: Sequence[FramePlace], placed: Sequence[Placed], limit: int = MAX_LOCATIONS) -> list[Placed]:
    """Places with those that frames name among them, by how sure these are; what was found at the same lines is one."""
    if not frames:
        return list(placed)
    left = list(placed)
    led: list[Placed] = []
    for frame in frames:
        same = next((each for each in left if each.place.file == frame.file and _overlap(frame, each.place)), None)
        left = [each for each in left if each is not same]
        # A text that names a place, however vaguely, makes it no less likely than it would be unnamed.
        score = max(frame.certainty, BESIDE_FRAMES * same.score) if same else frame.certainty
        led.append(Placed(score, same.spot if same else None, same.chunk if same else None, frame))
    led += [msgspec.structs.replace(each, score=BESIDE_FRAMES * each.score) for each in left]
    led.sort(key=lambda each: -each.score)
    return led[:limit]


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


def _overlap(one: _Place, other: _Place) -> bool:
    return one.first_line <= other.last_line and other.first_line <= one.last_line


def _ranks(files: Iterable[int]) -> dict[int, int]:
    return {file: rank for rank, file in enumerate(dict.fromkeys(files), 1)}


def _share(rank: int | None, weight: float) -> float:
    return 0.0 if rank is None else weight / (RANK_K + rank)


def _key(placed: Placed) -> tuple[str, int]:
    return placed.place.path, placed.place.first_line
