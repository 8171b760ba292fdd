"""What the learned ranker makes of its clues."""

from collections.abc import Sequence
from math import exp, inf, log1p, nan

import msgspec
import numpy as np
import pytest

from lurcher_index.errors import ModelError
from lurcher_index.ranking.answerability import NO_WORDING, SIGNS, Belief, Wording, probability, signs, wording_of
from lurcher_index.ranking.clues import CLUES, Matrix
from lurcher_index.ranking.learned import (
    KINDS,
    SURE,
    Head,
    Kind,
    LearnedRanker,
    RankerData,
    joined,
    read_ranker,
)
from lurcher_index.ranking.matching import Asking
from lurcher_index.ranking.worth import NUMBERS, Worth

KIND = Kind(has_meaning=True, is_symbol=False)


def weights(**of_clues: float) -> tuple[float, ...]:
    return tuple(of_clues.get(name, 0.0) for name in CLUES)


HEAD = Head(file_weights=weights(stem=2.0), chunk_weights=weights(names=1.0, stem=0.5), fade=0.0, cut=0.5)
ANSWER = (*(float(name == "most_cosine") for name in SIGNS), -0.5)
WORTH = Worth((*(float(name == "answerability") - (name == "lacking") for name in NUMBERS), 0.0), -2.0)
DOUBTFUL = 0.25


def data(head: Head = HEAD, answer: tuple[float, ...] = ANSWER) -> RankerData:
    """The same weights for all kinds of search."""
    heads = {kind.name: head for kind in KINDS}
    answers = {kind.name: answer for kind in KINDS}
    worth = {kind.name: WORTH for kind in KINDS}
    return RankerData("taught", "model", "evidence", CLUES, SIGNS, heads, answers, worth)


def matrix(*rows: dict[str, float]) -> Matrix:
    return np.array([weights(**row) for row in rows], dtype=np.float32).reshape(len(rows), len(CLUES))


def check_joined(files: list[int], of_files: list[float], of_chunks: list[float], expected: list[float]) -> None:
    assert joined(np.array(of_files), np.array(of_chunks), files).tolist() == pytest.approx(expected)


def test_the_chunk_that_answers_best_stands_where_its_file_does() -> None:
    """The best chunk for the file and the best chunk in it may be two."""
    check_joined([0, 0], [3.0, 1.0], [0.5, 2.0], [1.5, 3.0])


def test_files_do_not_touch_each_other() -> None:
    check_joined([7, 3, 7], [1.0, 2.0, 0.0], [5.0, -9.0, 4.0], [1.0, 2.0, 0.0])


def check_judged(rows: Matrix, files: list[int], logits: list[float], head: Head = HEAD) -> None:
    found = LearnedRanker(data(head)).judge(rows, files, KIND)
    assert found.logits.tolist() == pytest.approx(logits)


def test_a_logit_is_its_files_weight_less_what_its_chunk_lacks() -> None:
    rows = matrix({"stem": 1.0, "names": 0.25}, {"stem": 1.0, "names": 1.0}, {"names": 1.0})
    check_judged(rows, [0, 0, 1], [1.25, 2.0, 0.0])


def test_further_chunks_of_a_file_fade() -> None:
    rows = matrix({"names": 1.0}, {"names": 0.5}, {"names": 0.75}, {"names": 0.0})
    check_judged(rows, [0, 0, 0, 1], [0.0, -0.5 - 0.11, -0.25 - 0.1, 0.0], msgspec.structs.replace(HEAD, fade=0.1))


def test_each_kind_of_search_has_weights_of_its_own() -> None:
    base = data()
    symbol = Kind(has_meaning=False, is_symbol=True)
    head = msgspec.structs.replace(HEAD, file_weights=weights(stem=7.0))
    ranker = LearnedRanker(msgspec.structs.replace(base, heads={**base.heads, symbol.name: head}))
    rows = matrix({"stem": 1.0})
    assert [ranker.judge(rows, [0], kind).logits.tolist() for kind in (KIND, symbol)] == [[2.0], [7.0]]


def test_the_kinds_are_named_as_in_the_file() -> None:
    assert [kind.name for kind in KINDS] == ["meaning", "meaning_symbol", "words", "words_symbol"]


def test_that_a_chunk_is_not_its_files_first_tells_in_its_place_and_not_in_its_strength() -> None:
    # The other file lies 0.5 behind, so that 0.25 of this is left.
    head = msgspec.structs.replace(HEAD, fade=0.625)
    rows = matrix({"names": 1.0, "cosine": 5.0}, {"names": 0.75}, {"names": 0.75}, {"stem": -0.25})
    found = LearnedRanker(data(head)).judge(rows, [0, 0, 0, 1], KIND)
    # Of 4.5 and 2 that the first is above the least, 0.5 and 1 of the cut are missing; the last is read on the way.
    assert (found.strengths / found.answerability).tolist() == pytest.approx(
        [1.0, 0.65 ** (0.5 / 6.5), 0.65 ** (0.5 / 6.5), 0.65 ** (0.5 / 6.5)]
    )
    assert (found.relevances / found.answerability).tolist() == pytest.approx([1.0, 0.65, 0.65**1.05, 0.65])
    assert found.order == [0, 3, 1, 2]


def test_a_name_that_is_defined_is_found_whatever_the_signs_say() -> None:
    doubting = LearnedRanker(data(answer=(*ANSWER[:-1], -9.0)))
    for is_symbol, clue, is_sure in ((True, "exact", True), (True, "exact_lower", False), (False, "exact", False)):
        found = doubting.judge(matrix({}, {clue: 1.0}), [0, 1], Kind(has_meaning=True, is_symbol=is_symbol))
        assert (found.answerability >= SURE) is is_sure, (is_symbol, clue)
    half_known = doubting.judge(matrix({"exact": 1.0}), [0], Kind(has_meaning=True, is_symbol=True), Wording(0.5, 0, 1))
    assert half_known.answerability < DOUBTFUL, "some other `send` than that of `KafkaProducer`"


def test_where_nothing_is_worth_showing_nothing_has_any_strength() -> None:
    rows = matrix({}, *[{"stem": -0.05}] * 7)
    ranker = LearnedRanker(data(answer=(*ANSWER[:-1], -9.0)))
    found = ranker.judge(rows, list(range(8)), KIND)
    assert found.answerability < DOUBTFUL
    assert found.order == list(range(8))
    assert not found.strengths.any()
    assert found.relevances.all(), "who wants to see them all the same gets them in order"


def test_the_best_relevance_is_the_answerability_and_at_the_cut_it_is_065_of_that() -> None:
    rows = matrix({"stem": 0.75}, {"stem": 1.0, "cosine": 0.5}, {"stem": 0.5})
    found = LearnedRanker(data()).judge(rows, [0, 1, 2], KIND)
    assert found.answerability == pytest.approx(0.5)
    assert found.relevances.tolist() == pytest.approx([0.5 * 0.65, 0.5, 0.5 * 0.65**2])


def test_nothing_is_judged_as_no_answer() -> None:
    found = LearnedRanker(data()).judge(matrix(), [], KIND)
    assert (len(found.logits), found.order, len(found.relevances), found.answerability) == (0, [], 0, 0.0)


def test_the_shares_sum_to_the_difference_from_the_mean() -> None:
    rows = matrix({"stem": 1.0, "names": 0.5}, {"names": 1.0}, {"stem": 0.5, "lines": 3.0})
    shares = LearnedRanker(data()).shares(rows, 0, KIND)
    assert tuple(shares) == CLUES
    assert shares["stem"] == pytest.approx((2.0 + 0.5) * 0.5)
    assert shares["names"] == pytest.approx(0.0)
    assert shares["lines"] == 0.0
    sums = rows.astype(np.float64) @ (np.array(HEAD.file_weights) + np.array(HEAD.chunk_weights))
    assert sum(shares.values()) == pytest.approx(sums[0] - sums.mean())


def check_refused(broken: RankerData, reason: str) -> None:
    with pytest.raises(ModelError, match=reason):
        LearnedRanker(broken)


def test_weights_for_other_clues_are_refused() -> None:
    swapped = (CLUES[1], CLUES[0], *CLUES[2:])
    check_refused(msgspec.structs.replace(data(), clues=swapped), "other clues")
    check_refused(msgspec.structs.replace(data(), clues=CLUES[:-1]), "other clues")
    check_refused(msgspec.structs.replace(data(), signs=SIGNS[::-1]), "other clues")


@pytest.mark.parametrize("kind", KINDS)
def test_a_missing_kind_of_search_is_refused(kind: Kind) -> None:
    base = data()
    heads = {name: head for name, head in base.heads.items() if name != kind.name}
    answers = {name: answer for name, answer in base.answer_weights.items() if name != kind.name}
    check_refused(msgspec.structs.replace(base, heads=heads), "lacks a kind")
    check_refused(msgspec.structs.replace(base, answer_weights=answers), "lacks a kind")


@pytest.mark.parametrize("field", ["file_weights", "chunk_weights"])
def test_too_few_or_too_many_weights_are_refused(field: str) -> None:
    for wrong in (weights()[1:], (*weights(), 0.0)):
        check_refused(data(msgspec.structs.replace(HEAD, **{field: wrong})), "too few or too many")
    check_refused(data(answer=ANSWER[1:]), "too few or too many")
    neurons = {KIND.name: ((0.0,) * (len(SIGNS) + 1),)}
    check_refused(msgspec.structs.replace(data(), answer_neurons=neurons), "too few or too many")


def test_a_file_that_does_not_say_what_is_worth_showing_is_refused() -> None:
    check_refused(msgspec.structs.replace(data(), worth={}), "worth showing")
    for wrong, why in ((Worth((0.0,), 0.0), "worth showing"), (Worth(WORTH.weights, nan), "no weight")):
        check_refused(msgspec.structs.replace(data(), worth={**data().worth, KIND.name: wrong}), why)


def test_neurons_change_what_is_believed() -> None:
    loud = {KIND.name: ((*(0.0 for _ in SIGNS), 9.0, 2.0),)}
    rows = matrix({"cosine": 0.5})
    plain, changed = (
        LearnedRanker(each).judge(rows, [0], KIND).answerability
        for each in (data(), msgspec.structs.replace(data(), answer_neurons=loud))
    )
    assert plain == pytest.approx(0.5)
    assert changed == pytest.approx(1 / (1 + exp(-2)), abs=1e-4)
    check_refused(data(answer=(*ANSWER, 0.0)), "too few or too many")


@pytest.mark.parametrize("number", [nan, inf, -inf])
def test_what_is_no_number_is_refused(number: float) -> None:
    for field in ("file_weights", "chunk_weights"):
        check_refused(data(msgspec.structs.replace(HEAD, **{field: weights(lines=number)})), "no weight")
    for field in ("fade", "cut"):
        check_refused(data(msgspec.structs.replace(HEAD, **{field: number})), "no weight")
    check_refused(data(answer=(*ANSWER[:-1], number)), "no weight")


def test_a_cut_that_cuts_nothing_and_a_fade_that_lifts_are_refused() -> None:
    check_refused(data(msgspec.structs.replace(HEAD, cut=0.0)), "no weight")
    check_refused(data(msgspec.structs.replace(HEAD, cut=-1.0)), "no weight")
    check_refused(data(msgspec.structs.replace(HEAD, fade=-0.1)), "no weight")


def test_a_ranker_is_read_as_it_was_written() -> None:
    found = read_ranker(msgspec.json.encode(data()))
    assert (found.name, found.model) == ("taught", "model")
    assert found.judge(matrix({"stem": 1.0}), [0], KIND).logits.tolist() == [2.0]


@pytest.mark.parametrize("broken", [b"", b"{}", b"[1", b'{"name": 1}', b"\xff\xfe"])
def test_bytes_that_are_no_ranker_are_refused(broken: bytes) -> None:
    with pytest.raises(ModelError, match="cannot be read"):
        read_ranker(broken)


def test_an_unknown_field_is_refused() -> None:
    fields = {**msgspec.to_builtins(data()), "more": 1}
    with pytest.raises(ModelError, match="cannot be read"):
        read_ranker(msgspec.json.encode(fields))


def signs_of(rows: Matrix, logits: Sequence[float]) -> dict[str, float]:
    order = np.argsort(-np.array(logits), kind="stable")
    return dict(zip(SIGNS, signs(rows, order, np.array(logits), Wording(0.5, 0.75, 2.0, -1.5)).tolist(), strict=True))


def test_signs_are_the_largest_the_first_and_the_mean_of_five() -> None:
    """The ranking is 1, 2, 3, 4, 5, 0: the candidate with the largest cosine is the last."""
    cosines = (0.75, 0.5, 0.0, 0.25, 0.25, 0.25)
    rows = matrix(*({"cosine": cosine, "by_words": float(at == 1)} for at, cosine in enumerate(cosines)))
    found = signs_of(rows, [-9.0, 5.0, 4.0, 3.0, 2.0, 1.0])
    assert (found["most_cosine"], found["first_cosine"], found["leading_cosine"]) == (0.75, 0.5, 0.25)
    assert found["first_by_words"] == 1.0
    assert found["lead"] == pytest.approx(5.0 - (4.0 + 3.0 + 2.0 + 1.0 - 9.0) / 5)


@pytest.mark.parametrize(
    "clue", ["cosine", "word_cover", "names", "best_name", "names_and_path", "file_names", "stem", "exact_lower"]
)
def test_each_clue_shows_in_its_own_signs(clue: str) -> None:
    found = signs_of(matrix({clue: 1.0}), [0.0])
    assert {name for name, value in found.items() if value} == {
        *(f"{kind}_{clue}" for kind in ("most", "first", "leading")),
        *Wording._fields,
    }


def test_the_wording_is_among_the_signs() -> None:
    found = signs_of(matrix({}), [0.0])
    assert [found[name] for name in Wording._fields] == [0.5, 0.75, 2.0, -1.5]


def test_words_that_stand_nowhere_and_hardly_anywhere_count_by_their_rarity() -> None:
    asking = Asking(("kafka", "item", "pipeline"), (4.0, 1.0, 3.0), frequencies=(0, 90, 2))
    assert wording_of(asking) == pytest.approx((0.5, 0.875, log1p(3), 0.0))
    assert wording_of(Asking((), ())) == NO_WORDING


def test_the_lead_is_taken_over_the_next_ten() -> None:
    found = signs_of(matrix(*[{"cosine": 0.5}] * 12), [3.0, *[1.0] * 10, -99.0])
    assert found["lead"] == pytest.approx(2.0)
    assert signs_of(matrix({}), [3.0])["lead"] == 0.0


def test_the_probability_lies_between_0_and_1_however_large_the_sum() -> None:
    nothing = np.zeros((0, 4))
    assert probability(np.array([1.0, 2.0]), Belief(np.array([2.0, -1.0, 0.0]), nothing)) == 0.5
    found = probability(np.array([1.0, 2.0]), Belief(np.array([2.0, -1.0, 1.0]), nothing))
    assert found == pytest.approx(1 / (1 + exp(-1)))
    for sign in (-1.0, 1.0):
        found = probability(np.array([1e9]), Belief(np.array([sign, 0.0]), np.zeros((0, 3))))
        assert 0.0 < found < 1.0
        assert (found > 0.5) is (sign > 0)


def test_a_neuron_says_what_it_says_as_far_as_it_hears_the_signs_together() -> None:
    # Offset -1: of the two signs both have to be there for it to say its 3.
    belief = Belief(np.zeros(3), np.array([[9.0, 9.0, -9.0, 3.0]]))
    one, both = (probability(np.array(values), belief) for values in ([1.0, 0.0], [1.0, 1.0]))
    assert one == 0.5
    assert both == pytest.approx(1 / (1 + exp(-3)), abs=1e-4)
