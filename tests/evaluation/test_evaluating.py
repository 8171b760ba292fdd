"""The search judged on histories whose answers are known."""

import asyncio
import tempfile
from pathlib import Path

import pytest
from tests.history.repositories import Repository, needs_git

from lurcher_index import Cancelled, Settings
from lurcher_index.errors import BadQuery, TooFewCommits
from lurcher_index.evaluation.evaluating import Wish, evaluate
from lurcher_index.evaluation.report import Evaluation
from lurcher_index.history.mining import Choice

pytestmark = needs_git

ANIMALS = "alpaca badger cheetah dolphin echidna falcon gibbon hamster ibex jackal koala lemur".split()


@pytest.fixture(autouse=True)
def no_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Whoever used the person's own store, or left something behind, would be seen here."""
    monkeypatch.setenv("LURCHER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path / "cache"


def module(animal: str, number: int = 0) -> str:
    return f'def feed_{animal}(food):\n    """Feeds one {animal} in its enclosure."""\n    return food + {number}\n'


def zoo(folder: Path) -> Repository:
    """Each animal has a file, and a commit that changes it and names the animal."""
    repository = Repository(folder)
    repository.commit("Begin", {f"src/{animal}.py": module(animal) for animal in ANIMALS})
    for number, animal in enumerate(ANIMALS, 1):
        repository.commit(f"Raise food for the {animal} enclosure", {f"src/{animal}.py": module(animal, number)})
    return repository


def judge(folder: Path, *strategies: str, stop_at: int | None = None, commits: int = 200) -> Evaluation:
    heard: list[tuple[int, int]] = []
    wish = Wish(Choice(commits=commits), strategies or ("tfidf",))

    def told(done: int, total: int) -> None:
        heard.append((done, total))

    def cancelled() -> bool:
        return bool(heard) and heard[-1][0] == stop_at

    evaluation = asyncio.run(evaluate(folder, wish, Settings(workers=1), told, cancelled))
    assert [done for done, _ in heard] == list(range(len(heard)))
    return evaluation


def test_what_can_be_found_is_found_by_every_strategy(tmp_path: Path, no_cache: Path) -> None:
    repository = zoo(tmp_path / "zoo")
    before = sorted(path for path in repository.folder.rglob("*") if ".git" not in path.parts)
    evaluation = judge(repository.folder, "tfidf", "tfidfSemantic", "embeddings", "race")
    assert len(evaluation.questions) == len(ANIMALS)
    assert {each.strategy: each.failed for each in evaluation.strategies} == {
        "tfidf": 0,
        "tfidfSemantic": 0,
        "embeddings": 0,
        "race": 0,
    }
    for strategy in evaluation.strategies:
        assert {name: figure.mean for name, figure in strategy.figures.items()} == {
            "recall@1": 1.0,
            "recall@5": 1.0,
            "recall@10": 1.0,
            "mrr": 1.0,
            "ndcg@10": 1.0,
        }, strategy.strategy
    assert (evaluation.looked_at, evaluation.left_out) == (13, {"nothing before it": 1})
    assert (evaluation.targets, evaluation.naming, evaluation.stopped) == (12, 0.0, False)
    assert not no_cache.exists()
    assert sorted(path for path in repository.folder.rglob("*") if ".git" not in path.parts) == before
    assert [path.name for path in tmp_path.iterdir()] == ["zoo"]


def test_the_future_is_left_out(tmp_path: Path) -> None:
    """The words of the last message come into the right file with its commit, and into a wrong one long before."""
    repository = zoo(tmp_path / "zoo")
    repository.commit("Tell visitors about quokkas", {"src/visitors.py": '"""Quokkas for visitors, told."""\n'})
    repository.commit(
        "Tell visitors about quokkas", {"src/ibex.py": module("ibex") + '"""Visitors, quokkas: tell."""\n'}
    )
    asked = judge(repository.folder).questions[-1]
    assert asked.question == "Tell visitors about quokkas"
    assert (asked.targets, asked.ranks["tfidf"]) == (("src/ibex.py",), (None,))
    repository.commit("Tell visitors about quokkas", {"src/ibex.py": module("ibex")})
    asked = judge(repository.folder).questions[-1]
    # One commit later the words are there, and only its own change is the future.
    assert asked.ranks["tfidf"] in {(1,), (2,)}


def test_files_that_are_new_or_not_indexed_are_no_targets(tmp_path: Path) -> None:
    repository = zoo(tmp_path / "zoo")
    repository.commit("Begin a binary and lock files", {"logo.png": b"\x89PNG\0\0", "package-lock.json": "{}\n"})
    repository.commit(
        "Raise food for alpaca and marmot enclosures in alpaca.py",
        {"src/alpaca.py": module("alpaca", 99), "src/marmot.py": module("marmot"), "package-lock.json": "{ }\n"},
    )
    repository.commit("Redraw the enclosure logo", {"logo.png": b"\x89PNG\0\1"})
    evaluation = judge(repository.folder)
    assert evaluation.questions[-1].targets == ("src/alpaca.py",)
    assert evaluation.questions[-1].names_a_target
    assert evaluation.naming == pytest.approx(1 / 13, abs=1e-4)
    assert (evaluation.targets_not_indexed, evaluation.files_added) == (1, 1)
    assert evaluation.left_out["no changed file is indexed"] == 1


def test_ignore_rules_are_those_of_their_time(tmp_path: Path) -> None:
    repository = zoo(tmp_path / "zoo")
    repository.commit("Begin", {".gitignore": "src/koala.py\n"})
    repository.commit(
        "Raise food for koala and lemur", {"src/koala.py": module("koala", 50), "src/lemur.py": "x = 1\n"}
    )
    repository.commit("Begin", {".gitignore": None})
    repository.commit("Raise food for koala again", {"src/koala.py": module("koala", 60)})
    first, second = judge(repository.folder).questions[-2:]
    assert (first.targets, second.targets) == (("src/lemur.py",), ("src/koala.py",))


def test_questions_that_nobody_can_answer_are_told(tmp_path: Path) -> None:
    repository = zoo(tmp_path / "zoo")
    repository.commit("Unfathomable zyzzyva xylophone", {"src/ibex.py": module("ibex", 77)})
    evaluation = judge(repository.folder)
    assert [each.question for each in evaluation.questions if not each.found] == ["Unfathomable zyzzyva xylophone"]
    assert evaluation.strategies[0].figures["recall@10"].mean == pytest.approx(12 / 13, abs=1e-4)


def test_a_folder_of_the_repository_is_judged_alone(tmp_path: Path) -> None:
    repository = zoo(tmp_path / "zoo")
    assert judge(repository.folder / "src").questions[0].targets == ("alpaca.py",)


def test_too_few_commits_are_refused_with_what_there_was(tmp_path: Path) -> None:
    repository = zoo(tmp_path / "zoo")
    with pytest.raises(TooFewCommits, match=r"9 of 9 commits can be asked about, and 10 are needed; ask for more"):
        judge(repository.folder, commits=9)
    repository.git("checkout", "-q", "--orphan", "fresh")
    repository.commit("Begin", {"a.py": ""})
    with pytest.raises(TooFewCommits, match=r"0 of 1 commits .* \(left out: 1 nothing before it\)"):
        judge(repository.folder)


def test_an_unknown_strategy_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(BadQuery, match="unknown strategy magic"):
        judge(tmp_path, "tfidf", "magic")


def test_it_can_be_stopped_and_tells_of_what_it_got_to(tmp_path: Path) -> None:
    repository = zoo(tmp_path / "zoo")
    evaluation = judge(repository.folder, stop_at=11)
    assert (len(evaluation.questions), evaluation.stopped) == (11, True)
    with pytest.raises(Cancelled, match="stopped after 3 commits, too few to say anything"):
        judge(repository.folder, stop_at=3)
    assert [path.name for path in tmp_path.iterdir()] == ["zoo"]
