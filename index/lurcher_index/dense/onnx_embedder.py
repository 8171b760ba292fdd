"""Any sentence model in ONNX form, out of a folder on this machine."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from lurcher_index.dense.embedder import Vectors
from lurcher_index.dense.extras import required
from lurcher_index.dense.folders import MODEL_BYTES, ModelFolder
from lurcher_index.dense.judgement import FLOOR, TRUST, UnknownModel
from lurcher_index.dense.tokenizing import Encoding, encode_all, open_tokenizer
from lurcher_index.dense.vectors import unit_rows
from lurcher_index.errors import EmbedderError

EXTRA = "onnx"
"""Name of the extra that installs what this needs."""

MAX_TOKENS = 512
"""Tokens that a model takes if nothing is said; the limit of most sentence models."""

MOST_TOKENS = 32_768
"""Most tokens that a model can be said to take. The work grows with their square."""

BATCH_TOKENS = 1_024
"""Tokens given to the model at a time, with what short texts are filled up by; a single text may have more. Texts of
300 tokens gain nothing from company: all-MiniLM-L6-v2 embedded 6.6 a CPU second one at a time, with 480 MB of memory,
5.4 four at a time with 530 MB, and 4.9 sixteen at a time with 1,560 MB."""

CHARACTERS_PER_TOKEN = 16
"""Characters of a text that are looked at for each token the model takes; code has three to four a token."""

_POOLED = ("sentence_embedding", "pooler_output")
"""Names of outputs that are one vector a text already. The second one is trained for another purpose: it is taken only
if there is no other output."""

_KINDS: dict[str, type[np.generic]] = {
    "tensor(int64)": np.int64,
    "tensor(int32)": np.int32,
    "tensor(int8)": np.int8,
    "tensor(float)": np.float32,
    "tensor(float16)": np.float16,
    "tensor(bool)": np.bool_,
}
"""Kinds of numbers that an input may be declared with."""


class OnnxFolder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What `lurcher.json` in the folder may say. What it does not say is taken from the model's own files, if any."""

    pooling: Literal["mean", "cls"] | None = None
    """How the vectors of the tokens become one."""
    max_tokens: int | None = None
    query_prefix: str | None = None
    """Put before each question."""
    document_prefix: str | None = None
    """Put before each chunk."""
    trust: float = TRUST
    floor: float = FLOOR


class OnnxEmbedder(UnknownModel):
    """Runs the model on the processor. Safe to call from any thread."""

    def __init__(self, folder: str, threads: int = 2) -> None:
        """Load the model and try it; `threads` is how many may work on one batch."""
        place = ModelFolder(folder)
        chosen, self._pooling, max_tokens = _read_settings(place)
        self.trust = chosen.trust
        self.floor = chosen.floor
        self._query_prefix = chosen.query_prefix or ""
        self._document_prefix = chosen.document_prefix or ""
        self._most_characters = max_tokens * CHARACTERS_PER_TOKEN
        weights = place.file("model.onnx", "onnx/model.onnx", most=MODEL_BYTES)
        self._tokenizer = open_tokenizer(place, max_tokens, EXTRA)
        self._session = _session(weights, threads)
        self._inputs = {each.name: _kind(each) for each in self._session.get_inputs()}
        self._output = _output(self._session)
        self.dimension = self._try(place)
        parts = (weights, place.path / "tokenizer.json")
        said = repr((self._pooling, max_tokens, self._query_prefix, self._document_prefix))
        self.name = f"onnx:{place.path.name}:{place.version(*parts, said=said)}"

    def embed_query(self, text: str) -> Vectors:
        """The vector of a question, as one row."""
        return self._embed([self._query_prefix + text])

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """The vectors of chunks."""
        return self._embed([self._document_prefix + text for text in texts])

    def _embed(self, texts: Sequence[str]) -> Vectors:
        encodings = encode_all(self._tokenizer, [text[: self._most_characters] for text in texts], True)
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for places in _batches(encodings):
            try:
                vectors[places] = self._run([encodings[at] for at in places])
            except Exception as error:  # noqa: BLE001 - onnxruntime raises nothing more exact
                raise EmbedderError(f"the model {self.name} failed: {_short(error)}") from None
        return unit_rows(vectors)

    def _run(self, encodings: Sequence[Encoding]) -> Vectors:
        longest = max(1, *(len(each.ids) for each in encodings))
        mask = _padded([[1] * len(each.ids) for each in encodings], longest)
        given = {
            "input_ids": _padded([each.ids for each in encodings], longest),
            "attention_mask": mask,
            "token_type_ids": _padded([each.type_ids for each in encodings], longest),
            "position_ids": np.broadcast_to(np.arange(longest, dtype=np.int64), mask.shape),
        }
        fed = {name: given[name].astype(kind) for name, kind in self._inputs.items()}
        found = np.asarray(self._session.run([self._output], fed)[0]).astype(np.float32)
        if found.ndim == 2:
            return found
        if self._pooling == "cls":
            return found[:, 0]
        weights = mask[:, :, None].astype(np.float32)
        return cast("Vectors", (found * weights).sum(axis=1) / np.maximum(weights.sum(axis=1), 1.0))

    def _try(self, folder: ModelFolder) -> int:
        """The number of numbers in a vector, from a first text."""
        unknown = sorted(self._inputs.keys() - {"input_ids", "attention_mask", "token_type_ids", "position_ids"})
        if unknown:
            raise EmbedderError(f"the model in {folder.path} wants {', '.join(unknown)}: it is no sentence model")
        try:
            found = self._run(encode_all(self._tokenizer, ["a first text"], True))
        except Exception as error:  # noqa: BLE001 - onnxruntime raises nothing more exact
            raise EmbedderError(f"the model in {folder.path} cannot be run: {_short(error)}") from None
        if found.ndim != 2 or len(found) != 1 or not np.isfinite(found).all():
            raise EmbedderError(f"the model in {folder.path} gives no vector of finite numbers for a text")
        return int(found.shape[1])


class _Value(Protocol):
    """An input or output, as a model declares it."""

    name: str
    type: str
    shape: list[Any]


class _Session(Protocol):
    """What we use of onnxruntime.InferenceSession."""

    def get_inputs(self) -> list[_Value]: ...
    def get_outputs(self) -> list[_Value]: ...
    def run(self, output_names: list[str], input_feed: dict[str, NDArray[Any]]) -> list[Any]: ...


def _session(weights: Path, threads: int) -> _Session:
    runtime = required("onnxruntime", EXTRA)
    options = runtime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # A thread that waits must not spin: an editor shares the machine.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 4
    try:
        made = runtime.InferenceSession(str(weights), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # noqa: BLE001 - onnxruntime raises nothing more exact
        raise EmbedderError(f"{weights} is no model that can be run: {_short(error)}") from None
    return cast("_Session", made)


def _kind(declared: _Value) -> type[np.generic]:
    kind = _KINDS.get(declared.type)
    if kind is None:
        raise EmbedderError(f"the model wants {declared.name} as {declared.type}, which cannot be made of tokens")
    return kind


def _output(session: _Session) -> str:
    """The output with one vector a text, if there is one, or that with one a token."""
    names = [each.name for each in session.get_outputs()]
    plain = [name for name in names if name not in _POOLED]
    return _POOLED[0] if _POOLED[0] in names else (plain or names)[0]


def _batches(encodings: Sequence[Encoding]) -> Iterator[list[int]]:
    """Places of texts of about the same length: a short text beside a long one costs as much as the long one."""
    batch: list[int] = []
    for at in sorted(range(len(encodings)), key=lambda at: len(encodings[at].ids)):
        if batch and (len(batch) + 1) * len(encodings[at].ids) > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(at)
    if batch:
        yield batch


def _padded(rows: Sequence[Sequence[int]], width: int) -> NDArray[np.int64]:
    matrix = np.zeros((len(rows), width), np.int64)
    for at, row in enumerate(rows):
        matrix[at, : len(row)] = row
    return matrix


def _short(error: Exception) -> str:
    """The first line: onnxruntime puts whole stacks into its messages."""
    return f"{type(error).__name__}: {str(error).partition(chr(10))[0][:200]}"


# -- the settings of a folder


class _Pooling(msgspec.Struct):
    """`1_Pooling/config.json` of sentence-transformers."""

    pooling_mode_cls_token: bool = False


class _Limits(msgspec.Struct):
    """`sentence_bert_config.json` of sentence-transformers."""

    max_seq_length: int | None = None


class _Prompts(msgspec.Struct):
    """`config_sentence_transformers.json` of sentence-transformers."""

    prompts: dict[str, str] = {}


def _read_settings(folder: ModelFolder) -> tuple[OnnxFolder, Literal["mean", "cls"], int]:
    chosen = folder.settings("lurcher.json", OnnxFolder) or OnnxFolder()
    pooling = folder.settings("1_Pooling/config.json", _Pooling) or _Pooling()
    limits = folder.settings("sentence_bert_config.json", _Limits) or _Limits()
    prompts = (folder.settings("config_sentence_transformers.json", _Prompts) or _Prompts()).prompts
    max_tokens = chosen.max_tokens or limits.max_seq_length or MAX_TOKENS
    if not 0 < max_tokens <= MOST_TOKENS:
        raise EmbedderError(f"the model in {folder.path} is said to take {max_tokens} tokens; 1 to {MOST_TOKENS} work")
    if not (0 <= chosen.trust <= 1 and 0 <= chosen.floor <= 1):
        raise EmbedderError(f"`trust` and `floor` in {folder.path / 'lurcher.json'} are numbers from 0 to 1")
    query, document = prompts.get("query", ""), prompts.get("document", prompts.get("passage", ""))
    filled = msgspec.structs.replace(
        chosen,
        query_prefix=query if chosen.query_prefix is None else chosen.query_prefix,
        document_prefix=document if chosen.document_prefix is None else chosen.document_prefix,
    )
    return filled, chosen.pooling or ("cls" if pooling.pooling_mode_cls_token else "mean"), max_tokens
