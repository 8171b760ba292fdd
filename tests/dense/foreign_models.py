"""Small embedding models, made on the spot in the forms that are found elsewhere."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "read", "write", "file", "socket", "close", "##s", "query", ":"]
DIMENSION = 6


def table(seed: int = 7, rows: int = len(WORDS)) -> NDArray[np.float32]:
    """A vector for each word."""
    return np.random.default_rng(seed).standard_normal((rows, DIMENSION)).astype(np.float32)


def word_tokenizer(special: bool = True) -> Tokenizer:
    """A word-piece tokenizer over `WORDS`."""
    tokenizer = Tokenizer(models.WordPiece(vocab={word: at for at, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    if special:
        tokenizer.post_processor = processors.TemplateProcessing(
            single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
        )
    return tokenizer


def onnx_folder(
    folder: Path,
    *,
    inputs: Mapping[str, int] | None = None,
    pooled: bool = False,
    int8: bool = False,
    name: str = "model.onnx",
    **settings: Any,
) -> Path:
    """A folder with a model that looks up each token's vector; its weights may be 8-bit, its answer pooled."""
    kinds = inputs or {"input_ids": TensorProto.INT64, "attention_mask": TensorProto.INT64}
    folder.mkdir(parents=True, exist_ok=True)
    word_tokenizer().save(str(folder / "tokenizer.json"))
    weights = table()
    nodes = [helper.make_node("Cast", ["input_ids"], ["numbers"], to=TensorProto.INT64)]
    if int8:
        held = [
            numpy_helper.from_array(np.rint(weights * 20).astype(np.int8), "codes"),
            numpy_helper.from_array(np.array(0.05, np.float32), "scale"),
        ]
        nodes += [helper.make_node("DequantizeLinear", ["codes", "scale"], ["table"])]
    else:
        held = [numpy_helper.from_array(weights, "table")]
    found = "found" if pooled else "last_hidden_state"
    nodes.append(helper.make_node("Gather", ["table", "numbers"], [found]))
    shape: list[int | str] = ["texts", "tokens", DIMENSION]
    if pooled:
        nodes.append(helper.make_node("ReduceMax", [found], ["sentence_embedding"], axes=[1], keepdims=0))
        shape = ["texts", DIMENSION]
    output = "sentence_embedding" if pooled else "last_hidden_state"
    graph = helper.make_graph(
        nodes,
        "lookup",
        [helper.make_tensor_value_info(each, kind, ["texts", "tokens"]) for each, kind in kinds.items()],
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)],
        held,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(model)
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(model.SerializeToString())
    if settings:
        (folder / "lurcher.json").write_text(json.dumps(settings))
    return folder


def model2vec_folder(folder: Path, *, tensors: dict[str, NDArray[Any]] | None = None, **config: Any) -> Path:
    """A folder as model2vec saves it."""
    from safetensors.numpy import save_file

    folder.mkdir(parents=True, exist_ok=True)
    word_tokenizer(special=False).save(str(folder / "tokenizer.json"))
    save_file(tensors if tensors is not None else {"embeddings": table()}, str(folder / "model.safetensors"))
    (folder / "config.json").write_text(json.dumps({"normalize": True, **config}))
    return folder
