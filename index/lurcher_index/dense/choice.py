"""Which embedding model was chosen, and how it is made."""

from collections.abc import Callable
from pathlib import Path

import msgspec

from lurcher_index.config import Settings, split_model
from lurcher_index.dense.embedder import Embedder
from lurcher_index.errors import BadSetting, EmbedderError, ModelError
from lurcher_index.store.embedding_cache import DIRECTORY, EmbeddingCache

OWN = "lurcher"
NONE = "none"
ONNX = "onnx"
MODEL2VEC = "model2vec"
ENDPOINT = "endpoint"


class Choice(msgspec.Struct, frozen=True):
    """What the settings say."""

    kind: str
    where: str
    """Folder or address; empty for our own model."""
    settings: Settings

    @property
    def origin(self) -> str:
        """How to make the model again, to be kept beside its vectors. An endpoint is not: see `from_origin`."""
        return "" if self.kind == ENDPOINT else self.settings.model


def choice_of(settings: Settings) -> Choice:
    """The model that the settings name."""
    return Choice(*split_model(settings.model), settings)


def from_origin(origin: str, settings: Settings) -> Choice | None:
    """The model that made some stored vectors; None if it cannot be known, or must not be made any more.

    That a person chose an endpoint once is no reason to send it anything after another model was chosen, and what is
    written in an index is no reason to begin.
    """
    if not origin or origin == settings.model:
        return None
    try:
        kind, where = split_model(origin)
    except ValueError:
        return None
    if kind in (ENDPOINT, NONE):
        return None
    return Choice(kind, where, settings)


class Maker:
    """Makes embedders; expensive ones share a cache below `root`, or have none if everything is kept in memory."""

    def __init__(self, root: Path | None, most_bytes: int) -> None:
        """Nothing is opened yet."""
        self._root = root
        self._most_bytes = most_bytes
        self._cache: EmbeddingCache | None = None

    @property
    def problem(self) -> str:
        """What is wrong with the cache, if anything is."""
        return self._cache.problem if self._cache is not None else ""

    def make(self, choice: Choice) -> Embedder:
        """The embedder, ready for use; `EmbedderError` if it cannot be had."""
        if choice.kind == OWN:
            return own_model()
        if choice.kind == ONNX:
            from lurcher_index.dense.onnx_embedder import OnnxEmbedder

            return self._cached(OnnxEmbedder(choice.where, choice.settings.workers))
        if choice.kind == MODEL2VEC:
            from lurcher_index.dense.model2vec_embedder import Model2vecEmbedder

            return Model2vecEmbedder(choice.where)
        if choice.kind == ENDPOINT:
            return self._cached(_endpoint(choice))
        raise EmbedderError("no embedding model is wanted")

    def making(self, choice: Choice) -> Callable[[], Embedder]:
        """`make`, for later."""
        return lambda: self.make(choice)

    def _cached(self, inner: Embedder) -> Embedder:
        from lurcher_index.dense.cached import CachedEmbedder

        if self._root is None:
            return inner
        if self._cache is None:
            self._cache = EmbeddingCache(self._root / DIRECTORY, self._most_bytes)
        return CachedEmbedder(inner, self._cache)


def own_model() -> Embedder:
    """The model that needs nothing: no download, no key, no cache."""
    from lurcher_index.dense.static.released import shipped_embedder

    try:
        return shipped_embedder()
    except ModelError as error:
        raise EmbedderError(str(error)) from error


def _endpoint(choice: Choice) -> Embedder:
    from lurcher_index.dense.endpoint.embedder import Endpoint, EndpointEmbedder
    from lurcher_index.secret import secret_from

    settings = choice.settings
    if not settings.endpoint_model:
        raise EmbedderError("the embedding endpoint needs the name of a model; set `endpoint_model`")
    try:
        key = secret_from(settings.endpoint_key_variable) if settings.endpoint_key_variable else None
    except BadSetting as error:
        raise EmbedderError(f"the key of the embedding endpoint (`endpoint_key_variable`): {error}") from None
    return EndpointEmbedder(Endpoint(choice.where, settings.endpoint_model, settings.endpoint_dimensions), key)
