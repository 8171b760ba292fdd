"""Section 1: what is asked and what is answered, without a server."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.answers.asked import ask, opened, paths, race

from lurcher_index import Engine
from lurcher_index.answers import Answer, Empty
from lurcher_index.asking import Ask, Seen
from lurcher_index.dense.hashing import HashingEmbedder
from lurcher_index.errors import BadQuery
from lurcher_index.meaning import Meaning
from lurcher_index.strategies.context import Context
from lurcher_index.strategies.interface import MEANING, Cannot, Ranking, Retrieved, Strategy
from lurcher_index.strategies.tfidf import Tfidf
from lurcher_index.text.tokens import estimate_tokens
from lurcher_index.words.query import understand

PADDING = "\n".join(f"    step_{number} = prepare(otter, {number})" for number in range(30))
FILES = {
    "river.py": f"def swim(otter):\n{PADDING}\n    return otter\n\n\nclass Bank:\n    def rest(self, otter):\n"
    f"{PADDING}\n        return otter\n",
    "pond.ts": "export function dive(otter: Otter) {\n  return otter.dive();\n}\n",
    "sea/otter.md": "# The otter\n\nAn otter swims in the river and in the sea.\n",
    "sea/whale.py": "def blow(whale):\n    return whale\n",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(tmp_path_factory.mktemp("asking"), FILES) as engine:
        yield engine


# -- sizing


@pytest.mark.parametrize(
    ("results", "budget", "limit"),
    [(3, None, 3), (None, 1000, 4), (None, 1249, 4), (3, 1000, 3), (9, 1000, 4), (32, 20_000, 32), (128, 32_000, 128)],
)
def test_section_1_budget_and_max_results_limit_together(results: int | None, budget: int | None, limit: int) -> None:
    assert Ask(text="otter", max_results=results, token_budget=budget).result_limit == limit


def test_section_1_one_of_the_two_sizes_must_be_given() -> None:
    with pytest.raises(BadQuery, match="maxResults, tokenBudget"):
        Ask(text="otter")


def test_section_1_a_blank_question_is_refused() -> None:
    for text in ("", " ", "\n\t"):
        with pytest.raises(BadQuery, match=r"^query cannot be empty$"):
            Ask(text=text, max_results=1)


def test_section_1_no_more_results_than_asked_for_and_that_is_said(engine: Engine) -> None:
    answer = ask(engine, "otter", max_results=2)
    assert len(answer.chunks) == 2
    assert answer.limit_hit
    assert answer.dropped.limit > 0
    assert not ask(engine, "whale", max_results=2).limit_hit


@pytest.mark.parametrize("budget", [1, 5, 20, 40, 80, 120, 200, 300, 400, 600])
def test_section_1_the_final_text_never_exceeds_the_budget(engine: Engine, budget: int) -> None:
    answer = ask(engine, "otter", token_budget=budget, strategies=("embeddings", "tfidfSemantic", "tfidf"))
    assert answer.tokens == sum(chunk.tokens for chunk in answer.chunks) <= budget
    assert answer.tokens == sum(estimate_tokens(chunk.text) for chunk in answer.chunks)
    assert answer.chunks or budget < 20


def test_section_1_whole_symbols_first_then_skeletons(tmp_path: Path) -> None:
    """With their places written above them, three chunks are larger than the room for three."""
    files: dict[str, str | bytes] = {}
    for name in ("feed", "wash", "find"):
        body = "\n".join(f"    {name}_{number} = {name}(self, {number})" for number in range(21))
        files[f"{name}.py"] = f"def {name}_the_otter(otter):\n{body}\n    return otter\n"
    how: dict[str, Any] = {"max_results": 3, "strategies": ("tfidf",), "unfiltered": True}
    with opened(tmp_path, files) as engine:
        whole = ask(engine, "the otter", **how)
        assert [chunk.form for chunk in whole.chunks] == ["full"] * 3
        assert whole.tokens > 750
        packed = ask(engine, "the otter", token_budget=750, **how)
    assert [chunk.form for chunk in packed.chunks] == ["full", "full", "skeleton"]
    assert packed.tokens <= 750
    skeleton = packed.chunks[2].text
    assert "the_otter(otter)" in skeleton and "_9 = " not in skeleton


# -- the question


def test_section_1_keywords_of_the_caller_count(engine: Engine) -> None:
    assert paths(ask(engine, "tell me", strategies=("tfidf",))) == []
    assert paths(ask(engine, "tell me", keywords=("whale",), strategies=("tfidf",))) == ["sea/whale.py"]


def test_section_1_a_very_long_question_is_cut_with_a_warning(engine: Engine) -> None:
    """Section 10: cut by UTF-8 bytes, without splitting a character."""
    many = ask(engine, " ".join(f"word{number}" for number in range(3_000)) + " otter")
    assert many.parsed_query.cut
    assert any("words of the question" in alert for alert in many.alerts)
    for before in ("whale ", "whale, "):  # With one byte more the cut falls into a character.
        long = ask(engine, before + "é" * 30_000)
        assert any("26,000 bytes" in alert for alert in long.alerts)
        assert "\ufffd" not in long.parsed_query.original
        assert "sea/whale.py" in paths(long)


# -- the answer


def test_section_1_a_chunk_tells_everything_about_itself(engine: Engine) -> None:
    answer = ask(engine, "blow")
    chunk = answer.chunks[0]
    assert (chunk.path, chunk.language, chunk.is_full_file) == ("sea/whale.py", "python", True)
    assert not ask(engine, "swim", include=["river.py"]).chunks[0].is_full_file
    assert chunk.symbol is not None
    assert (chunk.symbol.name, chunk.symbol.kind, chunk.symbol.container) == ("blow", "function", "")
    assert chunk.text == "sea/whale.py:1-2 (function blow)\n```python\ndef blow(whale):\n    return whale\n```"
    assert chunk.raw_text == "def blow(whale):\n    return whale"
    trace = chunk.trace
    assert (trace.keyword_rank, trace.dense_rank) == (1, 1)
    assert None not in (trace.keyword_score, trace.dense_score, trace.fused)
    assert trace.rerank == chunk.score
    assert chunk.strategy == answer.strategy == "embeddings"
    assert len(chunk.digest) == 16


def test_section_1_the_answer_tells_everything_about_itself(engine: Engine) -> None:
    answer = ask(engine, "where does the otter rest", include=["*.py"])
    assert answer.parsed_query.original == "where does the otter rest"
    assert answer.parsed_query.keywords == ("otter", "rest")
    rows = {row.strategy: row for row in answer.attempts}
    assert list(rows) == ["fullWorkspace", "codeSearch", "embeddings", "tfidfSemantic", "tfidf"]
    assert rows["embeddings"].outcome == "won"
    assert rows["codeSearch"].detail and rows["fullWorkspace"].detail
    assert rows["tfidf"].started_ms is None
    fresh = answer.freshness
    assert (fresh.indexed, fresh.pending, fresh.skipped, fresh.unsaved, fresh.vectors_ready) == (4, 0, 0, 0, 1.0)
    assert answer.complete
    assert answer.timings.keys() == {"prepare", "race", "finish", "total"}


def test_section_1_ids_stay_when_text_moves_and_change_when_it_does(tmp_path: Path) -> None:
    def chunk_of(engine: Engine) -> tuple[str, str, int]:
        found = next(chunk for chunk in ask(engine, "vole").chunks if "def vole" in chunk.raw_text)
        return found.chunk_id, found.digest, found.first_line

    above = "\n".join(f"setting_{number} = compute({number}, {number})" for number in range(120))
    vole = "def vole(burrow):\n" + "\n".join(f"    dig(burrow, {number})" for number in range(40)) + "\n"
    with opened(tmp_path, {"field.py": vole}) as engine:
        first = chunk_of(engine)
        assert chunk_of(engine) == first
        (tmp_path / "field.py").write_text(f"{above}\n\n\n{vole}")
        engine.update([tmp_path / "field.py"])
        moved = chunk_of(engine)
        assert moved[:2] == first[:2]
        assert moved[2] > first[2]
        (tmp_path / "field.py").write_text(vole.replace("39", "93"))
        engine.update([tmp_path / "field.py"])
        assert chunk_of(engine)[0] != first[0]


# -- filters act during retrieval


def test_section_1_filters_are_applied_during_retrieval(tmp_path: Path) -> None:
    """Three hundred better matches outside the filter do not keep the one inside from being found."""
    files = {f"noise/n{number}.py": "def stoat_stoat():\n    return 'stoat stoat stoat'\n" for number in range(300)}
    with opened(tmp_path, {**files, "calm/one.md": "Somewhere in this long text there is one stoat.\n"}) as engine:
        for strategies in (("tfidf",), ("tfidfSemantic",), ("embeddings",)):
            answer = ask(engine, "stoat", max_results=1, include=["calm/**"], strategies=strategies)
            assert paths(answer) == ["calm/one.md"]


# -- what the caller has


def test_section_1_what_is_in_context_is_never_returned_again(engine: Engine) -> None:
    first = ask(engine, "otter")
    seen = tuple(Seen(chunk_id=chunk.chunk_id) for chunk in first.chunks)
    again = ask(engine, "otter", seen=seen)
    assert not {chunk.chunk_id for chunk in again.chunks} & {chunk.chunk_id for chunk in first.chunks}
    assert again.dropped.seen >= len(first.chunks)
    where = first.chunks[0]
    lines = Seen(path=f"{where.folder}/{where.path}", first_line=where.first_line, last_line=where.last_line)
    assert where.chunk_id not in {chunk.chunk_id for chunk in ask(engine, "otter", seen=(lines,)).chunks}


@pytest.mark.parametrize("ranker", ["learned", "rules"])
@pytest.mark.parametrize("strategies", [("tfidf",), ("tfidfSemantic",), ("embeddings",)])
def test_section_1_what_is_in_context_takes_no_place_of_what_is_not(
    tmp_path: Path, strategies: tuple[str, ...], ranker: str
) -> None:
    """Asked again and again for what is next, everything comes in the end, five at a time, and nothing twice."""
    files = {f"pond/otter_{n:03}.py": f"def otter_{n}(pond):\n    return pond.otter({n})\n" for n in range(160)}
    shown: list[Seen] = []
    with opened(tmp_path, files) as engine:
        for turn in range(30):
            answer = ask(
                engine,
                "otter pond",
                max_results=5,
                seen=tuple(shown),
                strategies=strategies,
                ranker=ranker,
                unfiltered=True,
            )
            assert len(answer.chunks) == 5, f"turn {turn}: {answer.empty}"
            for chunk in answer.chunks:
                by_lines = Seen(path=f"{chunk.folder}/{chunk.path}", first_line=1, last_line=chunk.last_line)
                shown.append(Seen(chunk_id=chunk.chunk_id) if turn % 2 else by_lines)
    assert len({(each.chunk_id, each.path) for each in shown}) == 150


def test_section_1_a_whole_workspace_leaves_out_what_is_in_context(engine: Engine) -> None:
    first = ask(engine, "otter", token_budget=20_000)
    assert first.is_full_workspace
    again = ask(engine, "otter", token_budget=20_000, seen=(Seen(chunk_id=first.chunks[0].chunk_id),))
    assert first.chunks[0].chunk_id not in {chunk.chunk_id for chunk in again.chunks}


# -- early answers


class Waiting:
    """A strategy that ends when the early answer was told."""

    id = "waiting"
    timeout = None

    def __init__(self) -> None:
        self.heard: list[Answer] = []

    async def prepare(self, context: Context) -> None:
        pass

    async def search(self, context: Context) -> Retrieved | Cannot:
        while not self.heard:
            await asyncio.sleep(0)
        return await Tfidf().search(context)


def test_section_1_the_words_answer_comes_early_and_has_the_same_ids(engine: Engine) -> None:
    waiting = Waiting()
    strategies: tuple[Strategy, ...] = (waiting,)
    final = race(engine, strategies, "otter", heard=waiting.heard.append)
    (early,) = waiting.heard
    assert (early.strategy, final.strategy) == ("tfidf", "waiting")
    assert [chunk.chunk_id for chunk in early.chunks] == [chunk.chunk_id for chunk in final.chunks]
    assert early.attempts == ()
    assert early.empty is None


# -- honest empties


class Trained(HashingEmbedder):
    """A model that says how like two texts are at least if they are alike; ours finds nothing by itself."""

    floor = 0.5


class Farfetched:
    """A strategy that takes chunks about otters for an answer to everything."""

    id = "farfetched"
    timeout = None

    async def prepare(self, context: Context) -> None:
        pass

    async def search(self, context: Context) -> Retrieved | Cannot:
        await context.query_vector()
        found = context.view.words(understand("otter"), context.ask.filters, 10)
        return Retrieved((Ranking(MEANING, tuple(found)),))


def test_section_1_empties_are_told_apart(engine: Engine, tmp_path: Path) -> None:
    assert ask(engine, "zzyzx", strategies=("tfidf",)).empty is Empty.NO_MATCH
    assert ask(engine, "otter", exclude=["**"]).empty is Empty.ALL_EXCLUDED
    # By meaning everything is found; nothing is like a word that nobody knows.
    assert ask(engine, "zzyzx", strategies=("embeddings",)).empty is Empty.BELOW_SPREAD
    assert (
        race(engine, (Farfetched(),), "zzyzx", meaning=Meaning(engine.workspace, Trained())).empty is Empty.BELOW_SPREAD
    )
    assert ask(engine, "otter", strategies=("codeSearch",)).empty is Empty.FAILED
    everything = tuple(Seen(path=f"{engine.workspace.folders[0].path}/{path}") for path in FILES)
    assert ask(engine, "otter", seen=everything).empty is Empty.ALL_SEEN
    assert ask(engine, "otter").empty is None
    with opened(tmp_path / "bare", {}) as bare:
        assert ask(bare, "otter").empty is Empty.NO_FILES
    with Engine.open([tmp_path], store=":memory:") as unbuilt:
        assert ask(unbuilt, "otter").empty is Empty.NOT_INDEXED
