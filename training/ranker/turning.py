"""The map that turns questions: learned for the model that is shipped, and for each fold without its repositories."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from lurcher_index import Engine
from lurcher_index.dense.static.embedder import StaticEmbedder
from lurcher_index.dense.static.modelfile import Model
from lurcher_index.meaning import Meaning
from lurcher_index.query.parser import parse
from lurcher_index.view import View
from training.query_map import USUAL, Asked, Floats, learn_map, turned
from training.ranker.collect import answers
from training.ranker.heads import folds
from training.ranker.labels import PATIENT, Labelled, Span, Tree


class Turned(NamedTuple):
    """The model with its map, and for each repository a map that was learned without it."""

    model: Model
    maps: Mapping[str, Floats]


def turn(model: Model, asked: Sequence[Asked], name: str) -> Turned:
    """Learn from everything, and for each fold from what lies outside of it."""
    maps: dict[str, Floats] = {}
    ranks: dict[str, list[float]] = {"before": [], "left_out": []}
    for left_out in folds({tree.corpus for tree in asked}):
        found = learn_map(asked, left_out)
        for tree in asked:
            if tree.corpus in left_out:
                maps[tree.corpus] = found
                ranks["before"] += reciprocal_ranks(tree, np.zeros_like(found))
                ranks["left_out"] += reciprocal_ranks(tree, found)
    training = model.facts.training | {
        "query_map": {
            "questions": sum(len(tree.questions) for tree in asked),
            "repositories": len(asked),
            "plan": USUAL._asdict(),
            "mrr": {when: round(fmean(found), 4) for when, found in ranks.items()},
        }
    }
    facts = msgspec.structs.replace(model.facts, name=name, training=training)
    return Turned(msgspec.structs.replace(model, facts=facts, query_map=learn_map(asked)), maps)


def asked_of(tree: Tree, questions: Sequence[Labelled], embedder: StaticEmbedder, store: Path) -> Asked:
    """Index a tree and look up the chunks that answer its questions. `embedder` turns nothing."""
    inside = tree.root.relative_to(tree.repository)
    with Engine.open([tree.root], store=store, embeddings=False, settings=PATIENT) as engine:
        engine.build()
        Meaning(engine.workspace, embedder).catch_up()
        chunks, places = _chunks(View(engine.workspace), embedder, inside)
    kept: list[tuple[Labelled, NDArray[np.int64]]] = []
    for question in questions:
        hits = [any(answers(target, place, question.exact) for target in question.targets) for place in places]
        if any(hits):
            kept.append((question, np.flatnonzero(hits)))
    vectors = [embedder.embed_query(parse(question.text).text) for question, _ in kept]
    paths = [place.path for place in places]
    starts = [at for at, path in enumerate(paths) if at == 0 or path != paths[at - 1]]
    return Asked(
        tree.name,
        chunks,
        np.array(starts, np.int64),
        np.concatenate(vectors) if vectors else np.zeros((0, embedder.dimension), np.float32),
        tuple(right for _, right in kept),
        tuple(question.exact for question, _ in kept),
    )


def reciprocal_ranks(tree: Asked, found: Floats) -> list[float]:
    """By vectors alone, for each question: of the first chunk of all that is right."""
    if not len(tree.questions):
        return []
    vectors, _ = turned(tree.questions, found)
    scores = vectors @ tree.chunks.astype(np.float32).T
    return [1 / (1 + int((row > row[right].max()).sum())) for row, right in zip(scores, tree.right, strict=True)]


def _chunks(view: View, embedder: StaticEmbedder, inside: Path) -> tuple[NDArray[np.int8], list[Span]]:
    """The vectors of all chunks and where they are, by path."""
    stored = {
        each.content_id: each.rows for each in view.workspace.vector_rows(embedder.name, embedder.dimension).newer(0)
    }
    rows = sorted((row for row, _ in view.rows_with(stored)), key=lambda row: row.path)
    contents = view.contents(stored)
    vectors: list[NDArray[np.int8]] = []
    places: list[Span] = []
    for row in rows:
        assert row.content_id is not None
        vectors.append(np.frombuffer(stored[row.content_id], np.int8).reshape(-1, embedder.dimension))
        path = (inside / row.path).as_posix()
        places += [Span(path, each.first_line, each.last_line) for each in contents[row.content_id].outline.chunks]
    return np.concatenate(vectors) if vectors else np.zeros((0, embedder.dimension), np.int8), places
