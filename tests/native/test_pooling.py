"""The compiled way to vectors gives what Python gives, whatever it is fed, and survives whom it asks."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.native.conftest import needs_compiled
from tests.native.texts import TEXTS, real_texts

from lurcher_index.dense.static.modelfile import Model
from lurcher_index.dense.static.pooling import PurePooling
from lurcher_index.dense.static.released import RELEASE, shipped_embedder
from lurcher_index.dense.static.tokens import Tokens, plain
from lurcher_index.native import compiled

pytestmark = needs_compiled

WORDS = ["open", "file", "hostname", "get", "utf", "8", "ipv", "oauth", "a", "##a", "##open", "##get", "##st", "##name"]
TABLE = np.arange(len(WORDS) * 4, dtype=np.int8).reshape(-1, 4) - 20
WEIGHTS = np.linspace(0.5, 2.0, len(WORDS), dtype=np.float32)
TOKENS = Tokens(WORDS)
PURE = PurePooling(TOKENS, TABLE, WEIGHTS)
NAMES = st.text(alphabet="openfilgthsamuA0OSuthIPv468_-. é", max_size=60)


def made(words: list[str] = WORDS, missing: Any = plain, most: int = 100) -> Any:
    return compiled.Pooling("\n".join(words).encode(), missing, TABLE.data, WEIGHTS.data, most)


POOLING = made()


def check(texts: list[bytes], pooling: Any = POOLING, pure: PurePooling = PURE) -> None:
    expected = pure.pooled(texts)
    for _ in range(2):  # What was just split, and what is remembered.
        rows, words = pooling.pooled(texts)
        assert words == expected.words
        vectors = np.frombuffer(rows, np.float32).reshape(expected.vectors.shape)
        # Numbers are added up in another order.
        np.testing.assert_allclose(vectors, expected.vectors, atol=1e-6)


@given(st.lists(TEXTS, max_size=4))
def test_any_texts_give_the_same_words_and_vectors(texts: list[bytes]) -> None:
    check(texts)


@given(st.lists(NAMES.map(str.encode), max_size=8))
def test_names_are_split_alike(texts: list[bytes]) -> None:
    check(texts)
    for text in texts:
        assert POOLING.numbers(text) == TOKENS.packed(text)


@pytest.mark.parametrize(
    "word",
    [
        *("gethostname", "getHostName", "HOSTNAME", "xgetx", "opens", "IPv4", "IPv5", "OAuthClient", "iOSfile", "utf8"),
        *("8", "88", "", "_", "a" * 32, "a" * 33, "get" * 10, "get" * 11, "open" * 24, "open" * 100, "Öffnen", "ﬁle"),
        *("datei文件", "файл", "ﹽopen﹍file…getŒ½IPv４", "Ｏｐｅｎ＿Ｆｉｌｅ", "a\u0301b", "\u0301", "open\u00a0file"),
    ],
)
def test_odd_names_are_split_alike(word: str) -> None:
    check([word.encode()])


def test_real_texts_give_the_same_with_the_real_model() -> None:
    model: Model = shipped_embedder()._model
    tokens = Tokens(model.vocabulary)
    weights = model.scale * model.document_weights
    words = "\n".join(model.vocabulary).encode()
    pooling = compiled.Pooling(words, plain, model.table.data, weights.data, 1_000)
    assert model.table.shape[1] == RELEASE.dimension
    pure = PurePooling(tokens, model.table, weights)
    for data in real_texts():
        check([data[at : at + 900] for at in range(0, len(data), 900)], pooling, pure)


def test_a_memo_that_is_full_changes_nothing() -> None:
    pooling = made(most=1)
    check([b"open file get hostname open", b"file", b""], pooling)


def test_there_may_be_no_texts() -> None:
    assert POOLING.pooled([]) == (bytearray(), [])


def test_what_python_raises_is_raised_and_the_next_text_is_counted_anew() -> None:
    def missing(run: bytes) -> bytes:
        raise KeyError(run)

    pooling = made(missing=missing)
    with pytest.raises(KeyError):
        pooling.pooled([b"open open", "öffnen".encode()])
    check([b"open"], pooling)


@pytest.mark.parametrize("answer", ["no bytes", None, "öffnen".encode()])
def test_a_wrong_answer_is_refused(answer: object) -> None:
    pooling = made(missing=lambda _run: answer)
    with pytest.raises(TypeError):
        pooling.pooled(["öffnen".encode()])


def test_who_is_asked_may_ask_back() -> None:
    pooling: Any = None

    def missing(run: bytes) -> bytes:
        pooling.pooled([b"file file get"])
        return plain(run)

    pooling = made(missing=missing)
    check(["open Öffnen open".encode()], pooling)


@pytest.mark.parametrize("texts", [["text"], [None], 5, None])
def test_texts_are_bytes(texts: Any) -> None:
    with pytest.raises(TypeError):
        POOLING.pooled(texts)


@pytest.mark.parametrize(
    "words", [WORDS[1:], [*WORDS, "more"], [*WORDS[1:], WORDS[1]], ["", *WORDS[1:]], ["x" * 97, *WORDS[1:]]]
)
def test_a_vocabulary_that_does_not_fit_is_refused(words: list[str]) -> None:
    with pytest.raises(ValueError, match=r"vocabulary|words"):
        made(words)


def test_what_is_no_function_is_refused() -> None:
    with pytest.raises(ValueError, match="function"):
        made(missing=b"")
    with pytest.raises(ValueError, match="entries"):
        made(most=0)
