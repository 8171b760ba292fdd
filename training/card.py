"""The model card, written from what the model knows of itself."""

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lurcher_index.dense.static.modelfile import Model
from lurcher_index.dense.static.tokens import PIECE_MARK


def licences(sources: Path, used: set[str]) -> dict[str, int]:
    """How many of the packages that were used have each licence; one package a line, as `training.fetch` writes."""
    found: Counter[str] = Counter()
    for line in sources.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        if entry["package"] in used:
            found[entry["licence"]] += 1
    return dict(found.most_common())


def model_card(model: Model, size: int) -> str:
    """Markdown for people who want to know what they run."""
    facts, training = model.facts, model.facts.training
    pieces = sum(word.startswith(PIECE_MARK) for word in model.vocabulary)
    whole = len(model.vocabulary) - pieces
    scores: dict[str, Any] = training["scores"]
    return "\n".join(
        [
            f"# {facts.name}",
            "",
            "Written by `training/export.py` from the facts in the model file; do not edit.",
            "",
            f"A static embedding model for questions about source code: {whole:,} words and {pieces:,} pieces with"
            f" {model.table.shape[1]} numbers each in 8 bits, and a weight of every word in questions and in documents."
            f" A text is the weighted sum of its words; the path is a second field that counts {facts.path_weight:g}."
            f" {size / 1e6:.1f} MB; runs with numpy alone, offline.",
            "",
            "## Data",
            "",
            f"{sum(training['pairs_by_language'].values()):,} pairs of a question and code, mined from"
            f" {training['packages']:,} packages of public registries by `training/`. The projects that our quality"
            " benchmark asks about were excluded. Left out: "
            + ", ".join(f"{count:,} {why}" for why, count in training["left_out"].items())
            + ".",
            "",
            *_table("language", "pairs", training["pairs_by_language"]),
            "",
            *_table("kind of pair", "pairs", training["pairs_by_kind"]),
            "",
            *_licence_lines(training["licences"]),
            "## Training",
            "",
            "Symmetric InfoNCE with the other pairs of the batch as wrong answers, Adam, a cosine schedule with"
            f" warm-up, a learned temperature. Began with {training['initial']}."
            f" {training['checkpoints_averaged']} checkpoints were averaged. Settings, seed included:",
            "",
            "```json",
            json.dumps(training["plan"], indent=2),
            "```",
            "",
            "## Scores",
            "",
            f"Mean reciprocal rank on held-out packages, among 2,048 documents: {scores['held_out_mrr']:.3f}"
            " (all languages alike).",
            "",
            *_table("language", "MRR", scores["held_out_mrr_by_language"]),
            *_labelled_lines(scores),
            "",
            "## Known weaknesses",
            "",
            "- English only: words of other languages are taken for unknown names, other scripts are ignored.",
            "- The order of words does not count: `copy a to b` is `copy b to a`.",
            "- A word has one vector whatever stands around it.",
            "- Names that occur in few packages are known by their pieces only; search by words finds them better.",
            "- Languages with few pairs in the first table rely on what they share with the others.",
            "",
        ]
    )


def _table(what: str, value: str, rows: Mapping[str, float]) -> list[str]:
    ordered = sorted(rows.items(), key=lambda row: -row[1])
    return [f"| {what} | {value} |", "|---|---|", *(f"| {name} | {number:,} |" for name, number in ordered)]


def _licence_lines(found: Mapping[str, int]) -> list[str]:
    if not found:
        return []
    return ["Packages by licence, as they state it:", "", *_table("licence", "packages", found), ""]


def _labelled_lines(scores: Mapping[str, Any]) -> list[str]:
    if "ndcg10" not in scores:
        return []
    return [
        "",
        f"NDCG@10 on {scores['questions']} labelled questions, dense ranking alone: {scores['ndcg10']:.3f};"
        f" with the best chunk of each file only {scores['ndcg10_best_chunk_of_a_file']:.3f}.",
        "",
        *_table("category", "NDCG@10", scores["ndcg10_by_category"]),
        "",
        *_table("language", "NDCG@10", scores["ndcg10_by_language"]),
    ]
