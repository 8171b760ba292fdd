"""The derivatives of the loss, against differences of the loss itself."""

from dataclasses import fields, replace

import numpy as np
import scipy.sparse as sp
from training.network import Batch, Floats, Parameters, loss_and_gradients

STEP = 1e-6


def sparse(draw: np.random.Generator, rows: int, columns: int) -> sp.csr_array:
    full = np.sqrt(draw.integers(0, 3, (rows, columns)))
    full[:, 0] += 0.5
    return sp.csr_array(full)


def example() -> tuple[Parameters, Batch]:
    draw = np.random.default_rng(11)
    rows, columns, dimension = 6, 9, 5
    parameters = Parameters(
        draw.standard_normal((columns, dimension)),
        draw.standard_normal(columns) * 0.3,
        draw.standard_normal(columns) * 0.3,
        np.array([1.3]),
    )
    paths = sparse(draw, rows, columns).toarray()
    paths[2] = 0.0
    masked = np.zeros((rows, rows), bool)
    masked[1, 4] = masked[4, 1] = True
    return parameters, Batch(sparse(draw, rows, columns), sparse(draw, rows, columns), sp.csr_array(paths), masked)


def differences(parameters: Parameters, batch: Batch, name: str) -> Floats:
    found: Floats = np.zeros_like(getattr(parameters, name))
    for at in np.ndindex(found.shape):
        losses = []
        for step in (STEP, -STEP):
            moved = getattr(parameters, name).copy()
            moved[at] += step
            losses.append(loss_and_gradients(replace(parameters, **{name: moved}), batch, 0.7)[0])
        found[at] = (losses[0] - losses[1]) / (2 * STEP)
    return found


def test_gradients_are_what_the_loss_does() -> None:
    parameters, batch = example()
    _, gradients = loss_and_gradients(parameters, batch, 0.7)
    for field in fields(Parameters):
        expected = differences(parameters, batch, field.name)
        assert np.abs(expected).max() > 1e-4, "a test that cannot fail"
        assert np.allclose(getattr(gradients, field.name), expected, atol=1e-7), field.name


def test_what_is_masked_is_no_wrong_answer() -> None:
    parameters, batch = example()
    with_mask, _ = loss_and_gradients(parameters, batch, 0.7)
    without, _ = loss_and_gradients(parameters, replace(batch, masked=np.zeros_like(batch.masked)), 0.7)
    assert with_mask < without
