"""What lies in a module that the question is about is lifted, where rules rank."""

import asyncio
from pathlib import Path

from lurcher_index import Engine
from lurcher_index.answers import Answer
from lurcher_index.asking import LEARNED, RULES, Ask
from lurcher_index.ranking.modules import INSIDE


def ask(engine: Engine, text: str, ranker: str = RULES) -> Answer:
    return asyncio.run(engine.ask(Ask(text=text, max_results=10, ranker=ranker, module_boost=INSIDE)))


def test_seed_b_results_inside_a_module_that_is_asked_about(tmp_path: Path) -> None:
    folder = tmp_path / "tree"
    for module, word in (("billing", "invoice"), ("billing_archive", "archive"), ("weather", "forecast")):
        (folder / module).mkdir(parents=True)
        for at in range(4):
            text = f'"""Handle {word} number {at}."""\n\n\ndef {word}_{at}(amount):\n    return shared_total(amount)\n'
            (folder / module / f"{word}_{at}.py").write_text(text)
    with Engine.open([folder], store=tmp_path / "store", embeddings=False) as engine:
        engine.build()
        engine.tree()
        answer = ask(engine, "shared total of the forecast")
        assert answer.chunks
        lifted = {chunk.path.partition("/")[0]: chunk.trace.boosts.get("module") for chunk in answer.chunks}
        assert lifted["weather"] == INSIDE
        assert lifted.get("billing") is None
        # The trap: what only begins with the name of a module is not in it.
        told = {chunk.path: chunk.trace.boosts.get("module") for chunk in ask(engine, "shared total invoice").chunks}
        assert any(path.startswith("billing/") and boost == INSIDE for path, boost in told.items())
        assert all(boost is None for path, boost in told.items() if path.startswith("billing_archive/"))
        assert all("module" not in chunk.trace.boosts for chunk in ask(engine, "shared total invoice", LEARNED).chunks)
