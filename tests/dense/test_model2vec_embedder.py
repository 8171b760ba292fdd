"""Models in the form of model2vec: the same vectors as model2vec itself, and clear words for a folder that is none."""

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.dense.foreign_models import DIMENSION, WORDS, model2vec_folder, table

from lurcher_index.dense import extras, model2vec_embedder
from lurcher_index.dense.model2vec_embedder import Model2vecEmbedder
from lurcher_index.dense.vectors import unit_rows
from lurcher_index.errors import EmbedderError

TEXTS = ["read file", "Sockets close", "nothing that is known", "", "read " * 2_000 + "write", "write: query " * 40]
MAPPING = np.array([3, 0, 1, 2, 4, 4, 3, 2, 1, 0, 0, 4], np.int64)
WEIGHTS = np.linspace(0.1, 2.0, len(WORDS)).astype(np.float32)

FORMS: dict[str, tuple[dict[str, NDArray[Any]], dict[str, Any]]] = {
    "plain": ({"embeddings": table()}, {}),
    "not normalised": ({"embeddings": table()}, {"normalize": False}),
    "16 bits": ({"embeddings": table().astype(np.float16)}, {}),
    "8 bits": ({"embeddings": np.rint(table() * 40).astype(np.int8)}, {}),
    "weights": ({"embeddings": table(), "weights": WEIGHTS}, {}),
    "mapping": ({"embeddings": table(rows=5), "mapping": MAPPING}, {}),
    "both": ({"embeddings": table(rows=5), "mapping": MAPPING.astype(np.int32), "weights": WEIGHTS}, {}),
    "short texts": ({"embeddings": table()}, {"max_length": 3}),
}


@pytest.mark.parametrize("form", FORMS)
def test_the_vectors_are_those_of_model2vec(tmp_path: Path, form: str) -> None:
    model2vec = pytest.importorskip("model2vec")
    tensors, config = FORMS[form]
    folder = model2vec_folder(tmp_path, tensors=tensors, **config)
    theirs = np.asarray(model2vec.StaticModel.from_pretrained(str(folder)).encode(TEXTS), np.float32)
    embedder = Model2vecEmbedder(str(folder))
    found = embedder.embed_documents(TEXTS)
    # Sums of 16-bit numbers are made with 32 bits here and with 16 there.
    tolerance = 5e-3 if form == "16 bits" else 1e-6
    assert np.allclose(found, unit_rows(theirs), atol=tolerance)
    assert np.allclose(embedder.embed_query(TEXTS[0])[0], found[0])
    assert not found[2].any() and not found[3].any(), "no known word, no direction"
    assert embedder.dimension == DIMENSION


def test_the_name_changes_with_the_model(tmp_path: Path) -> None:
    made = [
        model2vec_folder(tmp_path / "a" / "tiny"),
        model2vec_folder(tmp_path / "b" / "tiny", normalize=False),
        model2vec_folder(tmp_path / "c" / "tiny", max_length=3),
        model2vec_folder(tmp_path / "d" / "tiny", tensors={"embeddings": table(8)}),
    ]
    first, same, shorter, other = (Model2vecEmbedder(str(folder)).name for folder in made)
    assert first == same and first.startswith("model2vec:tiny:")
    assert len({first, shorter, other}) == 3


def refused(folder: Path, *said: str) -> None:
    with pytest.raises(EmbedderError) as caught:
        Model2vecEmbedder(str(folder))
    assert all(word in str(caught.value) for word in said), caught.value


@pytest.mark.parametrize(
    ("tensors", "said"),
    [
        ({"vectors": table()}, "embeddings"),
        ({"embeddings": table()[0]}, "embeddings"),
        ({"embeddings": np.full((len(WORDS), 2), np.nan, np.float32)}, "finite"),
        ({"embeddings": table(rows=5)}, "5 vectors"),
        ({"embeddings": table(rows=5), "mapping": MAPPING + 1}, "mapping"),
        ({"embeddings": table(rows=5), "mapping": MAPPING - 1}, "mapping"),
        ({"embeddings": table(rows=5), "mapping": MAPPING[:3]}, "mapping"),
        ({"embeddings": table(), "weights": WEIGHTS[:3]}, "weights"),
        ({"embeddings": table(), "weights": WEIGHTS * np.inf}, "weights"),
    ],
)
def test_tables_that_do_not_fit(tmp_path: Path, tensors: dict[str, NDArray[Any]], said: str) -> None:
    refused(model2vec_folder(tmp_path, tensors=tensors), said)


def test_folders_that_hold_no_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refused(tmp_path / "nowhere", "nowhere")
    refused(tmp_path, "model.safetensors")
    folder = model2vec_folder(tmp_path / "tiny")
    (folder / "model.safetensors").write_bytes(b"\xff" * 100)
    refused(folder, "model.safetensors")
    (folder / "config.json").write_text('{"max_length": -3}')
    refused(folder, "config.json")
    (folder / "config.json").write_text("[")
    refused(folder, "config.json")
    monkeypatch.setattr(model2vec_embedder, "MODEL_BYTES", 10)
    refused(model2vec_folder(tmp_path / "tiny"), "bytes")


def test_a_missing_package_is_named_with_the_command_that_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without(name: str) -> ModuleType:
        raise ImportError(f"No module named {name!r}")

    monkeypatch.setattr(extras, "import_module", without)
    refused(model2vec_folder(tmp_path), "tokenizers", "pip install 'lurcher[model2vec]'")
