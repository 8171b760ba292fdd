"""Fetch permissively licensed source packages: `python -m training.fetch --data DIR [--sample N]`.

The registries are asked side by side, each in a process of its own: reading licences is work.
"""

import argparse
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from training import pypi
from training.debian import Archive, Entry, fetch_binary, fetch_source
from training.exclusions import excluded_package
from training.npm import Registry
from training.packages import Listing, Package, Refused

Task = tuple[str, str, str, Callable[[], Package]]
"""Registry, group and name of a package, and how to fetch it."""

BINARY_GROUPS = {
    "lua": r"lua-",
    "go": r"golang-.*-dev$",
    "rust": r"librust-.*-dev$",
    "ruby": r"ruby-",
    "php": r"php-(?!\d)",
    "node": r"node-",
    "python": r"python3-",
    "headers": r"lib(?!rust-|ghc-|js-).*-dev$",
}
"""Binary packages of Debian that hold the sources themselves; of C and C++ the headers, which are often all of it."""

SOURCE_GROUPS: dict[str, tuple[int, Callable[[Entry], bool]]] = {}


def _names(pattern: str) -> Callable[[Entry], bool]:
    compiled = re.compile(pattern)
    return lambda source: compiled.match(source.name) is not None


def _built_with(pattern: str) -> Callable[[Entry], bool]:
    compiled = re.compile(pattern)
    return lambda source: compiled.search(source.build_depends) is not None


SOURCE_GROUPS.update(
    {
        "rare": (400, _names(r"(elixir|erlang|neovim|scala|kotlin|swiftlang|lua|nvim|vim-|sbt|zig|rebar|mono$)")),
        "csharp": (400, _built_with(r"\b(cli-common-dev|mono-devel|mono-mcs)\b")),
        "scala": (100, _built_with(r"\b(scala|scala-library|kotlin|elixir|swiftlang|dh-lua|dh-elixir|zig)\b")),
        "mixed": (
            200,
            _names(
                r"(thrift|protobuf|grpc|antlr4|flatbuffers|capnproto|avro|msgpack|prosody|rspamd|lmod|love|vis|textadept|"
                r"premake|luakit|shunit2|dehydrated|neofetch|zplug|rbenv|ruby-build|kubectx|fzf|git-extras|zsh|"
                r"bash|powerline|antigen|pyenv|dracut|acme|ncdu|river|awesome|haproxy|nginx|busted|openresty|"
                r"bazel|apache-arrow|treesitter|tree-sitter|tigerbeetle)"
            ),
        ),
        "haskell": (900, _names(r"haskell-")),
        "java": (
            1200,
            _built_with(r"\b(default-jdk|maven-debian-helper|javahelper|maven-repo-helper|gradle-debian-helper)\b"),
        ),
        "cpp": (1800, _built_with(r"\b(cmake|libboost|googletest|libgtest-dev|meson|qtbase)")),
        "c": (900, lambda source: source.section in ("libs", "libdevel", "utils", "net", "devel", "admin", "shells")),
    }
)
"""Source packages of Debian: the most that are taken of a group, and which belong to it; the first match counts."""

WHOLE_GROUPS = ("rare", "csharp", "scala", "mixed")
LARGEST_SOURCE = 6_000_000
"""Sources of ordinary groups beyond this are a few giants; those of the rare languages are taken whole."""

NPM_GROUPS = {
    "expo": (500, r"^expo-|^@expo/|/expo-"),
    "zig": (60, r"(^|[-/_@])zig([-/_]|$)|tigerbeetle"),
    "capacitor": (900, r"capacitor"),
    "react-native": (1600, r"react-native|(^|/)rn-|nitro-modules"),
    "unity": (900, r"^com\.|/com\.|(^|[-/_.])unity([-/_.]|$)"),
    "roblox": (600, r"^@rbxts/|^@jsdotlua/|^@flamework|^@rbx|luau|(^|[-/_])lua([-/_]|$)"),
    "nativescript": (150, r"nativescript"),
    "cordova": (400, r"cordova"),
    "rare": (300, r"(^|[-/_])(swift|kotlin|scala|scalajs|elixir|csharp|dotnet|kmp|phoenix|erlang)([-/_]|$)"),
    "shell": (100, r"(^|[-/_])(bash|zsh|shellscript|sh)([-/_]|$)"),
    "general": (1500, r""),
}
"""Packages of npm: the most that are asked for of a group, and its names; the first match counts."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Fetch what the groups ask for; a second run goes on where the first one ended."""
    parser = argparse.ArgumentParser(prog="python -m training.fetch", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder for everything that is fetched")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="take at most N packages of each group")
    parser.add_argument("--parallel", type=int, default=16, metavar="N", help="downloads from a registry at a time")
    parser.add_argument("--only", nargs="+", default=[*PLANS], choices=PLANS, help="registries to ask")
    options = parser.parse_args(arguments)
    data: Path = options.data.resolve()
    data.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(len(options.only), get_context("spawn")) as pool:
        asked = [pool.submit(ask, registry, data, options.sample, options.parallel) for registry in options.only]
        for each in asked:
            each.result()
    return 0


def ask(registry: str, data: Path, sample: int, parallel: int) -> None:
    """Fetch what one registry is asked for. Others may write down theirs at the same time: each line is one write."""
    listing = Listing(data)
    run(registry, PLANS[registry](data, listing, sample), listing, parallel)


def run(asked: str, tasks: Iterable[Task], listing: Listing, parallel: int) -> None:
    """Carry out tasks side by side and write down what came of each."""
    counts: Counter[str] = Counter()
    started = time.monotonic()
    with ThreadPoolExecutor(parallel) as pool:
        pending = {pool.submit(task[3]): task for task in tasks}
        for number, done in enumerate(as_completed(pending), 1):
            registry, group, name, _ = pending.pop(done)
            try:
                listing.take(done.result())
                counts[group] += 1
            except Refused as refused:
                listing.refuse(registry, name, refused)
                counts["refused"] += 1
            if number % 200 == 0:
                print(f"{time.monotonic() - started:6.0f} s {asked}", number, dict(counts), flush=True)
    print(f"{time.monotonic() - started:6.0f} s {asked}, done:", dict(counts), flush=True)


def debian_tasks(data: Path, listing: Listing, sample: int) -> list[Task]:
    """Binary packages that hold sources."""
    binaries = Archive(data).binaries()
    tasks: list[Task] = []
    for group, pattern in BINARY_GROUPS.items():
        fitting = [name for name in sorted(binaries) if re.match(pattern, name)]
        fitting = [name for name in fitting if not re.search(r"-(doc|dbg|dbgsym|data|examples)$", name)]
        for name in _wanted("debian", fitting, listing, sample):
            entry = binaries[name]
            tasks.append(("debian", group, name, partial(fetch_binary, data, group, entry)))
    return tasks


def source_tasks(data: Path, listing: Listing, sample: int) -> list[Task]:
    """Source packages, the rare languages first."""
    archive = Archive(data)
    sources = archive.sources()
    binaries = archive.binaries()
    by_group: dict[str, list[str]] = {group: [] for group in SOURCE_GROUPS}
    for name, entry in sources.items():
        group = next((group for group, (_, fits) in SOURCE_GROUPS.items() if fits(entry)), "")
        if group and (group in WHOLE_GROUPS or entry.size <= LARGEST_SOURCE):
            by_group[group].append(name)
    tasks: list[Task] = []
    for group, names in by_group.items():
        random.Random(group).shuffle(names)
        for name in _wanted("debian-source", names[: SOURCE_GROUPS[group][0]], listing, sample):
            tasks.append(("debian-source", group, name, partial(fetch_source, data, group, sources[name], binaries)))
    return tasks


def npm_tasks(data: Path, listing: Listing, sample: int) -> list[Task]:
    """Packages of npm, the most used of each group."""
    registry = Registry(data)
    by_group: dict[str, list[str]] = {group: [] for group in NPM_GROUPS}
    patterns = [(group, most, re.compile(pattern)) for group, (most, pattern) in NPM_GROUPS.items()]
    for name in registry.names():
        for group, most, pattern in patterns:
            if len(by_group[group]) < most and pattern.search(name):
                by_group[group].append(name)
                break
            if pattern.pattern and pattern.search(name):
                break
    tasks: list[Task] = []
    for group, names in by_group.items():
        for name in _wanted("npm", names, listing, sample):
            tasks.append(("npm", group, name, partial(registry.fetch, group, name)))
    return tasks


def pypi_tasks(data: Path, listing: Listing, sample: int) -> list[Task]:
    """Source distributions of well-known packages of PyPI."""
    index = pypi.Index(data, pypi.configured_index(data))
    names = _wanted("pypi", list(pypi.NAMES), listing, sample)
    return [("pypi", "pypi", name, partial(index.fetch, "pypi", name)) for name in names]


PLANS = {"npm": npm_tasks, "pypi": pypi_tasks, "debian": debian_tasks, "debian-source": source_tasks}
"""How each registry is asked, in the order they are."""


def _wanted(registry: str, names: list[str], listing: Listing, sample: int) -> list[str]:
    wanted = [name for name in names if not excluded_package(name) and not listing.knows(registry, name)]
    return wanted[: sample or None]


if __name__ == "__main__":
    raise SystemExit(main())
