"""What a ranker is worth on questions of repositories that it did not see."""

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
from benchmarks.quality import Target
from benchmarks.quality.scoring import Place, area_under_curve, ndcg

from lurcher_index.ranking.learned import margins
from lurcher_index.ranking.worth import Worth
from training.ranker.calibrate import SHOWN, Order, first_right, in_places, lacking
from training.ranker.collect import Group
from training.ranker.fit import Floats
from training.ranker.heads import Judged
from training.ranker.labels import FILED, NONE

FIRST = 5


class Scores(msgspec.Struct, frozen=True):
    """The figures of the card."""

    benchmark_ndcg: float
    """NDCG@10 of the answer as it is given; 0 without the benchmark's labels."""
    benchmark_ndcg_of_files: float
    """The same with one chunk a file, which is what the benchmark's labels are about."""
    benchmark_by_category: dict[str, float]
    filed_ndcg: float
    """NDCG@10 of our own questions that files answer, as they are answered."""
    right_chunk_first: float
    right_chunk_in_five: float
    right_file_in_five: float
    by_category: dict[str, float]
    """Share of our questions with the right chunk among the first five."""
    shown_ndcg: float
    """NDCG@10 on the benchmark of what the spread leaves."""
    shown_chunk_in_five: float
    shown_file_in_five: float
    shown_without_answer: float
    """Chunks of ten that our questions without an answer get."""
    shown_nothing: float
    """Share of our questions with an answer that get none."""
    shown_of_others: float
    """Those that questions about other projects get."""
    answerable: float
    """Area under the curve: how well answered questions of ours are told from those without an answer."""
    kept_right: float
    """Right chunks among the first ten, one for each file that answers, that the spread keeps."""


def scored(judged: Sequence[Judged], chances: Floats, fade: float, cuts: Mapping[bool, float], worth: Worth) -> Scores:
    """Score cross-validated logits; `chances` are those of an answer, `cuts` by whether a name is asked for."""
    raw: dict[str, list[float]] = {}
    of_files: list[float] = []
    filed: list[float] = []
    hits: dict[str, list[bool]] = {}
    first: list[bool] = []
    files: list[bool] = []
    for each in judged:
        group = each.group
        if not group.targets:
            continue
        order = in_places(each, fade)
        if group.category.startswith(FILED):
            filed.append(_ndcg(group, order))
            continue
        if not group.exact:
            raw.setdefault(group.category, []).append(_ndcg(group, order))
            _, leading = np.unique(group.files[order], return_index=True)
            of_files.append(_ndcg(group, order[np.sort(leading)]))
            continue
        hits.setdefault(group.category, []).append(_has_chunk(group, order))
        first.append(bool(group.hits[order[0]]))
        files.append(_has_file(group, order))
    shown = _Shown(judged, chances, fade, cuts, worth)
    return Scores(
        benchmark_ndcg=_mean([value for values in raw.values() for value in values]),
        benchmark_ndcg_of_files=_mean(of_files),
        benchmark_by_category={name: _mean(values) for name, values in sorted(raw.items())},
        filed_ndcg=_mean(filed),
        right_chunk_first=_mean(first),
        right_chunk_in_five=_mean([value for values in hits.values() for value in values]),
        right_file_in_five=_mean(files),
        by_category={name: _mean(values) for name, values in sorted(hits.items())},
        shown_ndcg=_mean([_ndcg(group, order) for group, order in shown.of_files]),
        shown_chunk_in_five=_mean([_has_chunk(group, order) for group, order in shown.of_chunks]),
        shown_file_in_five=_mean([_has_file(group, order) for group, order in shown.of_chunks]),
        shown_without_answer=_mean(shown.without_answer),
        shown_nothing=_mean(shown.empty),
        shown_of_others=_mean(shown.of_others),
        answerable=_area(judged, chances),
        kept_right=_mean(shown.kept),
    )


class _Shown:
    """What the spread leaves of each question's candidates, best first."""

    def __init__(
        self, judged: Sequence[Judged], chances: Floats, fade: float, cuts: Mapping[bool, float], worth: Worth
    ) -> None:
        self.of_files: list[tuple[Group, Order]] = []
        self.of_chunks: list[tuple[Group, Order]] = []
        self.without_answer: list[int] = []
        self.of_others: list[int] = []
        self.empty: list[bool] = []
        """Whether nothing is shown, of our questions that have an answer."""
        self.kept: list[bool] = []
        """Right chunks among the first ten, one for each file that answers."""
        for each, chance in zip(judged, chances.tolist(), strict=True):
            group = each.group
            order = in_places(each, fade)
            shown = order[:SHOWN][margins(group.matrix, chance, lacking(each, order, cuts), worth)[:SHOWN] <= 1.0]
            if group.targets:
                if not group.category.startswith(FILED):
                    (self.of_chunks if group.exact else self.of_files).append((group, shown))
                    self.empty += [not len(shown)] if group.exact else []
                self.kept += np.isin(first_right(each, fade), shown).tolist()
            else:
                counted = self.without_answer if group.category == NONE else self.of_others
                counted.append(len(shown))


def _ndcg(group: Group, order: Order) -> float:
    return ndcg([Target(*target) for target in group.targets], [Place(*group.places[at]) for at in order])


def _has_chunk(group: Group, order: Order) -> bool:
    return bool(group.hits[order[:FIRST]].any())


def _has_file(group: Group, order: Order) -> bool:
    wanted = {target.path for target in group.targets}
    return any(group.places[at].path in wanted for at in order[:FIRST])


def _area(judged: Sequence[Judged], chances: Floats) -> float:
    """Between questions of our own that have an answer and those that have none; the others are easier to tell."""
    own = [chance for chance, each in zip(chances, judged, strict=True) if each.group.targets and each.group.exact]
    none = [chance for chance, each in zip(chances, judged, strict=True) if each.group.category == NONE]
    return round(area_under_curve(own, none), 4) if own and none else 0.0


def _mean(values: Sequence[float] | Sequence[int] | Sequence[bool]) -> float:
    return round(float(np.mean(values)), 4) if values else 0.0
