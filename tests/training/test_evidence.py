"""The network of evidence on a made-up language: it learns which words have to be found."""

import sys
from pathlib import Path

import numpy as np
import pytest
from tests.dense.models import DIMENSION, small_model
from tests.training.test_polish import WORDS, spelled
from training import evidence as teaching
from training.arrays import save
from training.evidence import (
    NEARLY,
    Floats,
    Forward,
    Parameters,
    Plan,
    areas,
    beginning,
    learn,
    lessons_of,
    scores_of,
    word_table,
)
from training.written import Piece, Pooling, Pools, Question

from lurcher_index.dense.static.modelfile import NEIGHBOURS, Model, write_model
from lurcher_index.ranking.evidence import MOST_WORDS, PLAIN_NUMBERS, Evidence, read_evidence

PACKAGES = 4 * NEARLY


def model() -> Model:
    """Each word has a direction that is as good as its own."""
    ones = np.ones(len(WORDS), np.float32)
    neighbours = np.zeros((len(WORDS), NEIGHBOURS), np.uint16)
    return small_model(
        vocabulary=WORDS,
        table=np.random.default_rng(5).integers(-100, 100, (len(WORDS), DIMENSION)).astype(np.int8),
        scale=ones / 100,
        query_weights=ones,
        document_weights=ones,
        related=neighbours,
        similarities=neighbours.astype(np.uint8),
    )


def pools(seed: int = 1) -> Pools:
    """A package is about a few things. Who asks names one of them, and adds words that stand nowhere."""
    draw = np.random.default_rng(seed)
    pooling = Pooling(WORDS)
    for _ in range(PACKAGES):
        topics = draw.integers(24, size=5)
        pieces = [
            Piece(f"x/file{at}.py", 1, 9, " ".join(spelled("code", int(each)) for each in draw.choice(topics, 3)))
            for at in range(15)
        ]
        asked = [
            Question(piece.path, 1, 9, "where", f"{piece.code} {spelled('asked', int(draw.integers(24)))}")
            for piece in pieces[:4]
        ]
        pooling.add(pieces, asked)
    return pooling.pools()


def test_every_question_is_asked_of_workspaces_with_its_answer_and_without() -> None:
    found = lessons_of(pools(), model(), 1)
    assert len(found.counts) == 3 * 4 * PACKAGES
    assert found.answered.sum() == found.nearly.sum() == 4 * PACKAGES
    assert not (found.answered & found.nearly).any()
    assert found.plain.shape[1:] == (MOST_WORDS, PLAIN_NUMBERS)
    again = lessons_of(pools(), model(), 1)
    assert all(np.array_equal(one, other) for one, other in zip(found, again, strict=True))


def test_of_too_few_packages_no_workspace_can_be_made() -> None:
    pooling = Pooling(WORDS)
    piece = Piece("x/file.py", 1, 9, "codeaa codeab")
    pooling.add([piece] * 20, [Question(piece.path, 1, 9, "where", "codeaa")])
    with pytest.raises(ValueError, match="too few packages"):
        lessons_of(pooling.pools(), model(), 1)


def test_words_that_have_to_be_found_are_told_from_those_that_do_not() -> None:
    found = model()
    table = word_table(found)
    layers = learn(lessons_of(pools(1), found, 1), table, Plan(epochs=25, batch=64))
    unseen = lessons_of(pools(2), found, 1)
    told = areas(unseen, scores_of(unseen, layers, table))
    before = areas(unseen, scores_of(unseen, beginning(DIMENSION, Plan()), table))
    assert told["area"] > 0.8 > before["area"]
    assert told["area_nearly"] > before["area_nearly"]


def test_the_gradients_are_those_of_the_scores() -> None:
    draw = np.random.default_rng(3)
    plan = Plan(projected=3, hidden=5)
    layers = Parameters(*(layer.astype(np.float64) for layer in beginning(DIMENSION, plan)))
    plain = draw.standard_normal((4, 6, PLAIN_NUMBERS))
    vectors = draw.standard_normal((4, 6, DIMENSION))
    there = np.arange(6) < np.array([6, 4, 1, 5])[:, np.newaxis]
    slopes = draw.standard_normal(4)
    gradients = Forward(layers, plain, vectors, there).back(slopes)
    for layer, gradient in zip(layers, gradients, strict=True):
        for at in [tuple(draw.integers(layer.shape)) for _ in range(12)]:
            kept, step = layer[at], 1e-5
            layer[at] = kept + step
            above = Forward(layers, plain, vectors, there).scores @ slopes
            layer[at] = kept - step
            below = Forward(layers, plain, vectors, there).scores @ slopes
            layer[at] = kept
            assert gradient[at] == pytest.approx((above - below) / (2 * step), rel=1e-4, abs=1e-7)


def test_the_command_writes_a_network_that_says_what_was_learned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, asked = model(), pools()
    (tmp_path / "model.safetensors").write_bytes(write_model(found))
    save(asked, tmp_path / "written.npz")
    save(pools(2), tmp_path / "written-apart.npz")
    command = ["evidence", str(tmp_path), "--model", str(tmp_path / "model.safetensors"), "--out", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", command)
    teaching.main()
    network = read_evidence((tmp_path / "evidence.json").read_bytes())
    assert (network.name, network.model) == (teaching.NAME, "small-1")
    lessons = lessons_of(asked, found, Plan().seed)
    table = word_table(found)
    layers = learn(lessons, table, Plan())
    assert np.abs(network.hidden - layers.hidden).max() < 1e-4
    some = lessons._replace(counts=lessons.counts[:5])
    assert scores_of(some, Parameters(*_layers(network)), table) == pytest.approx(
        scores_of(some, layers, table), abs=0.01
    )


def _layers(network: Evidence) -> list[Floats]:
    return [getattr(network, name) for name in Parameters._fields]
