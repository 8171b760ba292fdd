"""The whole way from mined pairs to a model that answers, on a made-up language small enough to learn in seconds."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from training.arrays import Data, Names, load, prepare, save
from training.batches import Sampling, draw_batch, order
from training.calibration import calibrated
from training.card import model_card
from training.export import Release, exported, is_form, related_words
from training.initial import random_table, strongest
from training.labelled import Asked, Labelled, Questions
from training.measure import embedded_queries, embedded_texts, held_out_ranks, parameters_of, unit
from training.network import Parameters
from training.pairs import Pair, is_held_out, read_pairs
from training.train import DIMENSION, Plan, averaged, load_checkpoint, save_checkpoint, train
from training.vocabulary import Vocabulary, choose, count

from lurcher_index.dense.static.embedder import StaticEmbedder
from lurcher_index.dense.static.modelfile import Facts, Model, read_model, write_model

TOPICS = 40
PLAN = Plan(steps=40, rate=0.02, warm_up=5, checkpoints=2, sampling=Sampling(size=128, group=4, query_dropped=0.2))


def made_up_pairs() -> list[Pair]:
    """Questions with words that the code never has: `ask7` is answered by code with `code7`. Both have noise."""
    draw = np.random.default_rng(1)
    pairs: list[Pair] = []
    for number in range(2_400):
        topic, other = draw.integers(TOPICS, size=2)
        noise = draw.integers(100, size=6)
        query = f"how {_spelled('ask', topic)} {_spelled('ask', other)} {_spelled('noise', noise[0])}"
        words = [_spelled("code", topic), _spelled("code", other), *(_spelled("noise", each) for each in noise[1:])]
        package, language = f"package{number // 24}", "one" if number % 3 else "two"
        pairs.append(Pair(package, language, "doc", f"src/{_spelled('path', topic)}.py", query, " ".join(words)))
    return pairs


def _spelled(kind: str, number: np.int64) -> str:
    """Digits would be cut off."""
    return kind + "".join(chr(ord("a") + int(digit)) for digit in f"{number:02}")


@pytest.fixture(scope="module")
def prepared() -> tuple[Vocabulary, Data, Data, Names]:
    pairs = made_up_pairs()
    vocabulary = choose(*count(pairs), size=400, pieces=40)
    return (vocabulary, *prepare(pairs, vocabulary.words))


@pytest.fixture(scope="module")
def trained(prepared: tuple[Vocabulary, Data, Data, Names]) -> Parameters:
    vocabulary, data, _, _ = prepared
    kept = [
        replace(parameters, table=parameters.table.copy(), query=parameters.query.copy())
        for _, parameters in train(data, random_table(vocabulary, 32, 1), PLAN)
    ]
    assert len(kept) == PLAN.checkpoints
    return averaged(kept)


def model_of(parameters: Parameters, vocabulary: Vocabulary, held_out: Data) -> Model:
    return exported(parameters, vocabulary, Facts("made-up", 0.5, calibrated(held_out, parameters, 0.5)))


def test_training_learns_which_words_answer_which(
    prepared: tuple[Vocabulary, Data, Data, Names], trained: Parameters
) -> None:
    vocabulary, _, held_out, names = prepared
    before = Parameters(random_table(vocabulary, 32, 1), *(np.zeros(len(vocabulary.words)),) * 2, np.zeros(1))
    untrained, _ = held_out_ranks(held_out, names.languages, before, 0.5)
    mean, by_language = held_out_ranks(held_out, names.languages, trained, 0.5)
    assert mean > max(0.6, 3 * untrained)
    assert by_language.keys() == {"one", "two"}


def test_words_that_no_pair_has_are_taken_along(prepared: tuple[Vocabulary, Data, Data, Names]) -> None:
    vocabulary, data, _, _ = prepared
    one = vocabulary.words.index(_spelled("ask", np.int64(7)))
    table = np.vstack([random_table(vocabulary, DIMENSION, 1)] * 2)[: len(vocabulary.words) + 1]
    table[-1] = table[one]
    for map_rate in (0.3, 0.0):
        *_, (_, after) = train(data, table, replace(PLAN, map_rate=map_rate, steps=20, checkpoints=1))
        assert np.allclose(after.table[-1], table[-1], rtol=0.01) is not bool(map_rate)


def test_words_that_only_ask_count_less_in_questions(
    prepared: tuple[Vocabulary, Data, Data, Names], trained: Parameters
) -> None:
    words = prepared[0].words
    lengths = np.linalg.norm(trained.table * np.exp(trained.query)[:, None], axis=1)
    assert lengths[words.index("how")] < 0.5 * np.mean([lengths[words.index(_spelled("ask", np.int64(7)))]])


def test_the_run_time_gives_the_vectors_of_the_training(
    prepared: tuple[Vocabulary, Data, Data, Names], trained: Parameters, tmp_path: Path
) -> None:
    vocabulary, _, held_out, _ = prepared
    (tmp_path / "m.safetensors").write_bytes(write_model(model_of(trained, vocabulary, held_out)))
    model = read_model(tmp_path / "m.safetensors")
    embedder, parameters = StaticEmbedder(model), parameters_of(model)
    pairs = [pair for pair in made_up_pairs() if is_held_out(pair.package)][:20]
    _, data, _ = prepare(pairs, vocabulary.words)
    rows, size = np.arange(len(pairs)), len(vocabulary.words)
    questions = embedded_queries(data.queries.matrix(rows, size), parameters)
    contents, paths = (embedded_texts(each.matrix(rows, size), parameters) for each in (data.codes, data.paths))
    for row, pair in enumerate(pairs):
        assert embedder.embed_query(pair.query)[0] == pytest.approx(questions[row], abs=1e-5)
    found = embedder.embed_documents([f"{pair.path}\n{pair.code}" for pair in pairs])
    assert found == pytest.approx(unit(contents + 0.5 * paths), abs=1e-5)


def test_a_release_is_what_the_package_loads(
    prepared: tuple[Vocabulary, Data, Data, Names], trained: Parameters, tmp_path: Path
) -> None:
    vocabulary, _, held_out, names = prepared
    model = model_of(trained, vocabulary, held_out)
    training = {
        "packages": 100,
        "pairs_by_language": names.pairs_by_language,
        "pairs_by_kind": names.pairs_by_kind,
        "left_out": names.left_out,
        "initial": "random directions",
        "plans": [{"seed": 7}],
        "checkpoints_averaged": 2,
        "licences": {"MIT": 100},
        "scores": {"held_out_mrr": 0.9, "held_out_mrr_by_language": {"one": 0.9}},
        "query_map": {"questions": 1_234, "repositories": 9, "plan": {}, "mrr": {"before": 0.5, "left_out": 0.6}},
    }
    facts = Facts(model.facts.name, 0.5, model.facts.calibration, training)
    whole = Model(facts, *(getattr(model, name) for name in model.__struct_fields__[1:]))
    Release(whole, write_model(whole), tmp_path).write()
    namespace: dict[str, object] = {"__file__": str(tmp_path / "released.py")}
    exec((tmp_path / "released.py").read_text(), namespace)
    embedder = namespace["shipped_embedder"]()  # type: ignore[operator]
    assert embedder.name == "made-up"
    card = (tmp_path / "MODEL_CARD.md").read_text()
    assert card == model_card(whole, (tmp_path / "made-up.safetensors").stat().st_size)
    assert f"| one | {names.pairs_by_language['one']:,} |" in card
    assert "| MIT | 100 |" in card


def test_related_words_are_near_and_no_forms_of_the_word() -> None:
    words = ["parse", "parser", "parsing", "read", "other", "##get"]
    table = np.array([[1, 0], [1, 0.05], [1, 0.02], [1, 0.3], [0, 1], [1, 0]], np.float32)
    related, similarities = related_words(table, words)
    assert related.shape == (5, 8)
    assert [words[number] for number in related[0][similarities[0] > 0]] == ["read"]
    assert similarities[0][0] == pytest.approx(255 / np.sqrt(1.09), abs=1)
    assert is_form("caches", "caching")
    assert not is_form("cat", "category")


def test_arrays_are_read_as_they_were_written(prepared: tuple[Vocabulary, Data, Data, Names], tmp_path: Path) -> None:
    data = prepared[1]
    save(data, tmp_path / "data.npz")
    found = load(tmp_path / "data.npz")
    rows = np.arange(len(data))
    assert (found.codes.matrix(rows, 500) != data.codes.matrix(rows, 500)).nnz == 0
    assert np.array_equal(found.query_hashes, data.query_hashes)


def test_checkpoints_are_read_as_they_were_written(trained: Parameters, tmp_path: Path) -> None:
    save_checkpoint(trained, tmp_path / "c.npz")
    assert np.allclose(load_checkpoint(tmp_path / "c.npz").table, trained.table, atol=1e-3)


def test_pairs_that_teach_nothing_are_left_out() -> None:
    good = made_up_pairs()[0]
    repeated = [
        Pair("p", "one", "doc", "a.py", "same", f"{good.code} {_spelled('code', np.int64(n))}") for n in range(9)
    ]
    vocabulary = choose(*count(made_up_pairs()), size=400, pieces=40).words
    short = Pair("p", "one", "doc", "a.py", "how", "codeaa")
    known = Pair("p", "one", "doc", "a.py", "how", good.code)
    train_data, held_out, names = prepare([good, good, short, *(_asking(each, "how") for each in repeated)], vocabulary)
    assert names.left_out == {"duplicate": 1, "too short": 1, "question repeated": 3}
    assert len(train_data) + len(held_out) == 7
    assert known.query == "how"


def _asking(pair: Pair, query: str) -> Pair:
    return Pair(pair.package, pair.language, pair.kind, pair.path, query, pair.code)


def test_batches_hold_groups_of_packages_and_mask_what_belongs_together(
    prepared: tuple[Vocabulary, Data, Data, Names],
) -> None:
    vocabulary, data, _, _ = prepared
    draw = np.random.default_rng(2)
    rows = order(data, PLAN.sampling, draw)
    assert sorted(rows) == list(range(len(data)))
    groups = data.packages[rows[: len(rows) // 4 * 4]].reshape(-1, 4)
    assert np.mean(groups[:, 0] == groups[:, 3]) > 0.9
    damped = order(data, replace(PLAN.sampling, usual=100, damping=1.0), draw)
    assert set(np.bincount(data.languages[damped])) <= set(range(60, 140))
    twice = np.concatenate([rows[:10], rows[:10]])
    drawn = draw_batch(data, twice, len(vocabulary.words), PLAN.sampling, draw)
    assert drawn.batch.masked[0, 10]
    assert not drawn.batch.masked.diagonal().any()
    assert drawn.batch.codes.shape == (20, len(drawn.words))


def test_documents_can_be_drawn_without_the_words_of_their_questions() -> None:
    pairs = [
        Pair(f"p{n}", "one", "doc", f"src/ball{n}.py", "red ball", "red blue green ball one two") for n in range(9)
    ]
    words = ["red", "blue", "green", "ball", "one", "two"]
    data, _, _ = prepare([pair for pair in pairs if not is_held_out(pair.package)], words)
    sampling = Sampling(query_dropped=0.0, path_dropped=0.0, shared_hidden=1.0)
    rows = np.arange(len(data))
    batch = draw_batch(data, rows, len(words), sampling, np.random.default_rng(1)).batch
    assert batch.codes.toarray() == pytest.approx(np.tile([1e-3, 1, 1, 1e-3, 1, 1], (len(data), 1)), abs=1e-6)
    assert batch.paths.toarray().sum(axis=1) == pytest.approx(np.full(len(data), 1e-3))
    assert batch.queries.toarray() == pytest.approx(np.tile([1, 0, 0, 1, 0, 0], (len(data), 1)))


def test_the_first_right_chunk_is_found() -> None:
    lines = [("a.py", 1, 10), ("a.py", 11, 20), ("b.py", 1, 5)]
    texts = ["a.py\nred ball", "a.py\nblue box", "b.py\ngreen box"]
    asked = [
        Asked("where", "blue box", [("a.py", 12, 18)]),
        Asked("where", "red", [("b.py", 1, 9)]),
        Asked("symptom", "red", [("c.py", 1, 9)]),
    ]
    words = ["red", "ball", "blue", "box", "green", "a", "b"]
    zeros = np.zeros(len(words))
    table = np.eye(len(words))
    table[words.index("red"), words.index("blue")] = 0.1
    questions = Questions([Labelled("made-up", "python", lines, texts, asked)], words)
    hits = questions.hits(Parameters(table, zeros, zeros, np.zeros(1)), 0.5)
    assert hits.ranks == [1, 3, 0]
    assert hits.figures("where") == {"in_five": 1.0, "in_ten": 1.0, "mrr": pytest.approx(2 / 3), "questions": 2}
    assert hits.groups().keys() == {"where", "symptom"}


def test_the_strongest_directions_are_kept() -> None:
    draw = np.random.default_rng(3)
    vectors = draw.standard_normal((200, 6)) * np.array([9, 5, 0.01, 0.01, 0.01, 0.01])
    kept = strongest(vectors @ np.linalg.qr(draw.standard_normal((6, 6)))[0], 2)
    assert kept.shape == (200, 2)
    assert np.abs(kept[:, 0]).mean() > np.abs(kept[:, 1]).mean()


def test_mined_files_are_read_in_order(tmp_path: Path) -> None:
    pairs = made_up_pairs()[:3]
    keys = ("package", "language", "kind", "path", "query", "code")
    for pair in pairs:
        line = json.dumps({key: getattr(pair, key) for key in keys} | {"line": 3})
        (tmp_path / f"{pair.query.split()[1]}.jsonl").write_text(line + "\n")
    excluded = {key: getattr(pairs[0], key) for key in keys} | {"package": "python3-flask", "query": "never"}
    (tmp_path / "z.jsonl").write_text(json.dumps(excluded) + '\n{"package": "cut o')
    assert {pair.query for pair in read_pairs(tmp_path)} == {pair.query for pair in pairs}
