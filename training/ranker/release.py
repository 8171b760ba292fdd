"""From questions with clues to the ranker's file and its card."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import msgspec

from lurcher_index.ranking.answerability import SIGNS
from lurcher_index.ranking.clues import CLUES
from lurcher_index.ranking.learned import KINDS, Head, Kind, RankerData
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
from training.ranker.fit import Floats
from training.ranker.heads import Judged, Lessons, cross_validated, folds, learn
from training.ranker.scores import Scores, scored

NAME = "lurcher-ranker-v14"

FADE = 2.25
"""What the second chunk of a file loses where chunks and files compete, in the fourth and fifth place and behind the
tenth, and no file is ahead. More of it finds more files and fewer chunks: docs/ranking.md has the figures."""


class Unseen(NamedTuple):
    """A ranker that saw nothing of some repositories, neither in its weights nor in what they are taken to mean."""

    repositories: frozenset[str]
    data: RankerData


class Released(NamedTuple):
    """The ranker and what it scored on repositories it did not see."""

    data: RankerData
    scores: dict[str, Scores]
    """By the name of the kind of search; with a second part, of some of our questions alone."""
    unseen: tuple[Unseen, ...] = ()
    """One for each fold, if they were wanted."""


Asked = tuple[str, str]
"""A repository and what is asked of it."""


class _Examined(NamedTuple):
    """Every question, judged by weights that were learned without its repository."""

    judged: Sequence[Judged]
    rows: Floats
    """The signs of an answer."""
    chances: Floats
    """How likely there is one."""

    def without(self, repositories: Collection[str]) -> "_Examined":
        """The questions of the others."""
        kept = [at for at, each in enumerate(self.judged) if each.group.corpus not in repositories]
        return _Examined([self.judged[at] for at in kept], self.rows[kept], self.chances[kept])


def release(
    lessons: Lessons,
    unanswered: Sequence[Group],
    model: str,
    evidence: str,
    earlier: Collection[Asked] = frozenset(),
    with_unseen: bool = False,
) -> Released:
    """Learn from everything; calibrate and score by leaving repositories out.

    `earlier` are those of our questions that were there before others: they are scored once more without these, and
    these without them, for only the same questions can be compared with older figures. `with_unseen` learns a ranker
    for each fold, too.
    """
    every = [*lessons.benchmark, *lessons.own, *lessons.filed, *unanswered]
    examined = {has_meaning: _examined(lessons, every, has_meaning) for has_meaning in (True, False)}
    data = RankerData(NAME, model, evidence, CLUES, SIGNS, {}, {}, {})
    whole = _learned(data, lessons, examined)
    scores: dict[str, Scores] = {}
    for has_meaning, (judged, _, chances) in examined.items():
        name = "meaning" if has_meaning else "words"
        cuts = {is_symbol: whole.heads[Kind(has_meaning, is_symbol).name].cut for is_symbol in (False, True)}
        for part, chosen in _parts(judged, earlier).items():
            found = [judged[at] for at in chosen]
            scores[name + part] = scored(found, chances[chosen], FADE, cuts, whole.worth[name])
    parts = folds({group.corpus for group in every}) if with_unseen else []
    unseen = (Unseen(left_out, _learned(data, lessons, examined, left_out)) for left_out in parts)
    return Released(whole, scores, tuple(unseen))


def _examined(lessons: Lessons, every: Sequence[Group], has_meaning: bool) -> _Examined:
    judged = cross_validated(lessons, every, by_words=not has_meaning)
    rows = sign_rows(judged, FADE)
    return _Examined(judged, rows, unseen_chances(judged, rows))


def _learned(
    data: RankerData,
    lessons: Lessons,
    examined: Mapping[bool, _Examined],
    left_out: frozenset[str] = frozenset(),
) -> RankerData:
    """The ranker that all repositories teach, but for some."""
    heads: dict[str, Head] = {}
    answers: dict[str, tuple[float, ...]] = {}
    hidden: dict[str, tuple[tuple[float, ...], ...]] = {}
    worth: dict[str, Worth] = {}
    for has_meaning, each in examined.items():
        judged, rows, chances = each.without(left_out)
        found = believing(rows, answered(judged), counts_of(judged), BELIEF)
        neurons = tuple(map(tuple, found.hidden.round(DIGITS).tolist()))
        learned = learn(lessons, left_out, by_words=not has_meaning)
        right = [each for each in judged if each.group.targets]
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
    return msgspec.structs.replace(data, heads=heads, answer_weights=answers, worth=worth, answer_neurons=hidden)


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
