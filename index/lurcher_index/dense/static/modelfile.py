"""The model as one safetensors file: reading it, checked for everything the run time relies on, and writing it."""

from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save

from lurcher_index.dense.static.tokens import MAX_VOCABULARY, PIECE_MARK
from lurcher_index.errors import ModelError

MOST_BYTES = 64_000_000
"""Files beyond this size are not read: ours has 13 MB."""

NEIGHBOURS = 8
"""Related words kept for every word."""

SIMILARITY_STEPS = 255
"""Similarities of related words are kept in one byte."""

_FACTS = "lurcher"
_ADVICE = "install lurcher anew to repair it"


class Calibration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a cosine of this model means, and how far to rely on it."""

    cosines: tuple[float, ...]
    """Rising; between two of them the scale is straight."""
    values: tuple[float, ...]
    """The value of each on the common scale from 0 to 1."""
    trust: float
    floor: float


class Facts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a model says about itself."""

    name: str
    path_weight: float
    """What the words of the path count beside the content, each brought to length 1."""
    calibration: Calibration
    training: dict[str, Any] = {}
    """How it came about; for the model card, not for the run time."""


class Model(msgspec.Struct, frozen=True):
    """A table of word vectors and what belongs to it."""

    facts: Facts
    vocabulary: list[str]
    table: NDArray[np.int8]
    """One row a word, in steps of its scale."""
    scale: NDArray[np.float32]
    query_weights: NDArray[np.float32]
    """What a word counts in a question."""
    document_weights: NDArray[np.float32]
    related: NDArray[np.uint16]
    """For each whole word, all of which stand before the pieces, the numbers of those with the nearest vectors, best
    first."""
    similarities: NDArray[np.uint8]
    """How near each of them is, in steps of 1 / 255; 0 where there is none."""
    query_map: NDArray[np.float32]
    """What is added to the vector of a question: its product with this. All 0 if nothing was learned from questions."""


def read_model(path: Path, digest: str | None = None) -> Model:
    """The model in a file. With a digest only the one file that has this SHA-256 is taken."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ModelError(f"the embedding model {path.name} is larger than any of ours; {_ADVICE}")
        data = path.read_bytes()
    except OSError as error:
        raise ModelError(f"the embedding model {path.name} cannot be read ({error.strerror}); {_ADVICE}") from error
    if digest is not None and sha256(data).hexdigest() != digest:
        raise ModelError(f"the embedding model {path.name} is damaged or of another version; {_ADVICE}")
    try:
        return _checked(_model(data))
    except (msgspec.MsgspecError, LookupError, ValueError, OverflowError) as error:
        raise ModelError(f"{path.name} is no embedding model of ours ({error}); {_ADVICE}") from error


def write_model(model: Model) -> bytes:
    """The bytes of the model's file; the same model gives the same bytes."""
    tensors = {name: getattr(model, name) for name in _TENSORS}
    tensors["vocabulary"] = np.frombuffer("\n".join(model.vocabulary).encode(), np.uint8)
    return save(tensors, {_FACTS: msgspec.json.encode(model.facts).decode()})


_TENSORS = {
    "table": np.int8,
    "scale": np.float32,
    "query_weights": np.float32,
    "document_weights": np.float32,
    "related": np.uint16,
    "similarities": np.uint8,
    "query_map": np.float32,
}


_KINDS: dict[type[Any], str] = {np.int8: "I8", np.uint8: "U8", np.uint16: "U16", np.float32: "F32"}
"""How the format calls what we keep."""


class _Tensor(msgspec.Struct, frozen=True):
    dtype: str
    shape: tuple[int, ...]
    data_offsets: tuple[int, int]


def _model(data: bytes) -> Model:
    # The library copies the tensors one by one without letting other threads work: 27 ms in which no editor would be
    # answered. The format is the length of a header, the header as JSON, and the bytes that it tells of.
    start = 8 + int.from_bytes(data[:8], "little")
    header = msgspec.json.decode(data[8:start], type=dict[str, msgspec.Raw])
    metadata = msgspec.json.decode(header["__metadata__"], type=dict[str, str])
    facts = msgspec.json.decode(metadata[_FACTS], type=Facts)

    def tensor(name: str, kind: type[Any]) -> NDArray[Any]:
        told = msgspec.json.decode(header[name], type=_Tensor)
        if told.dtype != _KINDS[kind]:
            raise ValueError(f"{name} holds {told.dtype}")
        first, last = told.data_offsets
        if not 0 <= first <= last <= len(data) - start:
            raise ValueError(f"{name} is not in the file")
        return np.frombuffer(memoryview(data)[start + first : start + last], kind).reshape(told.shape)

    words = str(tensor("vocabulary", np.uint8).data, "utf-8").split("\n")
    return Model(facts, words, *(tensor(name, kind) for name, kind in _TENSORS.items()))


def _checked(model: Model) -> Model:
    size = len(model.vocabulary)
    whole = size - sum([word.startswith(PIECE_MARK) for word in model.vocabulary])
    shapes = {
        "table": (size, *model.table.shape[1:2]),
        "scale": (size,),
        "query_weights": (size,),
        "document_weights": (size,),
        "related": (whole, NEIGHBOURS),
        "similarities": (whole, NEIGHBOURS),
        "query_map": model.table.shape[1:2] * 2,
    }
    for name, shape in shapes.items():
        if getattr(model, name).shape != shape:
            raise ValueError(f"{name} has the shape {getattr(model, name).shape} instead of {shape}")
    if not 0 < size <= MAX_VOCABULARY or len(set(model.vocabulary)) != size:
        raise ValueError("the vocabulary repeats words or is too large")
    for name in ("scale", "query_weights", "document_weights"):
        values = getattr(model, name)
        if not (np.isfinite(values).all() and (values >= 0).all()):
            raise ValueError(f"{name} holds what is no weight")
    if not np.isfinite(model.query_map).all():
        raise ValueError("query_map holds what is no number")
    if whole and int(model.related.max()) >= whole:
        raise ValueError("a related word is not in the vocabulary")
    _check_facts(model.facts)
    return model


def _check_facts(facts: Facts) -> None:
    calibration = facts.calibration
    shares = (*calibration.values, calibration.trust)
    if len(calibration.cosines) != len(calibration.values) or not calibration.cosines:
        raise ValueError("the calibration is incomplete")
    if not (np.diff(calibration.cosines) > 0).all() or not (np.diff(calibration.values) >= 0).all():
        raise ValueError("the calibration does not rise")
    if not all(0.0 <= share <= 1.0 for share in shares) or not 0.0 <= facts.path_weight <= 10.0:
        raise ValueError("a share is out of its range")
