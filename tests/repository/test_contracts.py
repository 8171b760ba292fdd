"""The import contracts of `pyproject.toml` hold."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_imports_keep_the_contracts() -> None:
    program = Path(sys.executable).with_name("lint-imports")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "index"), str(ROOT / "server")))}
    done = subprocess.run(
        [str(program), "--no-cache"], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 broken" in done.stdout


def test_every_layer_is_listed() -> None:
    """Without `exhaustive` a new room would stand outside of all layers, unseen."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    layered = [
        contract for contract in config["contracts"] if contract["type"] == "layers" and "containers" in contract
    ]
    assert {name for contract in layered for name in contract["containers"]} >= {"lurcher_index"}
    assert all(contract["exhaustive"] for contract in layered)
