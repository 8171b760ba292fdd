"""A run from beginning to end: each corpus is indexed once, and every question asked in every configuration."""

import asyncio
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean

from benchmarks.quality.asking import RESULTS, Asker, Configuration
from benchmarks.quality.corpora import Corpus, Report, fetch_corpora
from benchmarks.quality.labels import (
    NONE,
    Question,
    SpanQuestion,
    read_missing,
    read_questions,
    read_span_questions,
)
from benchmarks.quality.results import Asked, Run, question_id
from benchmarks.quality.scoring import score
from benchmarks.quality.summary import MEASURES, tell, values_of
from benchmarks.quality.unseen import Unseen

from lurcher_index import Engine, Settings

Labelled = Question | SpanQuestion


@dataclass(frozen=True, slots=True)
class Sources:
    """Where questions and the sources they are about come from."""

    data: Path | None
    """Questions answered by files: `corpora.json` and `queries/NAME.json`."""
    questions: Path | None
    """Questions answered by spans: `corpora.json` and `NAME.json`."""
    trees: Path
    """Where the sources of the first are, or are put."""
    question_trees: Path
    """Where those of the second are."""
    only: Sequence[str] = ()
    """Names of corpora; none for all."""
    with_missing: bool = False
    """Whether the further questions without an answer are asked, which what ships has learned from."""

    def read(self, report: Report) -> Iterator[tuple[Corpus, list[Labelled]]]:
        """The corpora that can be had, with the questions that can be answered there."""
        if self.data is not None:
            for corpus in fetch_corpora(self.data, self.trees, self.only, report):
                of_files, targets, whole = read_questions(self.data, corpus)
                if targets or whole:
                    report(
                        f"{corpus.name}: {targets} targets and {whole} questions left out: no such files in the tree"
                    )
                yield corpus, [*of_files]
        if self.questions is not None:
            missing = read_missing(self.questions) if self.with_missing else {}
            for corpus in fetch_corpora(self.questions, self.question_trees, self.only, report):
                known = (corpus.name, corpus.language, NONE)
                without = (SpanQuestion(*known, text, (), ()) for text in missing.get(corpus.name, ()))
                yield corpus, [*read_span_questions(self.questions, corpus, report), *without]


def run(
    sources: Sources,
    configurations: Sequence[Configuration],
    settings: Settings,
    store: Path,
    told: Callable[[str], object],
    unseen: Unseen | None = None,
    results: int = RESULTS,
) -> Run:
    """Index, ask for so many results and score. `told` hears how it goes.

    Corpora that `unseen` knows are answered by what has not learned from their questions; others are left out then.
    """
    asked: list[Asked] = []
    left_out: list[str] = []
    model = ""

    def leave_out(line: str) -> None:
        left_out.append(line)
        told(line)

    for corpus, questions in sources.read(leave_out):
        if not questions:
            continue
        if unseen is not None and not unseen.knows(corpus.name):
            leave_out(f"{corpus.name}: left out: what has not seen it is not there")
            continue
        began = time.perf_counter()
        with (
            unseen.asked(corpus.name) if unseen is not None else nullcontext(),
            Engine.open([corpus.root], settings=settings, store=store) as engine,
        ):
            engine.build_all()
            engine.warm()
            model = engine.meaning.embedder.name
            asker = Asker(engine, corpus.root.relative_to(corpus.repository), results)
            found = asyncio.run(ask_all(asker, questions, configurations))
        told(f"{corpus.name:22} {_in_short(found, configurations)}  {time.perf_counter() - began:6.1f} s")
        asked += found
    names = [configuration.name for configuration in configurations]
    return Run(
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        model=model,
        results=results,
        left_out=tuple(left_out),
        configurations=tell(asked, names) if asked else {},
        questions=tuple(asked),
    )


async def ask_all(asker: Asker, questions: Sequence[Labelled], configurations: Sequence[Configuration]) -> list[Asked]:
    """Every question in every configuration."""
    asked: list[Asked] = []
    for at, question in enumerate(questions):
        # Each configuration is the first in turn, for the first one warms the caches of the others.
        turn = at % len(configurations)
        outcomes = {}
        for configuration in (*configurations[turn:], *configurations[:turn]):
            outcomes[configuration.name] = score(question, await asker.ask(question.text, configuration))
        asked.append(
            Asked(
                id=question_id(question.corpus, question.text),
                labels="files" if isinstance(question, Question) else "spans",
                corpus=question.corpus,
                language=question.language,
                category=question.category,
                query=question.text,
                outcomes={configuration.name: outcomes[configuration.name] for configuration in configurations},
            )
        )
    return asked


def _in_short(asked: Sequence[Asked], configurations: Sequence[Configuration]) -> str:
    """The mean of the measure that the questions have, in the last configuration."""
    for name in ("NDCG@10", "chunk@5"):
        values = values_of(asked, configurations[-1].name, MEASURES[name])
        if values:
            return f"{name} {fmean(values):.3f}"
    return f"{math.nan}"
