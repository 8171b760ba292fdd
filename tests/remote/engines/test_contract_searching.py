"""What every engine must do: find, filter and count within one generation."""

from typing import Any

import msgspec
import numpy as np
import pytest
from tests.remote.engines.pieces import DIMENSION, HOME, asking, file, found, paths, publish, unit

from lurcher_index.errors import Cancelled, RemoteError
from lurcher_index.remote.engines.interface import SharedIndex, Where
from lurcher_index.remote.interface import Wanted

HERE = Where(HOME, 1)


def with_filters(wanted: Wanted, **filters: Any) -> Wanted:
    return msgspec.structs.replace(wanted, **filters)


def test_nothing_asked_finds_nothing(shared_index: SharedIndex) -> None:
    publish(shared_index, 1, [file("a.py", "alpha")])
    assert shared_index.by_words(HERE, asking()) == []
    assert shared_index.by_words(HERE, asking("absent")) == []
    assert shared_index.by_meaning(HERE, asking("alpha")) == []


def test_rare_terms_count_more(shared_index: SharedIndex) -> None:
    common = [file(f"c{number}.py", f"usual filler{number}") for number in range(20)]
    publish(shared_index, 1, [*common, file("rare.py", "scarce filler")])
    assert paths(shared_index.by_words(HERE, asking("usual", "scarce")))[0] == "rare.py"


def test_more_of_a_term_counts_more_and_length_less(shared_index: SharedIndex) -> None:
    many = file("many.py", "needle needle needle hay")
    once = file("once.py", "needle hay hay hay")
    lost = file("lost.py", "needle " + "hay " * 400)
    publish(shared_index, 1, [lost, once, many])
    assert paths(shared_index.by_words(HERE, asking("needle"))) == ["many.py", "once.py", "lost.py"]


def test_names_and_paths_are_searched(shared_index: SharedIndex) -> None:
    publish(shared_index, 1, [file("a.py", "x", names="parser"), file("parser/b.py", "y"), file("c.py", "z")])
    assert found(shared_index, 1, "parser") == {"a.py", "parser/b.py"}


def test_weights_of_terms_count(shared_index: SharedIndex) -> None:
    publish(shared_index, 1, [file("a.py", "alpha"), file("b.py", "beta")])
    heavy_alpha = asking(weights={"alpha": 1.0, "beta": 0.2})
    heavy_beta = asking(weights={"alpha": 0.2, "beta": 1.0})
    assert paths(shared_index.by_words(HERE, heavy_alpha)) == ["a.py", "b.py"]
    assert paths(shared_index.by_words(HERE, heavy_beta)) == ["b.py", "a.py"]


def test_hits_are_in_order_and_limited(shared_index: SharedIndex) -> None:
    publish(shared_index, 1, [file(f"f{number}.py", "word " * (1 + number)) for number in range(30)])
    hits = shared_index.by_words(HERE, asking("word", limit=7))
    assert len(hits) == 7
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_by_meaning_is_the_order_of_cosines(shared_index: SharedIndex) -> None:
    random = np.random.default_rng(7)
    vectors = random.normal(size=(120, DIMENSION)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    files = [
        file(f"f{number}.py", f"body{number} one", f"body{number} two", vectors=vectors[2 * number : 2 * number + 2])
        for number in range(60)
    ]
    publish(shared_index, 1, files)
    question = unit(*random.normal(size=DIMENSION))
    hits = shared_index.by_meaning(HERE, with_filters(asking("x", limit=40), vector=question))
    cosines = vectors @ question[0]
    best = np.argsort(-cosines)[:40]
    assert [hit.score for hit in hits] == pytest.approx(cosines[best].tolist(), abs=2e-3)
    exact = {(f"f{number // 2}.py", 1 + 10 * (number % 2)) for number in best[:30]}
    assert exact <= {(hit.path, hit.first_line) for hit in hits}


def test_files_without_vectors_are_found_by_words_alone(shared_index: SharedIndex) -> None:
    publish(shared_index, 1, [file("a.py", "alpha", vectors=unit(1)), file("b.py", "alpha")])
    assert found(shared_index, 1, "alpha") == {"a.py", "b.py"}
    assert paths(shared_index.by_meaning(HERE, with_filters(asking("x"), vector=unit(1)))) == ["a.py"]


def test_by_meaning_sees_its_generation_only(shared_index: SharedIndex) -> None:
    publish(shared_index, 1, [file("a.py", "alpha", vectors=unit(1))])
    publish(shared_index, 2, [file("b.py", "beta", vectors=unit(1, 1))])
    wanted = with_filters(asking("x"), vector=unit(1))
    assert paths(shared_index.by_meaning(Where(HOME, 1), wanted)) == ["a.py"]
    assert paths(shared_index.by_meaning(Where(HOME, 2), wanted)) == ["a.py", "b.py"]


def test_a_question_of_another_model_is_refused(shared_index: SharedIndex) -> None:
    publish(shared_index, 1, [file("a.py", "alpha", vectors=unit(1))])
    wanted = with_filters(asking("x"), vector=np.ones((1, DIMENSION + 1), np.float32))
    with pytest.raises(RemoteError, match="model that was published"):
        shared_index.by_meaning(HERE, wanted)


@pytest.mark.parametrize("nonsense", [np.nan, np.inf])
def test_vectors_that_are_no_numbers_are_refused(shared_index: SharedIndex, nonsense: float) -> None:
    publish(shared_index, 1, [file("a.py", "alpha", vectors=unit(1))])
    vector = np.full((1, DIMENSION), nonsense, np.float32)
    with shared_index.claim(HOME, "test"), pytest.raises(RemoteError, match=r"no numbers for 'b\.py'"):
        shared_index.insert(HOME, 2, [file("b.py", "beta", vectors=vector)])
    with pytest.raises(RemoteError, match="no number for the question"):
        shared_index.by_meaning(HERE, with_filters(asking("x"), vector=vector))


def test_a_vector_without_length_is_taken(shared_index: SharedIndex) -> None:
    publish(shared_index, 1, [file("a.py", "alpha", vectors=unit())])
    wanted = with_filters(asking("x"), vector=unit(1))
    assert [hit.score for hit in shared_index.by_meaning(HERE, wanted)] == pytest.approx([0.0])


FILTERED = [
    file("src/a.py", "word", vectors=unit(1)),
    file("src/deep/b.go", "word", language="go", vectors=unit(1, 1)),
    file("src2/c.py", "word", vectors=unit(1, 2)),
    file("src.py", "word", vectors=unit(1, 3)),
    file("lib/d.rs", "word", language="rust", vectors=unit(1, 4)),
]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"languages": ("go",)}, {"src/deep/b.go"}),
        ({"languages": ("go", "rust")}, {"src/deep/b.go", "lib/d.rs"}),
        ({"languages": ("cobol",)}, set()),
        ({"below": ("src",)}, {"src/a.py", "src/deep/b.go"}),
        ({"below": ("src/deep", "lib")}, {"src/deep/b.go", "lib/d.rs"}),
        ({"below": ("sr",)}, set()),
        ({"below": ("lib", "")}, {"src/a.py", "src/deep/b.go", "src2/c.py", "src.py", "lib/d.rs"}),
        ({"below": ("src",), "languages": ("python",)}, {"src/a.py"}),
        ({"accepts": lambda path, _: path.endswith(".py")}, {"src/a.py", "src2/c.py", "src.py"}),
        ({"accepts": lambda _, language: language == "rust"}, {"lib/d.rs"}),
        ({"accepts": lambda _path, _language: False}, set()),
    ],
)
def test_filters(shared_index: SharedIndex, filters: dict[str, Any], expected: set[str]) -> None:
    publish(shared_index, 1, FILTERED)
    wanted = with_filters(asking("word"), vector=unit(1), **filters)
    assert set(paths(shared_index.by_words(HERE, wanted))) == expected
    assert set(paths(shared_index.by_meaning(HERE, wanted))) == expected


def test_more_is_fetched_until_enough_is_accepted(shared_index: SharedIndex) -> None:
    files = [file(f"f{number:03}.py", "word " * (1 + number), vectors=unit(1, number / 300)) for number in range(300)]
    publish(shared_index, 1, files)
    wanted = with_filters(asking("word", limit=5), vector=unit(1, 0.5), accepts=lambda path, _: path < "f007")
    assert set(paths(shared_index.by_words(HERE, wanted))) <= {f"f{number:03}.py" for number in range(7)}
    assert len(shared_index.by_words(HERE, wanted)) == 5
    assert len(shared_index.by_meaning(HERE, wanted)) == 5


def test_statistics_count_chunks_that_hold_a_term(shared_index: SharedIndex) -> None:
    publish(shared_index, 1, [file("a.py", "alpha alpha", "alpha beta", names="gamma"), file("b.py", "beta")])
    statistics = shared_index.statistics(HERE, ["alpha", "beta", "gamma", "absent"])
    assert statistics.chunks == 3
    assert statistics.holding == {"alpha": 2, "beta": 2, "gamma": 0, "absent": 0}
    assert statistics.fields["names"] == {"alpha": 0, "beta": 0, "gamma": 2, "absent": 0}
    assert shared_index.statistics(HERE, ["a", "py"]).fields["path_terms"] == {"a": 2, "py": 3}


def test_statistics_tell_how_long_chunks_are_on_average(shared_index: SharedIndex) -> None:
    publish(shared_index, 1, [file("a.py", "alpha alpha", "alpha beta", names="gamma")])
    publish(shared_index, 2, [file("b/c.py", "beta beta beta beta beta", names="delta epsilon")])
    lengths = shared_index.statistics(Where(HOME, 2), []).lengths
    assert lengths == pytest.approx({"body": 3.0, "names": 4 / 3, "path_terms": 7 / 3})


def test_statistics_follow_what_is_collected(shared_index: SharedIndex) -> None:
    publish(shared_index, 1, [file("a.py", "alpha"), file("b.py", "beta")])
    with shared_index.claim(HOME, "test"):
        shared_index.end(HOME, 2, [each for each in shared_index.open_versions(HOME) if each.path == "a.py"])
    publish(shared_index, 2)
    with shared_index.claim(HOME, "test"):
        assert shared_index.collect(HOME, [1]) == (1, 1)
    statistics = shared_index.statistics(Where(HOME, 2), ["alpha", "beta"])
    assert (statistics.chunks, statistics.holding) == (1, {"alpha": 0, "beta": 1})


ODD_PATHS = [
    "naïve/café.py",
    "日本語/検索.py",
    "with space/quote'\"\\.py",
    "per%cent/under_score.py",
    "emoji/🐕.py",
    "new\nline.py",
    "x" * 3000 + ".py",
    "a/{b}/[c]/$d.py",
]


def test_odd_paths_come_back_as_they_are(shared_index: SharedIndex) -> None:
    publish(shared_index, 1, [file(path, "word") for path in ODD_PATHS])
    assert found(shared_index, 1, "word") == set(ODD_PATHS)
    assert {each.path for each in shared_index.open_versions(HOME)} == set(ODD_PATHS)
    below = with_filters(asking("word"), below=("with space",))
    assert paths(shared_index.by_words(HERE, below)) == ["with space/quote'\"\\.py"]


@pytest.mark.parametrize("term", ["日本", "o'brien", "a%b", "x" * 500, "\\", "{1:2}", "'; DROP TABLE x; --", "é"])
def test_odd_terms_are_found(shared_index: SharedIndex, term: str) -> None:
    publish(shared_index, 1, [file("a.py", term.replace(" ", "") + " word"), file("b.py", "word")])
    assert found(shared_index, 1, term.replace(" ", "")) == {"a.py"}


@pytest.mark.parametrize("repository", ["host.example/a/o'brien", "host.example/日本/x", 'a" OR 1=1 --', "x%y_z"])
def test_odd_names_of_repositories(shared_index: SharedIndex, repository: str) -> None:
    publish(shared_index, 1, [file("a.py", "word")], repository=repository)
    publish(shared_index, 1, [file("b.py", "word")])
    assert found(shared_index, 1, "word", repository=repository) == {"a.py"}
    assert sorted(shared_index.repositories()) == sorted([repository, HOME])


def test_long_paths_come_back_as_they_are(shared_index: SharedIndex) -> None:
    path = "/".join(["folder"] * 2000) + "/a.py"
    publish(shared_index, 1, [file(path, "alpha")])
    assert [each.path for each in shared_index.open_versions(HOME)] == [path]
    assert found(shared_index, 1, "alpha") == {path}


def test_a_file_without_chunks_is_a_version(shared_index: SharedIndex) -> None:
    empty = file("empty.py")
    publish(shared_index, 1, [empty, file("a.py", "word")])
    assert {each.path for each in shared_index.open_versions(HOME)} == {"empty.py", "a.py"}
    assert found(shared_index, 1, "word", "empty") == {"a.py"}


def test_a_cancelled_search_stops(shared_index: SharedIndex) -> None:
    publish(shared_index, 1, [file("a.py", "word", vectors=unit(1))])
    wanted = with_filters(asking("word"), vector=unit(1), cancelled=lambda: True)
    with pytest.raises(Cancelled):
        shared_index.by_words(HERE, wanted)
    with pytest.raises(Cancelled):
        shared_index.by_meaning(HERE, wanted)


def test_two_chunks_of_one_line_are_two_hits(shared_index: SharedIndex) -> None:
    whole = file("long.py", "word one", "word two")
    same_line = tuple(msgspec.structs.replace(chunk, first_line=1, last_line=1) for chunk in whole.chunks)
    publish(shared_index, 1, [msgspec.structs.replace(whole, chunks=same_line)])
    assert {hit.digest for hit in shared_index.by_words(HERE, asking("word"))} == {c.digest for c in whole.chunks}
