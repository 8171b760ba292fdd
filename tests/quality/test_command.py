"""The whole command on the fixtures, without network: indexed once, asked in every configuration, kept and compared."""

import json
from pathlib import Path

import pytest
from benchmarks.quality.__main__ import main
from benchmarks.quality.asking import ALL, CONFIGURATIONS
from benchmarks.quality.results import read_run

ENTRY = {
    "name": "fixtures",
    "language": "mixed",
    "registry": "checkout",
    "package": "lurcher",
    "version": "",
    "packagePrefix": "",
    "repositoryPrefix": "",
    "indexRoot": "fixtures/languages",
}


def asked(query: str, category: str, *spans: tuple[str, int, int]) -> dict[str, object]:
    answers = [
        {"path": f"fixtures/languages/{path}", "first_line": first, "last_line": last} for path, first, last in spans
    ]
    return {"query": query, "category": category, "answers": answers, "alternatives": []}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Questions of both kinds about the fixtures of this repository."""
    (tmp_path / "queries").mkdir()
    (tmp_path / "corpora.json").write_text(json.dumps([ENTRY]))
    of_files = [{"query": "arrive opacity", "category": "symbol", "relevant": ["parcel.css"], "secondary": []}]
    (tmp_path / "queries" / "fixtures.json").write_text(json.dumps(of_files))
    questions = [
        asked("openScale", "symbol", ("parcel.js", 1, 47)),
        asked("sends it on: a parcel to a depot", "multi", ("Parcel.cs", 23, 28), ("Parcel.java", 18, 23)),
        asked("payment by credit card", "none"),
        asked("lines that are not there", "where", ("parcel.js", 1, 9_999)),
    ]
    (tmp_path / "fixtures.json").write_text(json.dumps(questions))
    return tmp_path


def test_from_questions_to_pictures(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sources = ["--data", str(folder), "--questions", str(folder), "--trees", str(folder / "trees")]
    first = folder / "first.json"
    assert main([*sources, "--json", str(first)]) == 0
    told = capsys.readouterr()
    assert "'lines that are not there' left out" in told.err
    assert "chunk@1" in told.out

    run = read_run(first)
    assert list(run.configurations) == list(CONFIGURATIONS)
    assert len(run.left_out) == 1
    by_query = {each.query: each for each in run.questions}
    assert len(by_query) == 4
    assert by_query["arrive opacity"].outcomes["words"].ndcg == 1.0
    symbol = by_query["openScale"].outcomes
    assert symbol["rules"].rank == symbol["words"].rank == 1
    assert all((symbol[name].tokens or 0) > 0 for name in CONFIGURATIONS if symbol[name].rank)
    for each in run.questions:
        for name in CONFIGURATIONS:
            if not name.endswith(ALL):
                assert each.outcomes[name].returned <= each.outcomes[name + ALL].returned
    # The nearest vectors are a full list, whatever the words say.
    assert by_query["payment by credit card"].outcomes["dense-all"].returned == len(
        list((Path(__file__).parents[2] / "fixtures" / "languages").iterdir())
    )

    again = ["--configurations", "rules", "rules-all", "--against", str(first), "--results", str(folder / "kept")]
    assert main([*sources, *again]) == 0
    assert "compared with the earlier run: up to" in capsys.readouterr().out
    (kept,) = (folder / "kept").iterdir()
    names = {path.name for path in kept.iterdir()}
    assert {"result.json", "configurations.png", "categories.png", "relative.png"} <= names
    assert all((kept / name).read_bytes().startswith(b"\x89PNG") for name in names if name.endswith(".png"))
    assert "arrive opacity" not in (kept / "result.json").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ([], "--data, --questions or both"),
        (["--data", ".", "--model", "none"], "without a model"),
        (["--data", ".", "--model", "magic"], "cannot be used"),
        (["--data", ".", "--against", "no-such-file.json"], "no-such-file.json"),
        (["--data", ".", "--configurations", "magic"], "magic"),
    ],
)
def test_wrong_options_are_refused(
    tmp_path: Path, arguments: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["--trees", str(tmp_path), *arguments])
    assert problem in capsys.readouterr().err
