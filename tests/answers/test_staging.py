"""Modes of a search: features, snippets, and features first."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lurcher_index import Engine
from lurcher_index.answers import Answer
from lurcher_index.asking import Ask, Mode


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / "storage.py").write_text(
        'def load_settings(path):\n    """Read the configuration of a user."""\n    return open(path).read()\n'
    )
    (folder / "billing.py").write_text(
        "def run(x):\n    invoice = x * 2\n    ledger = invoice + 1\n    return ledger\n"
    )
    (folder / "noise.py").write_text("def other(y):\n    return y - 1\n")
    with Engine.open([folder], store=tmp_path / "store", embeddings=False) as opened:
        opened.build()
        yield opened


def ask(engine: Engine, text: str, mode: Mode, **more: Any) -> Answer:
    return asyncio.run(engine.ask(Ask(text=text, max_results=5, mode=mode, **more)))


def paths(answer: Answer) -> list[str]:
    return [chunk.path for chunk in answer.chunks]


def test_seed_d_features_are_names_documentation_and_paths(engine: Engine) -> None:
    found = ask(engine, "read configuration of a user", Mode.FEATURES)
    assert paths(found)[0] == "storage.py"
    assert (found.stage, found.strategy) == ("features", "features")
    by_path = ask(engine, "billing", Mode.FEATURES)
    assert paths(by_path) == ["billing.py"]
    inside = ask(engine, "invoice ledger", Mode.FEATURES)
    assert inside.chunks == (), "what only the code says is no feature"


def test_seed_d_snippets_find_what_the_code_says(engine: Engine) -> None:
    found = ask(engine, "invoice ledger", Mode.SNIPPETS)
    assert paths(found) == ["billing.py"]
    assert found.stage == ""


def test_seed_d_auto_stays_with_features_that_suffice(engine: Engine) -> None:
    found = ask(engine, "load_settings", Mode.AUTO)
    assert paths(found)[0] == "storage.py"
    assert found.stage == "features"
    assert [row.strategy for row in found.attempts] == ["features"]


def test_seed_d_auto_goes_on_to_snippets_when_features_find_nothing(engine: Engine) -> None:
    found = ask(engine, "invoice ledger", Mode.AUTO)
    assert paths(found) == ["billing.py"]
    assert found.stage == "snippets"
    assert found.attempts[0].strategy == "features"
    assert len(found.attempts) > 1
    assert any("names, documentation and paths did not answer" in alert for alert in found.alerts)


def test_seed_d_auto_goes_on_when_features_are_weak(engine: Engine) -> None:
    found = ask(engine, "how does the user pay the ledger of an invoice in the other currency", Mode.AUTO)
    assert found.stage == "snippets", "something was found by its name, and it is no answer"
    assert "billing.py" in paths(found)


def test_a_question_about_a_name_goes_to_the_graph_in_every_mode(engine: Engine) -> None:
    for mode in Mode:
        assert ask(engine, "who calls load_settings", mode).strategy == "callGraph"
