"""What editors show is searched in place of the files, and never reaches the index on disk."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.engine.trees import plant

from lurcher_index import Engine, Settings
from lurcher_index.asking import Ask

TREE = {"a.py": "def alpha():\n    return 1\n", "b.py": "def beta():\n    return alpha()\n", ".gitignore": "out/\n"}


def found(engine: Engine, query: str) -> list[str]:
    return sorted(hit.path for hit in engine.search(query, max_results=100).hits)


def asked(engine: Engine, query: str) -> list[tuple[str, int | None, str]]:
    answer = asyncio.run(engine.ask(Ask(text=query, max_results=20)))
    return [(chunk.path, chunk.version, chunk.raw_text) for chunk in answer.chunks]


@pytest.fixture(params=["disk", "memory"])
def engine(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Engine]:
    tree = plant(tmp_path / "tree", TREE)
    with Engine.open([tree], store=tmp_path / "store" if request.param == "disk" else ":memory:") as engine:
        engine.build_all()
        yield engine


def folder(engine: Engine) -> Path:
    return engine.workspace.folders[0].path


def test_section_8_unsaved_text_wins_over_disk_and_closing_restores_it(engine: Engine) -> None:
    path = folder(engine) / "a.py"
    assert engine.show(path, "def zebra():\n    return 2\n", 7)
    assert found(engine, "zebra") == ["a.py"]
    assert found(engine, "alpha") == ["b.py"]
    assert asked(engine, "zebra") == [("a.py", 7, "def zebra():\n    return 2")]
    engine.hide(path)
    assert found(engine, "zebra") == []
    assert found(engine, "alpha") == ["a.py", "b.py"]


def test_a_document_that_is_what_the_index_has_costs_nothing(engine: Engine) -> None:
    engine.show(folder(engine) / "a.py", TREE["a.py"], 3)
    assert not engine.workspace.snapshot().shown
    assert asked(engine, "def alpha")[0][:2] == ("a.py", 3)


def test_a_new_file_that_was_never_saved_is_found(engine: Engine) -> None:
    engine.show(folder(engine) / "new/deep.py", "def okapi(): ...\n", 1)
    assert found(engine, "okapi") == ["new/deep.py"]


def test_typing_on_replaces_what_was_shown(engine: Engine) -> None:
    for version, name in enumerate(["one", "two", "three"]):
        engine.show(folder(engine) / "a.py", f"def zebra_{name}(): ...\n", version)
    assert [version for _, version, _ in asked(engine, "zebra")] == [2]
    assert found(engine, "zebra_one") == found(engine, "zebra_three")


def test_saving_ends_the_overlay_without_a_gap(engine: Engine) -> None:
    path = folder(engine) / "a.py"
    text = "def zebra(): ...\n"
    engine.show(path, text, 2)
    path.write_text(text)
    engine.update([path])
    assert found(engine, "zebra") == ["a.py"]
    engine.show(path, text, 2)
    assert not engine.workspace.snapshot().shown
    engine.hide(path)
    assert found(engine, "zebra") == ["a.py"]


def test_a_file_changed_on_disk_under_an_edited_document(engine: Engine) -> None:
    path = folder(engine) / "a.py"
    engine.show(path, "def zebra(): ...\n", 2)
    path.write_text("def quagga(): ...\n")
    engine.update([path])
    assert (found(engine, "zebra"), found(engine, "quagga")) == (["a.py"], [])
    engine.hide(path)
    assert (found(engine, "zebra"), found(engine, "quagga")) == ([], ["a.py"])


def test_ignored_and_foreign_documents_are_not_searched(engine: Engine, tmp_path: Path) -> None:
    assert not engine.show(folder(engine) / "out/x.py", "def zebra(): ...\n", 1)
    assert not engine.show(tmp_path / "elsewhere.py", "def zebra(): ...\n", 1)
    assert found(engine, "zebra") == []


def test_secrets_in_unsaved_text_are_masked_and_secret_files_stay_out(engine: Engine) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    engine.show(folder(engine) / "a.py", f"ZEBRA = '{token}'\n", 1)
    ((_, _, text),) = asked(engine, "zebra")
    assert token not in text and "*" in text
    engine.show(folder(engine) / ".env", "ZEBRA_TWO=secret\n", 1)
    assert found(engine, "zebra_two") == ["a.py"]


def test_text_that_cannot_be_searched_hides_the_file_all_the_same(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", TREE)
    with Engine.open([tree], store=":memory:", settings=Settings(max_file_bytes=1000)) as engine:
        engine.build()
        engine.show(tree / "a.py", "def alpha(): ...\n" * 200, 1)
        assert found(engine, "alpha") == ["b.py"]


def test_nothing_that_is_shown_reaches_the_disk(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", TREE)
    with Engine.open([tree], store=tmp_path / "store") as engine:
        engine.build()
        engine.show(tree / "a.py", "def unmistakable_zebra(): ...\n", 1)
        assert found(engine, "unmistakable") == ["a.py"]
        plant(tree, {f"more{number}.py": "alpha\n" for number in range(70)})
        engine.update([tree / f"more{number}.py" for number in range(70)])  # Enough to be folded.
    stored = b"".join(path.read_bytes() for path in (tmp_path / "store").rglob("*") if path.is_file())
    assert b"unmistakable" not in stored
    with Engine.open([tree], store=tmp_path / "store") as engine:
        assert found(engine, "unmistakable") == []
        assert "a.py" in found(engine, "alpha")


def test_section_1_a_single_file_without_a_folder(tmp_path: Path) -> None:
    with Engine.without_folders() as engine:
        engine.show(tmp_path / "one/x.py", "def zebra(): ...\n", 1)
        engine.show(tmp_path / "two/x.py", "def zebra(): ...\n", 1)
        assert len(found(engine, "zebra")) == 2
        answer = asyncio.run(engine.ask(Ask(text="zebra", max_results=5)))
        (chunk,) = answer.chunks  # The same text twice is one too many.
        assert Path(chunk.folder, chunk.path) in (tmp_path / "one/x.py", tmp_path / "two/x.py")


def test_unsaved_text_is_found_by_meaning_too(engine: Engine) -> None:
    engine.show(folder(engine) / "a.py", "def zebra_counter(): ...\n", 1)
    answer = asyncio.run(engine.ask(Ask(text="zebra counter", max_results=5)))
    assert answer.chunks[0].trace.dense_rank is not None and answer.strategy == "embeddings"
    assert answer.freshness.unsaved == 1
