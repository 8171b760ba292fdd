"""The clues of every candidate of every question, as the engine makes them."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lurcher_index import Engine
from lurcher_index.dense.embedder import Embedder
from lurcher_index.gathering import FactsMemo, Key, asking_of, gather
from lurcher_index.judging import evidence_of, of_name, shipped_evidence
from lurcher_index.meaning import Meaning
from lurcher_index.query.parser import parse
from lurcher_index.ranking.answerability import Wording, wording_of
from lurcher_index.ranking.clues import Matrix
from lurcher_index.ranking.evidence import Evidence
from lurcher_index.ranking.fusion import fuse
from lurcher_index.searched import Searched
from lurcher_index.strategies.interface import MEANING, WORDS, Ranking
from lurcher_index.words.filters import Filters
from lurcher_index.words.query import understand
from training.ranker.labels import FOREIGN, PATIENT, Labelled, Span, Tree

DEPTH = 100
"""Candidates of each retriever: what a search asks for."""

JUDGED = 160
"""Candidates that are judged: what a search looks at."""


class Group(NamedTuple):
    """The candidates of one question."""

    corpus: str
    language: str
    category: str
    text: str
    exact: bool
    matrix: Matrix
    files: NDArray[np.int64]
    places: tuple[Span, ...]
    """Path and lines of each candidate."""
    hits: NDArray[np.bool_]
    """Candidates that answer."""
    targets: tuple[Span, ...]
    has_meaning: bool
    is_symbol: bool
    """Whether the question is nothing but a name."""
    wording: Wording


def collect(
    tree: Tree,
    embedder: Embedder | None,
    store: Path,
    foreign: tuple[Labelled, ...] = (),
    evidence: Evidence | None = None,
) -> list[Group]:
    """Index a tree and gather the clues for its questions, and for questions that were asked of other trees.

    `evidence` is the network that is asked for signs; the shipped one if there is none.
    """
    evidence = evidence or shipped_evidence()
    inside = tree.root.relative_to(tree.repository)
    with Engine.open([tree.root], store=store, embeddings=False, settings=PATIENT) as engine:
        engine.build()
        workspace = engine.workspace
        meaning = Meaning(workspace, embedder) if embedder is not None else None
        if meaning is not None:
            meaning.catch_up()
            meaning.load()
        searched = Searched(workspace, meaning)
        asked = _Asked(tree, inside, searched, FactsMemo(), evidence)
        groups = [asked.group(question) for question in (*tree.questions, *foreign)]
    return [group for group in groups if group is not None]


class _Asked(NamedTuple):
    """A tree that is asked about."""

    tree: Tree
    inside: Path
    searched: Searched
    memo: FactsMemo
    evidence: Evidence

    def group(self, question: Labelled) -> Group | None:
        """The candidates of a question; None if there are none."""
        view, meaning = self.searched.view, self.searched.meaning
        parsed = parse(question.text)
        query = understand(parsed.text)
        rankings = [Ranking(WORDS, tuple(view.words(query, Filters(), DEPTH)))]
        vector = None
        if meaning is not None:
            vector = meaning.embedder.embed_query(parsed.text)
            rankings.append(Ranking(MEANING, tuple(meaning.similar(view, vector, Filters(), DEPTH))))
        fused = fuse([(0.5, [hit[:3] for hit in ranking.hits]) for ranking in rankings])
        keys: Sequence[Key] = [each.key for each in fused[:JUDGED]]
        if not keys:
            return None
        asking = asking_of(view, parsed, query)
        gathered = gather(view, self.memo, asking, rankings, keys, meaning, vector)
        if parsed.looks_like.is_symbol:
            keys = of_name(view, query, rankings, gathered)
            gathered = gather(view, self.memo, asking, rankings, keys, meaning, vector)
        places = self._places(gathered.keys)
        return Group(
            self.tree.name,
            self.tree.language,
            question.category,
            question.text,
            question.exact,
            gathered.matrix,
            np.array([key[0] for key in gathered.keys]),
            places,
            np.array([any(answers(target, place, question.exact) for target in question.targets) for place in places]),
            question.targets,
            meaning is not None,
            parsed.looks_like.is_symbol,
            wording_of(asking)._replace(evidence=evidence_of(self.evidence, gathered, meaning)),
        )

    def _places(self, keys: Sequence[Key]) -> tuple[Span, ...]:
        rows = self.searched.view.rows({key[0] for key in keys})
        contents = self.searched.view.contents({key[1] for key in keys})
        found: list[Span] = []
        for file_id, content_id, ordinal in keys:
            chunk = contents[content_id].outline.chunks[ordinal]
            found.append(Span((self.inside / rows[file_id].path).as_posix(), chunk.first_line, chunk.last_line))
        return tuple(found)


def is_own(group: Group) -> bool:
    """Whether a question is one of ours, with an answer or without: neither the benchmark's nor another project's."""
    return group.exact and group.category != FOREIGN


def by_file(group: Group) -> Group:
    """The same question with files as answers: any chunk of a right file will do."""
    if not group.exact:
        return group
    right = {target.path for target in group.targets}
    return group._replace(exact=False, hits=np.array([place.path in right for place in group.places]))


def within_files(group: Group) -> Group | None:
    """The candidates of the right files alone; None where nothing is to be chosen among them."""
    kept = np.isin(group.files, group.files[group.hits])
    if group.hits[kept].all() or not kept.any():
        return None
    places = tuple(place for place, keep in zip(group.places, kept, strict=True) if keep)
    return group._replace(
        exact=True, matrix=group.matrix[kept], files=group.files[kept], places=places, hits=group.hits[kept]
    )


def answers(target: Span, place: Span, exact: bool) -> bool:
    """Whether a chunk answers: the same file, and half of the shorter one of both spans within the other.

    Where the label is coarse the lines only have to touch, and either path may start deeper.
    """
    if exact and target.path != place.path:
        return False
    if not exact and not _same_file(target.path, place.path):
        return False
    if not target.last:
        return True
    shared = min(target.last, place.last) - max(target.first, place.first) + 1
    needed = min(target.last - target.first, place.last - place.first) + 1
    return 2 * shared >= needed if exact else shared > 0


def _same_file(one: str, other: str) -> bool:
    return one == other or one.endswith("/" + other) or other.endswith("/" + one)
