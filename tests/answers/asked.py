"""Engines in memory over small trees, and questions to them."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.files.trees import plant

from lurcher_index import Engine
from lurcher_index.answering import Answerer
from lurcher_index.answers import Answer
from lurcher_index.asking import Ask
from lurcher_index.engine import MEMORY
from lurcher_index.models import Serving
from lurcher_index.strategies.interface import Strategy


@contextmanager
def opened(place: Path, files: Mapping[str, str | bytes], *, embeddings: bool = True) -> Iterator[Engine]:
    """An engine over a tree, complete and in memory."""
    place.mkdir(parents=True, exist_ok=True)
    with Engine.open([plant(place, files)], store=MEMORY, embeddings=embeddings) as engine:
        assert engine.build_all() if embeddings else engine.build()
        yield engine


def ask(engine: Engine, text: str, heard: Callable[[Answer], object] | None = None, **how: Any) -> Answer:
    """The answer to a question, of ten results if nothing else is said; filters as `Engine.filters` takes them."""
    names = {"include", "exclude", "languages", "paths", "content"} & how.keys()
    filters = engine.filters(**{name: how.pop(name) for name in names})
    sized = how if {"max_results", "token_budget"} & how.keys() else {"max_results": 10, **how}
    return asyncio.run(engine.ask(Ask(text=text, filters=filters, **sized), heard))


def race(engine: Engine, strategies: Sequence[Strategy], text: str, **how: Any) -> Answer:
    """The answer of some strategies of one's own, in place of the engine's; `meaning` may be another one too."""
    heard = how.pop("heard", None)
    meaning = how.pop("meaning", engine.meaning)
    answerer = Answerer(engine.workspace, strategies, lambda: Serving(meaning), how.pop("judge", None))
    sized = how if {"max_results", "token_budget"} & how.keys() else {"max_results": 10, **how}
    return asyncio.run(answerer.answer(Ask(text=text, **sized), heard))


def paths(answer: Answer) -> list[str]:
    """The files of an answer's chunks, in their order."""
    return [chunk.path for chunk in answer.chunks]
