"""Filters that leave nothing by themselves are named, and languages go by the names that people give them."""

from collections.abc import Iterator
from typing import Any

import pytest
from tests.answers.asked import ask, opened, paths

from lurcher_index import Engine
from lurcher_index.answers import Empty
from lurcher_index.snapshot import Snapshot
from lurcher_index.words.filters import Filters

FILES = {
    "src/walrus.py": "def feed(walrus):\n    return walrus.eat('clams')\n",
    "web/walrus.tsx": "export function Walrus(): JSX.Element {\n  return <b>walrus</b>;\n}\n",
    "sea/walrus.go": "package sea\n\nfunc Dive(walrus string) string {\n\treturn walrus\n}\n",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(tmp_path_factory.mktemp("zoo"), FILES, embeddings=False) as opened_engine:
        yield opened_engine


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("py", "src/walrus.py"),
        (".py", "src/walrus.py"),
        ("Python", "src/walrus.py"),
        ("golang", "sea/walrus.go"),
        ("ts", "web/walrus.tsx"),
    ],
)
def test_a_language_goes_by_its_short_forms(engine: Engine, name: str, found: str) -> None:
    answer = ask(engine, "walrus", languages=[name])
    assert (paths(answer), answer.alerts) == ([found], ())


@pytest.mark.parametrize(
    ("filters", "alert"),
    [
        ({"languages": ["pyhton"]}, "there is no language 'pyhton'; 'python' is the nearest"),
        ({"languages": ["qqqq"]}, "there is no language 'qqqq'"),
        ({"languages": ["kt"]}, "no indexed file is written in 'kt'"),
        ({"paths": ["nope"]}, "no indexed file is, or lies below, 'nope'"),
    ],
)
def test_a_filter_that_leaves_nothing_is_named(engine: Engine, filters: dict[str, Any], alert: str) -> None:
    answer = ask(engine, "walrus", **filters)
    assert (answer.empty, answer.alerts) == (Empty.ALL_EXCLUDED, (alert,))
    assert engine.search("walrus", **filters).alerts == (alert,)


def test_it_is_named_too_where_another_one_leaves_something(engine: Engine) -> None:
    answer = ask(engine, "walrus", languages=["pyton", "go"], paths=["sea", "lake"])
    assert paths(answer) == ["sea/walrus.go"]
    assert answer.alerts == (
        "there is no language 'pyton'; 'python' is the nearest",
        "no indexed file is, or lies below, 'lake'",
    )


def test_an_absolute_path_is_named_as_it_was_written(engine: Engine) -> None:
    nowhere = str(engine.workspace.folders[0].path / "lake")
    assert ask(engine, "walrus", paths=[nowhere]).alerts == (f"no indexed file is, or lies below, {nowhere!r}",)


def test_a_language_in_the_words_of_the_question_is_no_filter_of_the_caller(engine: Engine) -> None:
    alerts = ask(engine, "feed the walrus in kotlin code").alerts
    assert not [alert for alert in alerts if alert.startswith(("no indexed file", "there is no language"))], alerts


@pytest.mark.parametrize(
    ("filters", "times"),
    [
        ({"include": ["*.py"]}, 0),
        ({"languages": ["py"], "paths": ["src"]}, 0),
        ({"paths": ["src", "sea"]}, 2),
        ({"languages": ["py", "go"], "include": ["**/walrus.*"]}, 2),
    ],
)
def test_a_lone_filter_that_let_something_through_is_not_looked_into(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, filters: dict[str, Any], times: int
) -> None:
    asked: list[Filters] = []
    any_file_passes = Snapshot.any_file_passes

    def counting(snapshot: Snapshot, asked_of: Filters) -> bool:
        asked.append(asked_of)
        return any_file_passes(snapshot, asked_of)

    monkeypatch.setattr(Snapshot, "any_file_passes", counting)
    answer = ask(engine, "walrus", **filters)
    assert answer.chunks and not answer.alerts
    assert len(asked) == times
    hits = engine.search("walrus", **filters)
    assert hits.hits and not hits.alerts
    assert len(asked) == 2 * times
