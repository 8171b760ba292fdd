"""Which places of an answer are worth showing."""

import numpy as np
import pytest

from lurcher_index.ranking.clues import CLUES
from lurcher_index.ranking.learned import FEW, margins
from lurcher_index.ranking.worth import AT_ONCE, FIRST, NUMBERS, READING_ON, Worth, numbers, odds

WORTH = Worth((1.0, -2.0, -1.0, 0.0, 0.0), -1.5)
"""A log odd for each of the answer's, less two for what is missing and one for the logarithm of the place."""

MANY = AT_ONCE


def candidates(count: int = MANY, **clues: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    found = np.zeros((count, len(CLUES)), np.float32)
    for name, value in clues.items():
        found[0, CLUES.index(name)] = value
    return found


def shown(answerability: float, *lacking: float, **clues: float) -> list[bool]:
    found = margins(candidates(len(lacking), **clues), answerability, np.array(lacking), WORTH)
    return [margin <= 1.0 for margin in found.tolist()]


def test_the_numbers_of_a_place() -> None:
    found = numbers(0.5, np.array([0.0, 0.25]))
    assert found.shape == (2, len(NUMBERS))
    assert found[1].tolist() == pytest.approx([0.0, 0.25, np.log(2), 0.0])
    assert numbers(0.9, np.array([0.5]))[0].tolist() == pytest.approx([np.log(9), 0.5, 0.0, 0.5 * np.log(9)])


@pytest.mark.parametrize("answerability", [0.0, 1.0])
def test_nobody_is_surer_than_sure(answerability: float) -> None:
    assert np.isfinite(numbers(answerability, np.zeros(1))).all()


def test_the_more_an_answer_is_believed_in_the_more_places_are_worth_showing() -> None:
    evenly = [0.0] * MANY
    counts = [sum(shown(answerability, *evenly)) for answerability in (0.1, 0.3, 0.6, 0.9)]
    assert counts == [0, 1, MANY, MANY]


def test_what_lacks_more_has_to_stand_further_up() -> None:
    assert shown(0.5, 0.0, 0.25, 0.25, 0.25, 0.25) == [True, True, False, False, False]
    assert shown(0.5, 0.0, 0.5, 0.5, 0.5, 0.5) == [True, False, False, False, False]


def test_who_wants_what_is_further_down_reads_what_stands_above_it() -> None:
    assert shown(0.5, 0.0, 0.9, 0.0, 0.9, 0.9) == [True, True, True, False, False]
    far = [0.9] * FIRST + [0.0]
    by_lack = odds(Worth((0.0, -1.0, 0.0, 0.0, 0.0), 0.0), 0.5, np.array(far))
    assert (by_lack + READING_ON * (np.arange(FIRST + 1) >= AT_ONCE)).tolist() == pytest.approx([-0.9] * FIRST + [0.0])


def test_whoever_has_to_read_on_for_a_place_wants_it_to_be_more_likely() -> None:
    alike = np.zeros(AT_ONCE + 2)
    by_answer = odds(Worth((1.0, 0.0, 0.0, 0.0, 0.0), 0.0), 0.5, alike)
    assert by_answer.tolist() == pytest.approx([0.0] * AT_ONCE + [-READING_ON] * 2)
    # What is as likely as the fifth is left out behind it, unless an answer is likely enough for reading on.
    margin = margins(candidates(len(alike)), 0.6, alike, Worth((1.0, 0.0, 0.0, 0.0, 0.0), 0.0))
    assert [each <= 1.0 for each in margin.tolist()] == [True] * AT_ONCE + [False] * 2
    sure = margins(candidates(len(alike)), 0.9, alike, Worth((1.0, 0.0, 0.0, 0.0, 0.0), 0.0))
    assert [each <= 1.0 for each in sure.tolist()] == [True] * len(alike)


def test_few_words_that_are_all_found_and_few_candidates_need_no_belief() -> None:
    assert not any(shown(0.01, *[0.0] * MANY))
    assert shown(0.01, *[0.0, 0.5, 1.0, 1.1, 0.0], all_words=1.0) == [True, True, True, False, True]
    assert shown(0.01, *[0.0] * FEW) == [True] * FEW


def test_at_the_border_the_margin_is_one_and_the_first_has_none() -> None:
    place = np.log(2)
    lacking = (1.5 - place) / 2
    found = margins(candidates(), 0.5, np.array([0.0, lacking, 1.0, 1.0, 1.0]), WORTH)
    assert found[:2].tolist() == pytest.approx([0.0, 1.0])
