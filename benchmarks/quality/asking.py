"""The configurations that are compared, and the engine that is asked in each of them."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.quality.scoring import Given, Place

from lurcher_index import Engine
from lurcher_index.asking import RULES, Ask, Mode, narrowed
from lurcher_index.presenting import Passage
from lurcher_index.query.parser import parse
from lurcher_index.ranking.spread import spread
from lurcher_index.rendering import dedented, with_source
from lurcher_index.strategies.tfidf import Tfidf
from lurcher_index.text.tokens import estimate_tokens
from lurcher_index.view import View
from lurcher_index.words.filters import Filters

RESULTS = 50
"""Results asked for: more than count, so that the engine ranks as for a chat, not for a short list."""

ALL = "-all"
"""What the name of a configuration ends with if nothing is filtered."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """One way to ask the engine."""

    name: str
    shape: dict[str, Any] = field(default_factory=dict)
    """What is said in an `Ask` beyond the text and the number of results."""
    by_vectors_alone: bool = False
    """Whether the nearest vectors are the answer as they come, which no `Ask` can say."""

    @property
    def is_filtered(self) -> bool:
        """Whether what is far weaker than the best is left out, as it is for people."""
        return not self.name.endswith(ALL)


def _both(name: str, shape: dict[str, Any], by_vectors_alone: bool = False) -> tuple[Configuration, ...]:
    return (
        Configuration(name, shape, by_vectors_alone),
        Configuration(name + ALL, shape | {"unfiltered": True}, by_vectors_alone),
    )


CONFIGURATIONS = {
    each.name: each
    for each in (
        *_both("words", {"strategies": (Tfidf.id,), "ranker": RULES}),
        *_both("dense", {}, by_vectors_alone=True),
        *_both("fused", {"rerank": False}),
        *_both("rules", {"ranker": RULES}),
        *_both("features", {"mode": Mode.FEATURES}),
        *_both("auto", {"mode": Mode.AUTO}),
        *_both("learned", {}),
    )
}
"""Words; vectors; both fused; reranked by rules; features alone, and first; reranked as people get it. Each with the
filters and without."""


class Asker:
    """Asks one engine about one corpus."""

    def __init__(self, engine: Engine, inside: Path, results: int = RESULTS) -> None:
        """`inside` is where the indexed part lies in its repository, since answers are told from there."""
        self._engine = engine
        self._inside = inside
        self._results = results

    async def ask(self, text: str, configuration: Configuration) -> Given:
        """The answer in one configuration."""
        began = time.perf_counter()
        if configuration.by_vectors_alone:
            passages = self._nearest(text)
            took = time.perf_counter() - began
            places = [self._place(passage) for passage in passages]
            if configuration.is_filtered:
                places = list(spread(places, lambda place: place.score, self._results).kept)
            return Given(tuple(places), took)
        answer = await self._engine.ask(Ask(text=text, max_results=self._results, **configuration.shape))
        took = time.perf_counter() - began
        places = [
            Place(self._path(chunk.path), chunk.first_line, chunk.last_line, chunk.tokens, chunk.score)
            for chunk in answer.chunks
        ]
        named = [Place(self._path(each.path), each.first_line, each.last_line) for each in answer.nearby]
        return Given(tuple(places), took, answer.answerability, tuple(named))

    def _nearest(self, text: str) -> Sequence[Passage]:
        """The nearest chunks. The question is understood as in any other search, so that only the retrieval differs."""
        meaning, view = self._engine.meaning, View(self._engine.workspace)
        parsed = parse(text)
        vector = meaning.embedder.embed_query(parsed.text)
        found = meaning.similar(view, vector, narrowed(Filters(), parsed), self._results)
        found = found or meaning.similar(view, vector, Filters(), self._results)
        return view.passages(found, stop_at=self._results)[0]

    def _place(self, passage: Passage) -> Place:
        chunk, path = passage.chunk, passage.row.path
        lines = (chunk.first_line, chunk.last_line)
        code = dedented(passage.data.decode("utf-8", "replace"))
        tokens = estimate_tokens(with_source(path, lines, None, passage.held.outline.language, code))
        return Place(self._path(path), *lines, tokens, passage.candidate.score)

    def _path(self, path: str) -> str:
        return (self._inside / path).as_posix()
