"""Words that are found only as parts of others, or misspelt, fill up an answer that is nearly empty."""

from pathlib import Path

import pytest

from lurcher_index import Engine
from lurcher_index.words.parts import is_one_edit_away, may_be_misspelt, part_words
from lurcher_index.words.query import understand
from lurcher_index.words.weights import PART_SCORE


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        ("parser", "parser", True),
        ("parser", "parsers", True),
        ("parser", "parse", True),
        ("parser", "paser", True),
        ("parser", "perser", True),
        ("parser", "aprser", True),
        ("parser", "parsre", True),
        ("parser", "xparser", True),
        ("parser", "passes", False),
        ("parser", "pares", False),
        ("ab", "ba", True),
        ("ab", "cd", False),
        ("", "a", True),
        ("", "ab", False),
    ],
)
def test_one_edit(one: str, other: str, near: bool) -> None:
    assert is_one_edit_away(one, other) is near
    assert is_one_edit_away(other, one) is near


def test_words_that_can_be_looked_for() -> None:
    assert part_words(understand("an io Handler foo.bar x_y")) == ("handler", "foo", "bar", "x_y")
    assert may_be_misspelt("handler")
    assert not may_be_misspelt("hand")
    assert not may_be_misspelt("handler2")


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / "a.py").write_text("def observables():\n    return 1\n")
    (folder / "b.py").write_text("def configuration():\n    return 2\n")
    engine = Engine.open([folder], store=tmp_path / "store", embeddings=False)
    engine.build()
    return engine


def test_seed_b_plain_substrings_fill_up(engine: Engine) -> None:
    with engine:
        (hit,) = engine.search("servab").hits
        assert (hit.path, hit.score) == ("a.py", PART_SCORE)
        # What holds a word as a whole comes first, the rest fills up.
        assert [each.path for each in engine.search("configuration observab").hits] == ["b.py", "a.py"]
        assert engine.search("qqqqq").hits == ()


def test_a_misspelt_word_is_found_where_nothing_has_it(engine: Engine, tmp_path: Path) -> None:
    with engine:
        assert [hit.path for hit in engine.search("confguration").hits] == ["b.py"]
        # The same in a file that changed a moment ago.
        (tmp_path / "tree" / "c.py").write_text("def thermometer():\n    return 3\n")
        engine.update([tmp_path / "tree" / "c.py"])
        assert [hit.path for hit in engine.search("termometer").hits] == ["c.py"]
        assert [hit.path for hit in engine.search("mometer").hits] == ["c.py"]


def test_filters_hold_for_parts_too(engine: Engine) -> None:
    with engine:
        assert engine.search("servab", include=["b.py"]).hits == ()


def test_a_pattern_is_no_pattern(engine: Engine) -> None:
    with engine:
        for hostile in (".*", "(a+)+$", "[x", "serv.*b", "a{1000}"):
            assert all(hit.score <= 1 or hit.path for hit in engine.search(hostile + " zz").hits)
