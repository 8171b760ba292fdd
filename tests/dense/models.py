"""A small static model, made on the spot."""

import numpy as np

from lurcher_index.dense.static.modelfile import NEIGHBOURS, Calibration, Facts, Model
from lurcher_index.dense.static.tokens import PIECE_MARK

DIMENSION = 16
WORDS = "open file read write parse http request header sort number server client host name oauth 42 the cafe".split()
PIECES = [PIECE_MARK + piece for piece in ("a", "e", "get", "by", "xy")]
CALIBRATION = Calibration((0.1, 0.3, 0.7), (0.0, 0.5, 1.0), 0.6, 0.4)


def small_model(**changed: object) -> Model:
    """Random vectors for a few words: `open` is related to `read`, and `the` counts nothing in questions."""
    vocabulary = [*WORDS, *PIECES]
    draw = np.random.default_rng(3)
    query_weights = np.ones(len(vocabulary), np.float32)
    query_weights[WORDS.index("the")] = 0.0
    related = np.zeros((len(WORDS), NEIGHBOURS), np.uint16)
    similarities = np.zeros((len(WORDS), NEIGHBOURS), np.uint8)
    related[0, :2] = WORDS.index("read"), WORDS.index("file")
    similarities[0, :2] = 204, 102
    values = {
        "facts": Facts("small-1", 0.5, CALIBRATION),
        "vocabulary": vocabulary,
        "table": draw.integers(-127, 128, (len(vocabulary), DIMENSION), np.int8),
        "scale": np.full(len(vocabulary), 0.01, np.float32),
        "query_weights": query_weights,
        "document_weights": np.ones(len(vocabulary), np.float32),
        "related": related,
        "similarities": similarities,
        "query_map": np.zeros((DIMENSION, DIMENSION), np.float32),
    }
    return Model(**values | changed)  # type: ignore[arg-type]
