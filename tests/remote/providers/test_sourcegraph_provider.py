"""Sourcegraph as a provider, against a server that stands in for it."""

import json

import pytest
from tests.remote.standins.corpus import HEAD, Repository
from tests.remote.standins.serving import (
    Answer,
    dribbling,
    endless,
    hangs_up,
    says,
    serving,
    status,
    wrong_kind,
)
from tests.remote.standins.sourcegraph_server import TOKEN, SourcegraphServer
from tests.remote.standins.world import World

from lurcher_index.errors import RemoteBusy, RemoteDenied, RemoteError, RemoteUnreachable
from lurcher_index.remote.http.address import read_base
from lurcher_index.remote.interface import IndexedCommit, Provider, RemoteFound, Wanted
from lurcher_index.remote.providers.places import LAST_LINE
from lurcher_index.remote.providers.sourcegraph import Sourcegraph
from lurcher_index.remote.states import RepositoryState
from lurcher_index.secret import Secret

NAME = "github.com/owner/name"
MAIN = IndexedCommit(HEAD, branch="main")
STREAM = "text/event-stream"


def opened(server: SourcegraphServer, token: str = TOKEN, world: World | None = None) -> Sourcegraph:
    return Sourcegraph(read_base(server.url), Secret(token) if token else None, (world or World()).around())


def answered(server: SourcegraphServer, *words: str, commit: IndexedCommit = MAIN, **how: object) -> RemoteFound:
    provider: Provider = opened(server)
    return provider.search(NAME, commit, Wanted(words=words, terms={}, **how))  # type: ignore[arg-type]


def found(server: SourcegraphServer, *words: str, **how: object) -> list[tuple[str, int, int]]:
    hits = answered(server, *words, **how).words  # type: ignore[arg-type]
    return [(hit.path, hit.first_line, hit.last_line) for hit in hits]


def events(*given: tuple[str, object]) -> Answer:
    return says("".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in given).encode(), STREAM)


def test_lines_of_one_repository_best_files_first(sourcegraph_server: SourcegraphServer) -> None:
    answer = answered(sourcegraph_server, "read_file", "parse")
    assert [(hit.path, hit.first_line, hit.last_line) for hit in answer.words] == [
        ("src/reader.py", 4, 4),
        ("src/reader.py", 27, 28),
        ("docs/guide.md", 3, 3),
        ("src/lib/parse.go", 3, 3),
    ]
    assert answer.alerts == ()
    asked = sourcegraph_server.asked[0]
    assert asked.query == {
        "q": f"repo:^github\\x{{2e}}com/owner/name$@{HEAD} type:file patterntype:regexp case:no fork:yes archived:yes"
        " (read_file or parse) count:1000",
        "v": "V3",
        "display": "1000",
        "cm": "t",
    }
    assert asked.headers["authorization"] == f"token {TOKEN}" and asked.headers["accept"] == STREAM


def test_lines_from_a_server_that_knows_no_chunks(sourcegraph_server: SourcegraphServer) -> None:
    match = {"type": "content", "repository": NAME, "path": "a.py", "commit": HEAD}
    lines = [{"line": "x", "lineNumber": number, "offsetAndLengths": [[0, 1]]} for number in (0, 9)]
    sourcegraph_server.faults = [events(("matches", [{**match, "lineMatches": lines}]), ("done", {}))]
    assert found(sourcegraph_server, "x") == [("a.py", 1, 1), ("a.py", 10, 10)]


def test_paths_match_too_and_other_kinds_do_not_matter(sourcegraph_server: SourcegraphServer) -> None:
    assert found(sourcegraph_server, "guide.md") == [("docs/guide.md", 1, LAST_LINE)]
    others = [{"type": "repo", "repository": NAME}, {"type": "content", "repository": "evil", "path": "a"}]
    sourcegraph_server.faults = [events(("matches", others), ("later versions", []), ("done", {}))]
    assert found(sourcegraph_server, "x") == []


def test_filters_are_part_of_the_query(sourcegraph_server: SourcegraphServer) -> None:
    paths = {path for path, _, _ in found(sourcegraph_server, "parse", languages=("go", "markdown"))}
    assert paths == {"src/lib/parse.go", "docs/guide.md"}
    paths = {path for path, _, _ in found(sourcegraph_server, "file", below=("src/lib", "docs"))}
    assert paths == {"src/lib/writer.py", "docs/guide.md"}
    assert found(sourcegraph_server, "odd", below=("odd",)) == [("odd/a b (c).py", 1, 1)]
    assert found(sourcegraph_server, "or", below=("other",)) == [("other/or.py", 1, 1)]


def test_what_filters_here_leave_out_is_made_up_for() -> None:
    files = {f"{at:03}.py": "word\n" * 10 for at in range(40)}
    with serving(SourcegraphServer(Repository(NAME, files=files))) as server:
        paths = [path for path, _, _ in found(server, "word", limit=5, accepts=lambda path, _: path >= "01")]
        assert paths == ["010.py", "011.py", "012.py", "013.py", "014.py"]
        assert [each.query["display"] for each in server.asked] == ["50", "200"]


def test_a_branch_or_the_head_if_no_commit_is_known(sourcegraph_server: SourcegraphServer) -> None:
    assert answered(sourcegraph_server, "parse", commit=IndexedCommit("", branch="main")).words
    assert answered(sourcegraph_server, "parse", commit=IndexedCommit("")).words
    revisions = [each.query["q"].split()[0].rpartition("@")[2] for each in sourcegraph_server.asked]
    assert revisions == ["main", "HEAD"]


def test_files_of_another_commit_are_kept_and_told(sourcegraph_server: SourcegraphServer) -> None:
    match = {"type": "path", "repository": NAME, "path": "a.py", "commit": "2" * 40}
    sourcegraph_server.faults = [events(("matches", [match]), ("done", {}))]
    answer = answered(sourcegraph_server, "x")
    assert answer.words and "another commit than 111111111111" in answer.alerts[0]


def test_what_it_says_is_told(sourcegraph_server: SourcegraphServer) -> None:
    sourcegraph_server.extra = [
        ("alert", {"title": "Slow", "description": f"because of\n{TOKEN}"}),
        ("progress", {"done": False, "skipped": [{"reason": "shard-timedout", "title": "timed out"}]}),
        ("progress", {"done": False, "skipped": [{"reason": "document-match-limit", "title": "limit"}]}),
        ("progress", {"done": True, "skipped": [{"reason": "shard-timedout", "title": "timed out"}]}),
    ]
    answer = answered(sourcegraph_server, "parse")
    name = opened(sourcegraph_server).name
    assert answer.words
    assert answer.alerts == (f"{name} says: Slow because of …", f"{name} left out results: timed out")


def test_a_stream_that_breaks_off_is_used_as_far_as_it_came(sourcegraph_server: SourcegraphServer) -> None:
    sourcegraph_server.is_cut = True
    answer = answered(sourcegraph_server, "parse", limit=1)
    assert answer.words and "broke" in answer.alerts[0] and "is used" in answer.alerts[0]
    sourcegraph_server.extra = [("error", {"message": "out of memory"})]
    answer = answered(sourcegraph_server, "parse")
    assert answer.words and "out of memory" in answer.alerts[0]


@pytest.mark.parametrize(
    ("fault", "kind", "said"),
    [
        (status(401), RemoteDenied, "401"),
        (status(429, Retry_After="99"), RemoteBusy, "fewer"),
        (status(500, Retry_After="99"), RemoteUnreachable, "500"),
        (wrong_kind, RemoteUnreachable, "sign in"),
        (hangs_up, RemoteUnreachable, "broke"),
        (endless(STREAM), RemoteUnreachable, "larger"),
        (says(b"event: filters\ndata: []\n\n", STREAM), RemoteUnreachable, "broke off"),
        (says(b"event: matches\ndata: {\n\n", STREAM), RemoteUnreachable, "something else"),
        (events(("error", {"message": "no\x07 way"})), RemoteUnreachable, "no way"),
    ],
)
def test_searches_that_fail(
    sourcegraph_server: SourcegraphServer, fault: Answer, kind: type[RemoteError], said: str
) -> None:
    sourcegraph_server.faults = [fault] * 3
    with pytest.raises(kind, match=said):
        answered(sourcegraph_server, "parse")


def test_a_stream_that_only_breathes_ends_in_time(sourcegraph_server: SourcegraphServer) -> None:
    sourcegraph_server.faults = [dribbling(STREAM)]
    with pytest.raises(RemoteUnreachable, match="within"):
        opened(sourcegraph_server, world=World(0.2)).search(NAME, MAIN, Wanted(words=("parse",), terms={}))


# -- what it knows


@pytest.mark.parametrize(
    ("server_state", "state", "commits"),
    [
        ("indexed", RepositoryState.READY, (MAIN, IndexedCommit("0" * 40, branch="old"))),
        ("cloning", RepositoryState.BUILDING, ()),
        ("indexing", RepositoryState.BUILDING, ()),
        ("uncloned", RepositoryState.NOT_YET_INDEXED, ()),
        ("unindexed", RepositoryState.NOT_YET_INDEXED, ()),
        ("empty", RepositoryState.READY, ()),
        ("without index", RepositoryState.READY, (MAIN,)),
    ],
)
def test_states_of_a_repository(
    sourcegraph_server: SourcegraphServer,
    server_state: str,
    state: RepositoryState,
    commits: tuple[IndexedCommit, ...],
) -> None:
    sourcegraph_server.state = server_state
    checked = opened(sourcegraph_server).check(NAME)
    assert (checked.state, checked.commits) == (state, commits)
    assert checked.detail or checked.commits


@pytest.mark.parametrize(
    ("fault", "state", "said"),
    [
        (status(401), RepositoryState.NOT_AUTHORIZED, "token"),
        (status(502, Retry_After="99"), RepositoryState.COULD_NOT_CHECK, "502"),
        (says(b'{"errors": [{"message": "no field"}], "data": null}'), RepositoryState.COULD_NOT_CHECK, "no field"),
        (says(b'{"data": {"repository": null}}'), RepositoryState.NOT_INDEXABLE, NAME),
        (says(b'{"data": {"repository": 7}}'), RepositoryState.COULD_NOT_CHECK, "something else"),
    ],
)
def test_checks_that_fail(
    sourcegraph_server: SourcegraphServer, fault: Answer, state: RepositoryState, said: str
) -> None:
    sourcegraph_server.faults = [fault]
    checked = opened(sourcegraph_server).check(NAME)
    assert checked.state is state and said in checked.detail


def test_tokens(sourcegraph_server: SourcegraphServer) -> None:
    assert opened(sourcegraph_server, "wrong").check(NAME).state is RepositoryState.NOT_AUTHORIZED
    assert opened(sourcegraph_server, "").check(NAME).state is RepositoryState.READY
    assert not opened(sourcegraph_server).begin_index(NAME, HEAD)
    opened(sourcegraph_server).close()
