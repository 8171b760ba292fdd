"""The comparison as a command, on a small package whose truth is written by hand: without network and analysers."""

import json
from pathlib import Path

import pytest
from benchmarks.callgraph import __main__ as command
from benchmarks.callgraph.comparing import Figures
from benchmarks.callgraph.ours import claimed
from benchmarks.callgraph.packages import DEVELOP, PACKAGES, REPORT, Package, chosen
from benchmarks.callgraph.results import Row, Run, read_run, together, write_run
from benchmarks.callgraph.tools import TOOLS
from benchmarks.callgraph.truth import Spot, module

SOURCE = """\
def weigh(parcel):
    return parcel


class Scale:
    def read(self):
        return weigh(1)


weigh(2)
"""
WEIGH, SCALE, READ = Spot("scale.py", 1, "weigh"), Spot("scale.py", 5, "Scale"), Spot("scale.py", 6, "read")
OUTSIDE = module("scale.py")


def record(**parts: object) -> str:
    return json.dumps(parts) + "\n"


def called(caller: Spot, line: int) -> str:
    return record(
        type="call", file="scale.py", line=line, name="weigh", caller=caller, status="inside", callees=[WEIGH]
    )


def defined(spot: Spot, outer: Spot) -> str:
    return record(type="definition", spot=spot, qualified=spot.name, outer=outer, same=spot)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A package that was fetched and a truth that was made before."""
    (tmp_path / "packages" / "scales").mkdir(parents=True)
    (tmp_path / "packages" / "scales" / "scale.py").write_text(SOURCE)
    (tmp_path / "truth").mkdir()
    lines = [
        record(type="file", file="scale.py"),
        defined(WEIGH, OUTSIDE),
        defined(SCALE, OUTSIDE),
        defined(READ, SCALE),
        called(READ, 7),
        called(OUTSIDE, 10),
        called(SCALE, 5),
    ]
    (tmp_path / "truth" / "scales.jsonl").write_text("".join(lines))
    return tmp_path


def test_spots_and_edges_of_the_index(folder: Path) -> None:
    ours, bare = claimed(folder / "packages" / "scales", "python")
    assert ours.outer == {WEIGH: OUTSIDE, SCALE: OUTSIDE, READ: SCALE}
    for each in (ours, bare):
        assert {(claim.caller, claim.callee) for claim in each.claims} == {(READ, WEIGH), (OUTSIDE, WEIGH)}


@pytest.mark.parametrize(("role", "is_shown"), [(DEVELOP, True), (REPORT, False)])
def test_from_a_truth_to_figures(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    role: str,
    is_shown: bool,
) -> None:
    package = Package("scales", "python", role, "pypi", "scales", "1", "", "MIT")
    monkeypatch.setattr("benchmarks.callgraph.packages.PACKAGES", (package,))
    result = folder / "run.json"
    assert command.main(["compare", "--into", str(folder), "--json", str(result)]) == 0
    run = read_run(result)
    assert [row.figures for row in run.rows] == [Figures(right=2, missed=1)]
    assert run.rows[0].calls == {"inside": 3, "outside": 0, "unknown": 0}
    assert run.rows[0].kinds == {"missed: no edge": 1}
    # Errors in a package that is held out must not be looked at.
    assert bool(run.rows[0].faults) is is_shown
    told = capsys.readouterr().out
    assert ("scale.py:5:Scale -> scale.py:1:weigh" in told) is is_shown
    assert "0.667" in told


def test_unknown_packages_are_refused(folder: Path) -> None:
    with pytest.raises(SystemExit):
        command.main(["compare", "--into", str(folder), "--only", "parcels"])


def test_rows_of_a_language_and_use_add_up() -> None:
    def row(language: str, role: str, right: int) -> Row:
        figures = Figures(right, 1)
        return Row(language, "p", role, {"inside": right}, 1, figures, figures, {"0.50": figures}, {"wrong": 1})

    rows = together([row("go", DEVELOP, 3), row("go", DEVELOP, 4), row("go", REPORT, 9), row("c", DEVELOP, 1)])
    told = [(each.language, each.role, each.figures, each.calls["inside"], each.open) for each in rows]
    assert told == [
        ("go", DEVELOP, Figures(7, 2), 7, 2),
        ("go", REPORT, Figures(9, 1), 9, 1),
        ("c", DEVELOP, Figures(1, 1), 1, 1),
    ]
    assert rows[0].curve == {"0.50": Figures(7, 2)}
    assert rows[0].kinds == {"wrong": 2}


def test_a_run_is_read_as_it_was_written(tmp_path: Path) -> None:
    run = Run(0.4, (), ("a: left out",))
    write_run(run, tmp_path / "run.json")
    assert read_run(tmp_path / "run.json") == run


def test_every_language_has_three_packages_for_each_use() -> None:
    assert {package.language for package in PACKAGES} == set(TOOLS)
    for language in TOOLS:
        for role in (DEVELOP, REPORT):
            assert len(chosen(languages=[language], role=role)) >= 3
    assert len({package.name for package in PACKAGES}) == len(PACKAGES)
