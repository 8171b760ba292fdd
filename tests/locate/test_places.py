"""The order of places: definitions, rarity, patterns together, files aside; and the fusion with chunk search."""

from zlib import crc32

from lurcher_index.locate.fusing import (
    BESIDE_FRAMES,
    MAX_LOCATIONS,
    MAX_PER_FILE,
    ChunkPlace,
    FramePlace,
    Placed,
    fused,
    led_by,
)
from lurcher_index.locate.matches import Match, MatchKind
from lurcher_index.locate.placing import MARGIN_LINES, WHOLE_SYMBOL_LINES, Spot, spots_of
from lurcher_index.model import Outline, Symbol, SymbolKind
from lurcher_index.store.catalog import FileRow


def match(path: str, line: int, pattern: int = 0, kind: MatchKind = MatchKind.TEXT, last: int | None = None) -> Match:
    row = FileRow(crc32(path.encode()), 1, path, 1, 1, 1, None)
    return Match(row, line, last or line, pattern, kind)


def symbol(name: str, first: int, last: int, container: int = -1) -> Symbol:
    return Symbol(name, SymbolKind.FUNCTION, container, first, last, 0, 0, 0, 0, 0, 0, 0, 0)


def outline(*symbols: Symbol) -> Outline:
    return Outline("python", 1_000, (), symbols, ())


def order(*matches: Match, files: int = 100, known: Outline | None = None, mentioned: str = "") -> list[Spot]:
    return spots_of(matches, files, lambda _: known, lambda path: path == mentioned)


def paths(*matches: Match, files: int = 100, mentioned: str = "") -> list[str]:
    return [spot.path for spot in order(*matches, files=files, mentioned=mentioned)]


def test_a_definition_comes_before_a_use() -> None:
    assert paths(match("a.py", 1), match("b.py", 1, kind=MatchKind.DEFINITION)) == ["b.py", "a.py"]


def test_more_patterns_in_one_place_come_first() -> None:
    assert paths(match("a.py", 1, 0), match("b.py", 1, 0), match("b.py", 1, 1))[0] == "b.py"


def test_a_rare_pattern_counts_more_than_a_common_one() -> None:
    common = [match(f"{number}.py", 1, 0) for number in range(50)]
    assert paths(*common, match("rare.py", 1, 1))[0] == "rare.py"


def test_a_pattern_elsewhere_in_the_file_counts_half() -> None:
    known = outline(symbol("f", 1, 5), symbol("g", 10, 15))
    together = order(match("a.py", 1, 0), match("a.py", 2, 1), known=known)
    apart = order(match("a.py", 1, 0), match("a.py", 11, 1), known=known)
    alone = order(match("a.py", 1, 0), known=known)
    assert together[0].score > apart[0].score > alone[0].score


def test_tests_and_documents_stand_behind() -> None:
    assert paths(match("tests/test_a.py", 1), match("README.md", 1), match("src/a.py", 1))[0] == "src/a.py"


def test_a_file_that_the_issue_names_comes_first() -> None:
    assert paths(match("a.py", 1, 0), match("b.py", 1, 0), mentioned="b.py")[0] == "b.py"


def test_a_place_is_the_innermost_definition_around_it() -> None:
    known = outline(symbol("Outer", 1, 50), symbol("inner", 10, 20, 0))
    (spot,) = order(match("a.py", 12), known=known)
    assert (spot.symbol, spot.first_line, spot.last_line) == (1, 10, 20)


def test_of_a_long_definition_only_the_surroundings_are_shown() -> None:
    known = outline(symbol("long", 1, WHOLE_SYMBOL_LINES + 100))
    (spot,) = order(match("a.py", 150), known=known)
    assert (spot.first_line, spot.last_line) == (150 - MARGIN_LINES, 150 + MARGIN_LINES)
    (first,) = order(match("a.py", 2))
    assert first.first_line == 2


def test_equal_places_stand_in_the_order_of_paths() -> None:
    assert paths(match("c.py", 1), match("a.py", 1), match("b.py", 1)) == ["a.py", "b.py", "c.py"]


def spot(file: int, line: int = 1, score: float = 1.0) -> Spot:
    return Spot(file, f"{file}.py", line, line + 5, -1, (0,), False, score)


def chunk(file: int, line: int = 1) -> ChunkPlace:
    return ChunkPlace(file, f"{file}.py", line, line + 5, "chunk search")


def files(spots: list[Spot], chunks: list[ChunkPlace]) -> list[int]:
    places = [each.spot or each.chunk for each in fused(spots, chunks)]
    return list(dict.fromkeys(place.file for place in places if place is not None))


def test_without_chunks_the_order_is_the_tools_and_without_tools_the_chunks() -> None:
    assert files([spot(3), spot(1), spot(2)], []) == [3, 1, 2]
    assert files([], [chunk(3), chunk(1), chunk(2)]) == [3, 1, 2]
    assert fused([], []) == []


def test_what_both_found_comes_first() -> None:
    assert files([spot(1), spot(2)], [chunk(3), chunk(2)])[0] == 2


def test_of_a_file_the_place_that_both_found_comes_first() -> None:
    placed = fused([spot(1, 100), spot(1, 10)], [chunk(1, 12)])
    assert [(each.spot.first_line if each.spot else 0, each.chunk is not None) for each in placed] == [
        (10, True),
        (100, False),
    ]


def test_the_best_possible_score_is_1_and_places_are_bounded() -> None:
    placed = fused([spot(1)], [chunk(1)])
    assert placed[0].score == 1.0
    many = fused([spot(file, line * 10) for file in range(50) for line in range(1, 9)], [])
    assert len(many) == MAX_LOCATIONS
    assert max([each.spot.file for each in many if each.spot].count(file) for file in range(50)) <= MAX_PER_FILE


def framed(file: int, certainty: float) -> FramePlace:
    return FramePlace(file, f"{file}.py", 1, 6, -1, "the text names line 3", certainty)


def scores(placed: list[Placed]) -> list[tuple[int, float]]:
    return [(each.place.file, each.score) for each in placed]


def test_a_place_that_the_text_names_is_not_pushed_down_by_that() -> None:
    found = [Placed(1.0, spot(1), chunk(1)), Placed(0.9, spot(2), None), Placed(0.3, None, chunk(3))]
    vaguely = led_by([framed(1, 0.2), framed(4, 0.1)], found)
    assert [file for file, _ in scores(vaguely)] == [1, 2, 3, 4]
    assert scores(vaguely)[0] == (1, BESIDE_FRAMES)
    # Who finds it stays, beside what the text says.
    assert vaguely[0].spot and vaguely[0].chunk and vaguely[0].frame
    assert scores(led_by([framed(3, 1.0)], found))[0] == (3, 1.0)
