"""Any static model in the form of model2vec, out of a folder on this machine: the mean of the tokens' vectors."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from lurcher_index.dense.embedder import Vectors
from lurcher_index.dense.extras import required
from lurcher_index.dense.folders import MODEL_BYTES, ModelFolder
from lurcher_index.dense.judgement import UnknownModel
from lurcher_index.dense.tokenizing import encode_all, open_tokenizer, unknown_token
from lurcher_index.dense.vectors import unit_rows
from lurcher_index.errors import EmbedderError

EXTRA = "model2vec"
"""Name of the extra that installs what this needs."""

MAX_TOKENS = 512
"""Tokens that are looked at if nothing is said: model2vec's own figure."""


class Model2vecFolder(msgspec.Struct, frozen=True):
    """What we read of `config.json`. Whether it says `normalize` makes no difference: our vectors always have length 1,
    and the direction of a vector is the same with and without."""

    normalize: bool = False
    max_length: int | None = MAX_TOKENS


class Model2vecEmbedder(UnknownModel):
    """Looks up the tokens of a text and takes their mean, as model2vec does. Safe to call from any thread."""

    def __init__(self, folder: str) -> None:
        """Load the model's tables."""
        place = ModelFolder(folder)
        settings = place.settings("config.json", Model2vecFolder) or Model2vecFolder()
        path = place.file("model.safetensors", most=MODEL_BYTES)
        self._max_tokens = settings.max_length or MAX_TOKENS
        if self._max_tokens < 1:
            raise EmbedderError(f"{place.path / 'config.json'} says that texts have no tokens")
        self._tokenizer = open_tokenizer(place, self._max_tokens, EXTRA)
        self._unknown = unknown_token(self._tokenizer)
        tokens = self._tokenizer.get_vocab()
        self._table, self._rows, self._weights = _tables(path, max(tokens.values(), default=-1) + 1)
        # model2vec cuts texts by characters before it cuts them by tokens, to save time.
        self._most_characters = self._max_tokens * max(1, int(np.median([len(token) for token in tokens])))
        self.dimension = self._table.shape[1]
        said = repr(self._max_tokens)
        self.name = f"model2vec:{place.path.name}:{place.version(path, place.path / 'tokenizer.json', said=said)}"

    def embed_query(self, text: str) -> Vectors:
        """The vector of a question, as one row."""
        return self.embed_documents([text])

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """The vectors of chunks; zero for a text without a known token."""
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for at, tokens in enumerate(self._tokens(texts)):
            if len(tokens):
                vectors[at] = self._mean(tokens)
        return unit_rows(vectors)

    def _tokens(self, texts: Sequence[str]) -> list[NDArray[np.int64]]:
        encodings = encode_all(self._tokenizer, [text[: self._most_characters] for text in texts], False)
        return [
            np.array([token for token in encoding.ids if token != self._unknown], np.int64) for encoding in encodings
        ]

    def _mean(self, tokens: NDArray[np.int64]) -> Vectors:
        found = self._table[tokens if self._rows is None else self._rows[tokens]].astype(np.float32)
        if self._weights is not None:
            found *= self._weights[tokens, None]
        return cast("Vectors", found.mean(axis=0))


def _tables(path: Path, tokens: int) -> tuple[NDArray[Any], NDArray[np.int64] | None, Vectors | None]:
    """The vectors, the vector that each token has if not its own, and its weight; checked against the tokenizer."""
    module = required("safetensors.numpy", EXTRA)
    try:
        found = cast("dict[str, NDArray[Any]]", module.load_file(str(path)))
    except Exception as error:  # noqa: BLE001 - the package raises nothing more exact
        raise EmbedderError(f"{path} cannot be read: {error}") from None
    table, mapping, weights = found.get("embeddings"), found.get("mapping"), found.get("weights")
    if table is None or table.ndim != 2 or not table.shape[1] or not np.isfinite(table.astype(np.float32)).all():
        raise EmbedderError(f"{path} has no table `embeddings` of finite numbers")
    rows = None if mapping is None else mapping.astype(np.int64)
    if rows is not None and (rows.ndim != 1 or len(rows) < tokens or rows.min() < 0 or rows.max() >= len(table)):
        raise EmbedderError(f"`mapping` in {path} does not lead every token to a vector")
    if rows is None and len(table) < tokens:
        raise EmbedderError(f"{path} has {len(table)} vectors, and the tokenizer {tokens} tokens")
    if weights is not None and (weights.ndim != 1 or len(weights) < tokens or not np.isfinite(weights).all()):
        raise EmbedderError(f"`weights` in {path} has no finite number for every token")
    return table, rows, None if weights is None else weights.astype(np.float32)
