"""`lurcher evaluate` as a person or a script uses it."""

import json
from pathlib import Path

import pytest
from tests.cli.test_cli import run
from tests.history.repositories import Repository, git, needs_git

pytestmark = needs_git

COLOURS = "amber bronze crimson denim emerald fuchsia golden hazel indigo jade khaki lilac".split()


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    made = Repository(tmp_path_factory.mktemp("made") / "paint")
    made.commit("Begin", {f"{colour}.py": f"def mix_{colour}():\n    return 0\n" for colour in COLOURS})
    for number, colour in enumerate(COLOURS, 1):
        made.commit(f"Mix thicker {colour} paint", {f"{colour}.py": f"def mix_{colour}():\n    return {number}\n"})
    made.commit("Sparkling \x1b[2J unknown glitter", {"amber.py": "def mix_amber():\n    return 99\n"})
    return made


def test_people_get_a_table_and_what_was_not_found(repository: Repository, tmp_path: Path) -> None:
    # By meaning something is always found among so few files.
    chosen = ("--strategy", "tfidf", "--strategy", "tfidfSemantic")
    done = run("evaluate", *chosen, store=tmp_path / "s", cwd=repository.folder)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "13 commits asked about, each in the tree before it; 14 looked at"
    assert lines[1] == "left out: 1 nothing before it"
    head, *rows = [line for line in lines if line.startswith(("95 %", "tfidf"))]
    assert head.split() == "95 % intervals recall@1 recall@5 recall@10 mrr ndcg@10".split()
    assert [row.split()[:2] for row in rows] == [["tfidf", "0.923"], ["tfidfSemantic", "0.923"]]
    assert "found by none among 50 results: 1" in lines
    assert "Sparkling \\x1b[2J unknown glitter  (amber.py)" in done.stdout
    assert "\x1b" not in done.stdout
    assert not (tmp_path / "s").exists()


def test_programs_get_every_question(repository: Repository, tmp_path: Path) -> None:
    arguments = ("evaluate", "--strategy", "tfidf", "--json", "--commits", "11", "--since", "2025-01-02", "--seed", "5")
    done = run(*arguments, store=tmp_path / "s", cwd=repository.folder)
    evaluation = json.loads(done.stdout)
    assert (len(evaluation["questions"]), evaluation["wanted"], evaluation["seed"]) == (11, 11, 5)
    last = evaluation["questions"][-2]
    assert (last["question"], last["targets"], last["ranks"]) == (
        "Mix thicker lilac paint",
        ["lilac.py"],
        {"tfidf": [1]},
    )
    assert evaluation["strategies"][0]["figures"]["mrr"]["mean"] == pytest.approx(10 / 11, abs=1e-4)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--commits", "5"), 1, "5 of 5 commits can be asked about, and 10 are needed"),
        (("--since", "2026-01-01"), 1, "0 of 0 commits"),
        (("--since", "yesterday"), 2, "not a day such as 2025-01-31"),
        (("--strategy", "magic"), 2, "unknown strategy magic"),
        (("-w", ".."), 2, "in no git repository"),
        (("-w", "nowhere"), 2, "cannot be opened"),
        (("--max-files", "0"), 2, "at least 1"),
    ],
)
def test_every_outcome_has_its_words_and_its_code(
    repository: Repository, tmp_path: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    done = run("evaluate", *arguments, store=tmp_path / "s", cwd=repository.folder)
    assert done.returncode == code, done.stdout + done.stderr
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_shallow_clone_is_told_what_to_do(repository: Repository, tmp_path: Path) -> None:
    git("clone", "-q", "--depth", "3", repository.folder.as_uri(), "shallow", cwd=tmp_path)
    done = run("evaluate", store=tmp_path / "s", cwd=tmp_path / "shallow")
    assert done.returncode == 1
    assert "git fetch --unshallow" in done.stderr
