"""Sources that are not what the questions were written about are reported, and what cannot be judged is left out."""

import json
from pathlib import Path

import pytest
from benchmarks.quality import fetch_corpora, read_questions, read_span_questions
from benchmarks.quality.corpora import DOWNLOADS, ROOT, Corpus, same_version
from benchmarks.registries import debian_version

ENTRY: dict[str, object] = {
    "name": "otters",
    "language": "go",
    "registry": "debian",
    "package": "golang-otters-dev",
    "version": "1.2.3-4",
    "packagePrefix": "usr/share/otters/",
    "repositoryPrefix": "",
    "indexRoot": ".",
}


def span(path: str, first: int, last: int) -> dict[str, object]:
    return {"path": path, "first_line": first, "last_line": last}


def asked(query: str, answers: list[dict[str, object]], alternatives: list[dict[str, object]]) -> dict[str, object]:
    return {"query": query, "category": "where", "answers": answers, "alternatives": alternatives}


def written(folder: Path, entries: list[dict[str, object]], questions: list[dict[str, object]]) -> Path:
    folder.mkdir()
    (folder / "corpora.json").write_text(json.dumps(entries))
    (folder / "otters.json").write_text(json.dumps(questions))
    return folder


def fetched(trees: Path, archive: str) -> None:
    """A tree that was fetched before, and the archive it came from."""
    (trees / "otters").mkdir(parents=True)
    (trees / "otters" / "swim.go").write_text("package otters\n\nfunc Swim() {\n}\n")
    downloads = trees / DOWNLOADS / "debian-golang-otters-dev-1.2.3-4"
    downloads.mkdir(parents=True)
    (downloads / ".complete").touch()
    if archive:
        (downloads / archive).touch()


@pytest.mark.parametrize(
    ("name", "version"),
    [
        ("golang-otters-dev_1.2.3-4_all.deb", "1.2.3-4"),
        ("otters_2%3a1.0-1_amd64.deb", "2:1.0-1"),
        ("libevent_2.1.12-stable.orig.tar.gz", "2.1.12-stable"),
        ("debootstrap_1.0.128+nmu2+deb12u2.tar.xz", "1.0.128+nmu2+deb12u2"),
        ("strange.zip", ""),
    ],
)
def test_the_version_in_the_name_of_an_archive(name: str, version: str) -> None:
    assert debian_version(Path(name)) == version


@pytest.mark.parametrize(
    ("registry", "wanted", "found", "same"),
    [
        ("debian", "1.2-3", "1.2-3", True),
        ("debian", "1.2-3", "1.2-4", False),
        ("debian-source", "1.15.3-1", "1.15.3", True),
        ("debian-source", "2.1.12-stable", "2.1.12-stable", True),
        ("debian-source", "1:2.0", "2.0", True),
        ("debian-source", "1.15.3-1", "1.15.4", False),
    ],
)
def test_a_tarball_has_no_revision(registry: str, wanted: str, found: str, same: bool) -> None:
    assert same_version(registry, wanted, found) is same


@pytest.mark.parametrize(
    ("archive", "asked_about"),
    [
        ("golang-otters-dev_1.2.3-4_all.deb", 1),
        ("golang-otters-dev_1.2.4-1_all.deb", 0),
        ("", 1),  # Deleted: the lines are all that can be checked.
    ],
)
def test_another_version_leaves_no_question(tmp_path: Path, archive: str, asked_about: int) -> None:
    fetched(tmp_path / "trees", archive)
    folder = written(tmp_path / "questions", [ENTRY], [asked("swim", [span("swim.go", 3, 4)], [])])
    said: list[str] = []
    (corpus,) = fetch_corpora(folder, tmp_path / "trees", [], said.append)
    assert len(read_span_questions(folder, corpus, said.append)) == asked_about
    assert bool(said) is not bool(asked_about)
    assert all("1 questions left out: version 1.2.4-1 was fetched" in line for line in said)


def test_an_answer_that_is_gone_takes_its_question_with_it(tmp_path: Path) -> None:
    fetched(tmp_path / "trees", "")
    (tmp_path / "outside.go").write_text("package outside\n")
    questions: list[dict[str, object]] = [
        asked("here", [span("swim.go", 3, 4)], [span("swim.go", 1, 1)]),
        asked("lines are gone", [span("swim.go", 3, 5)], []),
        asked("file is gone", [span("swim.go", 1, 1), span("dive.go", 1, 2)], []),
        asked("leads out", [span("../../outside.go", 1, 1)], []),
        asked("alternative is gone", [span("swim.go", 3, 4)], [span("dive.go", 1, 2), span("swim.go", 1, 1)]),
        {"query": "nothing", "category": "none", "answers": [], "alternatives": []},
    ]
    folder = written(tmp_path / "questions", [ENTRY], questions)
    said: list[str] = []
    corpus = Corpus("otters", "go", tmp_path / "trees" / "otters", tmp_path / "trees" / "otters")
    found = {question.text: question for question in read_span_questions(folder, corpus, said.append)}
    assert list(found) == ["here", "alternative is gone", "nothing"]
    assert len(found["here"].alternatives) == len(found["alternative is gone"].alternatives) == 1
    assert [line.partition(" in the tree")[0].partition("otters: ")[2] for line in said] == [
        "'lines are gone' left out: no swim.go:3-5",
        "'file is gone' left out: no dive.go:1-2",
        "'leads out' left out: no ../../outside.go:1-1",
        "'alternative is gone' asked without an alternative: no dive.go:1-2",
    ]


def test_targets_that_are_gone_are_counted(tmp_path: Path) -> None:
    fetched(tmp_path, "")
    (tmp_path / "queries").mkdir()
    entries = [
        {"query": "one of two", "category": "semantic", "relevant": ["swim.go"], "secondary": ["dive.go"]},
        {"query": "none", "category": "semantic", "relevant": ["dive.go"], "secondary": []},
    ]
    (tmp_path / "queries" / "otters.json").write_text(json.dumps(entries))
    questions, targets, whole = read_questions(
        tmp_path, Corpus("otters", "go", tmp_path / "otters", tmp_path / "otters")
    )
    assert ([question.text for question in questions], targets, whole) == (["one of two"], 2, 1)


def test_this_repository_is_a_corpus(tmp_path: Path) -> None:
    entry = ENTRY | {"registry": "checkout", "version": "", "indexRoot": "fixtures/languages"}
    (corpus,) = fetch_corpora(written(tmp_path / "questions", [entry], []), tmp_path, [])
    assert (corpus.repository, corpus.root) == (ROOT, ROOT / "fixtures" / "languages")


@pytest.mark.parametrize(
    "entry",
    [
        ENTRY | {"registry": "nowhere"},
        ENTRY | {"name": "../otters"},
        ENTRY | {"registry": "checkout", "indexRoot": ".."},
        ENTRY | {"registry": "checkout", "indexRoot": "no/such/folder"},
    ],
)
def test_what_cannot_be_had_is_reported(tmp_path: Path, entry: dict[str, object]) -> None:
    said: list[str] = []
    assert list(fetch_corpora(written(tmp_path / "questions", [entry], []), tmp_path, [], said.append)) == []
    assert len(said) == 1
    assert "left out" in said[0]


def test_only_the_corpora_that_are_wanted(tmp_path: Path) -> None:
    entry = ENTRY | {"registry": "checkout"}
    folder = written(tmp_path / "questions", [entry, entry | {"name": "whales"}], [])
    assert [corpus.name for corpus in fetch_corpora(folder, tmp_path, ["whales"])] == ["whales"]
