"""Addresses that can be one, whether a workspace as a whole allows them, and what people are told is sent."""

import argparse
from pathlib import Path

import pytest

from lurcher_index.errors import BadSetting
from lurcher_index.remote.addresses import EXAMPLES, checked_connection, host_of
from lurcher_index.remote.agreement import Agreement, Consent, agree
from lurcher_index.remote.connection import Connection, Kind
from lurcher_index.remote.consent import Consents
from lurcher_index.remote.disclosure import disclose
from lurcher_index.remote.sending import NEVER_SENT, what_is_never_sent, what_is_published, what_is_sent
from lurcher_index.remote.states import RemoteState, RemoteStatus, Repository, RepositoryState
from lurcher_server.cli.remote_arguments import KINDS, add_remote
from lurcher_server.lsp.protocol import RemoteParams
from lurcher_server.lsp.settings import ServerSettings, read_settings, wished_connection
from lurcher_server.lsp.status import is_fast_elsewhere

ZOEKT = Connection(kind=Kind.ZOEKT, url="https://zoekt.example.com")
OTHER = Connection(kind=Kind.ZOEKT, url="https://other.example.com")


# -- addresses


@pytest.mark.parametrize(
    ("kind", "url", "kept"),
    [
        ("zoekt", " HTTPS://Zoekt.Example.com:6070/search/ ", "https://zoekt.example.com:6070/search"),
        ("zoekt", "http://127.0.0.1:6070", "http://127.0.0.1:6070"),
        ("sourcegraph", "http://[::1]:7080/", "http://[::1]:7080"),
        ("milvus", "http://localhost:19530", "http://localhost:19530"),
        ("postgres", "postgresql://me@DB.example.com:5433/code?sslmode=verify-full",
         "postgresql://me@db.example.com:5433/code?sslmode=verify-full"),
        ("postgres", "postgresql://me@127.0.0.1/code", "postgresql://me@127.0.0.1/code"),
        ("postgres", "postgresql://me@/code?host=/run/pg", "postgresql://me@/code?host=/run/pg"),
    ],
)  # fmt: skip
def test_an_address_is_written_one_way(kind: str, url: str, kept: str) -> None:
    made = checked_connection(kind, url, "TOKEN")
    assert (made.url, made.token_variable) == (kept, "TOKEN")
    assert checked_connection(made.kind, made.url, made.token_variable) == made


@pytest.mark.parametrize("kind", Kind)
def test_the_examples_are_addresses(kind: Kind) -> None:
    made = checked_connection(kind, EXAMPLES[kind])
    assert made.url == EXAMPLES[kind]
    assert "example.com" in host_of(made) or kind is Kind.GITHUB
    assert "@" not in host_of(made)


@pytest.mark.parametrize(
    ("kind", "url"),
    [
        ("ftp", "https://a.example"), ("zoekt", ""), ("zoekt", "zoekt.example.com"), ("zoekt", "https://"),
        ("zoekt", "http://zoekt.example.com"), ("zoekt", "http://127.0.0.1.example.com"),
        ("zoekt", "postgresql://a.example"), ("postgres", "https://a.example"),
        ("zoekt", "https://user@a.example"), ("zoekt", "https://user:hunter2@a.example"),
        ("postgres", "postgresql://me:hunter2@a.example/x"), ("postgres", "postgresql://a.example/x?password=hunter2"),
        ("postgres", "postgresql://me@a.example/x"), ("postgres", "postgresql://me@a.example/x?sslmode=prefer"),
        ("postgres", "postgresql://localhost/x"), ("postgres", "postgresql://me@localhost/"),
        ("postgres", "postgresql://me@/x"), ("postgres", "postgresql://me@/x?host=db.example.com"),
        ("postgres", "postgresql://me@localhost/x?host=/run/pg"), ("zoekt", "https:///x?host=/run/pg"),
        ("postgres", "postgresql://a.example/x?%70assword=hunter2"), ("zoekt", "https://a.example/?token=hunter2"),
        ("zoekt", "https://a.example/#hunter2"), ("zoekt", "https://a.example/\n"  "hunter2"),
        ("zoekt", "https://good.example\\@evil.example"), ("zoekt", "https://a.example/[x](command:evil)"),
        ("zoekt", "https://a.example/[x]"), ("zoekt", "https://[broken"), ("zoekt", "https://a.example:99999"),
        ("zoekt", "https://a.example/" + "a" * 3_000), ("zoekt", "https://exämple.com"),
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused_without_being_quoted(kind: str, url: str) -> None:
    with pytest.raises(BadSetting) as caught:
        checked_connection(kind, url)
    assert "hunter2" not in str(caught.value)


def test_a_token_in_place_of_the_name_of_a_variable_is_refused_without_being_quoted() -> None:
    with pytest.raises(BadSetting) as caught:
        checked_connection("zoekt", "https://a.example", "ghp-hunter2")
    assert "hunter2" not in str(caught.value)


# -- agreement


@pytest.fixture
def consents(tmp_path: Path) -> Consents:
    return Consents(tmp_path / "config")


def stands(consents: Consents, *folders: Path, wish: Connection | None = None) -> Agreement:
    return agree(consents, [str(folder) for folder in folders], wish)


def test_settings_alone_allow_nothing(consents: Consents, tmp_path: Path) -> None:
    found = stands(consents, tmp_path / "a", wish=ZOEKT)
    assert (found.consent, found.allowed, found.connection) == (Consent.MISSING, None, ZOEKT)
    (command,) = found.commands
    assert command == f"lurcher remote allow zoekt https://zoekt.example.com -w {(tmp_path / 'a').resolve()}"
    assert stands(consents, tmp_path / "a").consent is Consent.NONE
    assert stands(consents, wish=ZOEKT) == Agreement()


@pytest.mark.parametrize("wish", [None, ZOEKT])
def test_every_folder_of_a_workspace_has_to_allow_the_same(
    consents: Consents, tmp_path: Path, wish: Connection | None
) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    consents.allow(one, ZOEKT)
    assert stands(consents, one, wish=wish).allowed == ZOEKT
    both = stands(consents, one, two, wish=wish)
    assert (both.consent, both.allowed, both.lacking) == (Consent.MISSING, None, (str(two.resolve()),))
    consents.allow(two, OTHER)
    assert stands(consents, one, two, wish=wish).allowed is None
    consents.allow(two, ZOEKT)
    whole = stands(consents, one, two, wish=wish)
    assert whole.allowed == ZOEKT and whole.since == consents.all()[str(two.resolve())].when


def test_an_allowed_address_does_not_cover_another_one_that_settings_wish_for(
    consents: Consents, tmp_path: Path
) -> None:
    consents.allow(tmp_path / "a", ZOEKT)
    assert stands(consents, tmp_path / "a", wish=OTHER).allowed is None
    sourcegraph = Connection(kind=Kind.SOURCEGRAPH, url=ZOEKT.url)
    assert stands(consents, tmp_path / "a", wish=sourcegraph).allowed is None


def test_settings_cannot_have_another_secret_sent_to_an_allowed_address(consents: Consents, tmp_path: Path) -> None:
    with_token = Connection(kind=Kind.ZOEKT, url=ZOEKT.url, token_variable="ZOEKT_TOKEN")
    stolen = Connection(kind=Kind.ZOEKT, url=ZOEKT.url, token_variable="AWS_SECRET_ACCESS_KEY")
    consents.allow(tmp_path / "a", with_token)
    assert stands(consents, tmp_path / "a", wish=stolen).allowed is None
    assert stands(consents, tmp_path / "a", wish=ZOEKT).allowed == with_token
    consents.allow(tmp_path / "a", ZOEKT)
    assert stands(consents, tmp_path / "a", wish=stolen).allowed is None


def test_never_is_for_the_folder_whatever_is_wished_for_next(consents: Consents, tmp_path: Path) -> None:
    consents.allow(tmp_path / "one", ZOEKT)
    consents.refuse(tmp_path / "two")
    for wish in (ZOEKT, OTHER):
        assert stands(consents, tmp_path / "two", wish=wish).consent is Consent.NEVER
    assert stands(consents, tmp_path / "one", tmp_path / "two").consent is Consent.NEVER
    assert stands(consents, tmp_path / "one").allowed == ZOEKT


def test_a_file_that_is_not_believed_is_what_the_agreement_says(consents: Consents, tmp_path: Path) -> None:
    consents.allow(tmp_path / "a", ZOEKT)
    consents.path.write_text("{")
    found = stands(consents, tmp_path / "a", wish=ZOEKT)
    assert found.allowed is None and "damaged" in found.detail


@pytest.mark.parametrize("consent", Consent)
def test_every_state_is_put_into_words(consent: Consent) -> None:
    detail = Agreement(consent=consent, connection=ZOEKT, lacking=("/a", "/b")).detail
    assert "remote code search" in detail
    assert ("nothing is sent" in detail) == (consent in (Consent.NONE, Consent.MISSING))


# -- what is said to be sent


def test_a_shared_index_never_gets_the_question_and_others_get_its_words() -> None:
    for kind in Kind:
        sent, never = " ".join(what_is_sent(kind)), " ".join(what_is_never_sent(kind))
        assert "names of the workspace's repositories" in sent and "folders that the search is limited to" in sent
        assert ("vector" in sent) == ("terms" in sent) == ("question itself" in never) == kind.is_shared_index
        assert ("words of the question as you wrote them" in sent) == (not kind.is_shared_index)
        assert bool(what_is_published(kind)) == kind.is_shared_index
        assert set(NEVER_SENT) <= set(what_is_never_sent(kind))
        assert "GITHUB_TOKEN" in " ".join(what_is_sent(kind, "GITHUB_TOKEN"))


def test_a_disclosure_has_every_folder(consents: Consents, tmp_path: Path) -> None:
    consents.allow(tmp_path / "on", ZOEKT)
    consents.refuse(tmp_path / "never")
    names = ["on", "never", "other"]
    found = disclose(consents, [str(tmp_path / name) for name in names], lambda folder: (f"repository of {folder}",))
    assert [(Path(row.folder).name, row.on, row.answer) for row in found.folders] == [
        ("on", True, "allowed"),
        ("never", False, "never"),
        ("other", False, "none"),
    ]
    on, *others = found.folders
    assert on.sends == what_is_sent(Kind.ZOEKT) and on.connection == ZOEKT and on.when
    assert all(row.sends == () and row.never == NEVER_SENT for row in others)
    assert [row.repositories for row in found.folders] == [(f"repository of {row.folder}",) for row in found.folders]


# -- settings and status


def test_settings_name_a_wish_and_a_bad_one_is_one_complaint_that_quotes_nothing() -> None:
    settings, complaints = read_settings({"remoteKind": "zoekt", "remoteUrl": "https://zoekt.example.com/"})
    assert (wished_connection(settings), complaints) == (ZOEKT, [])
    assert wished_connection(ServerSettings(remote_url="https://zoekt.example.com")) is None
    settings, complaints = read_settings({"remoteKind": "zoekt", "remoteUrl": "https://me:hunter2@zoekt.example.com"})
    assert wished_connection(settings) is None
    assert len(complaints) == 1 and "lurcher.remoteUrl" in complaints[0] and "hunter2" not in complaints[0]
    for bad in ({"remoteKind": "elastic"}, {"remoteUse": "sometimes"}, {"remoteUrl": 3}):
        assert len(read_settings(bad)[1]) == 1


def test_kinds_are_the_same_everywhere() -> None:
    assert tuple(Kind) == KINDS
    parser = argparse.ArgumentParser()
    add_remote(parser.add_subparsers(), lambda commands, name, *_: commands.add_parser(name))
    for kind in Kind:
        assert parser.parse_args(["remote", "allow", kind, "https://a.example"]).kind == kind
        assert wished_connection(ServerSettings(remote_kind=kind.value, remote_url=EXAMPLES[kind]))


def test_params_do_not_show_their_token() -> None:
    assert "hunter2" not in repr(RemoteParams(action="token", token="hunter2"))


@pytest.mark.parametrize(
    ("state", "repositories", "fast"),
    [
        (RemoteState.LOADED, [RepositoryState.READY, RepositoryState.READY], True),
        (RemoteState.LOADED, [RepositoryState.READY, RepositoryState.BUILDING], False),
        (RemoteState.LOADED, [], False),
        (RemoteState.LOADING, [RepositoryState.READY], False),
        (RemoteState.DISABLED, [RepositoryState.READY], False),
    ],
)
def test_a_remote_search_is_fast_if_there_are_repositories_and_all_are_ready(
    state: RemoteState, repositories: list[RepositoryState], fast: bool
) -> None:
    made = tuple(Repository(f"host/owner/{number}", each) for number, each in enumerate(repositories))
    assert is_fast_elsewhere(RemoteStatus(state, made)) is fast
