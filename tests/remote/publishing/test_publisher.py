"""A publish sends what is lacking, survives whatever happens on its way, and shows all of a commit or nothing."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest
from tests.history.repositories import Repository, needs_git
from tests.remote.publishing.memory_index import MemoryIndex

from lurcher_index import Settings
from lurcher_index.building.messages import Setup
from lurcher_index.building.pool import WorkerPool
from lurcher_index.config import FINGERPRINT
from lurcher_index.errors import Cancelled, RemoteBusy, RemoteDenied, RemoteUnreachable
from lurcher_index.publishing.publisher import Publisher
from lurcher_index.publishing.source import find_commit
from lurcher_index.publishing.values import Progress, Published, Step
from lurcher_index.remote.engines.interface import Where

pytestmark = needs_git

NAME = "example.com/team/app"
WITHOUT_VECTORS = Settings(model="none", workers=1)


class Killed(BaseException):
    """The end of a process, as far as one can have it within one."""


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "app")
    made.commit("One", {f"src/part_{n}.py": f"def part_{n}():\n    return {n}\n" for n in range(6)})
    return made


@pytest.fixture(scope="module")
def pools() -> Iterator[dict[int, WorkerPool]]:
    made: dict[int, WorkerPool] = {}
    yield made
    for pool in made.values():
        pool.close()


@pytest.fixture(autouse=True)
def kept_workers(pools: dict[int, WorkerPool], monkeypatch: pytest.MonkeyPatch) -> None:
    """To start processes takes longer than all that they do here."""

    @contextmanager
    def workers(settings: Settings) -> Iterator[WorkerPool]:
        setup = Setup(settings, (), FINGERPRINT)
        yield pools.setdefault(settings.chunk_tokens, WorkerPool(setup, settings.workers))

    monkeypatch.setattr("lurcher_index.publishing.publisher._workers", workers)


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few files are many batches."""
    monkeypatch.setattr("lurcher_index.publishing.making.BATCH_BYTES", 150)
    monkeypatch.setattr("lurcher_index.publishing.publisher.CALL_VERSIONS", 2)


def publish(
    index: MemoryIndex,
    repository: Repository,
    settings: Settings = WITHOUT_VECTORS,
    *,
    revision: str = "HEAD",
    report: Callable[[Progress], object] = lambda _: None,
    cancelled: Callable[[], bool] = lambda: False,
    patience: float = 0.0,
) -> Published:
    source = find_commit(repository.folder, revision)
    return Publisher(index, NAME, source, settings).publish(report, cancelled, patience)


def check(index: MemoryIndex, done: Published, **wanted: int | bool) -> None:
    """The numbers of the account, and that the commit is there as a whole."""
    assert {name: getattr(done, name) for name in wanted} == wanted
    assert len(index.files_of(NAME, done.commit)) == done.files


def test_the_first_publish_sends_everything(repository: Repository) -> None:
    index = MemoryIndex()
    done = publish(index, repository)
    check(index, done, generation=1, files=6, chunks=6, sent_files=6, sent_chunks=6, reused_files=0, ended_files=0)
    assert not done.was_published
    assert index.claimed == set()


def test_whoever_publishes_makes_the_first_search(repository: Repository) -> None:
    index = MemoryIndex()
    told: list[Progress] = []
    stopped = False

    def warming(cancelled: Callable[[], bool]) -> None:
        nonlocal stopped
        assert len(index.publications(NAME)) == 1, "it is shown first"
        assert index.claimed == set(), "others may publish meanwhile"
        assert not cancelled()
        stopped = True
        assert cancelled()
        raise RemoteUnreachable("the server took too long")

    index.warming = warming
    done = publish(index, repository, report=told.append, cancelled=lambda: stopped)
    check(index, done, was_published=False, files=6)
    assert index.warmed == [Where(NAME, done.generation)]
    assert told[-1].step is Step.WARMING
    publish(index, repository)
    assert len(index.warmed) == 1, "nothing was shown"


def test_the_same_commit_again_sends_nothing(repository: Repository) -> None:
    index = MemoryIndex()
    first = publish(index, repository)
    calls: list[str] = []
    index.before = calls.append
    check(index, publish(index, repository), was_published=True, generation=1, files=6, sent_files=0, reused_files=6)
    assert set(calls) == {"publications"}
    assert index.files_of(NAME, first.commit).keys() == {f"src/part_{n}.py" for n in range(6)}


def test_only_what_changed_is_sent(repository: Repository) -> None:
    index = MemoryIndex()
    first = publish(index, repository)
    before = index.files_of(NAME, first.commit)
    repository.git("mv", "src/part_2.py", "src/moved.py")
    repository.commit(
        "Two", {"src/part_0.py": "def changed():\n    pass\n", "src/part_1.py": None, "new.go": "package n\n"}
    )
    index.inserted.clear()
    done = publish(index, repository)
    check(index, done, generation=2, files=6, sent_files=3, reused_files=3, ended_files=3)
    assert {file.path for file in index.inserted} == {"src/part_0.py", "src/moved.py", "new.go"}
    after = index.files_of(NAME, done.commit)
    assert after.keys() == {"src/part_0.py", "src/moved.py", "new.go", *(f"src/part_{n}.py" for n in (3, 4, 5))}
    assert index.files_of(NAME, first.commit) == before


def test_what_comes_back_is_not_sent_again(repository: Repository) -> None:
    index = MemoryIndex()
    publish(index, repository)
    repository.commit("Without", {"src/part_1.py": None, "src/part_2.py": None, "src/part_3.py": "x = 1\n"})
    publish(index, repository)
    repository.git("revert", "--no-edit", "HEAD")
    index.inserted.clear()
    done = publish(index, repository)
    check(index, done, generation=3, files=6, sent_files=0, reused_files=6, reopened_files=3, ended_files=1)
    assert index.inserted == []


def test_an_older_commit_that_is_still_there_costs_nothing(repository: Repository) -> None:
    index = MemoryIndex()
    publish(index, repository)
    repository.commit("Two", {"src/part_1.py": None})
    publish(index, repository)
    check(index, publish(index, repository, revision="HEAD^"), was_published=True, generation=1)


def test_a_branch_that_is_named_anew_is_shown_without_sending(repository: Repository) -> None:
    index = MemoryIndex()
    publish(index, repository)
    source = find_commit(repository.folder, branch="release")
    done = Publisher(index, NAME, source, WITHOUT_VECTORS).publish()
    check(index, done, generation=2, sent_files=0, reused_files=6)
    assert [(each.branch, each.generation) for each in index.publications(NAME)] == [("release", 2)]


def test_an_empty_commit_is_published(tmp_path: Path) -> None:
    made = Repository(tmp_path / "empty")
    made.commit("Nothing")
    index = MemoryIndex()
    check(index, publish(index, made), generation=1, files=0, chunks=0, sent_files=0)


def test_what_is_no_text_is_read_but_never_sent(repository: Repository) -> None:
    index = MemoryIndex()
    repository.commit("Blob", {"blob": b"\0\1\2" * 50, "empty.py": ""})
    done = publish(index, repository)
    check(index, done, files=7, chunks=6, sent_files=7)
    assert done.skipped == {"binary": 1}
    repository.commit("Again", {"src/part_0.py": "x = 2\n"})
    again = publish(index, repository)
    check(index, again, files=7, sent_files=1, reused_files=6)
    assert again.skipped == {"binary": 1}


OTHERS = {
    "another model": Settings(workers=1),
    "larger chunks": Settings(model="none", workers=1, chunk_tokens=300),
}


@pytest.mark.parametrize("kind", [*OTHERS, "another version"])
def test_what_was_made_otherwise_is_not_taken_for_the_same(
    repository: Repository, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = MemoryIndex()
    first = publish(index, repository)
    before = list(index.files_of(NAME, first.commit).values())
    if kind == "another version":
        monkeypatch.setattr("lurcher_index.publishing.publisher.FINGERPRINT", "chunks-99")
    done = publish(index, repository, OTHERS.get(kind, WITHOUT_VECTORS))
    check(index, done, generation=2, files=6, sent_files=6, reused_files=0, ended_files=6)
    assert [file.content[:16] for file in before] == [file.content[:16] for file in index.inserted[6:]]
    assert all((file.vectors is None) == (kind != "another model") for file in index.inserted[6:])


def test_what_a_publish_of_another_model_left_is_not_used(repository: Repository) -> None:
    index = MemoryIndex()
    index.before = _fail_at(12, Killed())
    with pytest.raises(Killed):
        publish(index, repository, Settings(workers=1))
    left = len(index.inserted)
    assert left > 1
    index.before = lambda _: None
    done = publish(index, repository)
    check(index, done, generation=2, files=6, sent_files=6, reused_files=0, ended_files=left)
    assert all(file.vectors is None for file in index.files_of(NAME, done.commit).values())


def _fail_at(number: int, error: BaseException) -> Callable[[str], None]:
    """Raise at a call, by its number from 0."""
    calls = iter(range(number + 1))

    def before(_call: str) -> None:
        if next(calls, None) == number:
            raise error

    return before


def test_killed_at_any_call_the_next_run_finishes(repository: Repository) -> None:
    """Every call, and every file within one, of a publish over another one."""
    repository.commit(
        "Two", {"src/part_1.py": None, "src/part_2.py": "x = 1\n", "src/part_3.py": "y = 2\n", "z.py": ""}
    )
    kills = 0
    while True:
        index = MemoryIndex()
        first = publish(index, repository, revision="HEAD^")
        before = index.files_of(NAME, first.commit)
        index.before = _fail_at(kills, Killed())
        try:
            done = publish(index, repository)
        except Killed:
            index.before = lambda _: None
            assert len(index.publications(NAME)) == 1, "half of it is visible"
            assert index.files_of(NAME, first.commit) == before
            seen = {(file.path, file.content) for file in index.inserted}
            done = publish(index, repository)
            sent = [(file.path, file.content) for file in index.inserted]
            assert len(sent) == len(set(sent)), "something was sent twice"
            assert done.sent_files == len(sent) - len(seen)
        else:
            break
        kills += 1
        assert index.files_of(NAME, done.commit).keys() == {
            "z.py", "src/part_0.py", *(f"src/part_{n}.py" for n in (2, 3, 4, 5))
        }  # fmt: skip
        assert index.files_of(NAME, first.commit) == before
    assert kills > 15


@pytest.mark.parametrize("error", [RemoteUnreachable("the server is away"), RemoteBusy("too much to do", 0.1)])
def test_an_engine_that_is_away_for_a_moment_is_waited_for(
    repository: Repository, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lurcher_index.publishing.patience.FIRST_PAUSE", 0.01)
    for number in count():
        index = MemoryIndex()
        index.before = _fail_at(number, error)
        told: list[Progress] = []
        done = publish(index, repository, report=told.append, patience=5.0)
        check(index, done, files=6, was_published=False)
        # A file of the call that failed may have been written all the same.
        assert done.sent_files + done.reused_files == 6
        assert done.sent_files >= 5
        waits = [each.detail for each in told if each.step is Step.WAITING]
        if not waits:
            assert number > 12, "it failed at every call"
            break
        assert waits == [str(error)]
        sent = [file.path for file in index.inserted]
        assert len(sent) == len(set(sent)), "something was sent twice"


def test_patience_has_an_end(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lurcher_index.publishing.patience.FIRST_PAUSE", 0.01)
    index = MemoryIndex()
    tries: list[str] = []

    def before(call: str) -> None:
        tries.append(call)
        raise RemoteUnreachable("the server is away; try again later")

    index.before = before
    with pytest.raises(RemoteUnreachable, match=r"the server is away.*run the same command again"):
        publish(index, repository, patience=0.1)
    # 0.01, 0.02 and 0.04 s fit into 0.1 s, and then no more does.
    assert tries == ["publications"] * 4


def test_who_is_refused_does_not_try_again(repository: Repository) -> None:
    index = MemoryIndex()
    index.before = _fail_at(3, RemoteDenied("not yours"))
    with pytest.raises(RemoteDenied):
        publish(index, repository, patience=60.0)


def test_somebody_else_who_publishes_is_told_of(repository: Repository) -> None:
    index = MemoryIndex()
    with index.claim(NAME, "other"), pytest.raises(RemoteBusy, match="somebody else"):
        publish(index, repository)
    assert index.publications(NAME) == []
    check(index, publish(index, repository), files=6)


def test_what_an_engine_lost_is_noticed_before_it_is_shown(repository: Repository) -> None:
    index = MemoryIndex()

    def lose(call: str) -> None:
        if call == "open_versions":
            index.rows[NAME].pop()

    index.before = lose
    with pytest.raises(RemoteUnreachable, match="1 files are missing"):
        publish(index, repository)
    assert index.publications(NAME) == []
    index.before = lambda _: None
    check(index, publish(index, repository), generation=2, files=6, sent_files=1, reused_files=5)


def test_who_stops_it_can_go_on(repository: Repository) -> None:
    """At every report that a publish makes."""
    stop = 0
    while True:
        index = MemoryIndex()
        told: list[Progress] = []

        def cancelled(told: list[Progress] = told, stop: int = stop) -> bool:
            return len(told) > stop

        try:
            publish(index, repository, report=told.append, cancelled=cancelled)
        except Cancelled as error:
            assert "goes on" in str(error)
        else:
            break
        assert index.publications(NAME) == []
        assert index.claimed == set()
        sent = len(index.inserted)
        check(index, publish(index, repository), files=6, sent_files=6 - sent, reused_files=sent)
        stop += 1
    assert stop > 3


def test_a_preview_sends_nothing(repository: Repository) -> None:
    index = MemoryIndex()
    asked: list[str] = []
    index.before = asked.append
    source = find_commit(repository.folder)
    preview = Publisher(index, NAME, source, WITHOUT_VECTORS).preview()
    size = sum(len((repository.folder / f"src/part_{n}.py").read_bytes()) for n in range(6))
    assert (preview.files, preview.send_files, preview.send_source_bytes, preview.is_published) == (6, 6, size, False)
    publish(index, repository)
    assert Publisher(index, NAME, source, WITHOUT_VECTORS).preview().is_published
    repository.commit("Two", {"src/part_1.py": None, "src/part_2.py": "x = 1\n", ".env": "KEY=1\n"})
    asked.clear()
    preview = Publisher(index, NAME, find_commit(repository.folder), WITHOUT_VECTORS).preview()
    assert (preview.files, preview.send_files, preview.send_source_bytes, preview.end_files) == (5, 1, 6, 2)
    assert preview.skipped == {"secret": 1}
    assert set(asked) == {"publications", "last_generation", "open_versions"}
