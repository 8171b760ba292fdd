"""Retrieval quality on labelled questions: `python -m benchmarks.quality --questions benchmarks/questions --trees DIR`.

From the bottom: `corpora` fetches the sources, `labels` reads the questions, `results` is what a run leaves, `scoring`
says what an answer is worth, `asking` has the configurations of the engine, `unseen` lets it answer by what has not
learned from the questions, `summary` makes figures of outcomes, `running` does all of it, `tables` and `plots` show it.
"""

from benchmarks.quality.corpora import Corpus, fetch_corpora
from benchmarks.quality.labels import (
    Question,
    SpanQuestion,
    Target,
    read_missing,
    read_questions,
    read_span_questions,
)

__all__ = (
    "Corpus",
    "Question",
    "SpanQuestion",
    "Target",
    "fetch_corpora",
    "read_missing",
    "read_questions",
    "read_span_questions",
)
