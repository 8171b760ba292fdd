"""Emacs in batch mode with eglot, set up with the very text of docs/editors.md."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.server.clients.surroundings import PATIENCE, block_of, environment, small_tree

DRIVE = Path(__file__).parent / "emacs" / "drive.el"
EMACS = shutil.which("emacs")


def has_eglot() -> bool:
    """Whether there is an Emacs with eglot: built in since 29, a package before."""
    if EMACS is None:
        return False
    asked = [EMACS, "--batch", "--eval", '(kill-emacs (if (locate-library "eglot") 0 1))']
    return subprocess.run(asked, capture_output=True, timeout=PATIENCE).returncode == 0


def test_emacs_finds_what_was_typed_and_lists_it(tmp_path: Path) -> None:
    if not has_eglot():
        pytest.skip("there is no Emacs with eglot on this machine")
    tree = small_tree(tmp_path)
    init, seen_at, document = tmp_path / "init.el", tmp_path / "seen.json", tree / "parcel.py"
    init.write_text(block_of("Emacs", "elisp"), "utf-8")
    before = document.read_bytes()
    done = subprocess.run(
        [str(EMACS), "--batch", "--no-init-file", "-l", str(init), "-l", str(DRIVE), str(document)],
        env={**environment(tmp_path), "LURCHER_SEEN": str(seen_at)},
        cwd=tree,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert seen_at.exists(), done.stdout + done.stderr
    seen = json.loads(seen_at.read_text("utf-8"))
    assert "problem" not in seen, (seen, done.stderr)
    answer = seen["typed"]
    found = answer["chunks"][0]
    assert found["uri"] == document.as_uri() and found["version"] > 0
    assert "'not saved'" in found["rawText"]
    assert [row["strategy"] for row in answer["attempts"] if row["outcome"] == "won"] == [answer["strategy"]]
    assert seen["mode"] == "grep-mode"
    line = found["range"]["start"]["line"] + 1
    assert seen["buffer"].startswith(f"{document}:{line}:")
    assert document.read_bytes() == before
