"""The words of chunks that are stored beside their vectors, as a search sees them."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.dense.models import small_model

from lurcher_index import Engine
from lurcher_index.dense.hashing import HashingEmbedder
from lurcher_index.dense.static.embedder import StaticEmbedder
from lurcher_index.gathering import FactsMemo, _rarity, asking_of, gather
from lurcher_index.meaning import Meaning
from lurcher_index.query.parser import parse
from lurcher_index.ranking.clues import CLUES
from lurcher_index.strategies.interface import WORDS, Ranking
from lurcher_index.view import View
from lurcher_index.words.filters import Filters
from lurcher_index.words.query import understand

AT = CLUES.index("nearest")

FILES = {"open.py": "def open_file():\n    return read\n", "sort.py": "def sort_number():\n    return 42\n"}


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    folder = tmp_path / "folder"
    folder.mkdir()
    for path, text in FILES.items():
        (folder / path).write_text(text, encoding="utf-8")
    with Engine.open([folder], store=tmp_path / "store", embeddings=False) as found:
        found.build()
        yield found


def nearest(engine: Engine, meaning: Meaning, question: str) -> dict[str, float] | None:
    """How near the first chunk of each file comes to a question."""
    view = View(engine.workspace)
    rows = [view.row_at(engine.workspace.folders[0].path / path) for path in FILES]
    numbers = [row.content_id if row.file_id >= 0 else row.file_id for row in rows if row is not None]
    chunks = [(number, 0) for number in numbers if number is not None]
    found = meaning.nearest_words(view, question, lambda _: 1.0, chunks, {number: 1 for number, _ in chunks})
    return None if found is None else dict(zip(FILES, found.rows[:, 0].tolist(), strict=True))


def test_before_there_are_vectors_nothing_is_near_and_afterwards_it_is(engine: Engine) -> None:
    meaning = Meaning(engine.workspace, StaticEmbedder(small_model()))
    assert nearest(engine, meaning, "open file") == {"open.py": 0.0, "sort.py": 0.0}
    meaning.catch_up()
    found = nearest(engine, meaning, "open file")
    assert found is not None
    assert found["open.py"] == pytest.approx(1.0, abs=1e-5)
    assert found["sort.py"] < 0.9
    with engine.workspace._database.transaction() as connection:
        connection.execute("UPDATE vector SET words = NULL")
    assert nearest(engine, meaning, "open file") == found, "remembered"


def test_a_document_is_as_near_as_what_the_editor_shows(engine: Engine) -> None:
    meaning = Meaning(engine.workspace, StaticEmbedder(small_model()))
    meaning.catch_up()
    engine.show(engine.workspace.folders[0].path / "sort.py", "def write_header():\n    pass\n", 1)
    found = nearest(engine, meaning, "write header")
    assert found is not None
    assert found["sort.py"] == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("damaged", ["x'ffff00'", "x'ffff'", "x'05000100'", "'text'", "NULL"])
def test_a_damaged_list_is_as_good_as_none(engine: Engine, damaged: str) -> None:
    meaning = Meaning(engine.workspace, StaticEmbedder(small_model()))
    meaning.catch_up()
    with engine.workspace._database.transaction() as connection:
        connection.execute(f"UPDATE vector SET words = {damaged}")
    assert nearest(engine, meaning, "open file") == {"open.py": 0.0, "sort.py": 0.0}


def test_a_model_without_words_says_nothing_of_them(engine: Engine) -> None:
    meaning = Meaning(engine.workspace, HashingEmbedder())
    meaning.catch_up()
    assert nearest(engine, meaning, "open file") is None
    assert np.isfinite(meaning.ready())


def test_how_much_a_word_tells(engine: Engine) -> None:
    view = View(engine.workspace)
    rare, usual, nowhere, piece = (_rarity(view, {"known": 7.0}, word) for word in ("sort", "def", "zebra", "##xy"))
    assert usual < rare < nowhere
    assert piece == pytest.approx(nowhere / 2)
    assert _rarity(view, {"known": 7.0}, "known") == 7.0


def test_the_ranker_is_told_how_near_the_words_come(engine: Engine) -> None:
    meaning = Meaning(engine.workspace, StaticEmbedder(small_model()))
    meaning.catch_up()
    view = View(engine.workspace)
    parsed = parse("open the file")
    query = understand(parsed.text)
    hits = tuple(view.words(understand("return"), Filters(), 10))
    asking = asking_of(view, parsed, query)
    keys = [hit[:3] for hit in hits]
    vector = meaning.embedder.embed_query(parsed.text)
    with_words, without = (
        gather(view, FactsMemo(), asking, [Ranking(WORDS, hits)], keys, meaning, each).matrix for each in (vector, None)
    )
    near = dict(zip((view.rows([key[0]])[key[0]].path for key in keys), with_words[:, AT].tolist(), strict=True))
    assert near["open.py"] == pytest.approx(1.0, abs=1e-5)
    assert near["open.py"] > near["sort.py"]
    assert not without[:, AT].any()
