"""Search scopes: files, folders, symbols, features; their union; and what happens when one is nowhere."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.features.grown import SHOP, flat_package
from tests.files.trees import plant

from lurcher_index import Engine, meaning
from lurcher_index.answers import Answer, Empty
from lurcher_index.asking import MAX_SCOPES, Ask
from lurcher_index.engine import MEMORY
from lurcher_index.errors import BadQuery
from lurcher_index.scoping import scope_of
from lurcher_index.view import View

CROWD = 300
"""Functions that all match better than what is asked for in a scope: more than any retriever gives to the fusion."""

BIG = "class Needle:\n    def find_walrus(self):\n        return 'hay'\n\n\n" + "\n\n".join(
    f"def walrus_walrus_{at}():\n    walrus = 'walrus {at}'\n    return walrus + 'walrus' * {at}\n"
    for at in range(CROWD)
)

TREE = SHOP | {f"src/shop/{path}": text for path, text in flat_package().items()} | {"src/shop/big.py": BIG}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    place = tmp_path_factory.mktemp("scopes")
    with Engine.open([plant(place / "shop", TREE)], store=MEMORY) as engine:
        engine.build_all()
        yield engine


def ask(engine: Engine, text: str, *scopes: str, **how: Any) -> Answer:
    sized = how if "token_budget" in how else {"max_results": 20, **how}
    return asyncio.run(engine.ask(Ask(text=text, scopes=scopes, unfiltered=True, **sized)))


def found(engine: Engine, text: str, *scopes: str, **how: Any) -> set[str]:
    return {chunk.path for chunk in ask(engine, text, *scopes, **how).chunks}


RETRIEVERS = [("tfidf",), ("embeddings",), ("tfidfSemantic",), ()]


@pytest.mark.parametrize("strategies", RETRIEVERS)
def test_a_folder_holds_what_is_below_it_and_not_its_namesakes(engine: Engine, strategies: tuple[str, ...]) -> None:
    db = {"src/shop/db/query.py", "src/shop/db/store.py"}
    everywhere = found(engine, "name row table quote escape", strategies=strategies)
    assert everywhere & {"src/shop/db_utils/quoting.py", "src/shop/db_utils/escaping.py"}
    for scope in ("src/shop/db", "src/shop/db/", "./src/shop/db"):
        assert found(engine, "select table save row name quote escape", scope, strategies=strategies) == db


@pytest.mark.parametrize("strategies", RETRIEVERS)
def test_what_is_in_scope_is_found_however_many_others_match_better(
    engine: Engine, strategies: tuple[str, ...]
) -> None:
    for scope in ("src/shop/big.py:Needle", "src/shop/big.py:Needle.find_walrus"):
        answer = ask(engine, "walrus", scope, strategies=strategies)
        assert [chunk.first_line for chunk in answer.chunks] == [1]
        assert "find_walrus" in answer.chunks[0].raw_text


def test_files_that_are_named_are_ranked_alike_however_they_are_looked_up(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    scopes = ("src/shop/db/store.py", "src/shop/db/query.py", "src/shop/big.py:Needle", "src/shop/big.py")

    def ranked() -> list[tuple[str, int, float]]:
        answer = ask(engine, "save a row into a table", *scopes, strategies=("embeddings",))
        return [(chunk.path, chunk.first_line, chunk.score) for chunk in answer.chunks]

    one_by_one = ranked()
    monkeypatch.setattr(meaning, "MOST_NAMED", 0)
    assert one_by_one and ranked() == one_by_one


def test_a_file_and_an_absolute_path_are_scopes(engine: Engine) -> None:
    folder = engine.workspace.folders[0].path
    for scope in ("src/shop/db/store.py", str(folder / "src/shop/db/store.py")):
        assert found(engine, "save row select table", scope) == {"src/shop/db/store.py"}
    assert found(engine, "save row", str(folder)) == found(engine, "save row")


def test_features_are_scopes_by_id_and_by_path(engine: Engine) -> None:
    (group,) = engine.tree("db utils").nodes
    for scope in (group.id, "db utils", "DB Utils", "/db utils/"):
        assert found(engine, "name row table quote escape", scope) == {
            "src/shop/db_utils/escaping.py",
            "src/shop/db_utils/quoting.py",
        }


def test_a_feature_that_is_some_files_of_a_folder_holds_these_and_no_others(engine: Engine) -> None:
    divided = [node for node in engine.tree(depth=4).nodes if "invoice" in node.label]
    assert len(divided) == 1
    names = {path.rpartition("/")[2] for path in found(engine, "check invoice robot arm tax", divided[0].id)}
    assert {"tax.py", "invoice.py"} <= names
    assert not names & {"arm.py", "robot.py"}


def test_several_scopes_are_their_union_and_none_is_everywhere(engine: Engine) -> None:
    text = "select table save row session cookie quote"
    one, other = found(engine, text, "src/shop/db"), found(engine, text, "web")
    assert found(engine, text, "src/shop/db", "web") == one | other
    assert found(engine, text, "src/shop/db", "src/shop/db/query.py", "src/shop/db/query.py:Query") == one
    assert found(engine, text) > one | other


def test_symbols_of_one_file_are_joined(engine: Engine) -> None:
    scopes = ("src/shop/big.py:Needle", "src/shop/big.py:walrus_walrus_299")
    lines = sorted(chunk.first_line for chunk in ask(engine, "walrus", *scopes).chunks)
    assert lines[0] == 1
    assert len(lines) == 2


def test_an_unknown_scope_is_reported_and_the_others_count(engine: Engine) -> None:
    answer = ask(engine, "select table", "src/shop/db", "src/shop/dbx", "feature:ffffffffff")
    assert {chunk.path for chunk in answer.chunks} <= {"src/shop/db/query.py", "src/shop/db/store.py"}
    assert [alert.split(":")[0] for alert in answer.alerts if "scope" in alert] == [
        "unknown search scope 'src/shop/dbx'",
        "unknown search scope 'feature",
    ]


@pytest.mark.parametrize(
    "scope", ["nowhere", "src/shop/d", "src/shop/big.py:Nobody", "src/shop/big.py:Needle#2", "../shop", "", " ", "*"]
)
def test_if_all_scopes_are_unknown_the_answer_is_empty_and_says_why(engine: Engine, scope: str) -> None:
    answer = ask(engine, "select table", scope)
    assert answer.chunks == ()
    assert answer.empty is Empty.UNKNOWN_SCOPE
    assert any("all search scopes are unknown" in alert for alert in answer.alerts)


def test_scopes_and_filters_hold_together(engine: Engine) -> None:
    filters = engine.filters(include=["*query*"])
    assert found(engine, "select table save row", "src/shop/db", filters=filters) == {"src/shop/db/query.py"}
    nothing = ask(engine, "select table", "src/shop/db", filters=engine.filters(languages=["rust"]))
    assert nothing.empty is Empty.ALL_EXCLUDED


def test_the_whole_workspace_is_what_is_in_scope(engine: Engine) -> None:
    whole = ask(engine, "anything", "src/shop/db", token_budget=50_000)
    assert whole.is_full_workspace
    assert {chunk.path for chunk in whole.chunks} == {"src/shop/db/query.py", "src/shop/db/store.py"}
    assert not ask(engine, "walrus", "src/shop/big.py:Needle", token_budget=50_000).is_full_workspace


def test_unsaved_text_is_in_scope(tmp_path: Path) -> None:
    with Engine.open([plant(tmp_path / "shop", SHOP)], store=MEMORY) as engine:
        engine.build_all()
        engine.show(tmp_path / "shop/src/shop/db/store.py", "class Walrus:\n    def dive(self): ...\n", 3)
        engine.show(tmp_path / "shop/src/shop/fresh/new.py", "def walrus_two(): ...\n", 3)
        for scope in ("src/shop/db", "src/shop/db/store.py", "src/shop/db/store.py:Walrus.dive", "db"):
            assert found(engine, "walrus dive", scope, strategies=("tfidf",)) == {"src/shop/db/store.py"}
        assert found(engine, "walrus", "src/shop/fresh") == {"src/shop/fresh/new.py"}
        assert ask(engine, "save", "src/shop/db/store.py:Store").empty is Empty.UNKNOWN_SCOPE


def test_with_several_folders_a_path_has_its_folders_name_or_is_meant_everywhere(tmp_path: Path) -> None:
    folders = [plant(tmp_path / name, SHOP) for name in ("one", "two")]
    with Engine.open(folders, store=MEMORY, embeddings=False) as engine:
        engine.build()

        def places(scope: str) -> set[str]:
            return {Path(hit.folder).name for hit in engine.search("select table save row", scopes=[scope]).hits}

        assert places("two/src/shop/db") == places("two/src/shop/db/query.py:Query") == places("two/db") == {"two"}
        assert places("two") == {"two"}
        assert places("src/shop/db") == {"one", "two"}
        assert places(str(folders[0] / "src")) == {"one"}


def test_a_large_scope_grows_no_expression(tmp_path: Path) -> None:
    texts = {f"src/part{at}/thing.py": f"def walrus_{at}(): ...\n" for at in range(400)}
    with Engine.open([plant(tmp_path / "many", texts)], store=MEMORY, embeddings=False) as engine:
        engine.build()
        scopes = [f"src/part{at}/thing.py" for at in range(MAX_SCOPES)]
        view = View(engine.workspace)
        scope = scope_of(view, engine.featuring, scopes).scope
        assert (len(scope.keys), scope.below_patterns()) == (MAX_SCOPES, [])
        assert {hit.path for hit in engine.search("walrus", max_results=500, scopes=scopes).hits} == set(scopes)
        with pytest.raises(BadQuery, match="scopes"):
            ask(engine, "walrus", *(str(at) for at in range(MAX_SCOPES + 1)))


def test_the_search_by_words_alone_has_scopes_too(engine: Engine) -> None:
    hits = engine.search("walrus", scopes=["src/shop/big.py:Needle"]).hits
    assert [hit.first_line for hit in hits] == [1]
    nowhere = engine.search("walrus", scopes=["nowhere"])
    assert not nowhere.hits
    assert any("unknown search scope 'nowhere'" in alert for alert in nowhere.alerts)
