"""The map that turns questions: its slope is right, and what it learns from some trees helps with others."""

import numpy as np
import pytest
from training.query_map import Asked, Floats, Plan, gradient_of, learn_map, loss_of
from training.ranker.turning import reciprocal_ranks

DIMENSION = 12


def tree(seed: int, questions: int = 6, accent: Floats | None = None) -> Asked:
    """Chunks at random, and questions that are their answer spoken with an accent; every other one is about a file."""
    draw = np.random.default_rng(seed)
    chunks = draw.integers(-127, 128, (30, DIMENSION), np.int8)
    at = draw.choice(30, questions, replace=False)
    asked = chunks[at].astype(np.float32)
    asked /= np.linalg.norm(asked, axis=1, keepdims=True)
    if accent is not None:
        asked = asked @ accent
        asked /= np.linalg.norm(asked, axis=1, keepdims=True)
    return Asked(
        f"tree-{seed}",
        chunks,
        np.arange(0, 30, 3),
        asked.astype(np.float32),
        tuple(np.array([number]) for number in at),
        tuple(number % 2 == 0 for number in range(questions)),
    )


@pytest.mark.parametrize("by_line", [True, False])
def test_the_gradient_is_the_slope_of_the_loss(by_line: bool) -> None:
    asked = tree(1)
    two = tuple(np.array([int(right[0]), (int(right[0]) + 7) % 30]) for right in asked.right)
    asked = asked._replace(right=two, by_line=(by_line,) * len(two))
    found = np.random.default_rng(2).normal(0, 0.1, (DIMENSION, DIMENSION)).astype(np.float32)
    gradient = gradient_of(asked, found, 0.2)
    for row, column in ((0, 0), (3, 7), (11, 2)):
        step = np.zeros_like(found)
        step[row, column] = 1e-3
        slope = (loss_of(asked, found + step, 0.2) - loss_of(asked, found - step, 0.2)) / 2e-3
        assert gradient[row, column] == pytest.approx(slope, abs=2e-2)


def test_what_some_trees_teach_helps_with_others() -> None:
    draw = np.random.default_rng(5)
    accent = (np.eye(DIMENSION) + draw.normal(0, 0.35, (DIMENSION, DIMENSION))).astype(np.float32)
    trees = [tree(seed, 12, accent) for seed in range(40)]
    found = learn_map(trees, {trees[0].corpus}, Plan(steps=120, rate=0.02, shrink=0.0005))
    before = reciprocal_ranks(trees[0], np.zeros_like(found))
    assert np.mean(reciprocal_ranks(trees[0], found)) > np.mean(before) + 0.05


def test_repositories_that_are_left_out_teach_nothing() -> None:
    trees = [tree(seed) for seed in range(3)]
    assert np.array_equal(learn_map(trees, {"tree-2"}), learn_map(trees[:2]))
    assert not np.array_equal(learn_map(trees), learn_map(trees[:2]))


def test_without_questions_nothing_is_turned() -> None:
    silent = tree(1)._replace(questions=np.zeros((0, DIMENSION), np.float32), right=(), by_line=())
    assert not learn_map([silent]).any()
    assert reciprocal_ranks(silent, np.zeros((DIMENSION, DIMENSION), np.float32)) == []
