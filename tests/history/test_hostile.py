"""A repository can ask git to run programs and to reach out; it gets neither."""

import os
import stat
import sys
from pathlib import Path

import pytest
from tests.history.repositories import Repository, git, needs_git

from lurcher_index.errors import HistoryError
from lurcher_index.history import git as running
from lurcher_index.history.git import Git, TooMuchOutput
from lurcher_index.history.mining import mine
from lurcher_index.history.replay import replay

pytestmark = [needs_git, pytest.mark.skipif(sys.platform == "win32", reason="the planted programs are scripts")]


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "r")
    made.commit("Begin", {"a.txt": "a\n" * 10})
    made.commit("Change the single text file", {"a.txt": "b\n" * 10})
    return made


def plant(folder: Path) -> tuple[Path, Path]:
    """A program, and the file that is there once it has run."""
    program, mark = folder / "planted", folder / "mark"
    program.write_text(f"#!/bin/sh\ntouch '{mark}'\ncat\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return program, mark


def read_all(repository: Repository, past: Path) -> int:
    past.mkdir()
    return len(list(replay(mine(repository.folder), past)))


def test_nothing_that_the_repository_names_is_run(repository: Repository, tmp_path: Path) -> None:
    program, mark = plant(tmp_path)
    for key in (
        "core.fsmonitor",
        "core.pager",
        "core.editor",
        "core.sshCommand",
        "core.alternateRefsCommand",
        "diff.external",
        "diff.evil.textconv",
        "diff.evil.command",
        "filter.evil.smudge",
        "filter.evil.clean",
        "filter.evil.process",
        "gpg.program",
        "pager.rev-list",
        "pager.diff-tree",
    ):
        repository.git("config", key, str(program))
    for name in ("rev-list", "diff-tree", "cat-file", "rev-parse"):
        repository.git("config", f"alias.{name}", f"!{program}")
    repository.git("config", "log.showSignature", "true")
    repository.git("config", "core.hooksPath", str(tmp_path / "hooks"))
    (tmp_path / "hooks").mkdir()
    for hook in ("post-checkout", "post-index-change", "reference-transaction", "pre-auto-gc"):
        (tmp_path / "hooks" / hook).symlink_to(program)
    (repository.folder / ".git" / "info").mkdir(exist_ok=True)
    (repository.folder / ".git" / "info" / "attributes").write_text("* diff=evil filter=evil\n")
    (repository.folder / ".gitattributes").write_text("* diff=evil filter=evil\n")
    assert read_all(repository, tmp_path / "past") == 1
    assert not mark.exists()
    # The same repository does run the program where nobody takes care.
    os.system(f"cd '{repository.folder}' && git status >{os.devnull} 2>&1")
    assert mark.exists()


def test_variables_of_git_have_no_say(repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program, mark = plant(tmp_path)
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(program))
    monkeypatch.setenv("GIT_TRACE", str(tmp_path / "trace"))
    assert read_all(repository, tmp_path / "past") == 1
    assert not mark.exists()
    assert not (tmp_path / "trace").exists()


def test_a_partial_clone_fetches_nothing(repository: Repository, tmp_path: Path) -> None:
    repository.git("config", "uploadpack.allowFilter", "true")
    url = repository.folder.as_uri()
    git("clone", "-q", "--no-checkout", "--filter=blob:none", url, "partial", cwd=tmp_path)
    clone = tmp_path / "partial"
    before = sorted(path.name for path in (clone / ".git" / "objects" / "pack").iterdir())
    (tmp_path / "past").mkdir()
    with pytest.raises(HistoryError, match=r"partial clone|fetch the whole history"):
        list(replay(mine(clone), tmp_path / "past"))
    assert sorted(path.name for path in (clone / ".git" / "objects" / "pack").iterdir()) == before


def test_replaced_objects_are_not_believed(repository: Repository) -> None:
    other = repository.git("commit-tree", "HEAD^{tree}", "-p", "HEAD~1", "-m", "Replaced message of somebody")
    repository.git("replace", "HEAD", other)
    assert [commit.question for commit in mine(repository.folder).commits] == ["Change the single text file"]


def test_output_without_end_is_refused(repository: Repository) -> None:
    with pytest.raises(TooMuchOutput, match="rev-list printed more than 10 bytes"):
        Git.around(repository.folder).output("rev-list", "HEAD", limit=10)


def test_a_run_without_end_is_stopped(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe in place of a configuration file: git waits for somebody to write into it."""
    pipe = repository.folder / ".git" / "pipe"
    os.mkfifo(pipe)
    repository.git("config", "include.path", "pipe")
    monkeypatch.setattr(running, "RUN_SECONDS", 0.3)
    with pytest.raises(HistoryError, match="took too long"):
        mine(repository.folder)


def test_an_object_that_is_missing_is_said_so(repository: Repository) -> None:
    with pytest.raises(HistoryError, match="lacks the object"):
        list(Git.around(repository.folder).objects(["0" * 40], 100))


def test_objects_beyond_the_size_come_without_data(repository: Repository) -> None:
    names = [repository.git("hash-object", "-w", "--stdin", given="x" * size) for size in (200_000, 10)]
    found = list(Git.around(repository.folder).objects(names, 100))
    assert [(each.name, each.data) for each in found] == [(names[0], None), (names[1], b"x" * 10)]
