"""Where rules rank, a chunk that is found by its name and by words counts as the better of the two."""

import asyncio
from pathlib import Path

from lurcher_index import Engine
from lurcher_index.asking import RULES, Ask
from lurcher_index.ranking.boosts import COMPLETE

MANY = "    parse(header)\n    header = parse(header, parse)\n" * 4


def test_seed_b_a_name_lifts_what_its_words_alone_would_not(tmp_path: Path) -> None:
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / "talk.py").write_text(f"def other(parse, header):\n{MANY}")
    (folder / "name.py").write_text("def parseheader(x):\n    return x  # parse\n")
    (folder / "weak.py").write_text("def unrelated(x):\n    y = x + 1\n    z = y + 2\n    return z  # header\n")
    with Engine.open([folder], store=tmp_path / "store", embeddings=False) as engine:
        engine.build()
        ask = Ask(text="parse header", max_results=5, ranker=RULES, unfiltered=True)
        answer = asyncio.run(engine.ask(ask))
    scores = {chunk.path: chunk.score for chunk in answer.chunks}
    assert scores["name.py"] > scores["weak.py"], "one word each, and the name is the whole question"
    factors = {chunk.path: chunk.trace.boosts for chunk in answer.chunks}
    assert factors["name.py"]["complete"] == COMPLETE
    # The trap: a normalisation that makes every hit by words a perfect one.
    assert len(set(scores.values())) == len(scores)
