"""A run in which the product answers by what has not seen a corpus, on the fixtures and with parts that show it."""

import json
from pathlib import Path

import msgspec
import numpy as np
import pytest
from benchmarks.quality.__main__ import main
from benchmarks.quality.labels import MISSING
from benchmarks.quality.results import Run, read_run
from benchmarks.quality.unseen import INDEX_FILE, Parts, Unseen
from tests.quality.test_command import ENTRY, asked

from lurcher_index.dense.static import released
from lurcher_index.judging import WEIGHTS_FILE
from lurcher_index.ranking import learned
from lurcher_index.ranking.learned import RankerData

RANKING = Path(learned.__file__).parent


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    (tmp_path / "corpora.json").write_text(json.dumps([ENTRY]))
    found = [asked("where is a parcel sent on to a depot", "where", ("parcel.js", 1, 47)), asked("credit card", "none")]
    (tmp_path / "fixtures.json").write_text(json.dumps(found))
    (tmp_path / MISSING).write_text("fixtures\twhere are refunds paid out\nelsewhere\tnever asked\n")
    return tmp_path


def parts(folder: Path, corpus: str, **changes: object) -> Path:
    """The ranker that ships, changed, beside a map that turns nothing."""
    folder.mkdir(exist_ok=True)
    data = msgspec.json.decode((RANKING / WEIGHTS_FILE).read_bytes(), type=RankerData)
    (folder / "ranker.json").write_bytes(msgspec.json.encode(msgspec.structs.replace(data, **changes)))
    np.save(folder / "map.npy", np.zeros((256, 256), np.float32), allow_pickle=False)
    (folder / INDEX_FILE).write_bytes(msgspec.json.encode({corpus: Parts("ranker.json", "map.npy")}))
    return folder


def asked_with(questions: Path, *more: str) -> Run:
    written = questions / "run.json"
    given = ["--questions", str(questions), "--trees", str(questions / "trees"), "--configurations", "learned"]
    assert main([*given, "--limit", "5", "--json", str(written), *more]) == 0
    return read_run(written)


def test_the_product_answers_by_the_parts_and_by_its_own_again_afterwards(questions: Path) -> None:
    data = msgspec.json.decode((RANKING / WEIGHTS_FILE).read_bytes(), type=RankerData)
    doubting = {name: (*weights[:-1], weights[-1] - 50.0) for name, weights in data.answer_weights.items()}
    folder = parts(questions / "unseen", "fixtures", answer_weights=doubting)
    with_them = asked_with(questions, "--unseen", str(folder))
    # What ships has learned from the further questions without an answer: only what has not is asked them.
    assert {each.query for each in with_them.questions if each.category == "none"} == {
        "credit card",
        "where are refunds paid out",
    }
    assert all((each.outcomes["learned"].answerability or 0.0) < 0.01 for each in with_them.questions)
    assert with_them.results == 5
    with_its_own = asked_with(questions)
    assert [each.category for each in with_its_own.questions] == ["where", "none"]
    assert (with_its_own.questions[0].outcomes["learned"].answerability or 0.0) > 0.01


def test_the_map_is_that_of_the_parts(questions: Path) -> None:
    folder = parts(questions / "unseen", "fixtures")
    with Unseen(folder).asked("fixtures"):
        plain = released.shipped_embedder().embed_query("where is a parcel sent on")
    assert not np.allclose(plain, released.shipped_embedder().embed_query("where is a parcel sent on"))


def test_a_corpus_without_parts_is_left_out_and_that_is_told(
    questions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = parts(questions / "unseen", "another")
    given = ["--questions", str(questions), "--trees", str(questions / "trees"), "--unseen", str(folder)]
    assert main(given) == 1
    assert "fixtures: left out: what has not seen it is not there" in capsys.readouterr().err


@pytest.mark.parametrize("changes", [{"evidence": "another network"}, {"model": "another model"}])
def test_parts_that_go_with_something_else_are_refused(questions: Path, changes: dict[str, str]) -> None:
    folder = parts(questions / "unseen", "fixtures", **changes)
    with pytest.raises(ValueError, match="which is not what ships"), Unseen(folder).asked("fixtures"):
        pass


def test_a_folder_without_parts_is_a_wrong_option(questions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--questions", str(questions), "--trees", str(questions), "--unseen", str(questions)])
    assert INDEX_FILE in capsys.readouterr().err
