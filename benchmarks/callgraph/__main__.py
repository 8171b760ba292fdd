"""The commands: fetch the packages, make the truth, compare the index with it."""

import argparse
import sys
from pathlib import Path

import msgspec
from benchmarks.callgraph.comparing import Comparison
from benchmarks.callgraph.making import truth_of
from benchmarks.callgraph.ours import claimed
from benchmarks.callgraph.packages import DEVELOP, REPORT, Package, chosen, fetch_package
from benchmarks.callgraph.results import Row, Run, row, write_run
from benchmarks.callgraph.tables import SHOWN, faults, tables
from benchmarks.callgraph.tools import TOOLS
from benchmarks.registries import FetchError
from rich.console import Console

from lurcher_index.graph.graph import SHOWN_CONFIDENCE


def make_parser() -> argparse.ArgumentParser:
    """The commands and their options; all work below one folder."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.callgraph", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, help_ in (
        ("fetch", "fetch the packages"),
        ("truth", "ask the analysers (fetches what is missing)"),
        ("compare", "compare the index with them (makes what is missing)"),
    ):
        command = commands.add_parser(name, help=help_)
        command.add_argument("--into", type=Path, required=True, help="folder for packages, tools and truths")
        command.add_argument("--only", nargs="*", default=[], metavar="NAME", help="packages (default: all)")
        command.add_argument("--language", nargs="*", default=[], choices=list(TOOLS), help="languages (default: all)")
        command.add_argument("--role", choices=[DEVELOP, REPORT], default="", help="use (default: both)")
        if name == "compare":
            command.add_argument("--confidence", type=float, help="least confidence (default: the graph's own)")
            command.add_argument("--faults", type=int, default=SHOWN, metavar="N", help="errors shown of each kind")
            command.add_argument("--json", type=Path, help="file for figures, curves and all errors")
        if name == "truth":
            command.add_argument("--edges", type=Path, metavar="DIR", help="write the edges alone, as JSON lines")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Do what the command says."""
    parser = make_parser()
    options = parser.parse_args(arguments)
    packages = chosen(options.only, options.language, options.role)
    if unknown := set(options.only) - {package.name for package in packages}:
        parser.error(f"no such packages: {', '.join(sorted(unknown))}")
    into = options.into.resolve()
    into.mkdir(parents=True, exist_ok=True)
    match options.command:
        case "fetch":
            return _fetch(packages, into)
        case "truth":
            return _truth(packages, into, options.edges)
        case _:
            return _compare(packages, into, options)


def _fetch(packages: list[Package], into: Path) -> int:
    failures = 0
    for package in packages:
        try:
            folder = fetch_package(package, into / "packages")
        except FetchError as error:
            print(f"{package.name}: {error}", file=sys.stderr)
            failures += 1
        else:
            files = sum(1 for path in folder.rglob("*") if path.is_file())
            print(f"{package.language:11} {package.name:16} {package.role:8} {files:5} files")
    return 1 if failures else 0


def _truth(packages: list[Package], into: Path, edges: Path | None) -> int:
    failures = 0
    for package in packages:
        try:
            truth = truth_of(package, fetch_package(package, into / "packages"), into / "tools", into / "truth")
        except FetchError as error:
            print(f"{package.name}: {error}", file=sys.stderr)
            failures += 1
            continue
        found = truth.edges()
        print(f"{package.language:11} {package.name:16} {len(truth.calls):6} calls, {len(found):6} edges")
        if edges is not None:
            edges.mkdir(parents=True, exist_ok=True)
            (edges / f"{package.name}.jsonl").write_bytes(msgspec.json.Encoder().encode_lines(found))
    return 1 if failures else 0


def _compare(packages: list[Package], into: Path, options: argparse.Namespace) -> int:
    confidence = SHOWN_CONFIDENCE if options.confidence is None else options.confidence
    rows: list[Row] = []
    left_out: list[str] = []
    for package in packages:
        try:
            folder = fetch_package(package, into / "packages")
            truth = truth_of(package, folder, into / "tools", into / "truth")
        except (FetchError, ValueError) as error:
            left_out.append(f"{package.name}: {error}")
            print(left_out[-1], file=sys.stderr)
            continue
        ours, bare = claimed(folder, package.language)
        rows.append(row(package, truth, Comparison(truth, ours), Comparison(truth, bare), confidence))
        for line in faults(rows[-1], options.faults):
            print(line)
    run = Run(confidence, tuple(rows), tuple(left_out))
    if options.json:
        write_run(run, options.json)
    console = Console(width=None if sys.stdout.isatty() else 180)
    for table in tables(run):
        console.print(table)
    return 1 if left_out else 0


if __name__ == "__main__":
    sys.exit(main())
