"""The text that people and assistants read: the best whole, the rest in short, nothing beyond the budget."""

from pathlib import Path

import pytest
from tests.answers.asked import ask, opened

from lurcher_index import Engine
from lurcher_index.report import Entry, Extent, heading, lay_out, match_of, tokens_of, written
from lurcher_index.words.query import understand

LONG = (
    "class Ferry:\n"
    '    """Carries cars over the fjord."""\n\n'
    "    def board(self, cars):\n"
    '        """Let all cars board the ferry."""\n'
    + "".join(f"        self.deck_{number}.park(cars[{number}], ramp='ramp {number}')\n" for number in range(60))
    + "        return cars\n\n"
    "    def leave(self):\n"
    "        self.horn.blow()\n"
)
FILES = {
    "ferry.py": LONG,
    "notes.txt": "\n".join(f"line {number} of a long and winding log" for number in range(1, 60))
    + "\nthe glacier calves\n"
    + "\n".join(f"line {number} of a long and winding log" for number in range(61, 120)),
    **{
        f"boats/boat{number}.py": f"def ferry_{number}(cars):\n    sail()\n    row()\n    return {number}\n"
        for number in range(6)
    },
}


def laid_out(engine: Engine, question: str, budget: int) -> list[Entry]:
    answer = ask(engine, question)
    return lay_out(answer.chunks, engine.surroundings, understand(question), budget)


def test_rule_b_the_top_two_are_whole_symbols_and_the_rest_skeletons(tmp_path: Path) -> None:
    with opened(tmp_path / "sea", FILES, embeddings=False) as engine:
        first = laid_out(engine, "park cars deck ramp", 20_000)[0]
        entries = laid_out(engine, "ferry_1 ferry_2 ferry_3 ferry_4 ferry_5", 20_000)
    assert first.extent is Extent.SYMBOL and (first.first_line, first.last_line) == (4, 66)
    assert first.code.splitlines() == [line.removeprefix("    ") for line in LONG.splitlines()[3:66]]
    assert [each.extent for each in entries[:2]] == [Extent.SYMBOL] * 2 and len(entries) > 2
    assert [each.number for each in entries] == list(range(1, len(entries) + 1))
    assert {each.extent for each in entries[2:]} == {Extent.SKELETON}
    assert all("…" in each.code and "def ferry_" in each.code for each in entries[2:])


def test_rule_b_without_a_symbol_five_lines_around_are_shown(tmp_path: Path) -> None:
    with opened(tmp_path / "sea", FILES, embeddings=False) as engine:
        entry = laid_out(engine, "glacier calves", 20_000)[0]
        chunk = entry.chunk
    assert entry.extent is Extent.CONTEXT
    assert (entry.first_line, entry.last_line) == (max(1, chunk.first_line - 5), min(119, chunk.last_line + 5))
    assert entry.code.splitlines() == FILES["notes.txt"].splitlines()[entry.first_line - 1 : entry.last_line]


def test_a_symbol_that_would_eat_the_budget_is_shown_as_its_chunk(tmp_path: Path) -> None:
    with opened(tmp_path / "sea", FILES, embeddings=False) as engine:
        entry = laid_out(engine, "board cars ferry", 1_500)[0]
    assert entry.extent is Extent.CHUNK
    assert [line.strip() for line in entry.code.split("\n")] == [
        line.strip() for line in entry.chunk.raw_text.split("\n")
    ]


@pytest.mark.parametrize("budget", [1, 30, 60, 120, 250, 500, 1_000, 2_000, 5_000])
def test_the_budget_is_never_exceeded_and_the_best_is_cut_rather_than_left_out(tmp_path: Path, budget: int) -> None:
    with opened(tmp_path / "sea", FILES, embeddings=False) as engine:
        entries = laid_out(engine, "board cars ferry", budget)
    assert sum(map(tokens_of, entries)) <= budget
    assert bool(entries) is (budget >= 60)
    if budget == 60:
        assert [each.extent for each in entries] == [Extent.CUT]


def test_what_is_part_of_another_result_is_not_repeated(tmp_path: Path) -> None:
    with opened(tmp_path / "sea", {"ferry.py": LONG}, embeddings=False) as engine:
        answer = ask(engine, "park ramp cars")
        entries = laid_out(engine, "park ramp cars", 20_000)
    assert len(answer.chunks) > 2 and len(entries) == 1
    inside = {each.chunk_id for each in answer.chunks if each.first_line >= 4 and each.last_line <= 66}
    assert inside and inside <= set(entries[0].shown)


def test_a_changed_file_is_not_shown_beyond_what_was_checked(tmp_path: Path) -> None:
    with opened(tmp_path / "sea", {"ferry.py": LONG}, embeddings=False) as engine:
        chunks = ask(engine, "board cars ferry").chunks
        inner = next(chunk for chunk in chunks if chunk.first_line > 4 and chunk.last_line < 66)
        path = tmp_path / "sea/ferry.py"
        path.write_text(LONG.replace("class Ferry:", "# Nobody has indexed this.\nclass Ferry:"))
        assert engine.surroundings(chunks[0]) is None
        assert engine.chunk(path, inner.chunk_id) is None
        path.write_text(LONG.replace("self.horn.blow()", "self.horn.blow(twice=True)"))
        engine.update([path])
        again = engine.chunk(path, inner.chunk_id)
        assert again is not None and again.text == inner.raw_text
        assert engine.chunk(path, "0" * 20) is None


def test_a_heading_tells_number_place_symbol_match_and_score(tmp_path: Path) -> None:
    with opened(tmp_path / "sea", {"a\nb.py": "def puffin():\n    pass\n"}, embeddings=False) as engine:
        (entry,) = laid_out(engine, "puffin", 1_000)
    assert match_of(entry.chunk) == "name, words"
    assert heading(entry) == (
        f"1. a\\nb.py:1-2 · function puffin · match: name, words · score {entry.chunk.score:.2f} · whole symbol"
    )
    assert written(entry).endswith("```python\ndef puffin():\n    pass\n```")
