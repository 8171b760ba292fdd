"""The ranker's training: labels, questions out of comments, gradients, and a whole small release."""

from pathlib import Path

import msgspec
import numpy as np
import pytest
from benchmarks.quality import Corpus
from numpy.typing import NDArray
from training.ranker import calibrate, labels
from training.ranker.calibrate import SHOWN, in_places
from training.ranker.collect import Group, answers, by_file, collect, within_files
from training.ranker.described import described_tree
from training.ranker.fit import Arrays, Plan, _gradient, arrays, fit, loss
from training.ranker.heads import (
    BY_MEANING,
    DEFINITION,
    DESCRIBED_JUDGED,
    DOES,
    EITHER_WAY,
    NEAREST,
    UPRIGHT,
    Judged,
    Lessons,
    Weights,
    learn,
    logits,
)
from training.ranker.labels import FILED, FOREIGN, NONE, Labelled, Span, Tree, asked_in, own_trees
from training.ranker.release import NAME, release
from training.ranker.scores import scored

from lurcher_index.dense.hashing import HashingEmbedder
from lurcher_index.ranking.answerability import NO_WORDING, SIGNS
from lurcher_index.ranking.clues import CLUES
from lurcher_index.ranking.doing import DOING
from lurcher_index.ranking.learned import KINDS, Head, Kind, LearnedRanker, RankerData, read_ranker
from lurcher_index.ranking.spread import ROUNDING, SPREAD
from lurcher_index.ranking.worth import Worth

LANGUAGES = Path(__file__).parents[2] / "fixtures" / "languages"
STEP = 1e-5
PARTS = ("", ", earlier questions", ", new questions")


def group(
    draw: np.random.Generator,
    files: list[int],
    hits: list[bool],
    *,
    corpus: str = "a",
    exact: bool = True,
    is_symbol: bool = False,
    category: str = "code",
    columns: int = len(CLUES),
) -> Group:
    """Candidates with clues by chance, and a large first clue for those that answer."""
    matrix = draw.standard_normal((len(files), columns)).astype(np.float32)
    matrix[:, 0] += 2.0 * np.array(hits)
    if columns == len(CLUES):
        matrix[:, CLUES.index("by_words")] = draw.random(len(files)) < 0.9
    places = tuple(Span(f"{file}.py", 10 * at + 1, 10 * at + 10) for at, file in enumerate(files))
    targets = tuple(place for place, hit in zip(places, hits, strict=True) if hit)
    return Group(
        corpus,
        "python",
        category,
        "?",
        exact,
        matrix,
        np.array(files),
        places,
        np.array(hits),
        targets,
        True,
        is_symbol,
        NO_WORDING,
    )


# -- candidates


def test_a_name_is_learned_among_the_chunks_that_hold_it(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    (root / "parcel.py").write_text("def weigh_parcel(parcel):\n    return parcel.grams / 1000\n")
    (root / "letter.py").write_text("def weigh_letter(letter):\n    return letter.grams / 1000\n")
    target = (Span("parcel.py", 1, 2),)
    asked = tuple(Labelled(text, "code", target, True) for text in ("weigh_parcel", "how heavy is a parcel in grams"))
    name, question = collect(Tree("t", "python", root, root, asked), HashingEmbedder(), tmp_path / "store")
    assert {place.path for place in name.places} == {"parcel.py"}
    assert {place.path for place in question.places} == {"parcel.py", "letter.py"}


# -- gradients


def table(draw: np.random.Generator) -> Arrays:
    groups = [
        group(draw, [1, 1, 2, 3, 3, 3], [False, True, False, False, False, False], exact=False, columns=5),
        group(draw, [4, 5, 4, 6], [True, False, True, False], columns=5),
        group(draw, [7, 8], [False, False], columns=5),
        group(draw, [9, 8, 9], [False, True, False], exact=False, columns=5),
    ]
    return arrays(groups, [1.0, 0.5, 9.0, 0.3])


def differences(data: Arrays, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    found = np.zeros_like(weights)
    for at in range(len(weights)):
        step = np.zeros_like(weights)
        step[at] = STEP
        found[at] = (loss(data, weights + step) - loss(data, weights - step)) / (2 * STEP)
    return found


@pytest.mark.parametrize("seed", range(5))
def test_the_gradient_is_what_the_loss_does(seed: int) -> None:
    draw = np.random.default_rng(seed)
    data = table(draw)
    weights = draw.standard_normal(5).astype(np.float32)
    expected = differences(data, weights.astype(np.float64))
    assert np.abs(expected).max() > 1e-2, "a test that cannot fail"
    assert np.allclose(_gradient(data, data.rows.astype(np.float32), weights), expected, atol=1e-5)


def test_chunks_that_are_equal_stand_for_their_file_together() -> None:
    draw = np.random.default_rng(1)
    two = group(draw, [1, 1, 1, 2], [True, True, True, False], exact=False, columns=5)
    data = arrays([two], [1.0])
    # Nothing is learned yet, so both files have a half; the three chunks of the right one have equal parts in that.
    expected = 0.5 * (data.rows[3] - data.rows[:3].mean(axis=0))
    assert np.allclose(_gradient(data, data.rows.astype(np.float32), np.zeros(5, np.float32)), expected, atol=1e-6)


def test_fitting_ends_where_the_loss_is_least() -> None:
    data = table(np.random.default_rng(3))
    plan = Plan(steps=3_000, rate=0.01, shrink=0.05)
    scale = data.rows.std(axis=0)
    found = fit(data, np.ones(5, dtype=np.bool_), plan)
    assert loss(data, found) < loss(data, np.zeros(5))
    # Shrinking is of clues brought to one scale, so its part of the slope is too.
    assert np.allclose(differences(data, found) + 2 * plan.shrink * found * scale**2, 0.0, atol=5e-3)


def test_clues_that_are_not_allowed_or_never_differ_weigh_nothing() -> None:
    data = table(np.random.default_rng(3))
    data.rows[:, 2] = 4.0
    allowed = np.array([True, False, True, True, True])
    found = fit(data, allowed)
    assert (found != 0.0).tolist() == [True, False, False, True, True]
    assert found[0] > 0.0


def test_clues_that_are_upright_never_speak_against() -> None:
    data = table(np.random.default_rng(3))
    every = np.ones(5, dtype=np.bool_)
    free = fit(data, every)
    below = free < 0.0
    assert 0 < below.sum() < 5, "a test that cannot fail"
    found = fit(data, every, upright=below)
    assert (found[below] == 0.0).all()
    assert (found[~below] != 0.0).all()
    assert loss(data, found) < loss(data, np.zeros(5))


def test_of_two_that_are_upright_the_one_that_is_not_allowed_stays_out() -> None:
    data = table(np.random.default_rng(3))
    found = fit(data, np.array([True, False, True, True, True]), upright=np.array([True, True, False, False, True]))
    assert found[1] == 0.0
    assert found[0] > 0.0
    assert found[4] >= 0.0


def test_a_table_counts_files_where_files_are_labelled_and_leaves_out_what_has_no_answer() -> None:
    data = table(np.random.default_rng(3))
    assert len(data.group_starts) == 3
    # Three files, then four chunks, then two files.
    assert np.diff([*data.group_starts, len(data.wanted)]).tolist() == [3, 4, 2]
    assert data.wanted.tolist() == [1.0, 0.0, 0.0, 0.5, 0.0, 0.5, 0.0, 1.0, 0.0]
    assert np.allclose(data.weights, np.array([1.0, 0.5, 0.3]) / 1.8)


# -- which questions teach what


def lessons_by_chance(count: int, *, late: bool = False) -> Lessons:
    """Questions whose first clue tells; of described definitions the answer may stand behind those that teach."""
    draw = np.random.default_rng(5)
    asked = [group(draw, [1, 1, 2, 3], [False, True, False, False], exact=False) for _ in range(8)]
    ours = [group(draw, [1, 1, 2, 3], [False, True, False, False]) for _ in range(8)]
    files = list(range(DESCRIBED_JUDGED + 10))
    right = [file == (files[-1] if late else 3) for file in files]
    described = [group(draw, files, right, corpus="d") for _ in range(count)]
    return Lessons(asked, ours, described)


def test_clues_of_how_well_a_file_fits_are_upright_and_its_kind_is_not() -> None:
    assert set(CLUES) >= EITHER_WAY
    upright = dict(zip(CLUES, UPRIGHT.tolist(), strict=True))
    assert upright["words"]
    assert upright["cosine"]
    assert upright["file_names"]
    assert not upright["test"]
    assert not upright["lines"]


def test_no_clue_of_how_well_a_file_fits_speaks_against_it() -> None:
    found = learn(lessons_by_chance(4), frozenset(), by_words=False)
    assert (found[False].file[UPRIGHT] >= 0.0).all()
    assert (found[False].file < 0.0).any()
    # Of chunks and of names it is learned as it comes.
    assert (found[False].chunk[UPRIGHT] < 0.0).any()
    assert (found[True].file[UPRIGHT] < 0.0).any()


def test_words_that_are_like_those_of_the_question_are_not_for_names() -> None:
    found = learn(lessons_by_chance(4), frozenset(), by_words=False)
    assert found[False].file[NEAREST].any()
    assert found[False].chunk[NEAREST].all()
    assert not found[True].file[NEAREST].any()
    assert not learn(lessons_by_chance(4), frozenset(), by_words=True)[False].chunk[NEAREST].any()


def test_what_a_chunk_does_tells_chunks_of_a_file_apart_and_neither_files_nor_names() -> None:
    found = learn(lessons_by_chance(4), frozenset(), by_words=False)
    assert DOES.sum() == len(DOING)
    assert found[False].chunk[DOES].all()
    assert not found[False].file[DOES].any()
    assert not found[True].file[DOES].any()
    assert learn(lessons_by_chance(4), frozenset(), by_words=True)[False].chunk[DOES].all()


def test_described_definitions_tell_nothing_of_what_chunks_do() -> None:
    draw = np.random.default_rng(5)
    described = [group(draw, [1, 1, 2], [False, True, False], corpus="d") for _ in range(4)]
    other = [each._replace(matrix=np.where(DOES, np.float32(7.0), each.matrix)) for each in described]
    assert not np.array_equal(described[0].matrix, other[0].matrix)
    one, two = (learn(lessons_by_chance(0)._replace(described=each), frozenset(), False) for each in (described, other))
    assert np.array_equal(one[False].chunk, two[False].chunk)


@pytest.mark.parametrize("late", [False, True])
def test_described_definitions_teach_about_files_and_not_about_names(late: bool) -> None:
    without, taught = (learn(lessons_by_chance(count, late=late), frozenset(), by_words=False) for count in (0, 4))
    assert not np.allclose(without[False].file, taught[False].file)
    assert np.array_equal(without[True].file, taught[True].file)


def test_only_the_first_candidates_of_a_described_definition_teach_about_files() -> None:
    lessons = lessons_by_chance(4)
    shorter = []
    for each in lessons.described:
        matrix = each.matrix.copy()
        matrix[DESCRIBED_JUDGED:] = 7.0
        shorter.append(each._replace(matrix=matrix))
    one, other = (learn(each, frozenset(), by_words=False) for each in (lessons, lessons._replace(described=shorter)))
    assert np.array_equal(one[False].file, other[False].file)


# -- labels


@pytest.mark.parametrize(
    ("target", "place", "exact", "expected"),
    [
        (Span("a.py", 10, 19), Span("a.py", 15, 40), True, True),
        (Span("a.py", 10, 19), Span("a.py", 16, 40), True, False),
        (Span("a.py", 10, 19), Span("a.py", 16, 40), False, True),
        (Span("a.py", 10, 19), Span("a.py", 12, 13), True, True),
        (Span("a.py", 10, 19), Span("a.py", 20, 29), False, False),
        (Span("a.py", 0, 0), Span("a.py", 900, 920), True, True),
        (Span("a.py", 10, 19), Span("b.py", 10, 19), False, False),
        (Span("lib/a.py", 10, 19), Span("a.py", 10, 19), False, True),
        (Span("a.py", 10, 19), Span("lib/a.py", 10, 19), False, True),
        (Span("lib/a.py", 10, 19), Span("a.py", 10, 19), True, False),
        (Span("libra.py", 10, 19), Span("a.py", 10, 19), False, False),
    ],
)
def test_when_a_chunk_answers(target: Span, place: Span, exact: bool, expected: bool) -> None:
    assert answers(target, place, exact) is expected


def test_by_file_every_chunk_of_a_right_file_answers() -> None:
    chunks = group(np.random.default_rng(1), [1, 2, 1, 3], [True, False, False, False])
    files = by_file(chunks)
    assert (files.exact, files.hits.tolist()) == (False, [True, False, True, False])
    assert chunks.hits.tolist() == [True, False, False, False]
    assert by_file(files) is files


def test_within_files_only_the_chunks_of_right_files_are_left() -> None:
    chunks = group(np.random.default_rng(1), [1, 2, 1, 3], [True, False, False, False])
    found = within_files(chunks)
    assert found is not None
    assert found.exact
    assert found.files.tolist() == [1, 1]
    assert found.hits.tolist() == [True, False]
    assert found.places == (chunks.places[0], chunks.places[2])
    assert np.array_equal(found.matrix, chunks.matrix[[0, 2]])


@pytest.mark.parametrize(("files", "hits"), [([1, 2], [True, False]), ([1, 1], [True, True]), ([1, 2], [False, False])])
def test_within_files_nothing_is_to_be_chosen(files: list[int], hits: list[bool]) -> None:
    assert within_files(group(np.random.default_rng(1), files, hits)) is None


# -- questions out of comments


@pytest.fixture
def described(tmp_path: Path) -> Tree:
    return described_tree(Tree("languages", "many", LANGUAGES, LANGUAGES, ()), tmp_path / "copy")


def test_documentation_is_blanked_and_lines_keep_their_numbers(described: Tree) -> None:
    copies = {path.name for path in described.root.iterdir()}
    assert copies == {path.name for path in LANGUAGES.iterdir()}
    changed = 0
    for name in copies:
        before, after = ((root / name).read_bytes() for root in (LANGUAGES, described.root))
        assert len(before) == len(after)
        assert all(new in (old, 32) for old, new in zip(before, after, strict=True))
        assert [at for at, byte in enumerate(before) if byte in b"\r\n"] == [
            at for at, byte in enumerate(after) if byte in b"\r\n"
        ]
        changed += before != after
    assert changed > 10
    python = (described.root / "parcel.py").read_text()
    assert "Whether two people" not in python
    assert "One parcel" not in python
    assert "return max(self.sides) > MAX_SIDE" in python


def test_questions_point_at_the_definitions_that_their_comments_stood_at(described: Tree) -> None:
    asked = {(each.text, each.targets[0].path): each.targets for each in described.questions}
    first = {"parcel.py": "@dataclass(frozen=True)", "parcel.rs": "pub struct Parcel {", "Parcel.java": "public class"}
    for path, begins in first.items():
        (span,) = asked["One parcel and where it is", path]
        lines = (LANGUAGES / path).read_text().splitlines()[span.first - 1 : span.last]
        assert any(line.startswith(begins) for line in lines[:2]), lines
        assert lines[-1].strip()
    for each in described.questions:
        assert each.exact and each.category == "described"
        (span,) = each.targets
        there = (described.root / span.path).read_text().splitlines()[span.first - 1 : span.last]
        assert there[0].strip(), "the definition itself, not the blank where its comment was"
        assert each.text not in "\n".join(there)
    assert ("Whether two people have to carry it", "parcel.py") in asked


def test_papers_and_tests_are_not_asked_about_but_copied(tmp_path: Path) -> None:
    source = '"""One."""\n\n\ndef carry(parcel):\n    """Carry it up all the stairs."""\n    return parcel\n'
    for name in ("tree/carry.py", "tree/tests/test_carry.py", "tree/examples/carry.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(source)
    root = tmp_path / "tree"
    found = described_tree(Tree("small", "python", root, root, ()), tmp_path / "copy")
    assert [(each.text, each.targets) for each in found.questions] == [
        ("Carry it up all the stairs", (Span("carry.py", 4, 6),))
    ]
    assert "stairs" not in (tmp_path / "copy/tests/test_carry.py").read_text()


# -- a release


def lessons(repositories: int = 8) -> tuple[Lessons, list[Group]]:
    """Some dozen questions of some repositories, each answered by what has a large first clue."""
    draw = np.random.default_rng(5)
    benchmark: list[Group] = []
    own: list[Group] = []
    described: list[Group] = []
    unanswered: list[Group] = []
    for at in range(repositories):
        corpus = f"repository {at}"
        for is_symbol in (False, True):
            files, hits = draw.integers(0, 5, 12).tolist(), [True] + [False] * 11
            benchmark.append(group(draw, files, hits, corpus=corpus, exact=False, is_symbol=is_symbol))
            own.append(group(draw, [0, 0, 0, 1, 1, 2, 3], [True] + [False] * 6, corpus=corpus, is_symbol=is_symbol))
        described.append(group(draw, [0, 0, 1], [True, False, False], corpus=corpus))
        unanswered.append(group(draw, [0, 1, 2, 2], [False] * 4, corpus=corpus, category="none"))
    return Lessons(benchmark, own, described), unanswered


def test_a_release_is_a_ranker_that_learned_what_there_was_to_learn() -> None:
    taught, unanswered = lessons(40)  # Of few questions chance teaches as much as the one clue that tells.
    released = release(taught, unanswered, "some-model", "some-evidence")
    ranker = read_ranker(msgspec.json.encode(released.data))
    assert (ranker.name, ranker.model, ranker.evidence) == (NAME, "some-model", "some-evidence")
    assert LearnedRanker(released.data).model == "some-model"
    assert released.data.heads.keys() == {kind.name for kind in KINDS}
    scale = np.concatenate([each.matrix for each in (*taught.benchmark, *taught.own)]).std(axis=0)
    for kind in KINDS:
        head = released.data.heads[kind.name]
        # One that is seldom anything but 1 has a large weight that seldom tells: they are compared on one scale.
        learned = np.array(head.file_weights)
        learned[CLUES.index("exact")] -= DEFINITION if kind.is_symbol else 0.0
        telling = learned * scale
        assert telling[0] == telling.max() > 0.0
        if not kind.has_meaning:
            assert not np.array(head.file_weights)[BY_MEANING].any()
            assert not np.array(head.chunk_weights)[BY_MEANING].any()
    assert released.scores.keys() == {"meaning", "words"}
    assert released.scores["meaning"].right_chunk_in_five > 0.5
    unseen = group(np.random.default_rng(99), [0, 1, 2, 3], [False, False, True, False])
    unseen.matrix[2, 0] = 6.0
    judged = ranker.judge(unseen.matrix, unseen.files.tolist(), Kind(True, False))
    assert int(judged.logits.argmax()) == 2
    assert 0.0 < judged.answerability < 1.0


def test_questions_that_came_later_are_scored_apart() -> None:
    taught, unanswered = lessons()
    of_others = [each._replace(category=FOREIGN) for each in unanswered]
    later = {f"repository {at}" for at in range(4, 8)}
    # What came later is told from the rest at once: among its candidates no other file is like the right one.
    own = [each._replace(files=np.arange(len(each.files))) if each.corpus in later else each for each in taught.own]
    earlier = {(each.corpus, each.text) for each in own if each.corpus not in later}
    whole = release(taught._replace(own=own), [*unanswered, *of_others], "m", "e")
    found = release(taught._replace(own=own), [*unanswered, *of_others], "m", "e", earlier)
    assert found.data == whole.data
    assert found.scores.keys() == {f"{kind}{part}" for kind in ("meaning", "words") for part in PARTS}
    scores = [found.scores[f"meaning{part}"] for part in PARTS]
    assert scores[0] == whole.scores["meaning"]
    every, old, new = scores
    assert every.benchmark_ndcg == old.benchmark_ndcg == new.benchmark_ndcg
    assert every.shown_of_others == old.shown_of_others == new.shown_of_others
    for name in ("right_chunk_first", "right_chunk_in_five", "right_file_in_five", "shown_without_answer"):
        assert getattr(every, name) == pytest.approx((getattr(old, name) + getattr(new, name)) / 2, abs=1e-4)
    assert any(getattr(old, name) != getattr(new, name) for name in ("right_chunk_first", "shown_without_answer"))


def test_questions_of_ours_that_files_answer_teach_and_are_scored_apart() -> None:
    taught, unanswered = lessons()
    filed = [each._replace(category=f"{FILED}{each.category}", text="filed") for each in taught.benchmark]
    whole = release(taught, unanswered, "m", "e")
    found = release(taught._replace(filed=filed), unanswered, "m", "e")
    assert found.data.heads != whole.data.heads
    assert whole.scores["meaning"].filed_ndcg == 0.0
    assert found.scores["meaning"].filed_ndcg == pytest.approx(found.scores["meaning"].benchmark_ndcg)
    assert found.scores["meaning"].benchmark_by_category.keys() == whole.scores["meaning"].benchmark_by_category.keys()
    elsewhere = [each._replace(corpus="elsewhere") for each in filed]
    unseen = learn(taught._replace(filed=elsewhere), frozenset({"elsewhere"}), by_words=False)
    without = learn(taught, frozenset(), by_words=False)
    assert all(np.array_equal(unseen[kind].file, without[kind].file) for kind in (True, False))


def test_which_questions_a_folder_holds(tmp_path: Path) -> None:
    (tmp_path / "corpora.json").write_text('[{"name": "one"}]')
    (tmp_path / "one.json").write_text('[{"query": "where"}, {"query": "how"}]')
    (tmp_path / "two.json").write_text('[{"query": "how"}]')
    assert asked_in(tmp_path) == {("one", "where"), ("one", "how"), ("two", "how")}


@pytest.mark.parametrize("answerability", [0.1, 0.5, 0.9])
def test_what_is_scored_is_what_people_get(answerability: float) -> None:
    """The same places, and the same chunks that are worth showing."""
    draw = np.random.default_rng(7)
    kind = Kind(has_meaning=True, is_symbol=False)
    weights = Weights(draw.standard_normal(len(CLUES)), draw.standard_normal(len(CLUES)))
    head = Head(tuple(weights.file.tolist()), tuple(weights.chunk.tolist()), fade=2.0, cut=9.0)
    offset = float(np.log(answerability / (1 - answerability)))
    answer = (*[0.0] * len(SIGNS), offset)
    worth = Worth((0.7, -4.0, -0.6, -0.6, -2.0), -3.5)
    heads, answers = {k.name: head for k in KINDS}, {k.name: answer for k in KINDS}
    data = RankerData("taught", "model", "e", CLUES, SIGNS, heads, answers, {k.name: worth for k in KINDS})
    for _ in range(20):
        files = draw.integers(0, 9, 40).tolist()
        asked = group(draw, files, [False] * 40, category="none")
        asked.matrix[:, CLUES.index("all_words")] = 0.0
        found = LearnedRanker(data).judge(asked.matrix, files, kind)
        judged = Judged(asked, logits(asked, weights))
        assert found.order == in_places(judged, head.fade).tolist()
        least = max(1e-300, SPREAD * found.strengths.max() * (1 - ROUNDING))
        shown = int((found.strengths[found.order[:SHOWN]] >= least).sum())
        cuts = dict.fromkeys((False, True), head.cut)
        scores = scored([judged], np.array([answerability]), head.fade, cuts, worth)
        assert scores.shown_without_answer == shown


def test_the_same_lessons_give_the_same_ranker() -> None:
    assert release(*lessons(), "some-model", "e").data == release(*lessons(), "some-model", "e").data


def test_questions_without_an_answer_get_no_more_chunks_than_may_be_read_in_vain(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taught, unanswered = lessons()
    for each in unanswered:
        each.matrix[:, CLUES.index("all_words")] = 0.0
    shown: list[float] = []
    for most in (0.5, 2.0, 5.0):
        monkeypatch.setitem(calibrate.IN_VAIN, True, most)
        found = release(taught, unanswered, "m", "e")
        shown.append(found.scores["meaning"].shown_without_answer)
        assert shown[-1] <= most
        assert found.data.worth["meaning"] == found.data.worth["meaning_symbol"]
    assert shown == sorted(shown)
    assert shown[0] < shown[-1]


def test_further_questions_without_an_answer_are_asked_of_their_corpus(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "one.json").write_text('[{"query": "where", "category": "none", "answers": []}]')
    (tmp_path / "two.json").write_text("[]")
    (tmp_path / "missing.tsv").write_text("two\thow\ntwo\twhy\n")
    corpora = [Corpus(name, "python", tmp_path, tmp_path) for name in ("one", "two")]
    monkeypatch.setattr(labels, "fetch_corpora", lambda *_: corpora)
    found = {
        tree.name: [(each.text, each.category, each.targets) for each in tree.questions]
        for tree in own_trees(tmp_path, tmp_path)
    }
    assert found == {"one": [("where", NONE, ())], "two": [("how", NONE, ()), ("why", NONE, ())]}
