"""What the signs of an answer mean, learned from questions with and without one: a small network over them.

A weighted sum cannot tell that an unknown word says little in a long question, or that a large cosine says little where
the words are unknown. A dozen neurons beside the sum can.
"""

from typing import NamedTuple

import numpy as np

from lurcher_index.ranking.answerability import Belief
from training.adam import Adam
from training.ranker.fit import Floats


class Plan(NamedTuple):
    """How to learn."""

    neurons: int
    steps: int
    rate: float
    shrink: float
    """What the squares of all weights cost."""
    seed: int


class _Layers(NamedTuple):
    inner: Floats
    inner_offsets: Floats
    voices: Floats
    straight: Floats
    offset: Floats


def believing(rows: Floats, has_answer: Floats, counts: Floats, plan: Plan) -> Belief:
    """Learn from the signs of some questions, a row each, both sides counting alike."""
    scale, mean = rows.std(axis=0) + 1e-6, rows.mean(axis=0)
    table = (rows - mean) / scale
    sides = np.where(has_answer > 0, counts / counts[has_answer > 0].sum(), counts / counts[has_answer == 0].sum()) / 2
    draw = np.random.default_rng(plan.seed)
    layers = _Layers(
        draw.normal(0.0, 0.2, (table.shape[1], plan.neurons)),
        np.zeros(plan.neurons),
        draw.normal(0.0, 0.3, plan.neurons),
        np.zeros(table.shape[1]),
        np.zeros(1),
    )
    moments = [Adam(layer) for layer in layers]
    for _ in range(plan.steps):
        gradients = _gradients(layers, table, sides, has_answer, plan.shrink)
        for moment, gradient in zip(moments, gradients, strict=True):
            moment.step(slice(None), gradient, plan.rate)
    # The run time has the signs as they are, and so the weights take in what they were brought to.
    inner, straight = layers.inner / scale[:, np.newaxis], layers.straight / scale
    offsets = layers.inner_offsets - mean @ inner
    return Belief(
        np.append(straight, layers.offset[0] - mean @ straight),
        np.concatenate([inner.T, offsets[:, np.newaxis], layers.voices[:, np.newaxis]], axis=1),
    )


def _gradients(layers: _Layers, table: Floats, sides: Floats, wanted: Floats, shrink: float) -> _Layers:
    heard = np.tanh(table @ layers.inner + layers.inner_offsets)
    voices = heard @ layers.voices + table @ layers.straight + layers.offset[0]
    wrong = sides * (1.0 / (1.0 + np.exp(-np.clip(voices, -30.0, 30.0))) - wanted)
    below = np.outer(wrong, layers.voices) * (1.0 - heard**2)
    return _Layers(
        table.T @ below + shrink * layers.inner,
        below.sum(axis=0),
        heard.T @ wrong + shrink * layers.voices,
        table.T @ wrong + shrink * layers.straight,
        np.array([wrong.sum()]),
    )
