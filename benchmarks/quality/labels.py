"""Labelled questions of two kinds: answered by files (the field's benchmark), or by spans of lines (our own)."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec
from benchmarks.quality.corpora import Corpus, Report, to_stderr

MULTI = "multi"
"""Category of questions whose answer stands in several places."""

NONE = "none"
"""Category of questions that have no answer."""

MISSING = "missing.tsv"
"""Further ones of these, which a ranker learns from: only one that has not can be asked."""


@dataclass(frozen=True, slots=True)
class Target:
    """A file that answers a question, or some of its lines; `last` 0 is the whole file."""

    path: str
    first: int = 0
    last: int = 0

    def holds(self, path: str, first: int, last: int) -> bool:
        """Whether a chunk is an answer: the same file (either path may start deeper), touching lines."""
        same = path == self.path or path.endswith("/" + self.path) or self.path.endswith("/" + path)
        return same and (not self.last or (first <= self.last and last >= self.first))


@dataclass(frozen=True, slots=True)
class Question:
    """A question that files answer."""

    corpus: str
    language: str
    category: str
    text: str
    targets: tuple[Target, ...]


class Span(msgspec.Struct, frozen=True):
    """Lines of a file, from 1, both ends included; the path starts at the root of the repository."""

    path: str
    first_line: int
    last_line: int

    def is_hit(self, path: str, first: int, last: int) -> bool:
        """Whether a chunk is this span: the same file, and half of the shorter one of both lies in the other."""
        if path != self.path:
            return False
        shared = min(last, self.last_line) - max(first, self.first_line) + 1
        shorter = min(last - first, self.last_line - self.first_line) + 1
        return 2 * shared >= shorter


@dataclass(frozen=True, slots=True)
class SpanQuestion:
    """A question that spans of lines answer; none of them if its category is `NONE`."""

    corpus: str
    language: str
    category: str
    text: str
    answers: tuple[Span, ...]
    alternatives: tuple[Span, ...]


class _Entry(msgspec.Struct, frozen=True):
    query: str
    category: str
    answers: tuple[Span, ...]
    alternatives: tuple[Span, ...] = ()


def read_questions(data: Path, corpus: Corpus) -> tuple[list[Question], int, int]:
    """The questions that can be answered, and how many targets and whole questions were left out.

    Not every corpus has questions of this kind.
    """
    labels = data / "queries" / f"{corpus.name}.json"
    if not labels.exists():
        return [], 0, 0
    files = [path.relative_to(corpus.repository).as_posix() for path in corpus.root.rglob("*") if path.is_file()]
    questions: list[Question] = []
    missing = unanswerable = 0
    for entry in json.loads(labels.read_text(encoding="utf-8")):
        named = [_target(target) for target in (*entry["relevant"], *entry["secondary"])]
        targets = tuple(t for t in named if any(Target(t.path).holds(file, 1, 1) for file in files))
        missing += len(named) - len(targets)
        if targets:
            questions.append(Question(corpus.name, corpus.language, entry["category"], entry["query"], targets))
        else:
            unanswerable += 1
    return questions, missing, unanswerable


def read_span_questions(folder: Path, corpus: Corpus, report: Report = to_stderr) -> list[SpanQuestion]:
    """The questions whose answers are in the tree; what is left out is reported.

    In another version lines move, and nothing tells whether the right ones are meant: then no question is left.
    """
    entries = msgspec.json.decode((folder / f"{corpus.name}.json").read_bytes(), type=list[_Entry])
    if corpus.moved:
        report(f"{corpus.name}: {len(entries)} questions left out: {corpus.moved}")
        return []
    lines = cache(lambda path: _line_count(corpus.repository, path))
    questions: list[SpanQuestion] = []
    for entry in entries:
        missing = [span for span in (*entry.answers, *entry.alternatives) if lines(span.path) < span.last_line]
        lost = [span for span in missing if span in entry.answers]
        for span in lost[:1] or missing:
            what = "left out" if lost else "asked without an alternative"
            where = f"{span.path}:{span.first_line}-{span.last_line}"
            report(f"{corpus.name}: {entry.query!r} {what}: no {where} in the tree")
        if not lost:
            alternatives = tuple(span for span in entry.alternatives if span not in missing)
            known = (corpus.name, corpus.language, entry.category, entry.query)
            questions.append(SpanQuestion(*known, entry.answers, alternatives))
    return questions


def read_missing(folder: Path) -> dict[str, list[str]]:
    """Further questions without an answer, by their corpus: a line each, a tab between the two."""
    found: dict[str, list[str]] = {}
    if (file := folder / MISSING).exists():
        for line in file.read_text(encoding="utf-8").splitlines():
            corpus, _, text = line.partition("\t")
            found.setdefault(corpus, []).append(text)
    return found


def _target(value: str | dict[str, Any]) -> Target:
    if isinstance(value, str):
        return Target(value)
    return Target(value["path"], int(value["start_line"]), int(value["end_line"]))


def _line_count(repository: Path, path: str) -> int:
    """Lines of a file of a repository, -1 if there is no such file."""
    if not _is_inside(PurePosixPath(path).parts):
        return -1
    try:
        return len((repository / path).read_bytes().splitlines())
    except OSError:
        return -1


def _is_inside(parts: Sequence[str]) -> bool:
    return bool(parts) and ".." not in parts and not parts[0].startswith("/")
