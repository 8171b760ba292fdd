"""The lexicon: what it says of words, and what a model makes of it."""

import sys
from pathlib import Path

import numpy as np
import pytest
from tests.training.test_polish import TRAINED, WORDS, spelled, write_pairs
from training import lexicon as drawing
from training.export import rounded
from training.lexicon import LEXICON, Plan, drawn_together, forms, read_lexicon, ties
from training.measure import parameters_of
from training.network import Parameters

from lurcher_index.dense.static.modelfile import Calibration, Facts, read_model, write_model
from lurcher_index.dense.static.tokens import PIECE_MARK


def table(*words: str, dimension: int = 8) -> Parameters:
    """A direction by chance for each word, all of another length."""
    vectors = np.random.default_rng(3).standard_normal((len(words), dimension)).astype(np.float32)
    nothing = np.zeros(len(words), np.float32)
    return Parameters(vectors, nothing, nothing, np.zeros(1))


def cosine(found: Parameters, one: int, other: int) -> float:
    vectors = found.table / np.linalg.norm(found.table, axis=1, keepdims=True)
    return float(vectors[one] @ vectors[other])


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("retry", "retry retries retried retrying"),
        ("parse", "parse parses parsed parsing"),
        ("push", "push pushes pushed pushing"),
        ("drop", "drop drops dropped dropping"),
        ("delay", "delay delays delayed delaying"),
    ],
)
def test_forms_of_a_word(word: str, expected: str) -> None:
    usual = expected.split()
    assert forms(word, usual) == usual
    assert forms(word, usual[:1]) == usual[:1], "only those that the model has"


def test_words_come_nearer_to_what_they_are_tied_to_and_keep_their_length() -> None:
    words = ["alarm", "alarms", "timer", "alert", "river"]
    before = table(*words)
    after = drawn_together(before, ties({"alarm": ["timer", "alert"]}, words, Plan()), 0.3)
    for one in ("alarm", "alarms"):
        for other in ("timer", "alert"):
            pair = words.index(one), words.index(other)
            assert cosine(after, *pair) > cosine(before, *pair)
    assert np.allclose(np.linalg.norm(after.table, axis=1), np.linalg.norm(before.table, axis=1), rtol=1e-5)
    assert np.allclose(after.table[words.index("river")], before.table[words.index("river")], atol=1e-6)


def test_the_closest_word_and_the_way_it_was_written_count_most() -> None:
    words = ["alarm", "timer", "alert", f"{PIECE_MARK}alarm"]
    found = ties({"alarm": ["timer", "unheard", "alert"]}, words, Plan(back=0.25, fall=1.0)).toarray()
    assert found[0].tolist() == [0.0, 1.0, 0.5, 0.0], "a word that the model lacks takes no place"
    assert found[:, 0].tolist() == [0.0, 0.25, 0.125, 0.0]
    assert not found[3].any()


def test_the_written_lexicon_is_in_order_and_says_nothing_twice() -> None:
    lines = LEXICON.read_text(encoding="utf-8").splitlines()
    found = read_lexicon()
    assert list(found) == sorted(found)
    assert len(found) == len(lines) > 7_000
    for word, others in found.items():
        assert others, word
        assert len({word, *others}) == 1 + len(others), word
        assert all(each.isascii() and each.isalpha() and each.islower() for each in (word, *others)), word


def test_a_model_learns_from_a_lexicon_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command of the Makefile, on made-up words."""
    facts = Facts("first", 0.5, Calibration((0.1,), (0.5,), 0.5, 0.5), TRAINED)
    first, second = tmp_path / "first.safetensors", tmp_path / "second.safetensors"
    first.write_bytes(write_model(rounded(table(*WORDS), WORDS, facts)))
    one, other = spelled("code", 1), spelled("asked", 1)
    (tmp_path / "words.tsv").write_text(f"{one}\t{other}\n")
    write_pairs(tmp_path / "pairs")
    arguments = [str(tmp_path), "--pairs", str(tmp_path / "pairs"), "--lexicon", str(tmp_path / "words.tsv")]
    arguments += ["--out", str(tmp_path), "--name", "second"]
    monkeypatch.setattr(sys, "argv", ["lexicon", *arguments, "--model", str(first)])
    drawing.main()
    found = read_model(second)
    assert found.facts.training["lexicon"]["moved"] == 2
    assert "query_map" not in found.facts.training
    places = WORDS.index(one), WORDS.index(other)
    assert cosine(parameters_of(found), *places) > cosine(parameters_of(read_model(first)), *places)
    assert "by a lexicon of 1 entries" in " ".join((tmp_path / "MODEL_CARD.md").read_text().split())
    monkeypatch.setattr(sys, "argv", ["lexicon", *arguments, "--model", str(second)])
    with pytest.raises(SystemExit):
        drawing.main()
