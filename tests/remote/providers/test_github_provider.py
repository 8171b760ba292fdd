"""GitHub as a provider, against a server that stands in for it."""

import json
from collections.abc import Callable

import pytest
from tests.remote.standins.corpus import HEAD, Repository
from tests.remote.standins.github_server import TOKEN, GitHubServer
from tests.remote.standins.serving import Answer, endless, half, says, serving, status, wrong_kind
from tests.remote.standins.world import World

from lurcher_index.errors import RemoteBusy, RemoteDenied, RemoteError, RemoteUnknown, RemoteUnreachable
from lurcher_index.remote.http.address import read_base
from lurcher_index.remote.interface import IndexedCommit, Provider, RemoteFound, Wanted
from lurcher_index.remote.providers import github
from lurcher_index.remote.providers.github import GitHub
from lurcher_index.remote.providers.places import LAST_LINE
from lurcher_index.remote.states import RepositoryState
from lurcher_index.secret import Secret

NAME = "github.com/owner/name"
MAIN = IndexedCommit(HEAD, branch="main")


def opened(server: GitHubServer, token: str = TOKEN, world: World | None = None) -> GitHub:
    return GitHub(read_base(server.url), Secret(token) if token else None, (world or World()).around())


def answered(server: GitHubServer, *words: str, commit: IndexedCommit = MAIN, **how: object) -> RemoteFound:
    provider: Provider = opened(server)
    return provider.search(NAME, commit, Wanted(words=words, terms={}, **how))  # type: ignore[arg-type]


def paths(answer: RemoteFound) -> list[str]:
    assert all((hit.first_line, hit.last_line) == (1, LAST_LINE) for hit in answer.words), "it tells no lines"
    return [hit.path for hit in answer.words]


def queries(server: GitHubServer) -> list[str]:
    return [each.query["q"] for each in server.asked if "/search/code" in each.path]


def test_files_in_their_order(github_server: GitHubServer) -> None:
    answer = answered(github_server, "read_file", "parse")
    assert paths(answer) == ["docs/guide.md", "src/reader.py", "src/lib/parse.go"]
    assert answer.alerts == ()
    looked, searched = github_server.asked
    assert looked.path == "/api/v3/repos/owner/name"
    assert searched.query == {"q": '"read_file" OR "parse" repo:owner/name', "per_page": "100"}
    assert searched.headers["accept"] == "application/vnd.github.text-match+json"
    assert searched.headers["x-github-api-version"] == "2022-11-28"
    assert searched.headers["authorization"] == f"Bearer {TOKEN}"


def test_filters_are_part_of_the_query_where_they_can_be(github_server: GitHubServer) -> None:
    assert paths(answered(github_server, "file", languages=("python",))) == ["src/lib/writer.py", "src/reader.py"]
    assert paths(answered(github_server, "file", below=("src/lib",))) == ["src/lib/writer.py"]
    assert paths(answered(github_server, "odd", below=("odd",))) == ["odd/a b (c).py"]
    assert queries(github_server) == [
        '"file" repo:owner/name language:"Python"',
        '"file" repo:owner/name path:"src/lib"',
        '"odd" repo:owner/name path:"odd"',
    ]
    accepts: Callable[[str, str], bool] = lambda path, _language: path.endswith(".go")  # noqa: E731
    only = answered(github_server, "parse", languages=("go", "markdown"), below=("a", 'b"'), accepts=accepts)
    assert paths(only) == ["src/lib/parse.go"]
    assert queries(github_server)[-1] == '"parse" repo:owner/name'


def test_a_hostile_word_is_only_a_word(github_server: GitHubServer) -> None:
    answered(github_server, 'x" repo:owner/name-two "', "repo:evil/x", "OR", "\\", "NOT")
    assert queries(github_server) == ['"x  repo:owner/name-two" OR "repo:evil/x" OR "NOT" repo:owner/name']


def test_six_words_at_most_and_names_of_code_before_others(github_server: GitHubServer) -> None:
    answer = answered(github_server, "how", "does", "read_file", "parseIt", "with", "regular", "expressions", "work")
    assert queries(github_server) == [
        '"does" OR "read_file" OR "parseIt" OR "with" OR "regular" OR "expressions" repo:owner/name'
    ]
    assert "others were not sent" in answer.alerts[0]
    answered(github_server, *(f"{at}" * 60 for at in range(1, 7)))
    assert len(queries(github_server)[1].partition(" repo:")[0]) <= 256


def test_pages_until_there_are_enough() -> None:
    files = {f"{at:04}.py": "word" for at in range(250)}
    with serving(GitHubServer(Repository(NAME, files=files))) as server:
        assert len(answered(server, "word", limit=100).words) == 100
        assert len(queries(server)) == 1
        assert len(answered(server, "word", limit=1_000).words) == 250
        assert len(queries(server)) == 4
        late: Callable[[str, str], bool] = lambda path, _language: path >= "0150"  # noqa: E731
        assert paths(answered(server, "word", limit=20, accepts=late))[0] == "0150.py"
        assert len(queries(server)) == 6


def test_a_thousand_results_and_no_more() -> None:
    files = {f"{at:04}.py": "word" for at in range(1_500)}
    with serving(GitHubServer(Repository(NAME, files=files))) as server:
        assert len(answered(server, "word", limit=5_000).words) == 1_000
        assert len(queries(server)) == github.MOST_PAGES


def test_a_limit_in_the_middle_leaves_what_is_there() -> None:
    files = {f"{at:04}.py": "word" for at in range(250)}
    with serving(GitHubServer(Repository(NAME, files=files))) as server:
        server.remaining = 2
        answer = answered(server, "word", limit=1_000)
        assert len(answer.words) == 200 and "left out" in answer.alerts[0]
        with pytest.raises(RemoteBusy) as caught:
            answered(server, "word")
        assert caught.value.wait == 42.0


def test_a_limit_of_searches_is_none_of_looks(github_server: GitHubServer) -> None:
    github_server.remaining = 0
    world = World()
    provider = opened(github_server, world=world)
    for _ in range(2):
        with pytest.raises(RemoteBusy):
            provider.search(NAME, MAIN, Wanted(words=("parse",), terms={}))
    assert len(queries(github_server)) == 1, "it is not asked again before that"
    assert provider.check(NAME).state is RepositoryState.READY
    github_server.remaining = 10
    world.time += 42.0
    assert provider.search(NAME, MAIN, Wanted(words=("parse",), terms={})).words


@pytest.mark.parametrize(
    "link",
    ["<https://evil.example/search/code?page=2>", "<//evil.example/x>", "<not an address>", "nonsense", "<" * 9_000],
)
def test_pages_are_not_looked_for_elsewhere(github_server: GitHubServer, link: str) -> None:
    page = {"total_count": 2, "incomplete_results": False, "items": []}
    linked: Answer = lambda handler, _asked: handler.reply_json(page, Link=f'{link}; rel="next"')  # noqa: E731
    provider = opened(github_server)
    provider.check(NAME)
    github_server.faults = [linked]
    answer = provider.search(NAME, MAIN, Wanted(words=("parse",), terms={}))
    assert (answer.words, answer.alerts) == ((), ())
    assert len(queries(github_server)) == 1


def test_a_search_that_is_not_whole_says_so(github_server: GitHubServer) -> None:
    github_server.is_incomplete = True
    answer = answered(github_server, "parse")
    assert answer.words and "cut its search short" in answer.alerts[0]


def test_files_of_another_commit_are_kept_and_of_another_repository_are_not(github_server: GitHubServer) -> None:
    answer = answered(github_server, "parse", commit=IndexedCommit("2" * 40))
    assert answer.words and "another commit than 222222222222" in answer.alerts[0]
    items = [{"path": "a", "url": "http://[", "repository": {"full_name": "evil/x"}}, {"path": "b", "url": "http://["}]
    items.append({"path": "c", "url": "http://[", "repository": {"full_name": "Owner/Name"}})
    provider = opened(github_server)
    provider.check(NAME)
    github_server.faults = [says(json.dumps({"items": items}).encode())]
    assert paths(provider.search(NAME, MAIN, Wanted(words=("parse",), terms={}))) == ["c"]


# -- which repository


def test_a_renamed_repository_is_found_under_its_old_name(github_server: GitHubServer) -> None:
    github_server.renamed = {"owner/old": "owner/name"}
    provider = opened(github_server)
    checked = provider.check("github.com/owner/old")
    assert (checked.state, checked.commits) == (RepositoryState.READY, (MAIN,))
    assert provider.search("github.com/owner/old", MAIN, Wanted(words=("parse",), terms={})).words
    assert queries(github_server) == ['"parse" repo:owner/name']


def test_one_that_is_renamed_meanwhile_is_looked_up_anew(github_server: GitHubServer) -> None:
    provider = opened(github_server)
    provider.check(NAME)
    repository = github_server.repositories.pop("owner/name")
    github_server.repositories["owner/new"] = repository
    github_server.renamed = {"owner/name": "owner/new"}
    with pytest.raises(RemoteUnknown, match="422"):
        provider.search(NAME, MAIN, Wanted(words=("parse",), terms={}))
    assert provider.search(NAME, MAIN, Wanted(words=("parse",), terms={})).words


@pytest.mark.parametrize(
    ("url", "host", "interface"),
    [
        ("https://github.com", "github.com", "https://api.github.com"),
        ("https://www.github.com/", "github.com", "https://api.github.com"),
        ("https://api.github.com", "github.com", "https://api.github.com"),
        ("https://ghe.example.com", "ghe.example.com", "https://ghe.example.com/api/v3"),
        ("https://ghe.example.com:8443/api/v3/", "ghe.example.com:8443", "https://ghe.example.com:8443/api/v3"),
        ("https://api.acme.ghe.com", "acme.ghe.com", "https://api.acme.ghe.com"),
        ("http://localhost:99", "", "http://localhost:99/api/v3"),
    ],
)
def test_addresses_of_the_interface(url: str, host: str, interface: str) -> None:
    base, named = github._interface(read_base(url))
    assert (f"{base.origin}{base.path}", named) == (interface, host)


def test_a_repository_of_another_host_is_not_asked_for() -> None:
    provider = GitHub(read_base("https://github.com"), Secret(TOKEN), World().around())
    for name in ("gitlab.com/owner/name", "github.com/owner", "github.com/owner/name/more", "github.com/o/n?x", "x"):
        checked = provider.check(name)
        assert checked.state is RepositoryState.NOT_INDEXABLE and "GitHub at github.com" in checked.detail


# -- what it knows


def test_the_head_of_the_default_branch(github_server: GitHubServer) -> None:
    github_server.repositories["owner/name"].branch = "release/1 #2"
    checked = opened(github_server).check(NAME)
    assert checked.state is RepositoryState.READY
    assert checked.commits == (IndexedCommit(HEAD, branch="release/1 #2"),)
    assert "default branch only" in checked.detail
    assert github_server.asked[1].path == "/api/v3/repos/owner/name/branches/release%2F1%20%232"


@pytest.mark.parametrize(
    ("about", "state", "said"),
    [
        ({"disabled": True}, RepositoryState.NOT_INDEXABLE, "turned off"),
        ({"fork": True, "parent": {"stargazers_count": 5}}, RepositoryState.NOT_INDEXABLE, "stars"),
        (
            {"fork": True, "stargazers_count": 6, "parent": {"stargazers_count": 5}},
            RepositoryState.READY,
            "default branch",
        ),
        ({"full_name": "../../x"}, RepositoryState.COULD_NOT_CHECK, "not understood"),
    ],
)
def test_repositories_of_all_kinds(
    github_server: GitHubServer, about: dict[str, object], state: RepositoryState, said: str
) -> None:
    github_server.about = about
    checked = opened(github_server).check(NAME)
    assert checked.state is state and said in checked.detail


def test_a_fork_is_searched_as_a_fork(github_server: GitHubServer) -> None:
    github_server.about = {"fork": True, "stargazers_count": 6}
    answered(github_server, "parse")
    assert queries(github_server) == ['"parse" repo:owner/name fork:true']


def test_an_empty_repository_is_ready(github_server: GitHubServer) -> None:
    github_server.repositories["owner/name"].files = {}
    checked = opened(github_server).check(NAME)
    assert (checked.state, checked.commits) == (RepositoryState.READY, ())


@pytest.mark.parametrize(
    ("fault", "state", "said"),
    [
        (status(401), RepositoryState.NOT_AUTHORIZED, "token"),
        (status(403), RepositoryState.NOT_AUTHORIZED, "token"),
        (status(403, X_RateLimit_Remaining="0"), RepositoryState.COULD_NOT_CHECK, "fewer"),
        (status(404), RepositoryState.NOT_INDEXABLE, "no such repository"),
        (status(500), RepositoryState.COULD_NOT_CHECK, "500"),
        (wrong_kind, RepositoryState.COULD_NOT_CHECK, "sign in"),
        (half(), RepositoryState.COULD_NOT_CHECK, "broke off"),
    ],
)
def test_checks_that_fail(github_server: GitHubServer, fault: Answer, state: RepositoryState, said: str) -> None:
    github_server.faults = [fault] * 3
    checked = opened(github_server).check(NAME)
    assert checked.state is state and said in checked.detail


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (status(401), RemoteDenied),
        (status(403, b'{"message": "secondary rate limit"}'), RemoteBusy),
        (status(503), RemoteUnreachable),
        (endless(), RemoteUnreachable),
        (says(b'{"items": "none"}'), RemoteUnreachable),
        (says(b'{"items": [{"path": null}]}'), RemoteUnreachable),
    ],
)
def test_searches_that_fail(github_server: GitHubServer, fault: Answer, kind: type[RemoteError]) -> None:
    provider = opened(github_server)
    provider.check(NAME)
    github_server.faults = [fault] * 3
    with pytest.raises(kind):
        provider.search(NAME, MAIN, Wanted(words=("parse",), terms={}))


def test_without_a_token_nothing_is_asked(github_server: GitHubServer) -> None:
    provider = opened(github_server, token="")
    assert provider.check(NAME).state is RepositoryState.NOT_AUTHORIZED
    with pytest.raises(RemoteDenied, match="needs a token"):
        provider.search(NAME, MAIN, Wanted(words=("parse",), terms={}))
    assert not github_server.asked
    assert not provider.begin_index(NAME, HEAD)
    provider.close()
