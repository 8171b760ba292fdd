"""Sections 5, 8 and 10: what is searched is what is there, shown or on disk."""

from pathlib import Path

import pytest
from tests.answers.asked import ask, opened, paths

from lurcher_index.answers import Empty
from lurcher_index.dense import fresh

MANY = {f"{animal}.py": f"def {animal}(den):\n    return den.{animal}\n" for animal in ("weasel", "otter", "mink")}
MANY["nest.py"] = "def build_nest(twigs):\n    return sorted(twigs)\n"
FILES = {"den.py": "def marten():\n    return 'on disk'\n", "nest.py": "def weasel():\n    return marten()\n"}


def test_section_8_what_an_editor_shows_wins_until_it_is_closed(tmp_path: Path) -> None:
    with opened(tmp_path, FILES) as engine:
        assert engine.show(tmp_path / "den.py", "def polecat():\n    pass\n", 5)
        answer = ask(engine, "polecat marten")
        versions = {chunk.path: chunk.version for chunk in answer.chunks}
        assert versions["den.py"] == 5
        assert all("def marten" not in chunk.raw_text for chunk in answer.chunks)
        assert answer.freshness.unsaved == 1
        engine.hide(tmp_path / "den.py")
        (chunk,) = [chunk for chunk in ask(engine, "marten").chunks if chunk.path == "den.py"]
        assert (chunk.version, "on disk" in chunk.raw_text) == (None, True)


def test_section_8_a_document_outside_the_workspace_is_not_searched(tmp_path: Path) -> None:
    with opened(tmp_path / "tree", FILES) as engine:
        assert not engine.show(tmp_path / "elsewhere.py", "def sable():\n    pass\n", 1)
        assert ask(engine, "sable", strategies=("tfidf",)).empty is Empty.NO_MATCH


def test_section_8_shown_text_is_in_the_whole_workspace_and_in_its_order(tmp_path: Path) -> None:
    with opened(tmp_path, FILES) as engine:
        engine.show(tmp_path / "den.py", "shown = 1\n", 2)
        engine.show(tmp_path / "fresh.py", "new = 1\n", 1)
        answer = ask(engine, "anything", token_budget=20_000)
        assert answer.is_full_workspace
        assert [(chunk.path, chunk.version) for chunk in answer.chunks] == [
            ("den.py", 2), ("fresh.py", 1), ("nest.py", None),
        ]  # fmt: skip
        assert answer.chunks[0].raw_text == "shown = 1\n"


@pytest.mark.parametrize("strategy", ["embeddings", "tfidfSemantic", "tfidf"])
def test_section_10_what_changed_on_disk_is_never_shown_stale(tmp_path: Path, strategy: str) -> None:
    """Nobody told the engine; it reads, notices, follows the change and searches again."""
    with opened(tmp_path, FILES) as engine:
        (tmp_path / "den.py").write_text("def fisher():\n    return 'marten no more'\n")
        (tmp_path / "nest.py").unlink()
        answer = ask(engine, "marten", strategies=(strategy, "tfidf"))
        assert paths(answer) == ["den.py"]
        assert "fisher" in answer.chunks[0].raw_text
        assert answer.complete


def test_section_5_an_edit_embeds_what_changed_and_is_found_by_words_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fresh, "MOST_CHUNKS", 0)
    with opened(tmp_path, FILES) as engine:
        (tmp_path / "later.py").write_text("def wolverine_burrow():\n    return 'wolverine'\n")
        engine.update([tmp_path / "later.py"])
        share = engine.meaning.ready()
        assert 0.5 <= share < 1
        answer = ask(engine, "wolverine")
        assert paths(answer)[0] == "later.py"
        assert any("66 %" in alert for alert in answer.alerts)
        assert engine.embed()
        assert engine.meaning.ready() == 1.0
        assert ask(engine, "wolverine").alerts == ()


def test_section_5_what_is_new_is_found_by_meaning_before_its_vectors_are_stored(tmp_path: Path) -> None:
    question = "discount voucher"  # Not a word of it stands in the file.
    with opened(tmp_path, MANY) as engine:
        (tmp_path / "later.py").write_text("def redeem_coupon(order):\n    order.price -= order.rebate\n")
        engine.update([tmp_path / "later.py"])
        assert 0.5 <= engine.meaning.ready() < 1
        before = ask(engine, question, unfiltered=True)
        assert paths(before)[0] == "later.py" and before.chunks[0].trace.dense_score is not None
        assert (before.strategy, before.complete, before.alerts) == ("embeddings", True, ())
        assert before.freshness.vectors_ready == 1.0
        assert engine.meaning.ready() < 1, "nothing was written"
        assert engine.meaning.made_on_the_spot == 1
        assert paths(ask(engine, question, unfiltered=True, include=["nest*"])) == ["nest.py"]
        assert engine.embed()
        after = ask(engine, question, unfiltered=True)
        assert paths(after) == paths(before), "nothing moves once they are stored"
        assert engine.meaning.made_on_the_spot == 0, "what is stored is kept once"
        # The index looks for the question in whole numbers.
        assert [c.score for c in after.chunks] == pytest.approx([c.score for c in before.chunks], abs=0.01)


def test_section_5_what_is_new_and_gone_again_is_not_found(tmp_path: Path) -> None:
    with opened(tmp_path, MANY) as engine:
        for text in ("def redeem_coupon():\n    pass\n", "def polish_shoes():\n    pass\n"):
            (tmp_path / "later.py").write_text(text)
            engine.update([tmp_path / "later.py"])
            assert ask(engine, "discount voucher").freshness.vectors_ready == 1.0
        assert all("redeem" not in chunk.text for chunk in ask(engine, "discount voucher", unfiltered=True).chunks)
        (tmp_path / "later.py").unlink()
        assert "later.py" not in paths(ask(engine, "discount voucher", unfiltered=True))


def test_section_8_secrets_are_masked_in_what_is_shown_too(tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    with opened(tmp_path, FILES) as engine:
        engine.show(tmp_path / "den.py", f"def ermine():\n    return '{secret}'\n", 1)
        for budget in (None, 20_000):
            answer = ask(engine, "ermine", max_results=3, token_budget=budget)
            assert answer.chunks
            assert all(secret not in chunk.text + chunk.raw_text for chunk in answer.chunks)
