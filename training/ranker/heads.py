"""The heads of the ranker: which questions teach which weights, and how well they do on repositories not seen."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from lurcher_index.ranking.clues import CLUES, Matrix
from lurcher_index.ranking.doing import DOING
from lurcher_index.ranking.learned import joined
from training.ranker.collect import Group, by_file, within_files
from training.ranker.fit import Arrays, Floats, Plan, arrays, fit

FOLDS = 6
"""Parts that the repositories are split into; each is judged by weights that were learned from the others."""

OWN_WEIGHT = 0.5
"""What a question of our own counts beside one of the benchmark when files are learned; with 1 the benchmark loses
more than ours gain."""

FILED_WEIGHT = 1.0
"""The same of a question of our own that files answer, as those of the benchmark."""

DESCRIBED_WEIGHT = 0.1
"""What a described definition counts beside a question of our own when chunks are learned: there are ten times more, so
both sets come to about the same. People who ask do not know the names that comments are written beside."""

DESCRIBED_FILE_WEIGHT = 0.05
"""The same when files are learned: together a fifth of what the questions count. With 0.1 and more, what comments share
with the code beside them drowns what questions share with it."""

DESCRIBED_JUDGED = 60
"""Candidates of a described definition that teach about files; those behind them are too easy to teach anything."""

GENERAL = Plan(steps=120, rate=0.08, shrink=0.03)
SYMBOL = Plan(steps=100, rate=0.05, shrink=0.03)
CHUNK = Plan(steps=120, rate=0.08, shrink=0.02)
"""Questions are answered by many clues a little, so their weights are held small; of names few clues decide."""

DEFINITION = 1.5
"""What the definition of a name that is all of the question gains beyond what is learned. That few of the questions are
names makes their weights depend on the split: without it, chunks that only use the name come first for some of them."""

EITHER_WAY = frozenset(
    {
        # Told beside a stronger clue of the same kind, which they may correct.
        "file_words_second",
        "file_words_count",
        "file_cosine_second",
        "file_cosine_mean",
        "file_dense_count",
        "best_words_of_file",
        "best_cosine_of_file",
        "best_nearest_of_file",
        # What kind of file and of chunk it is says nothing of the question.
        "test",
        "example",
        "documentation",
        "configuration",
        "second_hand",
        "entrance",
        "declarations",
        "wanted_test",
        "wanted_example",
        "wanted_documentation",
        "wanted_configuration",
        "defines",
        "defines_type",
        "documented",
        "complete",
        "lines",
        "first",
        "chunks",
        *DOING,
    }
)
"""Clues that may speak for a file or against it. All others say how well it fits the question, and better never speaks
against it: without that rule, of two clues that tell nearly the same one comes out far above 0 and the other below."""

UPRIGHT = np.array([name not in EITHER_WAY for name in CLUES])

BY_MEANING = np.array([any(part in name for part in ("cosine", "dense", "both", "fused", "nearest")) for name in CLUES])
"""Clues that a search by words alone does not have."""


NEAREST = np.array(["nearest" in name for name in CLUES])
"""Clues of words that are like those of the question. They are not for names: who types one wants it, not its like."""


DOES = np.array([name in DOING for name in CLUES])
"""Clues of what a chunk does. They choose among the chunks of a file; a file is not told by them, nor is a name."""


class Weights(NamedTuple):
    """What was learned for one kind of search."""

    file: Floats
    chunk: Floats


class Lessons(NamedTuple):
    """All questions that have an answer."""

    benchmark: Sequence[Group]
    own: Sequence[Group]
    described: Sequence[Group]
    filed: Sequence[Group] = ()
    """Questions of our own that files answer."""


def learn(lessons: Lessons, left_out: frozenset[str], by_words: bool) -> dict[bool, Weights]:
    """The weights for questions and, under True, for names; nothing is learned from the repositories left out."""
    allowed = ~BY_MEANING if by_words else np.ones(len(CLUES), dtype=np.bool_)
    benchmark, own, described, filed = (
        [_by_words(group) if by_words else group for group in groups if group.corpus not in left_out]
        for groups in lessons
    )
    files = [(group, 1.0) for group in benchmark] + [(by_file(group), OWN_WEIGHT) for group in own]
    files += [(group, FILED_WEIGHT) for group in filed]
    many = [*files, *((by_file(_leading(group)), DESCRIBED_FILE_WEIGHT) for group in described)]
    chunks = [(within_files(group), 1.0) for group in own]
    chunks += [(within_files(_undone(group)), DESCRIBED_WEIGHT) for group in described]
    chunk = fit(_arrays([(group, weight) for group, weight in chunks if group is not None]), allowed, CHUNK)
    allowed = allowed & ~DOES
    both = np.tile(allowed, 2)
    count = len(CLUES)
    general = fit(_wide(many), both, GENERAL, np.r_[UPRIGHT, np.zeros(count, dtype=np.bool_)])
    symbol = fit(_wide(files), np.tile(allowed & ~NEAREST, 2), SYMBOL)
    # The chunk that defines a name is what makes its file the right one.
    of_names = symbol[:count] + symbol[count:]
    of_names[CLUES.index("exact")] += DEFINITION
    return {False: Weights(general[:count], chunk), True: Weights(of_names, of_names)}


def logits(group: Group, weights: Weights) -> Floats:
    """One number for each candidate, as at run time before anything fades."""
    matrix = group.matrix.astype(np.float64)
    return joined(matrix @ weights.file, matrix @ weights.chunk, group.files.tolist())


class Judged(NamedTuple):
    """A question with the logits of a ranker that saw nothing of its repository."""

    group: Group
    logits: Floats


def folds(names: Collection[str]) -> list[frozenset[str]]:
    """Repositories in parts, each of which is left out once."""
    corpora = sorted(names)
    np.random.RandomState(0).shuffle(corpora)
    return [frozenset(corpora[fold::FOLDS]) for fold in range(FOLDS)]


def cross_validated(lessons: Lessons, groups: Sequence[Group], by_words: bool) -> list[Judged]:
    """Every group, judged by weights that were learned from other repositories."""
    judged: list[Judged] = []
    for left_out in folds({group.corpus for group in (*lessons.benchmark, *lessons.own, *groups)}):
        learned = learn(lessons, left_out, by_words)
        for group in groups:
            if group.corpus in left_out:
                seen = _by_words(group) if by_words else group
                if not len(seen.files):
                    continue  # Nothing of it stands in any word.
                judged.append(Judged(seen, logits(seen, learned[group.is_symbol])))
    return judged


def _widened(group: Group) -> Matrix:
    """The clues twice: for every question, and once more for one that is nothing but a name.

    So names learn from all questions, and only what is different about them from the few that there are.
    """
    again = group.matrix if group.is_symbol else np.zeros_like(group.matrix)
    return np.concatenate([group.matrix, again], axis=1)


def _undone(group: Group) -> Group:
    """A described definition that tells nothing of what its chunks do.

    Its documentation was taken out, and the chunk that is right is the one with the definition: who asks wants others.
    """
    return group._replace(matrix=np.where(DOES, np.float32(0.0), group.matrix))


def _leading(group: Group) -> Group:
    """A described definition with the first candidates of the fusion alone, or with all if none of these is right."""
    if not group.hits[:DESCRIBED_JUDGED].any():
        return group
    return group._replace(
        matrix=group.matrix[:DESCRIBED_JUDGED],
        files=group.files[:DESCRIBED_JUDGED],
        places=group.places[:DESCRIBED_JUDGED],
        hits=group.hits[:DESCRIBED_JUDGED],
    )


def _by_words(group: Group) -> Group:
    """What a search by words alone would have found."""
    found = group.matrix[:, CLUES.index("by_words")] > 0
    matrix = np.where(BY_MEANING, np.float32(0.0), group.matrix[found])
    places = tuple(place for place, keep in zip(group.places, found, strict=True) if keep)
    return group._replace(
        matrix=matrix,
        files=group.files[found],
        places=places,
        hits=group.hits[found],
        has_meaning=False,
        wording=group.wording._replace(evidence=0.0),
    )


def _wide(pairs: Sequence[tuple[Group, float]]) -> Arrays:
    return _arrays([(group._replace(matrix=_widened(group)), weight) for group, weight in pairs])


def _arrays(pairs: Sequence[tuple[Group, float]]) -> Arrays:
    return arrays([group for group, _ in pairs], [weight for _, weight in pairs])
