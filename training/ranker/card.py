"""The ranker's card: what it was taught with, what it is worth, what it leans on."""

from collections import Counter

import numpy as np

from lurcher_index.ranking.clues import CLUES
from training.ranker.heads import Lessons
from training.ranker.release import Released
from training.ranker.scores import Scores


def card(released: Released, lessons: Lessons) -> str:
    """The card as Markdown."""
    data = released.data
    taught = [
        f"| {name} | {len(groups)} | {len({group.corpus for group in groups})} |"
        for name, groups in zip(
            (
                "the field's benchmark (files)",
                "our questions (lines)",
                "described definitions",
                "our questions (files)",
            ),
            lessons,
            strict=True,
        )
    ]
    languages = Counter(group.language for groups in lessons for group in groups)
    return "\n".join(
        [
            f"# {data.name}",
            "",
            "Written by `training/ranker/` from facts; do not edit. A weighted sum of clues (see `clues.py`) for files",
            "and one for the chunks of a file, for searches with and without vectors, and for names. No path depth.",
            "",
            "## Taught with",
            "",
            "| questions | number | repositories |",
            "|---|--:|--:|",
            *taught,
            "",
            "By language: " + ", ".join(f"{name} {count}" for name, count in languages.most_common()) + ".",
            "",
            "## Scores on repositories left out (six folds)",
            "",
            "The cut of the spread was chosen on the questions that the rows from “what is shown” on are scored on.",
            *(_EARLIER if len(released.scores) > len(_KINDS) else ()),
            "",
            *_table(released.scores),
            "",
            "## What counts most for files",
            "",
            "| clue | weight of one standard deviation |",
            "|---|--:|",
            *_strongest(released, lessons),
            "",
            "## Known weaknesses",
            "",
            "- Few questions: differences under 0.01 are noise. The benchmark's labels are one annotator's.",
            "- Questions in words that the code does not use are mostly not found: see `paraphrase` above.",
            "- Answerability leans on words that stand nowhere in the workspace: a question in other words than those",
            "  of the code may be taken for one without an answer, and then gets a shorter one.",
            "",
        ]
    )


_KINDS = ("meaning", "words")

_EARLIER = (
    "“Earlier” and “new” are those of our questions that lines answer, or nothing does, that were there before this",
    "ranker and those that came with it; what is scored by other questions is the same in all three columns.",
)


def _table(scores: dict[str, Scores]) -> list[str]:
    names = list(scores)
    columns = [_figures(scores[name]) for name in names]
    lines = ["| | " + " | ".join(names) + " |", "|---|" + "--:|" * len(names)]
    for title in columns[0]:
        lines.append(f"| {title} | " + " | ".join(f"{column.get(title, 0.0):.3f}" for column in columns) + " |")
    return lines


def _figures(scores: Scores) -> dict[str, float]:
    return {
        "benchmark NDCG@10, as answered": scores.benchmark_ndcg,
        "benchmark NDCG@10, one chunk a file": scores.benchmark_ndcg_of_files,
        **{f"NDCG@10: {name}": value for name, value in scores.benchmark_by_category.items()},
        "our questions that files answer, NDCG@10": scores.filed_ndcg,
        "our questions: right chunk first": scores.right_chunk_first,
        "right chunk among five": scores.right_chunk_in_five,
        "right file among five": scores.right_file_in_five,
        **{f"right chunk among five: {name}": value for name, value in scores.by_category.items()},
        "what is shown: benchmark NDCG@10": scores.shown_ndcg,
        "what is shown: right chunk among five": scores.shown_chunk_in_five,
        "what is shown: right file among five": scores.shown_file_in_five,
        "chunks of ten for our questions without an answer": scores.shown_without_answer,
        "our questions with an answer that get no chunk": scores.shown_nothing,
        "chunks of ten for questions about other projects": scores.shown_of_others,
        "our questions, answered or not, area under the curve": scores.answerable,
        "right chunks among ten that the spread keeps": scores.kept_right,
    }


def _strongest(released: Released, lessons: Lessons, count: int = 15) -> list[str]:
    spread = np.concatenate([group.matrix for group in (*lessons.benchmark, *lessons.own)]).std(axis=0)
    weights = np.array(released.data.heads["meaning"].file_weights) * spread
    order = np.argsort(-np.abs(weights))[:count]
    return [f"| {CLUES[at]} | {weights[at]:+.2f} |" for at in order]
