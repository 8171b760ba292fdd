"""The labelled questions in `benchmarks/questions` are whole: shape, categories, shares and spans.

Their sources are not in this repository, so spans are compared with lines only where the fixtures are asked about.
"""

import re
import sys
from collections import Counter
from itertools import chain, combinations
from pathlib import Path, PurePosixPath

import msgspec
import pytest

ROOT = Path(__file__).parents[2]
# Tests are imported one by one (importlib mode), and the benchmarks are no installed package.
sys.path.insert(0, str(ROOT))

from benchmarks.registries import KINDS  # noqa: E402

QUESTIONS = ROOT / "benchmarks" / "questions"

CATEGORIES = {"paraphrase", "symptom", "howto", "where", "test", "config", "multi", "symbol", "none"}

FILE_CATEGORIES = {"semantic", "architecture", "symbol"}
"""Those of the field's benchmark, in whose format these questions are."""

LONGEST_ANSWER = 120
"""Lines: one long function with its documentation. More than that is a file, and says nothing about chunks."""

LONGEST_QUERY = 200
"""Characters: a pasted error message; people do not type more into a search."""

CHECKOUT = "checkout"
"""The kind of a corpus that needs no fetching, because it is this repository."""


class Span(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    path: str
    first_line: int
    last_line: int

    def overlaps(self, other: "Span") -> bool:
        return self.path == other.path and self.first_line <= other.last_line and other.first_line <= self.last_line


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    query: str
    category: str
    answers: list[Span]
    alternatives: list[Span]


class Corpus(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    name: str
    language: str
    registry: str
    package: str
    version: str
    package_prefix: str
    repository_prefix: str
    index_root: str


def corpora() -> list[Corpus]:
    files = sorted(QUESTIONS.glob("corpora*.json"))
    return list(chain.from_iterable(msgspec.json.decode(file.read_bytes(), type=list[Corpus]) for file in files))


def questions(corpus: Corpus) -> list[Question]:
    return msgspec.json.decode((QUESTIONS / f"{corpus.name}.json").read_bytes(), type=list[Question])


def everything() -> list[Question]:
    return list(chain.from_iterable(map(questions, corpora())))


every_corpus = pytest.mark.parametrize("corpus", corpora(), ids=lambda corpus: corpus.name)


def test_every_corpus_has_questions_and_the_other_way_round() -> None:
    names = [corpus.name for corpus in corpora()]
    assert len(names) == len(set(names))
    assert set(names) == {path.stem for path in QUESTIONS.glob("*.json") if not path.stem.startswith("corpora")}


@every_corpus
def test_a_corpus_is_pinned(corpus: Corpus) -> None:
    assert corpus.registry in (*KINDS, CHECKOUT)
    assert re.search(r"\d", corpus.version) or corpus.registry == CHECKOUT
    assert corpus.language
    assert corpus.package


@every_corpus
def test_queries_are_short_single_lines_and_asked_once(corpus: Corpus) -> None:
    asked = [question.query for question in questions(corpus)]
    for query in asked:
        assert query == query.strip() != ""
        assert "\n" not in query
        assert len(query) <= LONGEST_QUERY
    folded = [query.casefold() for query in asked]
    assert len(folded) == len(set(folded))


@every_corpus
def test_answers_fit_the_category(corpus: Corpus) -> None:
    for question in questions(corpus):
        assert question.category in CATEGORIES, question.query
        match question.category:
            case "none":
                assert question.answers == question.alternatives == [], question.query
            case "multi":
                assert 2 <= len(question.answers) <= 3, question.query
            case _:
                assert question.answers, question.query


@every_corpus
def test_spans_are_sane_and_lie_in_what_is_indexed(corpus: Corpus) -> None:
    root = PurePosixPath(corpus.index_root)
    for question in questions(corpus):
        for span in (*question.answers, *question.alternatives):
            path = PurePosixPath(span.path)
            assert path.as_posix() == span.path
            assert not path.is_absolute()
            assert ".." not in path.parts
            assert path.is_relative_to(root), f"{span.path} is outside of {root}"
            assert 1 <= span.first_line <= span.last_line, span
            assert span.last_line - span.first_line < LONGEST_ANSWER, span


@every_corpus
def test_an_answer_is_listed_once(corpus: Corpus) -> None:
    """Otherwise one chunk would count twice; alternatives among themselves may overlap."""
    for question in questions(corpus):
        for one, other in combinations(question.answers, 2):
            assert not one.overlaps(other), question.query
        for answer in question.answers:
            assert not any(map(answer.overlaps, question.alternatives)), question.query


@pytest.mark.parametrize(
    "corpus", [corpus for corpus in corpora() if corpus.registry == CHECKOUT], ids=lambda corpus: corpus.name
)
def test_answers_in_this_repository_exist(corpus: Corpus) -> None:
    for question in questions(corpus):
        for span in (*question.answers, *question.alternatives):
            lines = (ROOT / span.path).read_text("utf-8").splitlines()
            assert span.last_line <= len(lines), span
            assert lines[span.first_line - 1].strip(), f"{span} starts with an empty line"
            assert lines[span.last_line - 1].strip(), f"{span} ends with an empty line"


class FileQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    query: str
    category: str
    relevant: list[str]
    secondary: list[str]


def file_questions(corpus: Corpus) -> list[FileQuestion]:
    path = QUESTIONS / "queries" / f"{corpus.name}.json"
    return msgspec.json.decode(path.read_bytes(), type=list[FileQuestion]) if path.exists() else []


@every_corpus
def test_questions_that_files_answer_name_files_of_what_is_indexed(corpus: Corpus) -> None:
    root, asked = PurePosixPath(corpus.index_root), file_questions(corpus)
    assert asked or corpus.registry == CHECKOUT
    assert len({question.query.casefold() for question in asked}) == len(asked)
    answers = Counter(frozenset(question.relevant) for question in asked)
    # Of twenty questions about a small project two may lead to one file.
    assert max(answers.values(), default=0) <= (2 if len(asked) == 20 else 1), "one question is another one's twin"
    assert len(asked) - len(answers) <= 2, "too many questions have the same answer"
    for question in asked:
        assert question.query == question.query.strip() != ""
        assert len(question.query) <= LONGEST_QUERY
        assert question.category in FILE_CATEGORIES
        assert question.relevant, question.query
        paths = [*question.relevant, *question.secondary]
        assert len(paths) == len(set(paths)), question.query
        for path in map(PurePosixPath, paths):
            assert ".." not in path.parts
            assert path.is_relative_to(root), f"{path} is outside of {root}"


def test_every_file_of_such_questions_is_about_a_corpus() -> None:
    known = {corpus.name for corpus in corpora()}
    assert {path.stem for path in (QUESTIONS / "queries").glob("*.json")} <= known


def test_shares_of_the_categories() -> None:
    """No kind of question decides the mean alone, and about one in five has no answer."""
    counts = Counter(question.category for question in everything())
    total = counts.total()
    assert total >= 500
    asked = {
        "paraphrase": counts["paraphrase"],
        "symptom": counts["symptom"],
        "howto, where": counts["howto"] + counts["where"],
        "test, config": counts["test"] + counts["config"],
        "multi": counts["multi"],
        "symbol": counts["symbol"],
        "none": counts["none"],
    }
    assert sum(asked.values()) == total
    for kind, count in asked.items():
        assert 0.05 <= count / total <= 0.22, f"{kind}: {count} of {total}"
    assert 0.15 <= counts["none"] / total <= 0.22


def test_further_questions_without_an_answer() -> None:
    """A line each: of a corpus that is known, asked once, and not what is asked of it elsewhere."""
    lines = (QUESTIONS / "missing.tsv").read_text(encoding="utf-8").splitlines()
    asked = [tuple(line.split("\t")) for line in lines]
    assert {len(each) for each in asked} == {2}
    assert {corpus for corpus, _ in asked} <= {corpus.name for corpus in corpora()}
    assert len({(corpus, query.casefold()) for corpus, query in asked}) == len(asked) >= 300
    assert max(len(query) for _, query in asked) <= LONGEST_QUERY
    elsewhere = {question.query.casefold() for question in everything()}
    assert not elsewhere & {query.casefold() for _, query in asked}
