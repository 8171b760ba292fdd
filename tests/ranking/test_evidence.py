"""What the words of a question say for an answer."""

from typing import Any

import msgspec
import numpy as np
import pytest

from lurcher_index.errors import ModelError
from lurcher_index.ranking.evidence import (
    LEADERS,
    LOOKED_AT,
    MOST_VOICE,
    MOST_WORDS,
    PLAIN_NUMBERS,
    STEPS,
    Evidence,
    Floats,
    Held,
    Network,
    read_evidence,
    word_rows,
)

BEST, FIRST, NEXT, MEAN, KNOWN, WEIGHT, RARITY = range(len(STEPS), PLAIN_NUMBERS)


def network(**changed: Any) -> Network:
    """Says how near the first candidate comes, each word counting alike; vectors of two numbers are not looked at."""
    hidden = [[0.0] for _ in range(PLAIN_NUMBERS + 2)]
    hidden[FIRST] = [1.0]
    whole = Network("taught", "model", {}, [[1.0, 0.0], [0.0, 1.0]], hidden, [0.0], [[1.0, 0.0]], [-0.5, 0.0])
    return msgspec.structs.replace(whole, **changed)


def held(cosines: list[list[float]], **changed: Any) -> Held:
    words = len(cosines[0])
    whole = Held(
        np.tile(np.array([1.0, 0.0], np.float32), (words, 1)),
        np.ones(words, np.float32),
        np.arange(words, dtype=np.float32),
        np.ones(words, np.bool_),
        np.array(cosines, np.float32),
    )
    return whole._replace(**changed)


def scores(*found: float) -> Floats:
    return np.array(found, np.float32)


def test_a_word_is_told_by_what_the_nearest_candidates_hold() -> None:
    rows = word_rows(held([[0.2], [0.9], [0.4], [0.6]]), scores(0.1, 0.2, 0.9, 0.8)).plain
    assert rows[0, [BEST, FIRST, NEXT, MEAN]].tolist() == pytest.approx([0.9, 0.4, 0.9, 0.525])
    beyond = word_rows(held([[0.2], [0.9], [0.4], [0.6]]), scores(0.5, 0.2, 0.9, 0.8)).plain
    assert beyond[0, NEXT] == pytest.approx(0.6), "the fourth is not among the next"


def test_only_leaders_of_those_that_are_looked_at_count() -> None:
    many = [[0.1]] * (LOOKED_AT + 1)
    many[LEADERS] = [0.7]
    many[LOOKED_AT] = [0.9]
    falling = np.linspace(1.0, 0.0, len(many))
    assert word_rows(held(many), falling).plain[0, BEST] == pytest.approx(0.1)
    falling[[LEADERS, LOOKED_AT]] = 2.0
    assert word_rows(held(many), falling).plain[0, BEST] == pytest.approx(0.7)


def test_the_steps_share_a_cosine_between_them() -> None:
    rows = word_rows(held([[0.85]]), scores(1.0)).plain
    told = {round(float(step), 2): float(share) for step, share in zip(STEPS, rows[0], strict=False) if share}
    assert told.keys() == {0.8, 0.9}
    assert told[0.8] == pytest.approx(told[0.9], abs=1e-4)


def test_of_many_words_the_weightiest_are_looked_at_in_their_order() -> None:
    words = MOST_WORDS + 2
    weights = np.ones(words, np.float32)
    weights[[0, 5]] = 0.5
    rows = word_rows(held([[0.5] * words], weights=weights), scores(1.0))
    assert rows.chosen.tolist() == [at for at in range(words) if at not in (0, 5)]


def test_weight_rarity_and_whether_it_stands_anywhere_are_told() -> None:
    given = held([[0.5, 0.5]], weights=scores(0.25, 1.0), rarities=scores(4.0, 8.0), known=np.array([False, True]))
    rows = word_rows(given, scores(1.0)).plain
    assert rows[:, [KNOWN, WEIGHT, RARITY]].tolist() == [[0.0, 0.25, -1.0], [1.0, 1.0, 0.0]]


def test_the_nearer_the_words_are_the_more_they_say_for_an_answer() -> None:
    evidence = Evidence(network())
    low, high = (evidence.of(held([[cosine, cosine]]), scores(1.0)) for cosine in (0.2, 0.9))
    assert low < 0.0 < high


def test_a_word_that_counts_more_is_heard_more() -> None:
    """The second number of its vector opens its gate."""
    hidden = [[0.0, 0.0] for _ in range(PLAIN_NUMBERS + 2)]
    hidden[FIRST] = [1.0, 0.0]
    hidden[-1] = [0.0, 1.0]
    gated = network(hidden=hidden, hidden_offsets=[0.0, 0.0], voices=[[1.0, 0.0], [0.0, 9.0]])
    cosines = [[0.9, 0.1]]
    vectors = np.array([[1.0, 0.0], [0.0, 1.0]], np.float32)
    alike = Evidence(gated).of(held(cosines), scores(1.0))
    last = Evidence(gated).of(held(cosines, vectors=vectors), scores(1.0))
    first = Evidence(gated).of(held(cosines, vectors=vectors[::-1]), scores(1.0))
    assert last < alike < first


def test_without_words_without_candidates_and_of_other_words_nothing_is_said() -> None:
    evidence = Evidence(network())
    assert evidence.of(held([[]], vectors=np.zeros((0, 2), np.float32)), scores(1.0)) == 0.0
    assert evidence.of(held([[0.5]])._replace(cosines=np.zeros((0, 1), np.float32)), scores()) == 0.0
    assert evidence.of(held([[0.5]], vectors=np.ones((1, 3), np.float32)), scores(1.0)) == 0.0


def test_nothing_is_said_louder_than_can_be_weighed() -> None:
    assert Evidence(network(voice_offsets=[1e9, 0.0])).of(held([[0.5]]), scores(1.0)) == MOST_VOICE


@pytest.mark.parametrize(
    "changed",
    [
        {"projection": []},
        {"projection": [[1.0], [1.0, 2.0]]},
        {"projection": [[1.0], [0.0]]},
        {"hidden": [[0.0]] * 3},
        {"hidden_offsets": [0.0, 0.0]},
        {"voices": [[1.0]]},
        {"voice_offsets": [0.0]},
        {"voice_offsets": [1e400, 0.0]},
    ],
)
def test_layers_that_do_not_fit_together_are_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(ModelError):
        Evidence(network(**changed))


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"\xff\xfe", b"[" * 100_000])
def test_bytes_that_are_no_network_are_refused(data: bytes) -> None:
    with pytest.raises(ModelError):
        read_evidence(data)


def test_a_network_is_read_as_it_was_written() -> None:
    assert read_evidence(msgspec.json.encode(network())).name == "taught"
