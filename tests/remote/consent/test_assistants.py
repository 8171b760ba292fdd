"""Assistants follow what the person has allowed for a folder, and can neither allow it nor be asked."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.files.trees import plant
from tests.history.repositories import git, needs_git
from tests.mcp.host import call, hosted, structure, text_of
from tests.remote.consent.test_language_server import Elsewhere

from lurcher_index.remote.connection import Connection, Kind
from lurcher_index.remote.consent import Consents
from lurcher_server.lsp.indexing import Indexing

pytestmark = [needs_git, pytest.mark.asyncio]


@pytest.fixture
def elsewhere() -> Iterator[Elsewhere]:
    made = Elsewhere()
    yield made
    made.close()


@pytest.fixture
def consents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Consents:
    monkeypatch.setenv("LURCHER_CONFIG", str(tmp_path / "config"))
    return Consents()


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository that is known elsewhere; its index is never built, so that a search would look there."""
    monkeypatch.setattr(Indexing, "request", lambda _self: None)
    folder = plant(tmp_path / "tree", {"anvil.py": "def anvil():\n    pass\n"})
    git("init", "-q", cwd=folder)
    git("remote", "add", "origin", "https://code.example.org/team/forge.git", cwd=folder)
    git("add", ".", cwd=folder)
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first", cwd=folder)
    return folder


async def test_what_the_person_allows_and_takes_back_holds_from_the_next_question_on(
    tree: Path, consents: Consents, elsewhere: Elsewhere
) -> None:
    async with hosted([tree], tree.parent / "store") as client:
        await call(client, "search_code", query="anvil")
        assert elsewhere.visits == 0
        assert structure(await call(client, "index_status"))["notes"] == []
        consents.allow(tree, Connection(kind=Kind.ZOEKT, url=elsewhere.url))
        await call(client, "search_code", query="anvil")
        visits = elsewhere.visits
        assert visits > 0, "it is asked without a restart"
        (note,) = structure(await call(client, "index_status"))["notes"]
        assert note == f"remote code search is on: zoekt at {elsewhere.url.removeprefix('http://')}"
        consents.forbid(tree)
        await call(client, "search_code", query="anvil")
        assert elsewhere.visits == visits
        assert structure(await call(client, "index_status"))["notes"] == []


async def test_models_are_not_told_how_to_allow_it(tree: Path, consents: Consents, elsewhere: Elsewhere) -> None:
    """It is allowed for one folder of two: then nothing is sent, and the notes say so and no more."""
    other = plant(tree.parent / "other", {"saw.py": "def saw():\n    pass\n"})
    consents.allow(tree, Connection(kind=Kind.ZOEKT, url=elsewhere.url))
    async with hosted([tree, other], tree.parent / "store") as client:
        for tool, arguments in (("search_code", {"query": "anvil"}), ("index_status", {})):
            assert "remote allow" not in text_of(await call(client, tool, **arguments))
        (note,) = structure(await call(client, "index_status"))["notes"]
        assert note.endswith(f"is not allowed for {other}; nothing is sent")
    assert elsewhere.visits == 0


async def test_a_token_that_is_missing_is_told(tree: Path, consents: Consents, elsewhere: Elsewhere) -> None:
    consents.allow(tree, Connection(kind=Kind.ZOEKT, url=elsewhere.url, token_variable="NO_SUCH_TOKEN"))
    async with hosted([tree], tree.parent / "store") as client:
        _, note = structure(await call(client, "index_status"))["notes"]
        assert "'NO_SUCH_TOKEN'" in note
