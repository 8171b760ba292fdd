"""The analysers: fetched into a folder of their own, so that Lurcher depends on none of them."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.registries import FetchError, fetch

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


def _run(command: list[str], folder: Path, environment: dict[str, str] | None = None) -> None:
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True, env=environment)
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


def _system(program: str) -> Callable[[Path], None]:
    def check(folder: Path) -> None:
        del folder
        if shutil.which(program) is None:
            raise FetchError(f"{program} is not installed, and it is too large to be fetched for this")

    return check


def _javac(tool: Path, package: Path) -> list[str]:
    del tool
    return ["java", str(MAKERS / "WithJavac.java"), str(package)]


def _go(folder: Path) -> None:
    """Debian's compiler and library, unpacked rather than installed, and our program built with them."""
    for package in ("golang-1.19-go", "golang-1.19-src"):
        for archive in fetch("debian", package, "1.19.8-2", folder / "downloads"):
            # Unlike the sources of others, this is meant to be run.
            _run(["dpkg-deb", "--extract", str(archive), str(folder / "system")], folder)
    go = folder / "system" / "usr" / "lib" / "go-1.19"
    for name in ("src", "api", "misc", "test"):
        # Links of the package point to where it would be installed.
        (go / name).unlink(missing_ok=True)
    (go / "src").symlink_to(Path("..", "..", "share", "go-1.19", "src"))
    program = str(MAKERS / "with_types.go")
    _run([str(go / "bin" / "go"), "build", "-o", str(folder / "with_types"), program], folder, _go_environment(folder))


def _go_environment(folder: Path) -> dict[str, str]:
    private = {name: str(folder / name.lower()) for name in ("GOCACHE", "GOPATH", "GOTMPDIR")}
    (folder / "gotmpdir").mkdir(exist_ok=True)
    root = str(folder / "system" / "usr" / "lib" / "go-1.19")
    return os.environ | private | {"GOROOT": root, "GO111MODULE": "off", "GOTOOLCHAIN": "local", "CGO_ENABLED": "0"}


def _types(tool: Path, package: Path) -> list[str]:
    return [
        "env",
        *(f"{name}={_go_environment(tool)[name]}" for name in GO_NEEDS),
        str(tool / "with_types"),
        str(package),
    ]


GO_NEEDS = ("GOROOT", "GO111MODULE", "CGO_ENABLED")
"""What the standard library's sources are found by."""

_WITH_JEDI = Tool("jedi", _pip(f"jedi=={JEDI}"), _jedi)
_WITH_TYPESCRIPT = Tool("typescript", _npm(f"typescript@{TYPESCRIPT}"), _typescript)

TOOLS = {
    "python": _WITH_JEDI,
    "typescript": _WITH_TYPESCRIPT,
    "javascript": _WITH_TYPESCRIPT,
    "c": Tool("clang", _pip(f"libclang=={LIBCLANG}"), _clang),
    "java": Tool("javac", _system("javac"), _javac),
    "go": Tool("go", _go, _types),
}
"""The analyser of each language."""
