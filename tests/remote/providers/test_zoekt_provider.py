"""Zoekt as a provider, against a server that stands in for it."""

import json
from base64 import b64encode

import pytest
from tests.remote.standins.corpus import HEAD, Repository, sample
from tests.remote.standins.serving import Answer, endless, half, redirect, says, silent, status, wrong_kind
from tests.remote.standins.world import World
from tests.remote.standins.zoekt_server import ZoektServer

from lurcher_index.errors import RemoteBusy, RemoteDenied, RemoteError, RemoteUnknown, RemoteUnreachable
from lurcher_index.remote.http.address import read_base
from lurcher_index.remote.interface import IndexedCommit, Provider, Wanted
from lurcher_index.remote.providers.places import LAST_LINE
from lurcher_index.remote.providers.zoekt import Zoekt
from lurcher_index.remote.states import RepositoryState
from lurcher_index.secret import Secret

NAME = "github.com/owner/name"
MAIN = IndexedCommit(HEAD, branch="main")


def opened(server: ZoektServer, token: str = "", world: World | None = None) -> Zoekt:
    return Zoekt(read_base(server.url), Secret(token) if token else None, (world or World()).around())


def found(server: ZoektServer, *words: str, commit: IndexedCommit = MAIN, **how: object) -> list[tuple[str, int, int]]:
    wanted = Wanted(words=words, terms={}, **how)  # type: ignore[arg-type]
    hits = opened(server).search(NAME, commit, wanted).words
    return [(hit.path, hit.first_line, hit.last_line) for hit in hits]


def test_lines_of_one_repository_best_files_first(zoekt_server: ZoektServer) -> None:
    provider: Provider = opened(zoekt_server)
    answer = provider.search(NAME, MAIN, Wanted(words=("read_file", "parse"), terms={}))
    assert [(hit.path, hit.first_line, hit.last_line) for hit in answer.words] == [
        ("src/reader.py", 4, 4),
        ("src/reader.py", 27, 28),
        ("docs/guide.md", 3, 3),
        ("src/lib/parse.go", 3, 3),
    ]
    scores = [hit.score for hit in answer.words]
    assert scores == sorted(scores, reverse=True)
    assert answer.alerts == () and answer.meaning == () and answer.statistics is None
    asked = json.loads(zoekt_server.asked[0].body)
    assert asked["Q"] == ('repo:"^github\\\\x{2e}com/owner/name$" branch:"main" ("read_file" or "parse")'), (
        "words are kept whole"
    )
    assert asked["Opts"]["MaxDocDisplayCount"] == 100


def test_an_older_server_that_tells_lines(zoekt_server: ZoektServer) -> None:
    zoekt_server.tells_chunks = False
    assert found(zoekt_server, "read_file") == [
        ("src/reader.py", 4, 4),
        ("src/reader.py", 28, 28),
        ("docs/guide.md", 3, 3),
    ]


@pytest.mark.parametrize("tells_chunks", [True, False])
def test_a_path_that_matches_is_a_whole_file(zoekt_server: ZoektServer, tells_chunks: bool) -> None:
    zoekt_server.tells_chunks = tells_chunks
    assert found(zoekt_server, "guide.md") == [("docs/guide.md", 1, LAST_LINE)]


def test_filters_are_part_of_the_query(zoekt_server: ZoektServer) -> None:
    assert {path for path, _, _ in found(zoekt_server, "parse", languages=("go", "markdown"))} == {
        "src/lib/parse.go",
        "docs/guide.md",
    }
    assert {path for path, _, _ in found(zoekt_server, "file", below=("src/lib", "docs"))} == {
        "src/lib/writer.py",
        "docs/guide.md",
    }
    assert found(zoekt_server, "odd", below=("odd",)) == [("odd/a b (c).py", 1, 1)]
    assert len(zoekt_server.asked) == 3


def test_what_filters_here_leave_out_is_made_up_for() -> None:
    from tests.remote.standins.serving import serving

    files = {f"{at:03}.py": "word\n" for at in range(40)}
    with serving(ZoektServer(Repository(NAME, files=files))) as server:
        paths = [path for path, _, _ in found(server, "word", limit=5, accepts=lambda path, _: path >= "01")]
        assert paths == ["010.py", "011.py", "012.py", "013.py", "014.py"]
        counts = [json.loads(each.body)["Opts"]["MaxDocDisplayCount"] for each in server.asked]
        assert counts == [5, 20]


def test_files_of_another_commit_are_kept_and_told(zoekt_server: ZoektServer) -> None:
    other = IndexedCommit("2" * 40, branch="main")
    answer = opened(zoekt_server).search(NAME, other, Wanted(words=("parse",), terms={}))
    assert answer.words and "another commit than 222222222222" in answer.alerts[0]
    unknown = opened(zoekt_server).search(NAME, IndexedCommit(""), Wanted(words=("parse",), terms={}))
    assert unknown.words and not unknown.alerts


def test_files_of_other_branches_and_repositories_are_left_out(zoekt_server: ZoektServer) -> None:
    zoekt_server.faults = [
        says(
            json.dumps(
                {
                    "Result": {
                        "FileCount": 3,
                        "Files": [
                            {"FileName": "a", "Repository": NAME, "Branches": ["maintenance"]},
                            {"FileName": "b", "Repository": "evil", "Branches": ["main"]},
                            {"FileName": "../c", "Repository": NAME, "Branches": ["main"]},
                        ],
                    }
                }
            ).encode()
        )
    ]
    assert found(zoekt_server, "x") == [("../c", 1, LAST_LINE)], "where a path leads is not looked at here"


def test_a_search_that_is_not_whole_says_so(zoekt_server: ZoektServer) -> None:
    zoekt_server.crashes = 1
    answer = opened(zoekt_server).search(NAME, MAIN, Wanted(words=("parse",), terms={}))
    assert answer.words and "could not read a part" in answer.alerts[0]
    zoekt_server.faults = [says(b'{"Result": {"ShardsSkipped": 3, "Files": null}}')]
    answer = opened(zoekt_server).search(NAME, MAIN, Wanted(words=("parse",), terms={}))
    assert not answer.words and "cut its search short" in answer.alerts[0]


def test_no_words_no_request(zoekt_server: ZoektServer) -> None:
    assert found(zoekt_server, " ") == []
    assert not zoekt_server.asked


# -- what it knows


def test_indexed_commits(zoekt_server: ZoektServer) -> None:
    checked = opened(zoekt_server).check(NAME)
    assert (checked.state, checked.commits) == (RepositoryState.READY, (MAIN,))
    zoekt_server.repositories = [sample("github.com/owner/name2")]
    missing = opened(zoekt_server).check(NAME)
    assert missing.state is RepositoryState.NOT_YET_INDEXED and NAME in missing.detail
    zoekt_server.repositories = [Repository(NAME)]
    empty = opened(zoekt_server).check(NAME)
    assert (empty.state, empty.commits) == (RepositoryState.READY, ())
    assert not opened(zoekt_server).begin_index(NAME, HEAD)


@pytest.mark.parametrize(
    ("fault", "state", "said"),
    [
        (status(401), RepositoryState.NOT_AUTHORIZED, "token"),
        (status(403), RepositoryState.NOT_AUTHORIZED, "token"),
        (status(404), RepositoryState.NOT_INDEXABLE, "-rpc"),
        (status(429, Retry_After="99"), RepositoryState.COULD_NOT_CHECK, "fewer requests"),
        (status(500, Retry_After="99"), RepositoryState.COULD_NOT_CHECK, "500"),
        (wrong_kind, RepositoryState.COULD_NOT_CHECK, "sign in"),
        (says(b"{}"), RepositoryState.COULD_NOT_CHECK, "something else"),
        (says(b'{"List": {"Repos": null, "Crashes": 1}}'), RepositoryState.COULD_NOT_CHECK, "a part of its index"),
    ],
)
def test_states(zoekt_server: ZoektServer, fault: Answer, state: RepositoryState, said: str) -> None:
    zoekt_server.faults = [fault]
    checked = opened(zoekt_server).check(NAME)
    assert checked.state is state and said in checked.detail


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (status(401), RemoteDenied),
        (status(404), RemoteUnknown),
        (status(400, b'{"Error": "parse error"}'), RemoteError),
        (status(429, Retry_After="99"), RemoteBusy),
        (redirect("https://evil.example/"), RemoteUnreachable),
        (half(), RemoteUnreachable),
        (endless(), RemoteUnreachable),
        (says(b'{"Result": {"Files": [{"FileName": 7, "Repository": "x"}]}}'), RemoteUnreachable),
        (says(b'{"Result": {"Files": [{"Repository": "x"}]}}'), RemoteUnreachable),
    ],
)
def test_searches_that_fail(zoekt_server: ZoektServer, fault: Answer, kind: type[RemoteError]) -> None:
    zoekt_server.faults = [fault] * 3
    with pytest.raises(kind):
        found(zoekt_server, "parse")


def test_a_search_ends_in_time(zoekt_server: ZoektServer) -> None:
    zoekt_server.faults = [silent]
    with pytest.raises(RemoteUnreachable, match="within"):
        opened(zoekt_server, world=World(0.2)).search(NAME, MAIN, Wanted(words=("parse",), terms={}))


# -- what is sent


def test_what_is_sent(zoekt_server: ZoektServer) -> None:
    provider = opened(zoekt_server, "token-1")
    assert provider.name == f"Zoekt at 127.0.0.1:{zoekt_server.port}"
    assert "token" not in repr(vars(provider)["_client"])
    provider.check(NAME)
    opened(zoekt_server, "me:pw").check(NAME)
    opened(zoekt_server).check(NAME)
    assert [each.headers.get("authorization") for each in zoekt_server.asked] == [
        "Bearer token-1",
        f"Basic {b64encode(b'me:pw').decode()}",
        None,
    ]
    provider.close()
