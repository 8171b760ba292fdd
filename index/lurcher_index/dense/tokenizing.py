"""Texts as numbers of tokens, by the tokenizer.json that comes with a model."""

from collections.abc import Sequence
from typing import Protocol, cast

import msgspec

from lurcher_index.dense.extras import required
from lurcher_index.dense.folders import TOKENIZER_BYTES, ModelFolder
from lurcher_index.errors import EmbedderError


class Encoding(Protocol):
    """A text as the model sees it."""

    @property
    def ids(self) -> list[int]:
        """Its tokens."""
        ...

    @property
    def type_ids(self) -> list[int]:
        """Which of two texts each belongs to."""
        ...


class Tokenizer(Protocol):
    """What we use of tokenizers.Tokenizer."""

    def encode(self, sequence: str, *, add_special_tokens: bool = True) -> Encoding: ...
    def enable_truncation(self, max_length: int) -> None: ...
    def no_padding(self) -> None: ...
    def get_vocab(self) -> dict[str, int]: ...
    def token_to_id(self, token: str) -> int | None: ...
    def to_str(self) -> str: ...


def open_tokenizer(folder: ModelFolder, max_tokens: int, extra: str) -> Tokenizer:
    """The folder's tokenizer, which cuts what is longer than the model takes."""
    kind = required("tokenizers", extra).Tokenizer
    path = folder.file("tokenizer.json", most=TOKENIZER_BYTES)
    try:
        tokenizer = cast("Tokenizer", kind.from_file(str(path)))
        tokenizer.no_padding()
        tokenizer.enable_truncation(max_tokens)
    except Exception as error:  # noqa: BLE001 - the package raises nothing more exact
        raise EmbedderError(f"{path} is no tokenizer: {error}") from None
    return tokenizer


def encode_all(tokenizer: Tokenizer, texts: Sequence[str], add_special_tokens: bool) -> list[Encoding]:
    """Texts as tokens, one by one: all at once would start a thread for every core."""
    return [tokenizer.encode(_encodable(text), add_special_tokens=add_special_tokens) for text in texts]


def unknown_token(tokenizer: Tokenizer) -> int | None:
    """The token that stands for words the tokenizer does not know, if there is one."""
    model = msgspec.json.decode(tokenizer.to_str(), type=_Described).model
    if model.unk_token is not None:
        return tokenizer.token_to_id(model.unk_token)
    return model.unk_id


class _Model(msgspec.Struct):
    unk_token: str | None = None
    unk_id: int | None = None


class _Described(msgspec.Struct):
    model: _Model


def _encodable(text: str) -> str:
    """Half of a character, as editors may send it, cannot be given to the tokenizer."""
    return text.encode("utf-8", "replace").decode("utf-8")
