"""The model card, written from what the model knows of itself."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from lurcher_index.dense.static.modelfile import Model
from lurcher_index.dense.static.tokens import PIECE_MARK

MOST_LICENCES = 20
"""Licences that the card names; the rest, mostly other spellings of these, is added up."""


class Source(msgspec.Struct, frozen=True, order=True):
    """A package that was fetched, as `training.fetch` notes it."""

    registry: str
    package: str
    version: str
    licence: str


def used_sources(fetched: Path, used: set[str]) -> list[Source]:
    """Those of the fetched packages that pairs came from; one object a line."""
    decoder = msgspec.json.Decoder(Source)
    sources = map(decoder.decode, fetched.read_bytes().splitlines())
    return sorted(source for source in sources if source.package in used)


def licences(sources: Sequence[Source]) -> dict[str, int]:
    """How many of the packages state each licence."""
    found = Counter(source.licence for source in sources)
    named = dict(found.most_common(MOST_LICENCES))
    rest = found.total() - sum(named.values())
    return named | ({"others": rest} if rest else {})


def sources_table(sources: Sequence[Source]) -> str:
    """All of them, separated by tabs."""
    lines = ("\t".join(map(_one_line, msgspec.structs.astuple(source))) for source in sources)
    return "\n".join(("registry\tpackage\tversion\tlicence", *lines, ""))


def read_sources(table: Path) -> list[Source]:
    """What `sources_table` made, read back."""
    return [Source(*line.split("\t")) for line in table.read_text(encoding="utf-8").splitlines()[1:]]


def _one_line(text: str) -> str:
    return " ".join(text.split())


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
            f" {training['checkpoints_averaged']} checkpoints were averaged. Settings of each run, seed included:",
            "",
            "```json",
            *(json.dumps(plan) for plan in training["plans"]),
            "```",
            "",
            "## Scores",
            "",
            f"Mean reciprocal rank on held-out packages, among 2,048 documents: {scores['held_out_mrr']:.3f}"
            " (all languages alike).",
            "",
            *_table("language", "MRR", scores["held_out_mrr_by_language"]),
            *_labelled_lines(scores),
            *_polish_lines(training.get("polished")),
            *_lexicon_lines(training.get("lexicon")),
            *_map_lines(training.get("query_map")),
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
    return [
        "Packages by licence, as they state it; `training/sources.tsv` lists them all:",
        "",
        *_table("licence", "packages", found),
        "",
    ]


def _polish_lines(told: Mapping[str, Any] | None) -> list[str]:
    if told is None:
        return []
    return [
        "",
        "## Polishing",
        "",
        f"The table that was trained so went on with {told['questions']:,} questions in people's words, each written by"
        f" a language model for one piece of code (`training/asked/`), about {told['packages']:,} packages. Each had to"
        f" be nearer to its piece than to others of its own package and of some more, out of {told['pieces']:,};"
        f" {told['pairs_beside']:,} mined pairs stood beside them, of packages that are in `training/sources.tsv` too."
        + _gained(told),
        *_settings(told),
    ]


def _lexicon_lines(told: Mapping[str, Any] | None) -> list[str]:
    if told is None:
        return []
    return [
        "",
        "## Lexicon",
        "",
        f"Then {told['moved']:,} words were brought a part of the way to those that mean the same in code, by a lexicon"
        f" of {told['entries']:,} entries that language models wrote (`training/lexicon.tsv`)."
        + _gained(told)
        + " All scores above are those of this table; on the same held-out pairs, mined for this step, the one before"
        f" had a mean reciprocal rank of {told['before']['held_out_mrr']:.3f}.",
        *_settings(told),
    ]


def _gained(told: Mapping[str, Any]) -> str:
    """What a step has brought, as far as that was measured."""
    found = ""
    before = told.get("before", {})
    if "ndcg10" in before:
        found += (
            f" Before it, dense ranking alone had {before['ndcg10']:.3f} on the labelled questions, and"
            f" {before['ndcg10_best_chunk_of_a_file']:.3f} with the best chunk of each file only."
        )
    if "apart" in told:
        apart = told["apart"]
        found += (
            f" On {apart['questions']:,} written questions about {apart['packages']:,} packages that taught nothing,"
            f" the mean reciprocal rank of the right piece within its package went from {apart['mrr']['before']:.3f} to"
            f" {apart['mrr']['after']:.3f}."
        )
    return found


def _settings(told: Mapping[str, Any]) -> list[str]:
    return ["", "```json", json.dumps(told["plan"]), "```"]


def _map_lines(told: Mapping[str, Any] | None) -> list[str]:
    if told is None:
        return []
    return [
        "",
        "## Questions",
        "",
        f"The vector of a question is turned by a map that {told['questions']:,} labelled questions about"
        f" {told['repositories']} repositories have taught (`training/query_map.py`); documents are not. All scores"
        " above are without it. By vectors alone, mean reciprocal rank of the first right chunk among all of the"
        f" repository: {told['mrr']['before']:.3f} without the map, {told['mrr']['left_out']:.3f} with one that was"
        " learned without the repository. Settings:",
        "",
        "```json",
        json.dumps(told["plan"]),
        "```",
    ]


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
