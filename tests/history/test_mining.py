"""Which commits are asked about, out of real histories."""

from collections import Counter
from datetime import date
from pathlib import Path

import pytest
from tests.history.repositories import Repository, git, needs_git

from lurcher_index.errors import BadFolder, HistoryError
from lurcher_index.history.mining import Choice, Mined, mine
from lurcher_index.history.wording import LeftOut

pytestmark = needs_git


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "r")
    made.commit("Begin", {"a.py": "a = 1\n" * 20, "lib/b.py": "b = 1\n" * 20, "lib/c.py": "c = 1\n"})
    return made


def asked(mined: Mined) -> list[tuple[str, tuple[str, ...], int]]:
    """Question, targets and how many files were added; newest first."""
    return [(commit.question, commit.targets, commit.added) for commit in mined.commits]


def test_targets_are_the_files_that_were_there_before(repository: Repository) -> None:
    repository.commit("Change two known files", {"a.py": "a = 2\n" * 20, "lib/b.py": "b = 2\n", "new.py": "n = 1\n"})
    repository.commit("Delete the third file", {"lib/c.py": None})
    (repository.folder / "a.py").rename(repository.folder / "moved.py")
    repository.commit("Move the first file away")
    assert asked(mine(repository.folder)) == [
        ("Move the first file away", ("a.py",), 0),
        ("Delete the third file", ("lib/c.py",), 0),
        ("Change two known files", ("a.py", "lib/b.py"), 1),
    ]


def test_what_cannot_be_asked_is_counted_by_reason(repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "side")
    repository.commit("Side branch changes values", {"a.py": "a = 3\n"})
    repository.git("checkout", "-q", "main")
    repository.commit("Fix tests", {"a.py": "a = 4\n" * 20})
    repository.commit("Run black", {"lib/c.py": "c = 5\n"})
    repository.commit('Revert "Run black"', {"lib/c.py": "c = 1\n"})
    repository.commit("Release 1.0", {"lib/c.py": "c = 6\n"})
    repository.commit("squash! Side branch changes values", {"lib/c.py": "c = 7\n"})
    repository.commit("Raise numbers everywhere", {"lib/c.py": "c = 8\n"}, author="helper[bot] <x@example.org>")
    repository.commit("Nothing changes today")
    repository.commit("Only new files arrive", {"new.py": "n = 1\n"})
    repository.commit("Write eleven files at once", {f"many/{n}.py": f"x = {n}\n" for n in range(11)})
    repository.git("merge", "-q", "-X", "ours", "-m", "Merge the side into main", "side")
    mined = mine(repository.folder)
    assert asked(mined) == [("Side branch changes values", ("a.py",), 0)]
    assert mined.left_out == Counter(
        {
            LeftOut.MERGE: 1,
            LeftOut.FIRST: 1,
            LeftOut.FEW_WORDS: 1,
            LeftOut.FORMATTING: 1,
            LeftOut.REVERT: 1,
            LeftOut.RELEASE: 1,
            LeftOut.UNFINISHED: 1,
            LeftOut.BOT: 1,
            LeftOut.NO_FILES: 1,
            LeftOut.ONLY_NEW: 1,
            LeftOut.MANY_FILES: 1,
        }
    )
    assert mined.looked_at == 12


def test_the_newest_commits_are_chosen(repository: Repository) -> None:
    for number in range(5):
        repository.commit(f"Set the value to number{number}", {"a.py": f"a = {number}0\n"})
    questions = [commit.question for commit in mine(repository.folder, Choice(commits=2)).commits]
    assert questions == ["Set the value to number4", "Set the value to number3"]


def test_since_counts_from_the_beginning_of_a_day(repository: Repository) -> None:
    for number in range(2, 6):
        repository.commit(f"Set the value on january {number}", {"a.py": f"a = {number}0\n"})
    mined = mine(repository.folder, Choice(since=date(2025, 1, 5)))
    assert [commit.question[-1] for commit in mined.commits] == ["5", "4"]


def test_how_many_files_are_too_many_can_be_chosen(repository: Repository) -> None:
    repository.commit("Change both python files", {"a.py": "", "lib/b.py": ""})
    assert len(mine(repository.folder, Choice(max_files=2)).commits) == 1
    assert mine(repository.folder, Choice(max_files=1)).left_out[LeftOut.MANY_FILES] == 1


def test_the_whole_message_is_asked_on_request(repository: Repository) -> None:
    repository.commit("Close idle sessions\n\nThey leak.\n\nSigned-off-by: Ada <a@b.c>\n", {"a.py": ""})
    (commit,) = mine(repository.folder, Choice(with_body=True)).commits
    assert (commit.subject, commit.question) == ("Close idle sessions", "Close idle sessions They leak.")


def test_a_folder_of_the_repository_has_its_own_paths(repository: Repository) -> None:
    repository.commit("Change outside and inside", {"a.py": "", "lib/b.py": ""})
    repository.commit("Change nothing but outside code", {"a.py": "a = 9\n"})
    mined = mine(repository.folder / "lib")
    assert asked(mined) == [("Change outside and inside", ("b.py",), 0)]
    assert mined.left_out[LeftOut.NO_FILES] == 1


def test_messages_in_old_encodings_are_read(repository: Repository) -> None:
    repository.git("config", "i18n.commitEncoding", "latin1")
    (repository.folder / "a.py").write_text("")
    repository.git("add", "-A")
    git(
        "commit",
        "-q",
        "-F",
        "-",
        "--author",
        "A <a@b.c>",
        cwd=repository.folder,
        given="Größe der Blöcke".encode("latin1"),
    )
    assert mine(repository.folder).commits[0].question == "Größe der Blöcke"


def test_links_and_submodules_are_no_targets(repository: Repository) -> None:
    (repository.folder / "link").symlink_to("a.py")
    head = repository.git("rev-parse", "HEAD")
    repository.git("update-index", "--add", "--cacheinfo", f"160000,{head},sub")
    repository.git("commit", "-q", "-m", "Begin with links", "--author", "A <a@b.c>")
    (repository.folder / "link").unlink()
    (repository.folder / "link").symlink_to("lib/b.py")
    repository.commit("Let the link lead elsewhere", {"a.py": "a = 2\n"})
    assert asked(mine(repository.folder))[0] == ("Let the link lead elsewhere", ("a.py",), 0)


def test_a_shallow_clone_says_so_and_ends_where_it_ends(repository: Repository, tmp_path: Path) -> None:
    for number in range(4):
        repository.commit(f"Set the value to number{number}", {"a.py": f"a = {number}0\n"})
    url = repository.folder.as_uri()
    git("clone", "-q", "--depth", "2", url, "shallow", cwd=tmp_path)
    mined = mine(tmp_path / "shallow")
    assert [commit.question for commit in mined.commits] == ["Set the value to number3"]
    assert (mined.shallow, mined.left_out) == (True, Counter({LeftOut.FIRST: 1}))


def test_a_repository_without_commits_asks_nothing(tmp_path: Path) -> None:
    mined = mine(Repository(tmp_path / "empty").folder)
    assert (mined.commits, mined.looked_at) == ((), 0)


def test_a_folder_without_a_repository_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFolder, match="in no git repository"):
        mine(tmp_path)


def test_a_broken_repository_is_refused_and_none_above_is_taken(repository: Repository) -> None:
    (repository.folder / "lib" / ".git").mkdir()
    with pytest.raises(HistoryError, match="not a git repository"):
        mine(repository.folder / "lib")


def test_git_has_to_be_there(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repository.folder))
    with pytest.raises(HistoryError, match="git is not installed"):
        mine(repository.folder)


def test_more_commits_than_a_page_are_walked(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lurcher_index.history.commits.PAGE_COMMITS", 2)
    for number in range(5):
        repository.commit(f"Set the value to number{number}", {"a.py": f"a = {number}0\n"})
    mined = mine(repository.folder)
    assert [commit.question[-1] for commit in mined.commits] == ["4", "3", "2", "1", "0"]
    assert mined.looked_at == 6
