"""Polishing on a made-up language: questions find their pieces better, and what comments taught is not forgotten."""

from pathlib import Path

import msgspec
import numpy as np
import pytest
from tests.training.test_written import package
from training import polish as polishing
from training import written
from training.arrays import Data, prepare
from training.batches import Sampling
from training.export import rounded
from training.measure import held_out_ranks, parameters_of
from training.network import Parameters
from training.pairs import Pair
from training.polish import Plan, draw_pools, polish, reciprocal_ranks, turns, with_table
from training.train import Plan as TrainingPlan
from training.train import train
from training.written import Piece, Pooling, Pools, Question, read_written

from lurcher_index.dense.static.modelfile import Calibration, Facts, read_model, write_model

TOPICS = 24
PLAN = Plan(steps=60, rate=0.02, packages=8, documents=10, query_dropped=0.0, mined=Sampling(size=64, group=4))


def spelled(kind: str, number: int) -> str:
    return kind + "".join(chr(ord("a") + int(digit)) for digit in f"{number:02}")


WORDS = [spelled(kind, number) for kind in ("code", "said", "asked") for number in range(TOPICS)]


TRAINED = {
    "packages": 1,
    "pairs_by_language": {"one": 1},
    "pairs_by_kind": {"doc": 1},
    "left_out": {},
    "initial": "random directions",
    "plans": [],
    "checkpoints_averaged": 1,
    "licences": {},
    "scores": {},
    "query_map": {"questions": 3},
}
"""What a model says of how it was trained."""


def write_pairs(folder: Path) -> None:
    """Mined pairs of fifty packages, some of which are held out."""
    pairs = []
    for number in range(200):
        code = " ".join(spelled("code", (number + each) % TOPICS) for each in range(6))
        said = spelled("said", number % TOPICS)
        pairs.append(Pair(f"mined{number // 4}", "one", "doc", "x/file.py", said, f"{code} {number}"))
    folder.mkdir()
    (folder / "pairs.000.jsonl").write_bytes(b"".join(msgspec.json.encode(pair) + b"\n" for pair in pairs))


@pytest.fixture(scope="module")
def mined() -> tuple[Data, Data]:
    """Comments say `said7` where the code has `code7`."""
    draw = np.random.default_rng(1)
    pairs: list[Pair] = []
    for number in range(900):
        topics = [int(each) for each in draw.integers(TOPICS, size=5)]
        code = " ".join(spelled("code", each) for each in topics)
        said = " ".join(spelled("said", each) for each in topics[:2])
        pairs.append(Pair(f"package{number // 9}", "one", "doc", f"x/file{number}.py", said, f"{code} {code}"))
    found, held_out, _ = prepare(pairs, WORDS)
    return found, held_out


@pytest.fixture(scope="module")
def pools() -> Pools:
    """People ask with `asked7`, a word that no comment has."""
    draw = np.random.default_rng(2)
    pooling = Pooling(WORDS)
    for _ in range(40):
        topics = draw.integers(TOPICS, size=(15, 4))
        pieces = [
            Piece(f"x/file{at}.py", 1, 9, " ".join(spelled("code", int(each)) for each in row))
            for at, row in enumerate(topics)
        ]
        asked = [
            Question(piece.path, 1, 9, "where", " ".join(spelled("asked", int(each)) for each in row[:3]))
            for piece, row in zip(pieces[:6], topics, strict=False)
        ]
        pooling.add(pieces, asked)
    return pooling.pools()


@pytest.fixture(scope="module")
def start(mined: tuple[Data, Data]) -> Parameters:
    table = np.random.default_rng(3).standard_normal((len(WORDS), 16)).astype(np.float32)
    plan = TrainingPlan(steps=80, rate=0.03, warm_up=5, checkpoints=1, sampling=Sampling(size=64, group=4))
    *_, (_, parameters) = train(mined[0], table, plan)
    return parameters


def test_questions_find_their_pieces_and_comments_still_find_theirs(
    mined: tuple[Data, Data], pools: Pools, start: Parameters
) -> None:
    after = polish(pools, mined[0], start, PLAN, 1, 0.5)
    ranks = {when: np.mean(reciprocal_ranks(pools, each, 0.5)) for when, each in (("before", start), ("after", after))}
    assert ranks["after"] > ranks["before"] + 0.4
    before, _ = held_out_ranks(mined[1], ["one"], start, 0.5)
    still, _ = held_out_ranks(mined[1], ["one"], after, 0.5)
    assert before > 0.3
    assert still > 0.8 * before


def test_a_seed_gives_the_same_table_again_and_leaves_the_beginning_as_it_was(
    mined: tuple[Data, Data], pools: Pools, start: Parameters
) -> None:
    kept = start.table.copy()
    plan = Plan(steps=3, packages=8, documents=4, mined=PLAN.mined)
    one, two, other = (polish(pools, mined[0], start, plan, seed, 0.5) for seed in (1, 1, 2))
    assert np.array_equal(one.table, two.table)
    assert not np.array_equal(one.table, other.table)
    assert np.array_equal(start.table, kept)


def test_every_question_stands_beside_its_piece(pools: Pools) -> None:
    draw = np.random.default_rng(6)
    plan = Plan(packages=3, documents=2, path_dropped=0.0, query_dropped=0.0)
    packages = next(turns(pools, plan, draw))
    drawn = draw_pools(pools, packages, len(WORDS), plan, draw)
    assert drawn.queries.shape[0] == len(drawn.right) == 18
    assert 18 <= drawn.codes.shape[0] <= 18 + 3 * 2
    asked = np.flatnonzero(np.isin(pools.query_packages, packages))
    rows = np.concatenate([np.flatnonzero(pools.query_packages == package) for package in packages])
    assert sorted(rows) == asked.tolist()
    for row, right in zip(rows, drawn.right, strict=True):
        whole = pools.codes.matrix(pools.right[[row]], len(WORDS)).toarray()[0]
        assert np.array_equal(drawn.codes[[int(right)]].toarray()[0], whole[drawn.words])


def test_a_polished_model_is_a_model_without_a_map(mined: tuple[Data, Data], start: Parameters, tmp_path: Path) -> None:
    facts = Facts("first", 0.5, Calibration((0.1,), (0.5,), 0.5, 0.5), {"plans": [], "query_map": {"questions": 3}})
    model = with_table(rounded(start, WORDS, facts), start, mined[1], {"polished": {"questions": 9}}, "second")
    assert model.facts.name == "second"
    assert model.facts.training == {"plans": [], "polished": {"questions": 9}}
    assert not model.query_map.any()
    file = tmp_path / "m.safetensors"
    file.write_bytes(write_model(model))
    assert np.allclose(parameters_of(read_model(file)).table, start.table, atol=0.05)


def test_a_piece_is_ranked_among_those_of_its_package() -> None:
    words = ["red", "blue", "green", "box"]
    pooling = Pooling(words)
    pieces = [Piece(f"x/file{at}.py", 1, 9, text) for at, text in enumerate(("red box", "blue box", "green box"))]
    pooling.add(pieces[:2], [Question("x/file0.py", 1, 9, "where", "red")])
    pooling.add(pieces, [Question("x/file2.py", 1, 9, "where", "blue"), Question("x/file1.py", 1, 9, "where", "blue")])
    zeros = np.zeros(len(words))
    table = np.eye(len(words))
    # A little of the blue is green, less of it is red.
    table[words.index("blue"), [0, 2]] = (0.05, 0.1)
    found = reciprocal_ranks(pooling.pools(), Parameters(table, zeros, zeros, np.zeros(1)), 0.5)
    assert found == pytest.approx([1, 1 / 2, 1])


def test_from_packages_to_a_polished_model_by_the_commands(
    mined: tuple[Data, Data], start: Parameters, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The two commands of the Makefile, on made-up packages."""
    packages, asked = [], []
    for number in range(12):
        name = f"package{number}"
        files = {
            f"{name}-1.0/src/file{at}.py": "".join(
                f"def {spelled('code', (number + at + line) % TOPICS)}(one, two):\n    return one + two * {line}\n\n"
                for line in range(8)
            )
            for at in range(4)
        }
        packages.append(package(tmp_path, files, name))
        asked.append(f"pypi\t{name}\t1.0\n{name}-1.0/src/file2.py\t1\t23\twhere\t{spelled('asked', number)} here\n")
    folder = tmp_path / "asked"
    folder.mkdir()
    (folder / "python.tsv").write_text("".join(asked))
    write_pairs(tmp_path / "pairs")
    (tmp_path / "packages.jsonl").write_bytes(b"".join(msgspec.json.encode(each) + b"\n" for each in packages))
    facts = Facts("first", 0.5, Calibration((0.1,), (0.5,), 0.5, 0.5), TRAINED)
    (tmp_path / "first.safetensors").write_bytes(write_model(rounded(start, WORDS, facts)))
    out, work = tmp_path / "out", tmp_path / "work"
    out.mkdir()
    work.mkdir()
    monkeypatch.setattr("training.written.read_written", lambda: read_written(folder))
    monkeypatch.setattr("training.polish.read_written", lambda: read_written(folder))
    monkeypatch.setattr("training.polish.SOURCES", tmp_path / "sources.tsv")
    model = str(tmp_path / "first.safetensors")
    monkeypatch.setattr("sys.argv", ["written", "--data", str(tmp_path), "--work", str(work), "--model", model])
    written.main()
    plan = '{"steps": 3, "rate": 0.1, "seeds": [1, 2], "mined": {"size": 64}}'
    arguments = [str(work), "--pairs", str(tmp_path / "pairs"), "--model", model, "--name", "second", "--plan", plan]
    arguments += ["--sources", str(tmp_path / "packages.jsonl"), "--out", str(out)]
    monkeypatch.setattr("sys.argv", ["polish", *arguments])
    polishing.main()
    found = read_model(out / "second.safetensors")
    apart = [each.package for each in packages if written.is_apart("pypi", each.package)]
    told = found.facts.training["polished"]
    assert told["packages"] == 12 - len(apart)
    assert told["apart"]["packages"] == len(apart) > 0
    assert "query_map" not in found.facts.training
    assert not np.array_equal(found.table, rounded(start, WORDS, facts).table)
    assert "## Polishing" in (out / "MODEL_CARD.md").read_text()
    assert (tmp_path / "sources.tsv").read_text().count("\tMIT\n") == 12
