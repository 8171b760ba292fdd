"""The model beside the code: answers by it, and by words with an alert while it cannot be used."""

from hashlib import sha256
from pathlib import Path

import pytest
from tests.answers.asked import ask, paths
from tests.dense.models import DIMENSION, small_model
from tests.files.trees import plant

from lurcher_index import Engine
from lurcher_index.dense.static import released, shipped
from lurcher_index.dense.static.modelfile import write_model
from lurcher_index.dense.static.shipped import Release, load_release
from lurcher_index.engine import MEMORY

FILES = {
    "server.py": "def read_request(client):\n    return client.read()\n",
    "numbers.py": "def sort(numbers):\n    return sorted(numbers)\n",
}
STRATEGIES = ("embeddings", "tfidfSemantic", "tfidf")


@pytest.fixture
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the engine looks for its model; there is none at first."""
    file = tmp_path / "model.safetensors"
    digest = sha256(write_model(small_model())).hexdigest()
    release = Release("small-1", file.name, digest, DIMENSION)
    monkeypatch.setattr(released, "shipped_embedder", lambda: load_release(release, tmp_path))
    return file


@pytest.mark.parametrize("broken", [None, b"", b"\x00" * 5_000])
def test_without_a_model_words_answer_and_say_so_until_it_is_there(
    broken: bytes | None, beside: Path, tmp_path: Path
) -> None:
    if broken is not None:
        beside.write_bytes(broken)
    (tmp_path / "tree").mkdir()
    with Engine.open([plant(tmp_path / "tree", FILES)], store=MEMORY) as engine:
        assert engine.build()
        engine.warm()
        answer = ask(engine, "read request", strategies=STRATEGIES)
        assert paths(answer) == ["server.py"]
        assert answer.strategy == "tfidf"
        for alerts in (answer.alerts, engine.status().alerts):
            (alert,) = [each for each in alerts if "embedding model" in each]
            assert "by words alone" in alert
            assert "install lurcher anew" in alert

        beside.write_bytes(write_model(small_model()))
        engine.warm()
        assert engine.build_all()
        answer = ask(engine, "read request", strategies=STRATEGIES)
        assert answer.strategy == "embeddings"
        assert paths(answer)[0] == "server.py"
        assert not any("embedding model" in each for each in answer.alerts)
        assert not engine.status().alerts
        assert engine.status().vectors_ready == 1.0


def test_without_phrases_words_answer_and_say_so_until_they_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chunks are embedded without them."""
    monkeypatch.setattr(shipped, "PHRASES", tmp_path / "phrases.tsv")
    shipped.shipped_phrases.cache_clear()
    (tmp_path / "tree").mkdir()
    with Engine.open([plant(tmp_path / "tree", FILES)], store=MEMORY) as engine:
        assert engine.build_all()
        engine.warm()
        answer = ask(engine, "read request", strategies=STRATEGIES)
        assert paths(answer) == ["server.py"]
        (alert,) = [each for each in answer.alerts if "phrases.tsv" in each]
        assert "words" in alert and "install lurcher anew" in alert

        (tmp_path / "phrases.tsv").write_text("take turns\tround robin\n")
        engine.warm()
        answer = ask(engine, "read request", strategies=STRATEGIES)
        assert answer.strategy == "embeddings"
        assert not any("phrases.tsv" in each for each in answer.alerts)
    shipped.shipped_phrases.cache_clear()


def test_the_model_that_is_shipped_can_be_used_and_is_as_large_as_a_wheel_may_be() -> None:
    embedder = released.shipped_embedder()
    assert (embedder.name, embedder.dimension) == (released.RELEASE.name, released.RELEASE.dimension)
    assert (Path(released.__file__).parent / released.RELEASE.file).stat().st_size < 15_000_000


@pytest.mark.parametrize(
    ("question", "near", "far"),
    [
        (
            "remove a directory",
            "fs/cleanup.py\ndef rmdir(path): shutil.rmtree(path)",
            "ui/button.py\ndef paint(): pass",
        ),
        ("parse http request", "x.py\nparseHTTPRequest", "x.py\nsortNumbersQuickly"),
        ("database migration", "db/migration.py\nrun()", "ui/button.py\nrun()"),
        (
            "how is the password checked",
            "auth.go\nfunc verify(secret string) bool",
            "zip.go\nfunc inflate(data []byte)",
        ),
    ],
)
def test_the_model_that_is_shipped_knows_some_things_about_code(question: str, near: str, far: str) -> None:
    embedder = released.shipped_embedder()
    one, other = (embedder.embed_query(question) @ embedder.embed_documents([near, far]).T)[0]
    assert one > other + 0.1
