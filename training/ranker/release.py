"""From questions with clues to the ranker's file and its card."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from lurcher_index.ranking.answerability import SIGNS
from lurcher_index.ranking.clues import CLUES
from lurcher_index.ranking.learned import KINDS, Head, RankerData
from lurcher_index.ranking.worth import Worth
from training.ranker.believing import believing
from training.ranker.calibrate import (
    BELIEF,
    DIGITS,
    answered,
    counts_of,
    cut_of,
    sign_rows,
    unseen_chances,
    worth_of,
)
from training.ranker.collect import Group, is_own
from training.ranker.heads import Judged, Lessons, cross_validated, learn
from training.ranker.scores import Scores, scored

NAME = "lurcher-ranker-v14"

FADE = 2.25
"""What the second chunk of a file loses where chunks and files compete, in the fourth and fifth place and behind the
tenth, and no file is ahead. More of it finds more files and fewer chunks: docs/ranking.md has the figures."""


class Released(NamedTuple):
    """The ranker and what it scored on repositories it did not see."""

    data: RankerData
    scores: dict[str, Scores]
    """By the name of the kind of search; with a second part, of some of our questions alone."""


Asked = tuple[str, str]
"""A repository and what is asked of it."""


def release(
    lessons: Lessons,
    unanswered: Sequence[Group],
    model: str,
    evidence: str,
    earlier: Collection[Asked] = frozenset(),
) -> Released:
    """Learn from everything; calibrate and score by leaving repositories out.

    `earlier` are those of our questions that were there before others: they are scored once more without these, and
    these without them, for only the same questions can be compared with older figures.
    """
    heads: dict[str, Head] = {}
    answers: dict[str, tuple[float, ...]] = {}
    hidden: dict[str, tuple[tuple[float, ...], ...]] = {}
    worth: dict[str, Worth] = {}
    scores: dict[str, Scores] = {}
    for has_meaning in (True, False):
        every = [*lessons.benchmark, *lessons.own, *lessons.filed, *unanswered]
        judged = cross_validated(lessons, every, by_words=not has_meaning)
        right = [each for each in judged if each.group.targets]
        rows = sign_rows(judged, FADE)
        found = believing(rows, answered(judged), counts_of(judged), BELIEF)
        neurons = tuple(map(tuple, found.hidden.round(DIGITS).tolist()))
        learned = learn(lessons, frozenset(), by_words=not has_meaning)
        chances = unseen_chances(judged, rows)
        cuts = {
            is_symbol: round(cut_of([each for each in right if each.group.is_symbol is is_symbol], FADE), DIGITS)
            for is_symbol in (False, True)
        }
        shown = worth_of(judged, chances, FADE, cuts)
        for kind in KINDS:
            if kind.has_meaning is has_meaning:
                weights = learned[kind.is_symbol]
                heads[kind.name] = Head(
                    tuple(weights.file.round(DIGITS).tolist()),
                    tuple(weights.chunk.round(DIGITS).tolist()),
                    FADE,
                    cuts[kind.is_symbol],
                )
                worth[kind.name] = shown
                answers[kind.name] = tuple(found.weights.round(DIGITS).tolist())
                hidden[kind.name] = neurons
        name = "meaning" if has_meaning else "words"
        for part, chosen in _parts(judged, earlier).items():
            scores[name + part] = scored([judged[at] for at in chosen], chances[chosen], FADE, cuts, shown)
    return Released(RankerData(NAME, model, evidence, CLUES, SIGNS, heads, answers, worth, hidden), scores)


def _parts(judged: Sequence[Judged], earlier: Collection[Asked]) -> dict[str, list[int]]:
    """All questions and, if some were there before others, each of both parts; those that are not ours are in all."""
    every = list(range(len(judged)))
    if not earlier:
        return {"": every}
    ours = [at for at in every if is_own(judged[at].group)]
    old = {at for at in ours if (judged[at].group.corpus, judged[at].group.text) in earlier}
    new = set(ours) - old
    return {
        "": every,
        ", earlier questions": [at for at in every if at not in new],
        ", new questions": [at for at in every if at not in old],
    }
