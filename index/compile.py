"""Compiles the native part when the package is built or installed; without a compiler it is left out.

The C sources in `lurcher_index/native/src` need tree-sitter's core, whose wheels export nothing. Its sources are in
the source distribution of the package `tree-sitter`, which pip fetches from wherever it is set up to fetch packages.
LURCHER_PURE=1 leaves the compiled part out on purpose: for a wheel that has to run everywhere.
"""

import os
import subprocess
import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CORE = "tree-sitter==0.25.2"
CORE_HASH = "sha256:fe43c158555da46723b28b52e058ad444195afd1db3ca7720c59a254544e9c20"
"""Of the source distribution: the core is compiled into our module, so it has to be the one that was tested."""

FETCH_SECONDS = 300.0


class CustomBuildHook(BuildHookInterface[Any]):
    """What hatchling calls before it builds a wheel; an editable install is one, too."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, or say why not."""
        if self.target_name != "wheel" or os.environ.get("LURCHER_PURE"):
            return
        root = Path(self.root)
        try:
            made = compile_native(root)
        except Exception as error:  # noqa: BLE001 - compilers fail in many ways, and the package works without
            self.app.display_warning(f"Lurcher is built without its compiled part, indexing will be slower: {error}")
            return
        if version != "editable":
            build_data["artifacts"].append(made.relative_to(root).as_posix())
            build_data["pure_python"] = False
            build_data["infer_tag"] = True


def compile_native(root: Path) -> Path:
    """The module, compiled into its place in the sources."""
    # setuptools knows the compiler of this Python on every platform.
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    native = root / "index" / "lurcher_index" / "native"
    core = fetch_core(root / "build") / "tree_sitter" / "core" / "lib"
    # The order must not depend on the disk, nor anything else of the result.
    sources = sorted(map(str, (native / "src").glob("*.c")))
    is_windows = sys.platform == "win32"
    extension = Extension(
        "lurcher_index.native._compiled",
        sources,
        include_dirs=[str(native / "src"), str(core), str(core / "include"), str(core / "src")],
        define_macros=[("_POSIX_C_SOURCE", "200112L"), ("_DEFAULT_SOURCE", None), ("NDEBUG", None)],
        extra_compile_args=["/std:c11", "/O2"] if is_windows else ["-std=c11", "-O3", "-fvisibility=hidden"],
    )
    command = build_ext(Distribution({"ext_modules": [extension]}))
    # Made elsewhere and then renamed: a module that is there is whole, whoever else builds at the same time.
    with TemporaryDirectory(dir=root / "build") as own:
        command.build_lib, command.build_temp = str(Path(own, "made")), str(Path(own, "objects"))
        command.ensure_finalized()
        command.run()
        made = Path(command.get_ext_fullpath(extension.name))
        return made.replace(native / made.name)


def fetch_core(into: Path) -> Path:
    """The folder of tree-sitter's sources; fetched unless it is there."""
    name, _, version = CORE.partition("==")
    folder = into / f"{name}-{version}"
    if folder.exists():
        return folder
    into.mkdir(parents=True, exist_ok=True)
    # In a folder of its own: no archive of another version is taken for this one, and nobody else unpacks there.
    with TemporaryDirectory(dir=into) as own:
        unpacked = unpack(download(Path(own)), Path(own, "unpacked"))
        try:
            unpacked.rename(folder)
        except OSError:
            # Somebody else was quicker.
            if not folder.exists():
                raise
    return folder


def download(into: Path) -> Path:
    """The archive of tree-sitter's sources."""
    wanted = into / "core.txt"
    wanted.write_text(f"{CORE} --hash={CORE_HASH}\n", encoding="utf-8")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary=:all:"]
    command += ["--no-build-isolation", "--require-hashes", "--dest", str(into), "--requirement", str(wanted)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=FETCH_SECONDS, check=False)
    archives = list(into.glob("*.tar.gz"))
    if done.returncode or not archives:
        raise RuntimeError(f"the sources of {CORE} cannot be fetched: {done.stderr.strip()[-500:]}")
    return archives[0]


def unpack(archive: Path, into: Path) -> Path:
    """The one folder that is in an archive."""
    with tarfile.open(archive) as opened:
        # Python before 3.11.4 knows no filters; there the hash has to do.
        opened.extraction_filter = getattr(tarfile, "data_filter", None)
        opened.extractall(into)  # noqa: S202 - see above
    (folder,) = into.iterdir()
    return folder
