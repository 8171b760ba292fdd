"""Speed of Lurcher beside semble on the trees of `trees.py`, in one run.

    python benchmarks/speed.py --trees DIR --semble-python BIN [--only NAME…] [--out FILE.md] [--json FILE]
    python benchmarks/speed.py --trees DIR --large linux

Every measurement runs in a fresh process (`measure.py`), the two tools in turn on each tree, so that memory and
CPU time are clean and noise hits both. Only ratios within one run mean anything. Both index all kinds of text; MB
are those that each has indexed. With `--rounds` each indexes several times, and the least CPU time of each is told.
semble is given a model of its own kind with random vectors (`measure.py semble-model`), since its real one has to be
downloaded. The floor is a parse alone, by tree-sitter's own binding.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.client import as_installed
from benchmarks.trees import TREES

MEASURE = Path(__file__).with_name("measure.py")
MODEL_TREE = "eslint"
"""The tree that the vocabulary of semble's stand-in model is learned from."""

MEMORY_SECONDS = 0.05
"""How often memory is looked at …"""

FAMILY_SECONDS = 0.5
"""… and how often new children are looked for."""

Figures = dict[str, Any]


def measure(what: str, tree: Path, store: Path, python: str, model: Path) -> Figures:
    """Run one measurement in a process of its own; its figures and the peak memory of it and its children."""
    environment = {**as_installed(), "SEMBLE_CACHE_LOCATION": str(store.parent.resolve()), "HF_HUB_OFFLINE": "1"}
    command = [python, str(MEASURE), what, str(tree), str(store), str(model)]
    with (
        tempfile.TemporaryFile() as output,
        subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL, env=environment) as process,
    ):
        peak = _watch_memory(process)
        output.seek(0)
        text = output.read().decode()
    if process.returncode:
        raise SystemExit(f"failed with {process.returncode}: {' '.join(command)}")
    figures: Figures = json.loads(text.splitlines()[-1])
    return {**figures, "peak_bytes": peak}


def _watch_memory(process: subprocess.Popen[bytes]) -> int:
    """The largest sum of resident bytes of a process and its descendants until it ends."""
    peak = 0
    family: set[int] = set()
    looked = 0.0
    while process.poll() is None:
        if time.monotonic() - looked > FAMILY_SECONDS:
            family = _family(process.pid)
            looked = time.monotonic()
        peak = max(peak, sum(map(_resident, family)))
        time.sleep(MEMORY_SECONDS)
    return peak


def _family(ancestor: int) -> set[int]:
    """A process and all its descendants."""
    parents: dict[int, int] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name, in parentheses, may hold anything; the state and the parent follow it.
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            continue
    family = {ancestor}
    while more := {child for child, parent in parents.items() if parent in family} - family:
        family |= more
    return family


def _resident(process: int) -> int:
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def run_tree(name: str, options: argparse.Namespace, work: Path) -> Figures:
    """All measurements of one tree."""
    tree = options.trees / name
    result: Figures = {"tree": name}
    tools = [("lurcher", sys.executable), *([("semble", options.semble_python)] if options.semble_python else [])]
    indexed: dict[str, list[Figures]] = {}
    # In turn, so that a busy minute hits all of them; the least of each is what the others' work has added least to.
    for turn in range(options.rounds):
        for tool, python in tools:
            kinds = ("lurcher-index", "lurcher-vectors") if tool == "lurcher" else ("semble-index",)
            for kind in kinds:
                store = work / f"{kind}-{name}-{turn}"
                indexed.setdefault(kind, []).append(measure(kind, tree, store, python, options.semble_model))
    for tool, python in tools:
        index = min(indexed[f"{tool}-index"], key=_cpu)
        serve = measure(f"{tool}-serve", tree, work / f"{tool}-index-{name}-0", python, options.semble_model)
        result[tool] = {**serve, **index, "serve_bytes": serve["peak_bytes"]}
        result[tool]["cpu_per_mb"] = _per_mb(index)
    result["vectors"] = min(indexed["lurcher-vectors"], key=_cpu)
    floor = measure("floor", tree, work / "floor", sys.executable, options.semble_model)
    result["floor_cpu_per_mb"] = _per_mb(floor)
    if "semble" in result:
        result["ratio"] = result["semble"]["cpu_per_mb"] / result["lurcher"]["cpu_per_mb"]
        result["ratio_with_vectors"] = result["semble"]["cpu_per_mb"] / _per_mb(result["vectors"])
    return result


def _cpu(figures: Figures) -> float:
    return float(figures["cpu_s"])


def _per_mb(figures: Figures) -> float:
    return _cpu(figures) / max(float(figures["bytes"]) / 1e6, 1e-9)


def run_large(name: str, options: argparse.Namespace, work: Path) -> Figures:
    """Lurcher alone on a large tree: while it builds, then after a restart."""
    tree = options.trees / name
    store = work / f"large-{name}"
    index = measure("lurcher-large", tree, store, sys.executable, options.semble_model)
    serve = measure("lurcher-serve", tree, store, sys.executable, options.semble_model)
    # What a process costs that serves one small file; memory per 1,000 files is what comes on top of it.
    small, small_store = work / "small", work / "small-store"
    small.mkdir()
    (small / "one.py").write_text("def parse() -> None:\n    pass\n")
    measure("lurcher-index", small, small_store, sys.executable, options.semble_model)
    fixed = measure("lurcher-serve", small, small_store, sys.executable, options.semble_model)
    memory = {"serve_bytes": serve["peak_bytes"], "fixed_bytes": fixed["peak_bytes"]}
    return {"tree": name, **serve, **index, **memory}


HEAD = (
    "tree", "tool", "files", "MB", "wall s", "CPU s", "CPU s/MB", "files/s", "chunks",
    "query p50 ms", "p95 ms", "open s", "peak MB", "serving MB", "disk MB", "ratio",
)  # fmt: skip


def table(results: list[Figures]) -> Iterator[str]:
    """The comparison as a Markdown table: Lurcher, semble and the floor of every tree."""
    yield "| " + " | ".join(HEAD) + " |"
    yield "|---|---" + "|--:" * (len(HEAD) - 2) + "|"
    for result in results:
        for tool in ("lurcher", "semble"):
            if tool in result:
                ratio = f"**{result['ratio']:.1f}**" if tool == "lurcher" and "ratio" in result else ""
                yield "| " + " | ".join([result["tree"], tool, *_cells(result[tool]), ratio]) + " |"
        vectors = result["vectors"]
        cells = [f"{vectors['wall_s']:.1f}", f"{vectors['cpu_s']:.1f}", f"{_per_mb(vectors):.3f}"]
        ratio = f"{result['ratio_with_vectors']:.1f}" if "ratio_with_vectors" in result else ""
        with_vectors = ["", "", *cells, *[""] * (len(HEAD) - 8), ratio]
        yield "| " + " | ".join([result["tree"], "lurcher, with vectors", *with_vectors]) + " |"
        floor = ["", "", "", "", f"{result['floor_cpu_per_mb']:.3f}", *[""] * (len(HEAD) - 7)]
        yield "| " + " | ".join([result["tree"], "floor: parse only", *floor]) + " |"


def _cells(f: Figures) -> list[str]:
    return [
        f"{f['files']:,}", f"{f['bytes'] / 1e6:.1f}", f"{f['wall_s']:.1f}", f"{f['cpu_s']:.1f}",
        f"{f['cpu_per_mb']:.3f}", f"{f['files'] / f['wall_s']:.0f}", f"{f['chunks']:,}", f"{f['p50_ms']:.1f}",
        f"{f['p95_ms']:.1f}", f"{f['open_s']:.2f}", f"{f['peak_bytes'] / 1e6:.0f}",
        f"{f['serve_bytes'] / 1e6:.0f}", f"{f['disk'] / 1e6:.1f}",
    ]  # fmt: skip


def large_table(f: Figures) -> Iterator[str]:
    """The figures of a large tree as a Markdown table."""
    thousands = f["files"] / 1000
    first = f"{f['first_result_s']:.2f} s" if f["first_result_s"] is not None else "none until the end"
    yield f"| {f['tree']} | Lurcher |"
    yield "|---|--:|"
    yield f"| files, MB, chunks | {f['files']:,}, {f['bytes'] / 1e6:.0f}, {f['chunks']:,} |"
    yield f"| first searchable result | {first} |"
    yield f"| complete | {f['wall_s']:.1f} s ({f['files'] / f['wall_s']:.0f} files/s) |"
    yield f"| CPU, per MB | {f['cpu_s']:.1f} s, {f['cpu_s'] / (f['bytes'] / 1e6):.3f} s |"
    yield f"| query while building, p50 / p95 | {f['busy_p50_ms']:.1f} / {f['busy_p95_ms']:.1f} ms |"
    yield f"| query after restart, p50 / p95 | {f['p50_ms']:.1f} / {f['p95_ms']:.1f} ms |"
    yield f"| restart: first answer, full rescan | {f['open_s']:.2f} s, {f['rescan_s']:.2f} s |"
    yield f"| peak memory while building | {f['peak_bytes'] / 1e6:.0f} MB |"
    yield (
        f"| peak memory while serving, of it fixed, rest per 1,000 files | {f['serve_bytes'] / 1e6:.0f} MB, "
        f"{f['fixed_bytes'] / 1e6:.0f} MB, {(f['serve_bytes'] - f['fixed_bytes']) / 1e6 / thousands:.1f} MB |"
    )
    yield f"| disk, per 1,000 files | {f['disk'] / 1e6:.0f} MB, {f['disk'] / 1e6 / thousands:.1f} MB |"


def machine() -> str:
    """What it was measured on."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "?")
    load = "/".join(f"{value:.1f}" for value in os.getloadavg())
    return f"{date.today()} · {os.cpu_count()} cores, {model} · Python {platform.python_version()} · load {load}"


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--trees", type=Path, required=True, help="where trees.py put the trees")
    parser.add_argument("--semble-python", default="", help="interpreter with semble (default: Lurcher alone)")
    parser.add_argument("--semble-model", type=Path, help="model folder for semble (default: one is made)")
    parser.add_argument(
        "--only", nargs="*", default=[], metavar="NAME", help="trees (default: all but linux, go, rust)"
    )
    parser.add_argument("--rounds", type=int, default=1, help="indexes of each, in turn; the least CPU time counts")
    parser.add_argument("--large", metavar="NAME", help="measure Lurcher alone on this large tree")
    parser.add_argument("--out", type=Path, help="Markdown file for the table")
    parser.add_argument("--json", type=Path, help="file for all figures")
    options = parser.parse_args()
    names = options.only or [tree.name for tree in TREES if tree.name not in ("linux", "go", "rust")]
    with tempfile.TemporaryDirectory(prefix="lurcher-speed-") as temporary:
        work = Path(temporary)
        results: list[Figures] = []
        lines = [machine(), ""]
        if options.large:
            results.append(run_large(options.large, options, work))
            lines += large_table(results[0])
        else:
            if options.semble_model is None:
                options.semble_model = work / "model"
                if options.semble_python:
                    tree = options.trees / MODEL_TREE
                    measure("semble-model", tree, work / "none", options.semble_python, options.semble_model)
            for name in names:
                results.append(run_tree(name, options, work))
                print("\n".join(table(results[-1:])), file=sys.stderr, flush=True)
            lines += table(results)
    text = "\n".join(lines) + "\n"
    print(text)
    if options.out:
        options.out.write_text(text, encoding="utf-8")
    if options.json:
        options.json.write_text(json.dumps(results, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
