"""Contents that another index of the same person already knows."""

from pathlib import Path

import pytest
from tests.files.trees import plant

from lurcher_index import Engine
from lurcher_index.store.known import KnownContents


def test_a_store_given_as_a_relative_path_is_read_by_the_workers_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = plant(tmp_path / "work", {"a.py": "def first(): pass\n"})
    monkeypatch.chdir(tmp_path)
    with Engine.open([folder], store=Path("store"), embeddings=False) as engine:
        assert engine.build()
        (folder / "b.py").write_text("from a import first\n\ndef second(): first()\n")
        assert engine.build()
        assert engine.status().indexed == 2
        assert [use.source.id for use in engine.graph().callers("first").uses] == ["b.py:second"]
        (hash_, language) = engine.workspace.catalog._database.read("SELECT hash, language FROM content")[0]
        (database,) = Path("store").rglob("index.sqlite")
        (fingerprint,) = engine.workspace.catalog._database.read("SELECT value FROM meta WHERE name = 'fingerprint'")[0]
    assert not database.is_absolute()
    assert KnownContents([database], fingerprint).find(hash_, language) is not None
    assert KnownContents([database], "another").find(hash_, language) is None
