"""Publishing to a real PostgreSQL, and searching there what was published."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.history.repositories import Repository, needs_git
from tests.remote.engines.postgres_server import PostgresServer

from lurcher_index import Settings
from lurcher_index.dense.choice import own_model
from lurcher_index.errors import RemoteBusy, RemoteDenied, RemoteUnreachable
from lurcher_index.publishing.collecting import collect, outdated
from lurcher_index.publishing.publisher import Publisher
from lurcher_index.publishing.source import find_commit
from lurcher_index.publishing.values import Progress, Published, Step
from lurcher_index.remote.connection import Connection, Kind
from lurcher_index.remote.engines.interface import Publication, SharedIndex, Where
from lurcher_index.remote.engines.opening import open_index
from lurcher_index.remote.engines.postgres.index import PostgresIndex
from lurcher_index.remote.interface import IndexedCommit, Provider, RemoteHit, Wanted
from lurcher_index.remote.providers.shared import SharedProvider
from lurcher_index.remote.states import RepositoryState

pytestmark = needs_git

NAME = "example.com/team/app"
FILES: dict[str, str | bytes | None] = {
    **{f"src/part_{n}.py": f"def stretch_{n}(rope):\n    return rope * {n}\n" for n in range(12)},
    "app.go": "package app\n\nfunc AnswerRequest(port int) {\n\tlisten(port)\n}\n",
    "docs/guide.md": "# Guide\n\nHow requests are answered.\n",
    ".env": "PASSWORD=hunter2\n",
}


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "app")
    made.commit("One", FILES)
    return made


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few files are many batches."""
    monkeypatch.setattr("lurcher_index.publishing.making.BATCH_BYTES", 2_000)


def publish(index: SharedIndex, repository: Repository, model: str = "lurcher", patience: float = 0.0) -> Published:
    settings = Settings(model=model, workers=1)
    return Publisher(index, NAME, find_commit(repository.folder), settings).publish(patience=patience)


def wanted(*terms: str, question: str = "") -> Wanted:
    vector = own_model().embed_query(question) if question else None
    return Wanted(words=terms, terms=dict.fromkeys(terms, 1.0), vector=vector)


def paths(hits: tuple[RemoteHit, ...] | list[RemoteHit]) -> set[str]:
    return {hit.path for hit in hits}


def test_what_is_published_is_found_by_words_and_by_meaning(
    postgres_index: PostgresIndex, repository: Repository
) -> None:
    done = publish(postgres_index, repository)
    assert (done.files, done.sent_files, done.skipped) == (14, 14, {"secret": 1})
    assert done.sent_bytes > 14 * 2 * 256
    provider: Provider = SharedProvider(postgres_index)
    checked = provider.check(NAME)
    assert checked.state is RepositoryState.READY
    (commit,) = checked.commits
    assert commit == IndexedCommit(done.commit, 1, "main", own_model().name, done.chunks)
    found = provider.search(NAME, commit, wanted("answer", "request", question="where is a request answered"))
    assert paths(found.words) == {"app.go", "docs/guide.md"}
    assert found.meaning[0].path in {"app.go", "docs/guide.md"}
    assert found.alerts == ()
    assert found.statistics is not None
    assert (found.statistics.chunks, found.statistics.holding["answer"]) == (done.chunks, 2)
    assert {len(hit.content) for hit in (*found.words, *found.meaning)} == {16}


def test_a_change_sends_one_file_and_old_commits_stay(postgres_index: PostgresIndex, repository: Repository) -> None:
    first = publish(postgres_index, repository)
    repository.git("mv", "src/part_2.py", "src/moved.py")
    repository.commit("Two", {"src/part_1.py": None, "app.go": "package app\n\nfunc Refuse() {}\n"})
    second = publish(postgres_index, repository)
    assert (second.sent_files, second.reused_files, second.ended_files) == (2, 11, 3)
    assert 0 < second.sent_bytes < first.sent_bytes / 4
    for done, stretched, refusing in ((first, 12, 0), (second, 11, 1)):
        where = Where(NAME, done.generation)
        assert len(postgres_index.by_words(where, wanted("stretch"))) == stretched
        assert len(postgres_index.by_words(where, wanted("refuse"))) == refusing
    assert publish(postgres_index, repository).was_published


@pytest.mark.usefixtures("small_batches")
def test_an_engine_that_dies_during_a_publish_is_waited_for(
    postgres_server: PostgresServer, postgres_index: PostgresIndex, repository: Repository
) -> None:
    deaths: list[threading.Timer] = []

    def report(now: Progress) -> None:
        if now.step is Step.SENDING and now.done > 2 and not deaths:
            postgres_server.kill()
            deaths.append(threading.Timer(0.3, postgres_server.start))
            deaths[0].start()

    publisher = Publisher(postgres_index, NAME, find_commit(repository.folder), Settings(workers=1))
    try:
        done = publisher.publish(report, patience=60.0)
    finally:
        for timer in deaths:
            timer.join()
    assert len(deaths) == 1
    assert (done.files, done.sent_files + done.reused_files) == (14, 14)
    (shown,) = postgres_index.publications(NAME)
    assert (shown.commit, shown.files, shown.chunks) == (done.commit, 14, done.chunks)
    assert len(postgres_index.by_words(Where(NAME, shown.generation), wanted("stretch"))) == 12


def test_an_engine_that_is_gone_is_told(repository: Repository) -> None:
    gone = open_index(Connection(kind=Kind.POSTGRES, url="postgresql://me@127.0.0.1:9/nothing"))
    with pytest.raises(RemoteUnreachable, match="try again"):
        publish(gone, repository)
    gone.close()


@pytest.mark.usefixtures("small_batches")
def test_of_two_who_publish_at_once_one_is_told(database_url: str, repository: Repository) -> None:
    first, second = PostgresIndex(database_url), PostgresIndex(database_url)
    told: list[str] = []

    def report(now: Progress) -> None:
        if now.step is Step.SENDING and now.done > 2 and not told:
            with pytest.raises(RemoteBusy) as raised:
                publish(second, repository)
            told.append(str(raised.value))
            assert SharedProvider(second).check(NAME).state is RepositoryState.BUILDING

    done = Publisher(first, NAME, find_commit(repository.folder), Settings(workers=1)).publish(report)
    assert len(told) == 1
    assert f"somebody else is publishing {NAME}" in told[0]
    assert publish(second, repository).generation == done.generation
    first.close()
    second.close()


def test_another_model_is_a_new_generation(postgres_index: PostgresIndex, repository: Repository) -> None:
    first = publish(postgres_index, repository, model="none")
    repository.commit("Two", {"src/part_1.py": None})
    second = publish(postgres_index, repository)
    assert (second.sent_files, second.reused_files, second.ended_files) == (13, 0, 14)
    assert [each.model for each in postgres_index.publications(NAME)] == [own_model().name, ""]
    asked = wanted("stretch", question="stretch a rope")
    provider = SharedProvider(postgres_index)
    old, new = (IndexedCommit(each.commit, each.generation) for each in (first, second))
    assert paths(provider.search(NAME, old, asked).meaning) == set()
    assert len(paths(provider.search(NAME, new, asked).meaning)) == 13
    assert len(provider.search(NAME, old, asked).words) == 12


def test_old_commits_are_forgotten(postgres_index: PostgresIndex, repository: Repository) -> None:
    done = [publish(postgres_index, repository)]
    for number in range(3):
        repository.commit(f"Change {number}", {"app.go": f"package app\n\nfunc Change{number}() {{}}\n"})
        done.append(publish(postgres_index, repository))
    commits = [each.commit for each in done]
    assert collect(postgres_index, NAME, keep=2, days=1).forgotten == (), "all of them are young"
    dry = collect(postgres_index, NAME, keep=2, days=0, dry_run=True)
    assert (dry.kept, dry.forgotten, dry.versions) == (2, (commits[1], commits[0]), 0)
    assert len(postgres_index.publications(NAME)) == 4
    collected = collect(postgres_index, NAME, keep=2, days=0)
    assert (collected.kept, collected.forgotten, collected.versions) == (2, (commits[1], commits[0]), 2)
    assert [each.commit for each in postgres_index.publications(NAME)] == [commits[3], commits[2]]
    newest = Where(NAME, done[3].generation)
    assert len(postgres_index.by_words(newest, wanted("stretch"))) == 12
    assert collect(postgres_index, NAME, keep=2, days=0).forgotten == ()


def test_young_commits_and_the_newest_are_kept() -> None:
    published = [
        Publication(NAME, n, f"c{n}", "", "", "", 0, 0, float(when)) for n, when in enumerate((9, 1, 8, 2, 3), 1)
    ]
    assert [each.commit for each in outdated(published, keep=1, since=5.0)] == ["c4", "c2"]
    assert outdated(published, keep=1, since=0.0) == []
    assert outdated(published, keep=5, since=99.0) == []
    assert [each.commit for each in outdated(published, keep=2, since=99.0)] == ["c3", "c2", "c1"]


class Failing:
    """A shared index of which some ways to search fail."""

    def __init__(self, index: SharedIndex, error: Exception, *ways: str) -> None:
        self._index, self._error, self._ways = index, error, ways

    def __getattr__(self, name: str) -> object:
        if name in self._ways:
            return self._fail
        return getattr(self._index, name)

    def _fail(self, *_: object) -> object:
        raise self._error


@contextmanager
def failing(index: SharedIndex, error: Exception, *ways: str) -> Iterator[SharedProvider]:
    yield SharedProvider(Failing(index, error, *ways))  # type: ignore[arg-type]


def test_if_one_way_fails_the_other_is_the_answer(postgres_index: PostgresIndex, repository: Repository) -> None:
    done = publish(postgres_index, repository)
    commit = IndexedCommit(done.commit, done.generation)
    asked = wanted("request", question="where is a request answered")
    error = RemoteUnreachable("it took too long")
    with failing(postgres_index, error, "by_meaning") as provider:
        found = provider.search(NAME, commit, asked)
        assert (len(found.words), found.meaning, len(found.alerts)) == (2, (), 1)
        assert "by meaning: it took too long" in found.alerts[0]
    with failing(postgres_index, error, "by_words", "statistics") as provider:
        found = provider.search(NAME, commit, asked)
        assert (found.words, bool(found.meaning), found.statistics, len(found.alerts)) == ((), True, None, 2)
        with pytest.raises(RemoteUnreachable):
            provider.search(NAME, commit, wanted("request"))
    with failing(postgres_index, error, "by_words", "by_meaning") as provider, pytest.raises(RemoteUnreachable):
        provider.search(NAME, commit, asked)


def test_what_cannot_be_known_is_a_state(postgres_index: PostgresIndex) -> None:
    unknown = SharedProvider(postgres_index, "postgresql://ci@db.example.com/code").check(NAME)
    assert unknown.state is RepositoryState.NOT_YET_INDEXED
    assert unknown.detail.endswith(f"lurcher publish --repository {NAME} --to postgresql://ci@db.example.com/code")
    assert not SharedProvider(postgres_index).begin_index(NAME, "0" * 40)
    for error, state in (
        (RemoteDenied("wrong password"), RepositoryState.NOT_AUTHORIZED),
        (RemoteUnreachable("nobody answers"), RepositoryState.COULD_NOT_CHECK),
        (RemoteBusy("too many"), RepositoryState.COULD_NOT_CHECK),
    ):
        with failing(postgres_index, error, "publications") as provider:
            checked = provider.check(NAME)
            assert (checked.state, checked.detail, checked.commits) == (state, str(error), ())
