"""An evaluation in words and one table."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lurcher_index.evaluation.report import Asked, Evaluation

HARDEST = 5
"""Questions without an answer that are shown; `--json` has them all."""

_QUESTION_CHARACTERS = 100
_FILES = 3


def evaluation_lines(evaluation: "Evaluation") -> Iterator[str]:
    """The lines that are printed for people."""
    asked = len(evaluation.questions)
    yield f"{asked} commits asked about, each in the tree before it; {evaluation.looked_at} looked at"
    if evaluation.stopped:
        yield "stopped early: newer commits were not asked about"
    if evaluation.shallow:
        yield "this is a shallow clone; `git fetch --unshallow` gives more commits"
    if evaluation.left_out:
        yield "left out: " + ", ".join(f"{count} {reason}" for reason, count in evaluation.left_out.items())
    yield (
        f"{evaluation.targets} files to be found; not among them: {evaluation.files_added} that were new, "
        f"{evaluation.targets_not_indexed} that are not indexed"
    )
    yield f"{evaluation.naming:.0%} of the messages name a file they changed"
    yield ""
    yield from _table(evaluation)
    yield ""
    yield from _hardest([each for each in evaluation.questions if not each.found], evaluation.results)
    seconds = evaluation.seconds
    yield (
        f"took {seconds.mining + seconds.moving + seconds.asking:.1f} s: {seconds.mining:.1f} for the history, "
        f"{seconds.moving:.1f} for indexing the past, {seconds.asking:.1f} for asking"
    )


def _table(evaluation: "Evaluation") -> Iterator[str]:
    """Means, with the ends of their 95 % intervals."""
    measures = list(evaluation.strategies[0].figures)
    width = max(len("95 % intervals"), *(len(each.strategy) for each in evaluation.strategies))
    yield "  ".join((f"{'95 % intervals':{width}}", *(f"{name:^18}" for name in measures))).rstrip()
    for each in evaluation.strategies:
        cells = (f"{f.mean:.3f} {f'({f.low:.3f}–{f.high:.3f})':12}" for f in each.figures.values())
        yield "  ".join((f"{each.strategy:{width}}", *(f"{cell:18}" for cell in cells))).rstrip()
        if each.failed:
            yield f"{'':{width}}  had no answer to {each.failed} questions, which count as not found"


def _hardest(missed: "list[Asked]", results: int) -> Iterator[str]:
    if not missed:
        yield f"every question found one of its files among {results} results"
        return
    yield f"found by none among {results} results: {len(missed)}"
    for each in missed[-HARDEST:]:
        files = ", ".join(each.targets[:_FILES]) + (" …" if len(each.targets) > _FILES else "")
        cut = each.question[:_QUESTION_CHARACTERS] + ("…" if len(each.question) > _QUESTION_CHARACTERS else "")
        yield f"  {each.commit[:10]}  {cut}  ({files})"
    if len(missed) > HARDEST:
        yield f"  and {len(missed) - HARDEST} older ones; --json has them all"
