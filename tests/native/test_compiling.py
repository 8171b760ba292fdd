"""The hook that compiles: whatever happens to it, the package is built, and nothing half done is left behind."""

import importlib.util
import io
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def hook() -> ModuleType:
    spec = importlib.util.spec_from_file_location("compile_hook", ROOT / "index" / "compile.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def archive_of(path: Path, folder: str) -> None:
    with tarfile.open(path, "w:gz") as archive:
        entry = tarfile.TarInfo(f"{folder}/tree_sitter/core/lib/src/lib.c")
        entry.size = 1
        archive.addfile(entry, io.BytesIO(b"\n"))


def fake_pip(folder: str) -> Callable[..., SimpleNamespace]:
    def run(command: list[str], **_: object) -> SimpleNamespace:
        archive_of(Path(command[command.index("--dest") + 1], f"{folder}.tar.gz"), folder)
        return SimpleNamespace(returncode=0, stderr="")

    return run


def test_a_compiler_that_fails_is_no_reason_to_fail(
    hook: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors = pytest.importorskip("setuptools.errors")
    said: list[str] = []

    def fail(_: Path) -> Path:
        raise errors.CompileError("no compiler")

    monkeypatch.delenv("LURCHER_PURE", raising=False)
    monkeypatch.setattr(hook, "compile_native", fail)
    app: Any = SimpleNamespace(display_warning=said.append)
    build_data: dict[str, Any] = {"artifacts": []}
    made = hook.CustomBuildHook(str(tmp_path), {}, None, None, str(tmp_path), "wheel", app)
    made.initialize("standard", build_data)
    assert build_data == {"artifacts": []}
    assert "no compiler" in said[0]


def test_sources_of_another_version_are_not_taken_for_these(
    hook: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "downloads").mkdir()
    archive_of(tmp_path / "downloads" / "tree_sitter-0.1.0.tar.gz", "tree_sitter-0.1.0")
    (tmp_path / "partial" / "left-over").mkdir(parents=True)
    monkeypatch.setattr(subprocess, "run", fake_pip("tree_sitter-0.25.2"))
    folder = hook.fetch_core(tmp_path)
    assert (folder / "tree_sitter" / "core" / "lib" / "src" / "lib.c").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["downloads", "partial", folder.name]


def test_what_cannot_be_fetched_leaves_nothing_behind(
    hook: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = [sys.executable, "-c", "import sys; sys.stderr.buffer.write(b'no \\xff index'); sys.exit(1)"]
    really: Any = subprocess.run

    def run(_: list[str], **options: object) -> object:
        return really(command, **options)

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(RuntimeError, match=r"cannot be fetched: no . index"):
        hook.fetch_core(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_who_builds_at_the_same_time_is_not_in_the_way(
    hook: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = fake_pip("tree_sitter-0.25.2")

    def run(command: list[str], **options: object) -> SimpleNamespace:
        (tmp_path / "tree-sitter-0.25.2" / "whole").mkdir(parents=True)
        return make(command, **options)

    monkeypatch.setattr(subprocess, "run", run)
    assert (hook.fetch_core(tmp_path) / "whole").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["tree-sitter-0.25.2"]
