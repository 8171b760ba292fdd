"""Figures out of outcomes: who counts in which measure, and what a comparison with an earlier run says."""

from pathlib import Path

import msgspec
import pytest
from benchmarks.quality.results import (
    Asked,
    Outcome,
    Run,
    question_id,
    read_run,
    without_foreign_words,
    write_run,
)
from benchmarks.quality.summary import MEASURES, answerabilities, changes, means, tell, values_of


def outcome(rank: int | None = None, **rest: float | None) -> Outcome:
    ranks = dict.fromkeys(("rank", "file_rank", "told_rank", "told_file_rank"), rank)
    whole = {"returned": 10, "seconds": 0.01} | ranks | rest
    return msgspec.convert(whole, Outcome)


def asked(query: str, category: str, labels: str = "spans", **outcomes: Outcome) -> Asked:
    by_name = {name.replace("_", "-"): each for name, each in outcomes.items()}
    return Asked(
        id=question_id("corpus", query),
        labels=labels,
        corpus="corpus",
        language="go",
        category=category,
        query=query,
        outcomes=by_name,
    )


def run(*questions: Asked) -> Run:
    told = tell(questions, list(questions[0].outcomes))
    return Run(made="now", model="m", results=50, left_out=("a: left out",), configurations=told, questions=questions)


QUESTIONS = (
    asked("found first", "where", rules=outcome(1, tokens=100), rules_all=outcome(1, tokens=100)),
    asked("found sixth", "howto", rules=outcome(6, tokens=900), rules_all=outcome(6, tokens=900)),
    asked("cut", "where", rules=outcome(answerability=0.8), rules_all=outcome(4, tokens=300)),
    asked("taken for none", "symbol", rules=outcome(answerability=0.1), rules_all=outcome(2, tokens=200)),
    asked("never found", "where", rules=outcome(), rules_all=outcome()),
    asked("several", "multi", rules=outcome(1, coverage=0.5), rules_all=outcome(1, coverage=1.0)),
    asked("nothing", "none", rules=outcome(returned=0, answerability=0.2), rules_all=outcome(returned=30)),
    asked("something", "none", rules=outcome(returned=6, answerability=0.3), rules_all=outcome(returned=30)),
    asked("of files", "symbol", "files", rules=outcome(ndcg=0.25), rules_all=outcome(ndcg=0.5)),
)


@pytest.mark.parametrize(
    ("measure", "rules", "unfiltered"),
    [
        ("NDCG@10", [0.25], [0.5]),
        ("chunk@1", [1, 0, 0, 0, 0], [1, 0, 0, 0, 0]),
        ("chunk@5", [1, 0, 0, 0, 0], [1, 0, 1, 1, 0]),
        ("chunk@10", [1, 1, 0, 0, 0], [1, 1, 1, 1, 0]),
        ("file@5", [1, 0, 0, 0, 0], [1, 0, 1, 1, 0]),
        ("told@5", [1, 0, 0, 0, 0], [1, 0, 1, 1, 0]),
        ("told file@5", [1, 0, 0, 0, 0], [1, 0, 1, 1, 0]),
        ("MRR", [1, 1 / 6, 0, 0, 0], [1, 1 / 6, 1 / 4, 1 / 2, 0]),
        ("coverage@10", [0.5], [1.0]),
        ("tokens", [100, 900], [100, 900, 300, 200]),
        ("none: chunks", [0, 6], [30, 30]),
        ("none: empty", [1, 0], [0, 0]),
        ("cut", [0, 0, 1, 1], []),
        ("cut as unanswerable", [0, 0, 0, 1], []),
    ],
)
def test_who_counts(measure: str, rules: list[float], unfiltered: list[float]) -> None:
    assert values_of(QUESTIONS, "rules", MEASURES[measure]) == pytest.approx(rules)
    assert values_of(QUESTIONS, "rules-all", MEASURES[measure]) == pytest.approx(unfiltered)


def test_every_measure_is_tested_above() -> None:
    assert len(MEASURES) == 14


def test_figures_overall_and_by_group() -> None:
    told = tell(QUESTIONS, ["rules", "rules-all"])["rules"]
    assert told.figures["chunk@10"].mean == pytest.approx(0.4)
    assert told.figures["chunk@10"].low < 0.4 < told.figures["chunk@10"].high
    assert told.counts["chunk@10"] == 5
    assert told.groups["category"]["where"]["chunk@10"].mean == pytest.approx(1 / 3, abs=1e-4)
    assert set(told.groups["category"]["multi"]) == {"coverage@10"}
    assert told.groups["category"]["symbol"]["NDCG@10"].mean == 0.25
    assert told.groups["language"]["go"]["none: chunks"].mean == 3
    assert told.times.p50 == pytest.approx(10.0)
    assert told.area is not None
    assert (told.area.area.mean, told.area.answerable, told.area.unanswerable) == (0.5, 2, 2)


def test_nobody_judged_so_there_is_no_area() -> None:
    assert answerabilities(QUESTIONS, "rules-all") == ([], [])
    assert tell(QUESTIONS, ["rules-all"])["rules-all"].area is None


def test_columns_with_other_rows_have_other_figures() -> None:
    found = means({"all": [1.0, 0.0, 1.0, 0.0], "some": [None, 0.5, 0.5, None], "none": [None] * 4})
    assert list(found) == ["all", "some"]
    assert found["all"].mean == 0.5
    assert (found["some"].low, found["some"].mean, found["some"].high) == (0.5, 0.5, 0.5)


def test_a_comparison_pairs_the_questions_of_both_runs() -> None:
    before = run(*(asked(str(at), "where", rules=outcome(2, tokens=300)) for at in range(30)))
    now = run(*(asked(str(at), "where", rules=outcome(1, tokens=100 + at)) for at in range(10, 40)))
    found = {change.measure.name: change for change in changes(now, before)}
    assert set(found) == {"chunk@1", "chunk@5", "chunk@10", "file@5", "told@5", "told file@5", "MRR", "tokens"}
    assert (found["chunk@1"].count, found["chunk@1"].better, found["chunk@1"].worse) == (20, 20, 0)
    assert found["chunk@1"].figure.mean == 1.0
    assert found["MRR"].figure.mean == 0.5
    assert found["chunk@5"].better == found["chunk@5"].worse == 0
    # Fewer tokens are better.
    assert found["tokens"].figure.high < 0
    assert (found["tokens"].better, found["tokens"].worse) == (20, 0)


def test_nothing_in_common_is_nothing_to_compare() -> None:
    one, other = run(asked("one", "where", rules=outcome(1))), run(asked("other", "where", rules=outcome(1)))
    assert changes(one, other) == []


def test_a_run_survives_its_file(tmp_path: Path) -> None:
    whole = run(*QUESTIONS)
    write_run(whole, tmp_path / "run.json")
    assert read_run(tmp_path / "run.json") == whole
    lines = (tmp_path / "run.json").read_text("utf-8").splitlines()
    assert sum('"outcomes"' in line for line in lines) == len(QUESTIONS)


def test_words_of_others_are_not_kept(tmp_path: Path) -> None:
    kept = without_foreign_words(run(*QUESTIONS))
    assert [each.query for each in kept.questions if each.labels == "files"] == [""]
    assert all(each.query for each in kept.questions if each.labels == "spans")
    assert [each.id for each in kept.questions] == [each.id for each in QUESTIONS]


@pytest.mark.parametrize("text", ["[]", "{", '{"format": 0}'])
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(ValueError, match=r"run\.json"):
        read_run(tmp_path / "run.json")


def test_another_format_is_refused(tmp_path: Path) -> None:
    write_run(msgspec.structs.replace(run(*QUESTIONS), format=0), tmp_path / "run.json")
    with pytest.raises(ValueError, match="format 0"):
        read_run(tmp_path / "run.json")
