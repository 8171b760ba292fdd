"""What a run leaves: outcomes for every question and configuration, and the figures made of them, as a JSON file."""

from hashlib import blake2b
from pathlib import Path

import msgspec

from lurcher_index.evaluation.intervals import Figure

FORMAT = 2
"""Raised when the file changes so that an older one cannot be compared any more."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one configuration made of one question. A value that does not apply is None."""

    returned: int
    """Chunks in the answer."""
    seconds: float
    answerability: float | None = None
    ndcg: float | None = None
    rank: int | None = None
    """Of the first right chunk, from 1; None also if there is none in the answer."""
    file_rank: int | None = None
    """Of the first chunk of a right file."""
    told_rank: int | None = None
    """Of the first right chunk if what is named beside the answer, without its code, counts as well …"""
    told_file_rank: int | None = None
    """… and of the first chunk of a right file."""
    coverage: float | None = None
    tokens: int | None = None
    """Tokens down to the first right chunk, with it."""
    relative: float | None = None
    """Score of the first right chunk as a share of the best score."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """One question and what became of it."""

    id: str
    labels: str
    """`files` or `spans`: what the right answers are."""
    corpus: str
    language: str
    category: str
    query: str
    outcomes: dict[str, Outcome]
    """By configuration."""


class Area(msgspec.Struct, frozen=True):
    """How well answerability tells questions with an answer from those without."""

    area: Figure
    answerable: int
    unanswerable: int


class Times(msgspec.Struct, frozen=True):
    """Milliseconds of a search. They have no interval: the machine's other work decides more than the questions do."""

    p50: float
    p95: float


class Told(msgspec.Struct, frozen=True):
    """The figures of one configuration."""

    figures: dict[str, Figure]
    """By measure."""
    counts: dict[str, int]
    """Questions behind each."""
    groups: dict[str, dict[str, dict[str, Figure]]]
    """By `category`, `language` or `corpus`, then by its name, then by measure."""
    times: Times
    area: Area | None


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """A whole run."""

    format: int = FORMAT
    made: str
    """When, in UTC."""
    model: str
    """Name of the embedding model."""
    results: int
    """Chunks asked for."""
    left_out: tuple[str, ...]
    configurations: dict[str, Told]
    questions: tuple[Asked, ...]


def question_id(corpus: str, query: str) -> str:
    """The same question in another run."""
    return blake2b(f"{corpus}\0{query}".encode(), digest_size=8).hexdigest()


def without_foreign_words(run: Run) -> Run:
    """The run without the texts of questions that are not this repository's, so that it can be kept there."""
    kept = tuple(each if each.labels == "spans" else msgspec.structs.replace(each, query="") for each in run.questions)
    return msgspec.structs.replace(run, questions=kept)


def write_run(run: Run, file: Path) -> None:
    """Indented, but with one line for each question: a file to be kept, and to be read."""
    head = msgspec.json.format(msgspec.json.encode(msgspec.structs.replace(run, questions=())), indent=1)
    lines = b",\n".join(map(msgspec.json.encode, run.questions))
    file.write_bytes(head.removesuffix(b"[]\n}") + b"[\n" + lines + b"\n]}\n")


def read_run(file: Path) -> Run:
    """A run that was written before; raises `ValueError` with the reason if it is none."""
    try:
        run = msgspec.json.decode(file.read_bytes(), type=Run)
    except msgspec.DecodeError as error:
        raise ValueError(f"{file} is not the result of a run: {error}") from error
    if run.format != FORMAT:
        raise ValueError(f"{file} has format {run.format}, and {FORMAT} is needed")
    return run
