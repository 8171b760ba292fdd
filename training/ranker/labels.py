"""Labelled questions of four kinds, in one form."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, cast

from benchmarks.quality import Corpus, fetch_corpora, read_missing, read_questions

from lurcher_index import Settings

PATIENT = Settings(parse_seconds=3_600.0, file_seconds=3_600.0)
"""How trees are read. On a busy machine a large file takes longer than anybody would wait for in an editor; what is
learned must not depend on that."""


FOREIGN = "foreign"
"""The category of a question that was asked of another project."""

NONE = "none"
"""The category of a question that was written to have no answer."""

FILED = "files: "
"""How the categories of our questions begin that files answer."""


class Span(NamedTuple):
    """Lines of a file that answer a question; `last` 0 means the whole file."""

    path: str
    """From the root of the repository."""
    first: int
    last: int


class Labelled(NamedTuple):
    """A question and what answers it; nothing answers one without targets."""

    text: str
    category: str
    targets: tuple[Span, ...]
    exact: bool
    """Whether the targets are spans that were chosen with care: then a chunk has to lie there, not just its file."""


class Tree(NamedTuple):
    """Sources with questions about them."""

    name: str
    language: str
    repository: Path
    root: Path
    """The part that is indexed."""
    questions: tuple[Labelled, ...]


def benchmark_trees(data: Path, trees: Path) -> Iterator[Tree]:
    """Questions that files answer, of the field's benchmark or in its format, as far as labels lie in a folder."""
    for corpus in fetch_corpora(data, trees, []):
        questions = tuple(
            Labelled(each.text, each.category, tuple(Span(t.path, t.first, t.last) for t in each.targets), False)
            for each in read_questions(data, corpus)[0]
        )
        yield _tree(corpus, questions)


def own_trees(data: Path, trees: Path) -> Iterator[Tree]:
    """The project's own questions: spans of lines that answer, and questions without an answer."""
    missing = read_missing(data)
    for corpus in fetch_corpora(data, trees, []):
        entries = json.loads((data / f"{corpus.name}.json").read_text(encoding="utf-8"))
        without = (Labelled(text, NONE, (), True) for text in missing.get(corpus.name, ()))
        yield _tree(corpus, (*map(_own, entries), *without))


def filed_trees(data: Path, trees: Path) -> Iterator[Tree]:
    """The project's own questions that files answer, about the same sources; those without any are left out."""
    for tree in benchmark_trees(data, trees):
        if tree.questions:
            yield tree._replace(
                questions=tuple(each._replace(category=FILED + each.category) for each in tree.questions)
            )


def asked_in(data: Path) -> frozenset[tuple[str, str]]:
    """Which questions a folder of ours holds: the name of the repository and the text."""
    files = [path for path in sorted(data.glob("*.json")) if path.name != "corpora.json"]
    return frozenset(
        (path.stem, str(entry["query"])) for path in files for entry in json.loads(path.read_text(encoding="utf-8"))
    )


def _own(entry: dict[str, object]) -> Labelled:
    spans = [*_listed(entry["answers"]), *_listed(entry.get("alternatives", []))]
    targets = tuple(Span(span["path"], int(span["first_line"]), int(span["last_line"])) for span in spans)
    return Labelled(str(entry["query"]), str(entry["category"]), targets, True)


def _listed(value: object) -> list[dict[str, str]]:
    return list(cast("list[dict[str, str]]", value)) if isinstance(value, list) else []


def _tree(corpus: Corpus, questions: tuple[Labelled, ...]) -> Tree:
    return Tree(corpus.name, corpus.language, corpus.repository, corpus.root, questions)
