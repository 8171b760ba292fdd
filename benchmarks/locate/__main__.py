"""Measures how often the right file is among the first: `python -m benchmarks.locate FOLDER`, after mining into it."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import msgspec
from benchmarks.locate.asking import CHUNK_SEARCH, CONFIGURATIONS, Asked, ask_all
from benchmarks.locate.mining import read_cases

from lurcher_index.evaluation.intervals import figures

RANKS = (1, 5, 10)
SEED = 7


def hit(asked: Asked, configuration: str, rank: int) -> float:
    """1 if one of the changed files is among the first."""
    changed = {change.path for change in asked.case.changes}
    return float(any(path in changed for path in asked.ranked[configuration][:rank]))


def table(records: Sequence[Asked]) -> list[str]:
    """A line for each configuration: the share of issues with a right file in the first 1, 5 and 10."""
    lines = ["| places of | top 1 | top 5 | top 10 |", "|---|---|---|---|"]
    for name in (CHUNK_SEARCH, *CONFIGURATIONS):
        found = figures([[hit(asked, name, rank) for rank in RANKS] for asked in records], SEED)
        cells = [f"{figure.mean:.2f} ({figure.low:.2f}–{figure.high:.2f})" for figure in found]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def report(records: Sequence[Asked]) -> list[str]:
    """All issues, those that name no changed file, and which tools had how many turns."""
    unnamed = [asked for asked in records if not asked.names_a_file]
    projects = len({asked.case.package for asked in records})
    lines = [f"{len(records)} issues of {projects} projects", "", *table(records), ""]
    if unnamed:
        lines += [f"The {len(unnamed)} of them that name no changed file:", "", *table(unnamed), ""]
    chooser = next(iter(CONFIGURATIONS))
    used: dict[str, int] = {}
    for asked in records:
        used[asked.tools[chooser]] = used.get(asked.tools[chooser], 0) + 1
    lines += [f"- {tool}: {count}" for tool, count in sorted(used.items(), key=lambda item: -item[1])]
    return lines


def main() -> None:
    """Ask about everything in a folder, or read what was asked before, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--issues", type=int, default=200, help="how many (default: 200)")
    parser.add_argument("--anew", action="store_true", help="ask again what was asked before")
    options = parser.parse_args()
    kept = options.folder / "asked.jsonl"
    if options.anew:
        kept.unlink(missing_ok=True)
    lines = kept.read_bytes().splitlines() if kept.exists() else []
    records = [msgspec.json.decode(line, type=Asked) for line in lines]
    known = {asked.case.name for asked in records}
    cases = [case for case in read_cases(options.folder)[: options.issues] if case.name not in known]
    with kept.open("ab") as file:
        for asked in ask_all(options.folder, cases, print):
            records.append(asked)
            file.write(msgspec.json.encode(asked) + b"\n")
            file.flush()
    print("\n".join(report(records)))


if __name__ == "__main__":
    main()
