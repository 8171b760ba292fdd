"""The learned judge, when it judges and when rules do; and one kind of content in every way of searching."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.answers.asked import ask, opened, paths
from tests.dense.foreign_models import model2vec_folder
from tests.files.trees import plant

from lurcher_index import Engine, judging
from lurcher_index.answers import Empty
from lurcher_index.asking import Weights
from lurcher_index.config import Settings
from lurcher_index.engine import MEMORY
from lurcher_index.errors import BadQuery, ModelError
from lurcher_index.finishing import MOST_NEARBY, WEAK_ANSWERABILITY
from lurcher_index.judging import TELLING, Judge, shipped_evidence, shipped_ranker
from lurcher_index.ranking.clues import CLUES
from lurcher_index.ranking.evidence import Evidence, read_evidence
from lurcher_index.ranking.learned import LearnedRanker, RankerData, read_ranker
from lurcher_index.searched import Searched
from lurcher_index.words.filters import Filters

FILES = {
    "burrow.py": "def dig_burrow(marmot):\n    '''Dig a burrow for a marmot.'''\n    return marmot.dig()\n",
    "hill.py": "def climb_hill(marmot):\n    return marmot.climb()\n",
    "notes.md": "# Burrows\n\nA marmot digs its burrow in summer.\n",
    "settings.toml": "[marmot]\nburrow = 'deep'\n",
}
QUESTION = "where does the marmot dig its burrow"
OF_A_KIND = {"code": {"burrow.py", "hill.py"}, "docs": {"notes.md"}, "config": {"settings.toml"}}
UNANSWERED = "retry failed network requests with exponential backoff"


# -- who judges


@pytest.mark.parametrize("embeddings", [True, False])
def test_the_learned_ranker_judges_by_default(tmp_path: Path, embeddings: bool) -> None:
    with opened(tmp_path, FILES, embeddings=embeddings) as engine:
        answer = ask(engine, QUESTION)
    assert answer.answerability is not None
    assert 0.0 < answer.answerability <= 1.0
    assert answer.chunks[0].score == pytest.approx(answer.answerability, abs=1e-3)
    assert not any("rules" in alert for alert in answer.alerts)


@pytest.mark.parametrize("how", [{"ranker": "rules"}, {"weights": Weights(0.7, 0.3)}, {"rerank": False}])
def test_rules_rank_for_who_wants_them(tmp_path: Path, how: dict[str, Any]) -> None:
    with opened(tmp_path, FILES) as engine:
        answer = ask(engine, QUESTION, explain=True, **how)
    assert answer.chunks
    assert answer.answerability is None
    assert not any(chunk.trace.clues for chunk in answer.chunks)
    assert answer.alerts == ()


def test_section_3_a_judge_that_fails_leaves_it_to_the_rules_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_given: object) -> None:
        raise ZeroDivisionError(QUESTION)

    with opened(tmp_path, FILES) as engine:
        by_rules = ask(engine, QUESTION, ranker="rules")
        monkeypatch.setattr(Judge, "judge", fail)
        answer = ask(engine, QUESTION)
    assert [chunk.chunk_id for chunk in answer.chunks] == [chunk.chunk_id for chunk in by_rules.chunks]
    assert answer.alerts == ("the learned ranking failed (ZeroDivisionError); rules have ordered the answer",)
    assert "the learned ranking failed" in caplog.text
    assert QUESTION not in caplog.text


def test_an_unknown_ranker_is_refused(tmp_path: Path) -> None:
    with opened(tmp_path, FILES, embeddings=False) as engine, pytest.raises(BadQuery, match="learned, rules"):
        ask(engine, QUESTION, ranker="oracle")


def test_another_model_than_the_rankers_is_ranked_by_rules(tmp_path: Path) -> None:
    """Its cosines mean something else; by words alone the ranker judges all the same."""
    tree = tmp_path / "tree"
    tree.mkdir()
    plant(tree, {"files.py": "def read_file(file):\n    return file.read()\n"})
    settings = Settings(model=f"model2vec:{model2vec_folder(tmp_path / 'tiny')}")
    with Engine.open([tree], store=MEMORY, settings=settings) as engine:
        assert engine.build_all()
        by_meaning = ask(engine, "read file", strategies=("embeddings",))
        by_words = ask(engine, "read file", strategies=("tfidf",))
        assert engine.meaning.embedder.name != shipped_ranker().model
    assert by_meaning.strategy == "embeddings"
    assert paths(by_meaning) == paths(by_words) == ["files.py"]
    assert by_meaning.answerability is None
    assert by_words.answerability is not None


# -- a damaged file


def test_without_its_ranker_the_engine_ranks_by_rules_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def damaged() -> LearnedRanker:
        return read_ranker(b'{"name": "half a fi')

    monkeypatch.setattr(judging, "shipped_ranker", damaged)
    with opened(tmp_path, FILES) as engine:
        answer = ask(engine, QUESTION)
        plain = ask(engine, QUESTION, ranker="rules")
    (alert,) = answer.alerts
    assert "ranked by rules" in alert
    assert "install lurcher anew" in alert
    assert answer.answerability is None
    assert paths(answer) == paths(plain) != []


def test_without_its_network_of_evidence_it_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged() -> Evidence:
        return read_evidence(b'{"name": "half a fi')

    monkeypatch.setattr(judging, "shipped_evidence", damaged)
    with opened(tmp_path, FILES) as engine:
        answer = ask(engine, QUESTION)
    (alert,) = answer.alerts
    assert "ranked by rules" in alert
    assert answer.answerability is None


def test_a_ranker_is_not_asked_with_another_network_than_it_was_taught_with() -> None:
    data = msgspec.convert(shipped() | {"evidence": "another"}, RankerData)
    with pytest.raises(ModelError, match="another network"):
        Judge(LearnedRanker(data), shipped_evidence())


def test_the_shipped_network_is_for_the_shipped_ranker_and_its_model() -> None:
    evidence, ranker = shipped_evidence(), shipped_ranker()
    assert (evidence.name, evidence.model) == (ranker.evidence, ranker.model)


def test_a_word_that_has_to_be_found_and_is_not_makes_an_answer_less_likely(tmp_path: Path) -> None:
    with opened(tmp_path, FILES) as engine:
        found, missing = (
            evidence_for(engine, question) for question in ("who digs the burrow", "who digs the burrow for prometheus")
        )
    assert missing < found


def evidence_for(engine: Engine, question: str) -> float:
    """What the words of a question say, as the engine's judge hears it."""
    heard: list[float] = []
    real = judging.evidence_of

    def noted(*given: Any) -> float:
        heard.append(real(*given))
        return heard[-1]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(judging, "evidence_of", noted)
        ask(engine, question)
    return heard[-1]


def shipped() -> dict[str, Any]:
    with (Path(judging.__file__).parent / "ranking" / judging.WEIGHTS_FILE).open("rb") as file:
        found: dict[str, Any] = msgspec.json.decode(file.read())
    return found


def test_the_shipped_ranker_is_read() -> None:
    assert read_ranker(msgspec.json.encode(shipped())).name == shipped_ranker().name


def test_the_shipped_ranker_orders_what_a_name_finds_without_words_that_are_like_it() -> None:
    heads = shipped()["heads"]
    nearest = [at for at, name in enumerate(CLUES) if "nearest" in name]
    assert not any(heads["meaning_symbol"][of][at] for of in ("file_weights", "chunk_weights") for at in nearest)
    assert any(heads["meaning"]["file_weights"][at] for at in nearest)


@pytest.mark.parametrize("data", [b"", b"\x00" * 100, b"[]", b"{}", b"\xff\xfe", b"[" * 100_000])
def test_bytes_that_are_no_ranker_are_refused(data: bytes) -> None:
    with pytest.raises(ModelError):
        read_ranker(data)


def _without_a_head(data: dict[str, Any]) -> None:
    del data["heads"]["words_symbol"]


def _without_answer_weights(data: dict[str, Any]) -> None:
    del data["answer_weights"]["meaning"]


def _with_a_weight_too_few(data: dict[str, Any]) -> None:
    data["heads"]["words"]["chunk_weights"].pop()


def _with_a_sign_too_many(data: dict[str, Any]) -> None:
    data["answer_weights"]["words"].append(0.0)


def _with_a_neuron_that_is_deaf_to_a_sign(data: dict[str, Any]) -> None:
    data["answer_neurons"]["words"][0].pop()


def _without_what_is_worth_showing(data: dict[str, Any]) -> None:
    del data["worth"]["meaning_symbol"]


def _with_other_clues(data: dict[str, Any]) -> None:
    data["clues"][0], data["clues"][1] = data["clues"][1], data["clues"][0]


def _with_other_signs(data: dict[str, Any]) -> None:
    data["signs"].pop()


def _with_no_cut(data: dict[str, Any]) -> None:
    data["heads"]["meaning"]["cut"] = 0.0


def _with_a_fade_that_lifts(data: dict[str, Any]) -> None:
    data["heads"]["meaning"]["fade"] = -1.0


def _with_text_for_a_weight(data: dict[str, Any]) -> None:
    data["heads"]["words"]["file_weights"][3] = "much"


def _with_more_than_belongs_there(data: dict[str, Any]) -> None:
    data["heads"]["words"]["extra"] = 1


@pytest.mark.parametrize(
    "damage",
    [
        _without_a_head,
        _without_answer_weights,
        _with_a_weight_too_few,
        _with_a_sign_too_many,
        _with_a_neuron_that_is_deaf_to_a_sign,
        _without_what_is_worth_showing,
        _with_other_clues,
        _with_other_signs,
        _with_no_cut,
        _with_a_fade_that_lifts,
        _with_text_for_a_weight,
        _with_more_than_belongs_there,
    ],
)
def test_a_damaged_ranker_is_refused(damage: Callable[[dict[str, Any]], None]) -> None:
    data = shipped()
    damage(data)
    with pytest.raises(ModelError, match="ranker"):
        read_ranker(msgspec.json.encode(data))


# -- what it tells


def test_clues_are_told_to_who_asks_for_them(tmp_path: Path) -> None:
    with opened(tmp_path, FILES) as engine:
        told = ask(engine, QUESTION, explain=True)
        silent = ask(engine, QUESTION)
    assert paths(told) == paths(silent) != []
    assert not any(chunk.trace.clues for chunk in silent.chunks)
    for chunk in told.chunks:
        shares = [abs(share) for share in chunk.trace.clues.values()]
        assert shares and min(shares) >= TELLING
        assert shares == sorted(shares, reverse=True)
        assert chunk.trace.clues.keys() <= set(CLUES)


def test_a_question_without_an_answer_gets_few_chunks_and_the_way_to_others(tmp_path: Path) -> None:
    files = {f"hill{at}.py": f"def climb_{at}(hill):\n    # A network of paths.\n    return hill\n" for at in range(6)}
    with opened(tmp_path, files) as engine:
        answer = ask(engine, UNANSWERED)
        whole = ask(engine, UNANSWERED, unfiltered=True)
    assert answer.answerability is not None and answer.answerability < WEAK_ANSWERABILITY
    assert len(answer.chunks) <= 2 < len(whole.chunks)
    assert (answer.empty is Empty.BELOW_SPREAD) is (not answer.chunks)
    assert any("nothing here seems to answer" in alert for alert in answer.alerts) is bool(answer.chunks)
    assert paths(answer) + [each.path for each in answer.nearby] == paths(whole)[: len(answer.chunks) + MOST_NEARBY]
    assert any("nothing here seems to answer" in alert for alert in whole.alerts), "who gets all is told as well"


def test_a_question_that_no_word_leads_from_gets_an_empty_answer(tmp_path: Path) -> None:
    with opened(tmp_path, FILES) as engine:
        answer = ask(engine, "kubernetes ingress certificate rotation webhook")
    assert answer.chunks == ()
    assert answer.empty is not None


# -- one kind of content


@pytest.mark.parametrize("kind", ["code", "docs", "config"])
@pytest.mark.parametrize("strategy", ["tfidf", "embeddings", "tfidfSemantic"])
def test_one_kind_of_content_by_words_and_by_meaning(tmp_path: Path, strategy: str, kind: str) -> None:
    with opened(tmp_path, FILES) as engine:
        answer = ask(engine, "marmot burrow", strategies=(strategy,), content=kind, unfiltered=True)
        everything = ask(engine, "marmot burrow", strategies=(strategy,), content="all", unfiltered=True)
    assert answer.strategy == strategy
    assert set(paths(answer)) == OF_A_KIND[kind]
    assert set(paths(everything)) == set(FILES)


@pytest.mark.parametrize("kind", ["code", "docs", "config"])
def test_one_kind_of_content_by_meaning_alone(tmp_path: Path, kind: str) -> None:
    with opened(tmp_path, FILES) as engine:
        engine.show(tmp_path / "shown.md", "A marmot digs a burrow.\n", 1)
        found = _similar(engine, engine.filters(content=kind))
    assert found == OF_A_KIND[kind] | ({"shown.md"} if kind == "docs" else set())


def _similar(engine: Engine, filters: Filters) -> set[str]:
    searched = Searched(engine.workspace, engine.meaning)
    assert searched.meaning is not None
    vector = searched.meaning.embedder.embed_query("marmot burrow")
    hits = searched.meaning.similar(searched.view, vector, filters, 50)
    return {row.path for row in searched.view.rows({hit.file_id for hit in hits}).values()}


@pytest.mark.parametrize("kind", ["code", "docs", "config"])
def test_one_kind_of_content_of_open_documents_and_of_changes(tmp_path: Path, kind: str) -> None:
    fresh = {"code": "new.go", "docs": "new.rst", "config": "new.yaml"}
    shown = {"code": "open.rs", "docs": "open.txt", "config": "open.json"}
    with opened(tmp_path, FILES, embeddings=False) as engine:
        for name in fresh.values():
            (tmp_path / name).write_text("burrow: marmot\n")
        engine.update([tmp_path / name for name in fresh.values()])
        for name in shown.values():
            assert engine.show(tmp_path / name, "marmot in its burrow\n", 1)
        answer = ask(engine, "marmot", content=kind, unfiltered=True)
        hits = engine.search("marmot", content=kind, max_results=20).hits
    assert set(paths(answer)) == {hit.path for hit in hits} == OF_A_KIND[kind] | {fresh[kind], shown[kind]}


def test_a_whole_workspace_is_of_one_kind_too(tmp_path: Path) -> None:
    with opened(tmp_path, FILES) as engine:
        assert set(paths(ask(engine, "anything", token_budget=20_000))) == set(FILES)
        assert set(paths(ask(engine, "marmot", token_budget=20_000, content="docs"))) == {"notes.md"}


def test_an_unknown_kind_of_content_is_refused(tmp_path: Path) -> None:
    with opened(tmp_path, FILES, embeddings=False) as engine:
        for name in ("papers", "", "Code"):
            with pytest.raises(BadQuery, match="all, code, docs, config"):
                engine.filters(content=name)
            with pytest.raises(BadQuery, match="unknown kind of content"):
                engine.search("marmot", content=name)


def test_a_name_that_stands_somewhere_is_found_there_first(tmp_path: Path) -> None:
    files = {
        f"waiting_{at}.py": f"def wait_for_queue_{at}(queue):\n    return queue.get_waited_items({at})\n"
        for at in range(30)
    }
    files["plain.txt"] = "A remark that holds waitedaaajquux between many other words of a long line.\n"
    with opened(tmp_path, files) as engine:
        assert paths(ask(engine, "waitedaaajquux", max_results=1)) == ["plain.txt"]
