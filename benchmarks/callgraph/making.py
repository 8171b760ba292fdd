"""A truth is made once: the analyser of the package's language is run over its folder."""

import subprocess
from pathlib import Path

from benchmarks.callgraph.packages import Package
from benchmarks.callgraph.tools import TOOLS, installed
from benchmarks.callgraph.truth import Truth, read_truth
from benchmarks.registries import FetchError

PATIENCE = 1800
"""Seconds an analyser may take for one package: jedi needs a minute or two for the largest here."""


def truth_of(package: Package, folder: Path, tools: Path, truths: Path) -> Truth:
    """What the analyser says of a package; kept in `truths` as JSON lines, so that it is asked once."""
    place = truths / f"{package.name}.jsonl"
    if not place.exists():
        tool = TOOLS[package.language]
        command = tool.command(installed(tool, tools), folder)
        truths.mkdir(parents=True, exist_ok=True)
        partial = place.with_suffix(".partial")
        with partial.open("wb") as file:
            done = subprocess.run(command, check=False, stdout=file, stderr=subprocess.PIPE, timeout=PATIENCE)
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip()[-400:]
            raise FetchError(f"{tool.name} failed on {package.name}: {said}")
        partial.rename(place)
    return read_truth(place)
