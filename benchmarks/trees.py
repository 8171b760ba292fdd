"""Fetches the source trees that the speed benchmarks run on: `python benchmarks/trees.py DEST [NAME…]`.

They come from package registries by name and version, are unpacked into DEST/NAME and are never committed. A
tree that is there already is kept. `--list` shows what there is.
"""

import argparse
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.registries import FetchError, fetch, unpack


@dataclass(frozen=True, slots=True)
class Tree:
    """A source tree and where it comes from."""

    name: str
    language: str
    kind: str
    package: str
    version: str
    """Debian has one version per release, so there it is only for information."""
    prefix: str = ""
    inner: str = ""
    """Archive inside the package that holds the sources, as a glob pattern."""
    gitignore_end: str = ""
    """Line of .gitignore from which on it is the distribution's; those rules would hide the whole tree."""


TREES = (
    Tree("click", "Python", "pypi", "click", "8.3.2", "click-8.3.2/"),
    Tree("effect", "TypeScript", "npm", "effect", "3.19.0", "package/src/"),
    Tree("eslint", "JavaScript", "npm", "eslint", "9.39.1", "package/"),
    Tree("newtonsoft-json", "C#", "debian-source", "newtonsoft-json", "6.0.8", "newtonsoft-json-6.0.8/"),
    Tree("rocksdb", "C++", "debian-source", "rocksdb", "7.8.3", "rocksdb-7.8.3/"),
    Tree("rails", "Ruby", "debian-source", "rails", "6.1.7", "rails-6.1.7.10/"),
    Tree("django", "Python", "pypi", "Django", "5.2.8", "django-5.2.8/"),
    Tree("guava", "Java", "debian-source", "guava-libraries", "31.1", "guava-31.1/"),
    Tree("symfony", "PHP", "debian-source", "symfony", "5.4", "symfony-5.4.53/"),
    Tree("rust", "Rust", "debian", "rust-src", "1.63.0", "usr/src/rustc-1.63.0/"),
    Tree("go", "Go", "debian", "golang-1.19-src", "1.19.8", "usr/share/go-1.19/"),
    Tree("linux", "C", "debian", "linux-source-6.1", "6.1", "linux-source-6.1/", "usr/src/*.tar.xz",
         "# Debian packaging"),
)  # fmt: skip


def fetch_tree(tree: Tree, destination: Path) -> Path:
    """The folder of a tree below `destination`; fetched and unpacked unless it is there."""
    folder = destination / tree.name
    if folder.exists():
        return folder
    downloads = destination / ".downloads"
    archives = fetch(tree.kind, tree.package, tree.version, downloads)
    # Unpacked beside its place and then renamed, so that a tree that exists is a whole tree.
    partial = destination / f".{tree.name}.partial"
    shutil.rmtree(partial, ignore_errors=True)
    unpack(archives, tree.prefix, partial, tree.inner)
    if tree.gitignore_end:
        rules = partial / ".gitignore"
        rules.write_text(rules.read_text(encoding="utf-8").partition(tree.gitignore_end)[0], encoding="utf-8")
    partial.rename(folder)
    return folder


def main() -> int:
    """Fetch the trees that are asked for, all by default."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("destination", type=Path, nargs="?")
    parser.add_argument("names", nargs="*", metavar="NAME", help="trees to fetch (default: all)")
    parser.add_argument("--list", action="store_true", help="show the trees and leave")
    options = parser.parse_args()
    if options.list or options.destination is None:
        for tree in TREES:
            print(f"{tree.name:16} {tree.language:11} {tree.kind:14} {tree.package} {tree.version}")
        return 0 if options.list else 2
    if unknown := set(options.names) - {tree.name for tree in TREES}:
        parser.error(f"unknown trees: {', '.join(sorted(unknown))}; see --list")
    failures = 0
    for tree in TREES:
        if options.names and tree.name not in options.names:
            continue
        try:
            folder = fetch_tree(tree, options.destination)
        except FetchError as error:
            print(f"{tree.name}: {error}", file=sys.stderr)
            failures += 1
        else:
            files = sum(1 for path in folder.rglob("*") if path.is_file())
            print(f"{tree.name}: {files:,} files in {folder}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
