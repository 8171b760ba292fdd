"""What a ranker is worth on questions of repositories that it did not see."""

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
from benchmarks.quality import Target
from benchmarks.quality.scoring import Place, area_under_curve, ndcg

from lurcher_index.ranking.learned import Head, Kind
from training.ranker.calibrate import gap_of_right, with_fade
from training.ranker.fit import Floats
from training.ranker.heads import Judged

FIRST = 5


class Scores(msgspec.Struct, frozen=True):
    """The figures of the card."""

    benchmark_ndcg: float
    """NDCG@10 of the answer as it is given; 0 without the benchmark's labels."""
    benchmark_ndcg_of_files: float
    """The same with one chunk a file, which is what the benchmark's labels are about."""
    benchmark_by_category: dict[str, float]
    right_chunk_first: float
    right_chunk_in_five: float
    right_file_in_five: float
    by_category: dict[str, float]
    """Share of our questions with the right chunk among the first five."""
    answerable: float
    """Area under the curve: how well answered questions are told from those without an answer."""
    kept_right: float
    """Right chunks among the first ten that the spread keeps."""


def scored(judged: Sequence[Judged], chances: Floats, fade: float, heads: Mapping[str, Head]) -> Scores:
    """Score cross-validated logits."""
    raw: dict[str, list[float]] = {}
    of_files: list[float] = []
    hits: dict[str, list[bool]] = {}
    first: list[bool] = []
    files: list[bool] = []
    kept: list[bool] = []
    for each in judged:
        group = each.group
        if not group.targets:
            continue
        logits = with_fade(each, fade)
        order = np.argsort(-logits, kind="stable")
        places = [Place(*group.places[at]) for at in order]
        right = np.nonzero(group.hits[order])[0]
        gap = gap_of_right(each, fade)
        if gap is not None:
            kept.append(gap <= heads[Kind(group.has_meaning, group.is_symbol).name].cut)
        if not group.exact:
            targets = [Target(*target) for target in group.targets]
            raw.setdefault(group.category, []).append(ndcg(targets, places))
            best = {place.path: place for place in reversed(places)}
            of_files.append(ndcg(targets, [best[path] for path in dict.fromkeys(place.path for place in places)]))
            continue
        hits.setdefault(group.category, []).append(bool(len(right) and right[0] < FIRST))
        first.append(bool(len(right) and right[0] == 0))
        wanted = {target.path for target in group.targets}
        files.append(any(place.path in wanted for place in places[:FIRST]))
    with_answer = [chance for chance, each in zip(chances, judged, strict=True) if each.group.targets]
    without = [chance for chance, each in zip(chances, judged, strict=True) if not each.group.targets]
    return Scores(
        _mean([value for values in raw.values() for value in values]),
        _mean(of_files),
        {name: _mean(values) for name, values in sorted(raw.items())},
        _mean(first),
        _mean([value for values in hits.values() for value in values]),
        _mean(files),
        {name: _mean(values) for name, values in sorted(hits.items())},
        round(area_under_curve(with_answer, without), 4) if without else 0.0,
        _mean(kept),
    )


def _mean(values: Sequence[float]) -> float:
    return round(float(np.mean(values)), 4) if values else 0.0
