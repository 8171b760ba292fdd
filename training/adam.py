"""Adam, for tables of which a batch touches only some rows."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]


class Adam:
    """The moments of one parameter. Rows without a gradient keep theirs, and stay where they are."""

    FIRST, SECOND, TINY = 0.9, 0.99, 1e-8

    def __init__(self, parameter: Floats) -> None:
        self._parameter = parameter
        self._mean, self._square = np.zeros_like(parameter), np.zeros_like(parameter)
        self._steps = 0

    def step(self, rows: NDArray[np.int64] | slice, gradient: Floats, rate: float) -> None:
        """Move some rows of the parameter, in place."""
        self._steps += 1
        mean = self._mean[rows] * self.FIRST + gradient * (1.0 - self.FIRST)
        square = self._square[rows] * self.SECOND + gradient * gradient * (1.0 - self.SECOND)
        self._mean[rows], self._square[rows] = mean, square
        correction = np.sqrt(1.0 - self.SECOND**self._steps) / (1.0 - self.FIRST**self._steps)
        self._parameter[rows] -= rate * correction * mean / (np.sqrt(square) + self.TINY)
