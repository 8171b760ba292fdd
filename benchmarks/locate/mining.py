"""Makes a folder of issues with their trees, of Debian's source packages: `python -m benchmarks.locate.mining FOLDER`.

An issue is what a patch of the packaging says; its tree is the project with the patches before it applied, so that
the fault is still there. Nothing of it is committed. Projects of the retrieval benchmark are left out.
"""

import argparse
import hashlib
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
from benchmarks.locate.patches import Change, Patch, is_code, read_patch
from benchmarks.registries import FetchError, unpack
from training.archives import ArchiveError, members
from training.debian import Archive, Entry
from training.downloading import DownloadError, Remote, download
from training.exclusions import excluded_package
from training.licences import debian_verdict
from training.packages import file_name

LARGEST_PACKAGING_BYTES = 400_000
LARGEST_SOURCE_BYTES = 12_000_000
"""Archives beyond these are left out: they would be most of the volume and of the time."""

LEAST_CODE_FILES, MOST_FILES = 20, 1_000
"""A tree must be large enough that the right file is no gift, and small enough to be indexed in seconds."""

MOST_OF_A_PACKAGE = 8
"""Issues of one project: more would count its ways of naming things too often."""

THREADS = 48
"""Packages at once; they wait for the network most of the time, often for a file that a mirror does not have."""

PATCH_SECONDS = 60.0

GROUPS = (
    ("python", ("python-", "python3-", "py")),
    ("ruby", ("ruby-",)),
    ("javascript", ("node-",)),
    ("go", ("golang-",)),
    ("php", ("php-",)),
    ("rust", ("rust-",)),
    ("haskell", ("haskell-",)),
    ("lua", ("lua-",)),
)
"""Beginnings of names by language; what ends in -java is Java, and all others are one group, most of it C and C++."""


class Case(msgspec.Struct, frozen=True):
    """One issue: what was said, and what was changed because of it."""

    name: str
    """Also the folder of its tree below `trees`."""
    package: str
    group: str
    title: str
    description: str
    changes: tuple[Change, ...]


def read_cases(folder: Path) -> list[Case]:
    """The issues that were mined into a folder."""
    return [msgspec.json.decode(line, type=Case) for line in (folder / "cases.jsonl").read_bytes().splitlines()]


def mine(folder: Path, wanted: int, packages: int) -> list[Case]:
    """Look through some packages of each language until there are enough issues, and keep their trees.

    Issues that the folder has already stay. A mirror that did not answer can be asked once more; packages that gave
    some are looked at first.
    """
    folder.mkdir(parents=True, exist_ok=True)
    cases = read_cases(folder) if (folder / "cases.jsonl").exists() else []
    known, packages_known = {case.name for case in cases}, {case.package for case in cases}
    chosen = _chosen(Archive(folder).sources(), packages)
    entries = sorted(chosen, key=lambda each: each[1].name not in packages_known)
    with ThreadPoolExecutor(THREADS) as pool, (folder / "cases.jsonl").open("ab") as listed:
        for found in pool.map(lambda each: _of_package(folder, *each), entries):
            for case in found:
                if len(cases) < wanted and case.name not in known:
                    cases.append(case)
                    listed.write(msgspec.json.encode(case) + b"\n")
                    listed.flush()
            if len(cases) >= wanted:
                pool.shutdown(wait=True, cancel_futures=True)
                break
    return cases


def _chosen(sources: dict[str, Entry], most: int) -> list[tuple[str, Entry]]:
    """The same packages in every run, in an order that has nothing to do with their names, the groups in turn."""
    groups: dict[str, list[Entry]] = {}
    for name in sorted(sources, key=lambda name: hashlib.blake2b(name.encode(), digest_size=8).digest()):
        entry = sources[name]
        small = sum(file.size for file in entry.files if ".orig" in file.url) <= LARGEST_SOURCE_BYTES
        if small and not excluded_package(name) and _packaging(entry) is not None:
            groups.setdefault(_group(name), []).append(entry)
    turns: list[tuple[str, Entry]] = []
    for number in range(max(map(len, groups.values()), default=0)):
        # Most fixes are in the group of everything else; it has more turns.
        for group, entries in groups.items():
            share = 8 if group == "other" else 1
            turns += [(group, entry) for entry in entries[number * share : (number + 1) * share]]
    return turns[:most]


def _group(name: str) -> str:
    if name.endswith("-java"):
        return "java"
    return next((group for group, heads in GROUPS if name.startswith(heads)), "other")


def _packaging(entry: Entry) -> Remote | None:
    return next(
        (file for file in entry.files if ".debian.tar." in file.url and file.size <= LARGEST_PACKAGING_BYTES), None
    )


def _of_package(folder: Path, group: str, entry: Entry) -> list[Case]:
    try:
        return _cases(folder, group, entry)
    except (DownloadError, ArchiveError, FetchError, OSError, subprocess.SubprocessError, UnicodeError, ValueError):
        return []  # One package of thousands; what cannot be read is not measured.


def _cases(folder: Path, group: str, entry: Entry) -> list[Case]:
    packaging = _packaging(entry)
    assert packaging is not None
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        archive = Path(scratch) / file_name(packaging.url.rsplit("/", 1)[-1])
        download(packaging, archive)
        held = {
            member.path: member.read()
            for member in members(archive)
            if member.path.startswith("debian/patches/") or member.path == "debian/copyright"
        }
        if debian_verdict(held.get("debian/copyright", b"").decode("utf-8", "replace")) is None:
            return []
        series = _series(held)
        if not any(patch.is_fix for _, _, patch in series):
            return []
        tree = Path(scratch) / "tree"
        sources = [file for file in entry.files if ".orig.tar." in file.url and not file.url.endswith(".asc")]
        archives = [Path(scratch) / file_name(file.url.rsplit("/", 1)[-1]) for file in sources]
        for file, target in zip(sources, archives, strict=True):
            download(file, target)
        if len(archives) != 1:
            return []
        unpack(archives, "", tree)
        return list(_along(folder, group, entry.name, series, _top(tree)))


def _series(held: dict[str, bytes]) -> list[tuple[str, bytes, Patch]]:
    found: list[tuple[str, bytes, Patch]] = []
    for line in held.get("debian/patches/series", b"").decode("utf-8", "replace").splitlines():
        name = line.split("#")[0].split(" ")[0].strip()
        data = held.get(f"debian/patches/{name}") if name else None
        if data is not None:
            found.append((name, data, read_patch(data.decode("utf-8", "replace"))))
    return found


def _top(tree: Path) -> Path:
    inside = list(tree.iterdir())
    return inside[0] if len(inside) == 1 and inside[0].is_dir() else tree


def _along(
    folder: Path, group: str, package: str, series: Sequence[tuple[str, bytes, Patch]], tree: Path
) -> Iterator[Case]:
    """Walk along the patches; where one is a fix, keep the tree as it was before it."""
    files = [path for path in tree.rglob("*") if path.is_file() and not path.is_symlink()]
    code = sum(is_code(path.relative_to(tree).as_posix()) for path in files)
    if len(files) > MOST_FILES or code < LEAST_CODE_FILES:
        return
    kept = 0
    for _, data, patch in series:
        there = all((tree / change.path).is_file() for change in patch.code)
        if patch.is_fix and there and kept < MOST_OF_A_PACKAGE and _apply(tree, data, try_only=True):
            kept += 1
            name = f"{package}-{kept}"
            shutil.rmtree(folder / "trees" / name, ignore_errors=True)
            shutil.copytree(tree, folder / "trees" / name, symlinks=True)
            yield Case(name, package, group, patch.title, patch.description, patch.code)
        if kept == MOST_OF_A_PACKAGE or not _apply(tree, data):
            return


def _apply(tree: Path, data: bytes, try_only: bool = False) -> bool:
    options = ["--batch", "--forward", "--silent", "-p1", "--reject-file=-", "--no-backup-if-mismatch"]
    command = ["patch", *options, *(["--dry-run"] if try_only else [])]
    return subprocess.run(command, cwd=tree, input=data, capture_output=True, timeout=PATCH_SECONDS).returncode == 0


def main() -> None:
    """Mine into a folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--issues", type=int, default=200, help="how many (default: 200)")
    parser.add_argument("--packages", type=int, default=40_000, help="packages to look at, at most (default: 40,000)")
    options = parser.parse_args()
    cases = mine(options.folder, options.issues, options.packages)
    print(f"{len(cases)} issues of {len({case.package for case in cases})} projects")


if __name__ == "__main__":
    main()
