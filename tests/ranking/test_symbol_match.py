"""Names are compared with the question in four levels."""

import pytest

from lurcher_index.ranking.facts import parts_of
from lurcher_index.ranking.symbol_match import ALL_TERMS, EXACT, SUBSTRING, flat, symbol_score


def score(question: str, name: str) -> float:
    return symbol_score(flat(question), parts_of(question), name, parts_of(name))


@pytest.mark.parametrize("name", ["parse_header", "parseHeader", "ParseHeader", "PARSE_HEADER", "parseheader"])
def test_seed_b_exact_however_it_is_written(name: str) -> None:
    assert score("parse header", name) == EXACT == 0.95


def test_seed_b_levels() -> None:
    assert score("parse header", "parse_header_line") == SUBSTRING == 0.85
    assert score("parse header", "header_of_parse") == ALL_TERMS == 0.75
    assert score("parse header", "parse_body") == pytest.approx(0.55 + 0.15 / 2)
    assert score("parse the header line", "header") == pytest.approx(0.55 + 0.15 / 4)
    assert score("parse header", "render") == 0.0
    assert score("io", "audio") == 0.0, "two letters stand in too many names"
    assert score("", "anything") == 0.0
