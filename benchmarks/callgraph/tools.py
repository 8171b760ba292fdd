"""The analysers: fetched into a folder of their own, so that Lurcher depends on none of them."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.registries import FetchError

MAKERS = Path(__file__).parent / "makers"
"""Our scripts that ask the analysers."""

JEDI, LIBCLANG, TYPESCRIPT = "0.20.1", "18.1.1", "5.9.3"
"""Versions, so that a truth can be made again."""


@dataclass(frozen=True, slots=True)
class Tool:
    """An analyser: what it is called, how it is fetched into a folder, and how it is asked about a package."""

    name: str
    install: Callable[[Path], None]
    command: Callable[[Path, Path], list[str]]
    """From the tool's folder and the package's one."""


def installed(tool: Tool, tools: Path) -> Path:
    """The folder of a tool, fetched unless it is there."""
    folder = tools / tool.name
    if not (folder / ".complete").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        tool.install(folder)
        (folder / ".complete").touch()
    return folder


def _pip(*requirements: str) -> Callable[[Path], None]:
    def install(folder: Path) -> None:
        _run([sys.executable, "-m", "venv", str(folder / "venv")], folder)
        options = ["--quiet", "--disable-pip-version-check", "--only-binary", ":all:"]
        _run([str(_python(folder)), "-m", "pip", "install", *options, *requirements], folder)

    return install


def _npm(requirement: str) -> Callable[[Path], None]:
    def install(folder: Path) -> None:
        options = ["--silent", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts"]
        _run(["npm", "install", "--prefix", str(folder), *options, requirement], folder)

    return install


def _python(folder: Path) -> Path:
    return folder / "venv" / "bin" / "python"


def _run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    if done.returncode:
        raise FetchError(f"{' '.join(command[:4])} … failed: {(done.stderr or done.stdout).strip()[-400:]}")


def _jedi(tool: Path, package: Path) -> list[str]:
    return [str(_python(tool)), str(MAKERS / "with_jedi.py"), str(package)]


def _typescript(tool: Path, package: Path) -> list[str]:
    compiler = tool / "node_modules" / "typescript" / "lib" / "typescript.js"
    return ["node", str(MAKERS / "with_typescript.cjs"), str(compiler), str(package)]


def _clang(tool: Path, package: Path) -> list[str]:
    # The wheel has the library alone; the headers that belong to a compiler are those of the system's, if it has one.
    headers = sorted(Path("/usr/lib/gcc").glob("*/*/include"))
    return [str(_python(tool)), str(MAKERS / "with_clang.py"), str(package), *map(str, headers[-1:])]


_WITH_JEDI = Tool("jedi", _pip(f"jedi=={JEDI}"), _jedi)
_WITH_TYPESCRIPT = Tool("typescript", _npm(f"typescript@{TYPESCRIPT}"), _typescript)

TOOLS = {
    "python": _WITH_JEDI,
    "typescript": _WITH_TYPESCRIPT,
    "javascript": _WITH_TYPESCRIPT,
    "c": Tool("clang", _pip(f"libclang=={LIBCLANG}"), _clang),
}
"""The analyser of each language."""
