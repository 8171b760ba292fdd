"""Other embedding models on a real index: chosen, failing, coming back, and taking each other's place."""

import asyncio
import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.dense.foreign_models import model2vec_folder, onnx_folder
from tests.dense.naughty import Server, answers, says, served, well
from tests.engine.trees import plant, until

from lurcher_index import MEMORY, BadSetting, Engine, Settings
from lurcher_index.answers import Answer
from lurcher_index.asking import Ask
from lurcher_index.dense import breaker, embedding_pass, extras
from lurcher_index.dense.embedder import Embedder
from lurcher_index.dense.embedding_pass import document_text
from lurcher_index.dense.endpoint import embedder as endpoint
from lurcher_index.dense.static.released import RELEASE
from lurcher_index.errors import EmbedderError

MODEL = RELEASE.name

KEY = "sk-swordfish"
FILES = {
    "files.py": "def read_file(path):\n    return open(path).read()\n",
    "net.py": "def close_socket(socket):\n    socket.close()\n",
    "store.py": "def write_rows(rows):\n    raise NotImplementedError\n",
}


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What failed is tried again at once, and no test sleeps."""
    monkeypatch.setattr(breaker, "FIRST_SECONDS", 0.0)
    monkeypatch.setattr(endpoint, "FIRST_WAIT_SECONDS", 0.0)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return plant(tmp_path / "tree", FILES)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("LURCHER_TEST_KEY", KEY)
    with served(well) as made:
        yield made


def remote(server: Server, **how: Any) -> Settings:
    return Settings(
        model=f"endpoint:{server.url}", endpoint_model="small", endpoint_key_variable="LURCHER_TEST_KEY", **how
    )


def ask(engine: Engine, text: str = "read file", **how: Any) -> Answer:
    return asyncio.run(engine.ask(Ask(text=text, max_results=5, **how)))


def said(answer: Answer) -> str:
    return " | ".join(answer.alerts)


# -- choosing


@pytest.mark.parametrize("kind", ["onnx", "model2vec"])
@pytest.mark.parametrize("store", ["disk", "memory"])
def test_a_model_in_a_folder_answers(tmp_path: Path, tree: Path, kind: str, store: str) -> None:
    folder = (onnx_folder if kind == "onnx" else model2vec_folder)(tmp_path / "tiny")
    place = MEMORY if store == "memory" else tmp_path / "store"
    with Engine.open([tree], store=place, settings=Settings(model=f"{kind}:{folder}")) as engine:
        assert engine.build_in_background()
        answer = ask(engine)
        assert (answer.strategy, answer.alerts) == ("embeddings", ())
        assert answer.chunks[0].path == "files.py" and answer.chunks[0].trace.dense_score is not None
        assert answer.model == engine.status().model == engine.meaning.embedder.name
        assert answer.model.startswith(f"{kind}:tiny:")
    assert (tmp_path / "store" / "embeddings").exists() == (kind == "onnx" and store == "disk"), "a cache if it pays"


def test_an_endpoint_answers_and_its_key_is_stored_nowhere(tmp_path: Path, tree: Path, server: Server) -> None:
    with Engine.open([tree], store=tmp_path / "store", settings=remote(server)) as engine:
        assert engine.build_in_background()
        answer = ask(engine)
        assert (answer.strategy, answer.model) == ("embeddings", f"small@127.0.0.1:{server.server_address[1]}:4")
        assert KEY not in repr(engine.status())
    assert all(asked.headers["Authorization"] == f"Bearer {KEY}" for asked in server.asked)
    written = [path.read_bytes() for path in (tmp_path / "store").rglob("*") if path.is_file()]
    assert written and not any(KEY.encode() in each or b"/v1" in each for each in written)


def test_without_a_model_the_words_answer_and_nothing_is_said(tmp_path: Path, tree: Path) -> None:
    with Engine.open([tree], store=tmp_path / "store", settings=Settings(model="none")) as engine:
        assert engine.build_in_background() and engine.build_all() and engine.embed()
        engine.warm()
        answer = ask(engine)
        assert (answer.strategy, answer.model, answer.alerts) == ("tfidf", "", ())
        assert (engine.status().model, engine.status().vectors_ready) == ("", 0.0)


@pytest.mark.parametrize("model", ["", "gpt", "onnx", "onnx:", "lurcher:", "endpoint", "none:x", "http://swordfish"])
def test_what_is_no_model_is_a_bad_setting(model: str) -> None:
    with pytest.raises(BadSetting, match="model") as caught:
        Settings(model=model)
    assert "swordfish" not in str(caught.value)


def test_numbers_that_cannot_work_are_bad_settings() -> None:
    for name in ("endpoint_dimensions", "vector_cache_bytes"):
        with pytest.raises(BadSetting, match=name):
            Settings.from_dict({name: 0})


# -- failing, and coming back


def test_a_folder_that_is_not_there_yet(tmp_path: Path, tree: Path) -> None:
    settings = Settings(model=f"onnx:{tmp_path / 'tiny'}")
    with Engine.open([tree], store=tmp_path / "store", settings=settings) as engine:
        with pytest.raises(EmbedderError, match="tiny"):
            engine.build_in_background()
        assert engine.is_complete, "the words are there"
        engine.warm()
        answer = ask(engine)
        assert answer.strategy == "tfidf" and answer.chunks[0].path == "files.py" and answer.complete
        assert "tiny" in said(answer) and "by words alone" in said(answer)
        assert any("tiny" in alert for alert in engine.status().alerts)
        onnx_folder(tmp_path / "tiny")
        until(lambda: ask(engine).strategy == "tfidfSemantic")
        assert engine.build_in_background()
        assert (ask(engine).strategy, ask(engine).alerts) == ("embeddings", ())


def test_a_missing_package_is_said_with_what_to_do(tmp_path: Path, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def without(name: str) -> object:
        raise ImportError(f"No module named {name!r}")

    with Engine.open([tree], store=MEMORY, settings=Settings(model=f"onnx:{onnx_folder(tmp_path / 'tiny')}")) as engine:
        with monkeypatch.context() as patched:
            patched.setattr(extras, "import_module", without)
            with pytest.raises(EmbedderError):
                engine.build_all()
            answer = ask(engine)
            assert answer.chunks and "pip install 'lurcher[onnx]'" in said(answer)
        assert engine.build_all(), "it was installed meanwhile"
        assert ask(engine).strategy == "embeddings"


def test_a_key_that_is_not_set(tmp_path: Path, tree: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    with Engine.open([tree], store=MEMORY, settings=remote(server)) as engine:
        monkeypatch.delenv("LURCHER_TEST_KEY")
        with pytest.raises(EmbedderError, match="LURCHER_TEST_KEY"):
            engine.build_all()
        assert "LURCHER_TEST_KEY" in said(ask(engine))
    assert not server.asked


def test_an_endpoint_goes_down_and_comes_back(tmp_path: Path, tree: Path, server: Server) -> None:
    with Engine.open([tree], store=tmp_path / "store", settings=remote(server)) as engine:
        server.behaviours[:] = [answers(503)]
        with pytest.raises(EmbedderError, match="503"):
            engine.build_all()
        answer = ask(engine)
        assert answer.strategy == "tfidf" and answer.chunks and "503" in said(answer)
        server.behaviours[:] = [well]
        until(lambda: ask(engine).strategy == "tfidfSemantic")
        assert engine.build_in_background()
        assert (ask(engine).strategy, ask(engine).alerts) == ("embeddings", ())
        server.behaviours[:] = [answers(500)]
        answer = ask(engine)
        assert (answer.strategy, answer.model) == ("tfidfSemantic", "")
        assert answer.chunks[0].path == "files.py" and "500" in said(answer)
        server.behaviours[:] = [well]
        assert (ask(engine).strategy, ask(engine).alerts) == ("embeddings", ())


def test_while_an_endpoint_is_left_alone_no_search_waits_for_it(
    tree: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Engine.open([tree], store=MEMORY, settings=remote(server)) as engine:
        assert engine.build_all()
        monkeypatch.setattr(breaker, "FIRST_SECONDS", 1_000.0)
        assert ask(engine).strategy == "embeddings"
        server.behaviours[:] = [answers(500)]
        before = len(server.asked)
        assert all("500" in said(ask(engine)) for _ in range(3))
        assert len(server.asked) == before + 1


def test_an_endpoint_that_changes_the_size_of_its_vectors(tree: Path, server: Server) -> None:
    with Engine.open([tree], store=MEMORY, settings=remote(server)) as engine:
        assert engine.build_all()
        server.behaviours[:] = [says(lambda items: [{**item, "embedding": [1.0] * 9} for item in items])]
        answer = ask(engine)
        assert answer.chunks and "9 numbers instead of 4" in said(answer)
        server.behaviours[:] = [well]
        assert ask(engine).alerts == ()


def test_a_model_that_fails_after_the_question_was_embedded(tree: Path, server: Server) -> None:
    with Engine.open([tree], store=MEMORY, settings=remote(server)) as engine:
        assert engine.build_all()
        (tree / "files.py").write_text("def read_file(path, mode):\n    return open(path, mode).read()\n")
        engine.update([tree / "files.py"])
        server.behaviours[:] = [well, answers(400)]
        answer = ask(engine, strategies=("embeddings",))
        assert (answer.strategy, answer.model) == ("embeddings", "")
        assert answer.chunks[0].path == "files.py"
        assert "ordered by words only" in said(answer) and "400" in said(answer)


# -- the cache


def test_what_another_workspace_has_embedded_is_not_sent_again(tmp_path: Path, tree: Path, server: Server) -> None:
    other = plant(tmp_path / "other", {**FILES, "new.py": "def new(): ...\n"})
    for folder, expected in ((tree, 3), (other, 1)):
        server.asked.clear()
        with Engine.open([folder], store=tmp_path / "store", settings=remote(server)) as engine:
            assert engine.build_in_background()
            assert ask(engine).strategy == "embeddings"
        sent = [text for asked in server.asked for text in asked.body["input"] if "\n" in text]
        assert len(sent) == expected


def test_a_damaged_cache_is_an_alert_and_nothing_more(tmp_path: Path, tree: Path, server: Server) -> None:
    place = tmp_path / "store" / "embeddings"
    place.mkdir(parents=True)
    (place / "cache.db").write_bytes(b"no database" * 999)
    with Engine.open([tree], store=tmp_path / "store", settings=remote(server)) as engine:
        assert engine.build_all()
        answer = ask(engine)
        assert answer.strategy == "embeddings" and "cache of vectors" in said(answer)


# -- another model


def settings_for(tmp_path: Path, model: str) -> Settings:
    """`one` and `two` are models in folders."""
    if model in ("one", "two"):
        folder = tmp_path / model
        if not folder.exists():
            onnx_folder(folder, int8=model == "two")
        return Settings(model=f"onnx:{folder}")
    return Settings(model=model)


def test_section_5_the_old_model_answers_until_the_new_one_is_complete(
    tmp_path: Path, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding_pass, "BATCH_CHUNKS", 1)
    store = tmp_path / "store"
    with Engine.open([tree], store=store) as engine:
        assert engine.build_all()
    new = settings_for(tmp_path, "one")

    def check_old_answers(engine: Engine, share: int) -> None:
        until(lambda: bool(engine.status().next_model))
        status = engine.status()
        assert (status.model, status.vectors_ready) == (MODEL, 1.0)
        assert status.next_model.startswith("onnx:one:")
        answer = ask(engine)
        assert (answer.strategy, answer.model) == ("embeddings", MODEL)
        assert MODEL in said(answer) and "onnx:one:" in said(answer) and f"({share} % are)" in said(answer)

    with Engine.open([tree], store=store, settings=new) as engine:
        check_old_answers(engine, 0)
        stop = threading.Event()
        assert not engine.embed(lambda progress: stop.set() if progress.done else None, stop.is_set)
        check_old_answers(engine, 33)
    with Engine.open([tree], store=store, settings=new) as engine:
        check_old_answers(engine, 33)  # A restart in the middle changes nothing.
        assert engine.build_in_background()
        answer = ask(engine)
        assert (answer.strategy, answer.alerts) == ("embeddings", ())
        assert answer.model.startswith("onnx:one:")
        assert (engine.status().model, engine.status().next_model) == (answer.model, "")
        assert list(engine.workspace.stored_models()) == [answer.model], "the old vectors are gone"


def test_section_10_vectors_of_two_models_are_never_in_one_list(
    tmp_path: Path, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store holds vectors of both models and an open document has none yet: every similarity is of one model."""
    monkeypatch.setattr(embedding_pass, "QUICK_CHUNKS", 1)
    with Engine.open([tree], store=tmp_path / "store", settings=settings_for(tmp_path, "one")) as engine:
        assert engine.build_all()
        old = engine.meaning.embedder
    plant(tree, {"later.py": "def read_later(path):\n    return None\n"})

    def check_cosines(engine: Engine, embedder: Embedder) -> None:
        answer = ask(engine, unfiltered=True)
        assert (answer.strategy, answer.model) == ("embeddings", embedder.name)
        assert {"files.py", "later.py", "shown.py"} <= {chunk.path for chunk in answer.chunks}
        asked = embedder.embed_query("read file")[0]
        for chunk in answer.chunks:
            made = embedder.embed_documents([document_text(chunk.path, chunk.raw_text.encode())])[0]
            assert chunk.trace.dense_score == pytest.approx(float(asked @ made), abs=0.02), chunk.path

    with Engine.open([tree], store=tmp_path / "store") as engine:
        assert engine.build()
        engine.show(tree / "shown.py", "def show_file(file):\n    return file\n", 1)
        stop = threading.Event()
        assert not engine.embed(lambda progress: stop.set() if progress.done else None, stop.is_set)
        assert len(engine.workspace.stored_models()) == 2
        check_cosines(engine, old)
        assert engine.embed()
        check_cosines(engine, engine.meaning.embedder)


@pytest.mark.parametrize(("old", "new"), [("one", "two"), ("one", "lurcher")])
def test_a_model_in_a_folder_answers_until_another_one_is_complete(
    tmp_path: Path, tree: Path, old: str, new: str
) -> None:
    with Engine.open([tree], store=tmp_path / "store", settings=settings_for(tmp_path, old)) as engine:
        assert engine.build_all()
        name = engine.status().model
    with Engine.open([tree], store=tmp_path / "store", settings=settings_for(tmp_path, new)) as engine:
        engine.warm()
        until(lambda: ask(engine).model == name)
        assert engine.embed()
        assert ask(engine).model == engine.meaning.embedder.name != name


def test_back_to_the_old_model_in_the_middle_costs_nothing(tmp_path: Path, tree: Path) -> None:
    store = tmp_path / "store"
    with Engine.open([tree], store=store) as engine:
        assert engine.build_all()
    with Engine.open([tree], store=store, settings=settings_for(tmp_path, "one")) as engine:
        stop = threading.Event()
        assert not engine.embed(lambda _progress: stop.set(), stop.is_set)
    with Engine.open([tree], store=store) as engine:
        assert (engine.status().model, engine.status().next_model, engine.status().vectors_ready) == (MODEL, "", 1.0)
        assert engine.embed()
        assert list(engine.workspace.stored_models()) == [MODEL]


def test_an_old_model_that_cannot_be_made_any_more_is_done_without(tmp_path: Path, tree: Path) -> None:
    with Engine.open([tree], store=tmp_path / "store", settings=settings_for(tmp_path, "one")) as engine:
        assert engine.build_all()
    (tmp_path / "one" / "model.onnx").unlink()
    with Engine.open([tree], store=tmp_path / "store") as engine:
        answer = ask(engine)
        assert (answer.strategy, answer.model, answer.alerts) == ("embeddings", MODEL, ())
        assert engine.status().vectors_ready == 0.0
        assert engine.embed()
        assert ask(engine).strategy == "embeddings"


def test_an_old_folder_that_holds_another_model_now_is_not_taken_for_the_old_one(tmp_path: Path, tree: Path) -> None:
    with Engine.open([tree], store=tmp_path / "store", settings=settings_for(tmp_path, "one")) as engine:
        assert engine.build_all()
    onnx_folder(tmp_path / "one", int8=True)
    with Engine.open([tree], store=tmp_path / "store") as engine:
        engine.warm()
        assert {ask(engine).model for _ in range(3)} == {MODEL}


def test_an_old_model_answers_while_the_chosen_one_cannot_be_had(tmp_path: Path, tree: Path) -> None:
    with Engine.open([tree], store=tmp_path / "store") as engine:
        assert engine.build_all()
    with Engine.open([tree], store=tmp_path / "store", settings=Settings(model=f"onnx:{tmp_path / 'no'}")) as engine:
        answer = ask(engine)
        assert (answer.strategy, answer.model) == ("embeddings", MODEL)
        assert f"{MODEL} answers" in said(answer) and str(tmp_path / "no") in said(answer)


def test_an_endpoint_that_was_left_is_sent_nothing_any_more(tmp_path: Path, tree: Path, server: Server) -> None:
    with Engine.open([tree], store=tmp_path / "store", settings=remote(server)) as engine:
        assert engine.build_all()
        name = engine.status().model
    server.asked.clear()
    left = msgspec.structs.replace(remote(server), model="lurcher")
    with Engine.open([tree], store=tmp_path / "store", settings=left) as engine:
        engine.warm()
        assert ask(engine).model == MODEL
        assert engine.workspace.stored_models().keys() == {name}
    # Not even if somebody writes into the index that it should be.
    (database,) = (tmp_path / "store").rglob("index.sqlite")
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE meta SET value = ? WHERE name = ?", (f"endpoint:{server.url}", f"origin of {name}"))
    connection.close()
    with Engine.open([tree], store=tmp_path / "store", settings=left) as engine:
        assert engine.workspace.stored_models() == {name: f"endpoint:{server.url}"}
        assert ask(engine).model == MODEL
        assert engine.embed() and ask(engine).strategy == "embeddings"
        assert engine.workspace.stored_models().keys() == {MODEL}
    assert not server.asked


def test_a_whole_pass_is_enough_even_if_a_file_could_not_be_read(tmp_path: Path, tree: Path) -> None:
    with Engine.open([tree], store=tmp_path / "store") as engine:
        assert engine.build_all()
    with Engine.open([tree], store=tmp_path / "store", settings=settings_for(tmp_path, "one")) as engine:
        (tree / "net.py").unlink()
        assert engine.embed()
        assert ask(engine).model.startswith("onnx:one:")
