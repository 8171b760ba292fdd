"""What is understood of a question shapes the search, and every answer tells it."""

from collections.abc import Iterator
from math import sqrt
from pathlib import Path

import pytest
from tests.answers.asked import ask, opened, paths

from lurcher_index import Engine
from lurcher_index.answers import Answer, Empty
from lurcher_index.query.parsed import Intent, Relation
from lurcher_index.results import Outcome, SearchResult
from lurcher_index.wording import Wording

PADDING = "\n".join(f"step_{number} = {number}" for number in range(40))
FILES = {
    "badger.py": f"def dig(badger):\n    return badger\n\n{PADDING}\n",
    "badger.go": "package sett\n\nfunc Dig(badger string) string {\n\treturn badger\n}\n",
    "kettle_a.py": "def kettle_lid_open(): ...\ndef kettle_lid_close(): ...\nclass KettleLid: ...\n",
    "lid.py": "lid = 'the lid alone'\n",
    "notes.md": "# Notes\n\nWhat is said of klingon, python and foxes.\n",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(tmp_path_factory.mktemp("understanding"), FILES) as engine:
        yield engine


def found(result: SearchResult) -> set[str]:
    return {hit.path for hit in result.hits}


def check_widened(answer: Answer | SearchResult, *languages: str) -> None:
    notes = [alert for alert in answer.alerts if "all languages were searched" in alert]
    assert len(notes) == bool(languages)
    assert all(language in note for language in languages for note in notes)


def test_a_language_phrase_is_a_filter_and_leaves_the_question(engine: Engine) -> None:
    answer = ask(engine, "dig badger in golang")
    assert paths(answer) == ["badger.go"]
    assert answer.parsed_query.original == "dig badger in golang"
    assert answer.parsed_query.text == "dig badger"
    assert answer.parsed_query.languages == ("go",)
    assert answer.parsed_query.keywords == ("dig", "badger")
    check_widened(answer)
    by_words = engine.search("dig badger in golang")
    assert found(by_words) == {"badger.go"}
    assert by_words.parsed_query.languages == ("go",)
    assert by_words.words == ("dig", "badger")


def test_a_filter_of_the_request_wins(engine: Engine) -> None:
    answer = ask(engine, "dig badger in golang", languages=["python"])
    assert "badger.py" in paths(answer)
    assert "badger.go" not in paths(answer)
    assert "badger.go" not in found(engine.search("dig badger in golang", languages=["python"]))
    assert "badger.py" in found(engine.search("dig badger in golang", languages=["python"]))


def test_other_filters_hold_beside_the_language(engine: Engine) -> None:
    answer = ask(engine, "badger in python", include=["badger.*"])
    assert paths(answer) == ["badger.py"]
    check_widened(answer)
    widened = ask(engine, "dig badger in python", exclude=["badger.py"], strategies=("tfidf",))
    assert paths(widened) == ["badger.go"]
    check_widened(widened, "python")


def test_a_language_that_leaves_nothing_is_dropped_and_that_is_said(engine: Engine) -> None:
    answer = ask(engine, "dig badger in haskell", strategies=("tfidf",))
    assert {"badger.py", "badger.go"} <= set(paths(answer))
    check_widened(answer, "haskell")
    check_widened(engine.search("dig badger in haskell"), "haskell")
    assert {"badger.py", "badger.go"} <= found(engine.search("dig badger in haskell"))


def test_what_is_found_nowhere_stays_empty_whatever_the_language(engine: Engine) -> None:
    answer = ask(engine, "wombat in go", strategies=("tfidf",))
    assert answer.chunks == ()
    assert engine.search("wombat in go").outcome is Outcome.NO_MATCH


def test_a_language_in_which_nothing_seems_to_answer_is_dropped_if_another_answers(tmp_path: Path) -> None:
    code = "package main\n\nfunc parse%d(config int) int {\n\treturn config + %d\n}\n"
    boxes = {f"parse{number}.go": code % (number, number) for number in range(5)}
    pay = 'def retry_failed_payment(backoff):\n    """Retry a failed payment with exponential backoff."""\n'
    with opened(tmp_path, {**boxes, "pay.py": pay}) as engine:
        widened = ask(engine, "retry failed payment config with exponential backoff in go")
        nowhere = ask(engine, "zookeeper ingress of all kubernetes brokers in go")
    assert paths(widened)[0] == "pay.py"
    check_widened(widened, "go")
    assert nowhere.empty is Empty.BELOW_SPREAD
    assert all(each.path.endswith(".go") for each in nowhere.nearby)
    check_widened(nowhere)


def test_every_answer_tells_what_was_understood(engine: Engine) -> None:
    parsed = ask(engine, "who calls Dig").parsed_query
    assert parsed.intent is Intent.FACTUAL
    assert parsed.cross_reference is not None
    assert (parsed.cross_reference.relation, parsed.cross_reference.name) == (Relation.CALLERS, "Dig")
    assert parsed.looks_like.is_question
    assert not parsed.used_model
    assert next(each.term for each in ask(engine, "auth").parsed_query.expanded) == "authentication"


def test_related_terms_are_searched_for_only_on_demand(engine: Engine) -> None:
    assert "login" not in ask(engine, "auth", strategies=("tfidf",)).parsed_query.terms
    assert "login" in ask(engine, "auth", strategies=("tfidf",), expand=True).parsed_query.terms


def test_words_of_the_workspaces_names_are_gathered_in_the_background(engine: Engine) -> None:
    # The loop of the first question waits at its end for what it left to a thread.
    ask(engine, "kettle", expand=True, strategies=("tfidf",))
    answer = ask(engine, "kettle", expand=True, strategies=("tfidf",))
    assert [each.term for each in answer.parsed_query.expanded] == ["lid"]
    assert paths(answer)[0] == "kettle_a.py"
    assert "lid.py" in {chunk.path for chunk in answer.chunks} or answer.dropped.spread


def test_the_vocabulary_follows_the_index(engine: Engine) -> None:
    wording = Wording(engine.workspace.catalog)
    assert wording.vocabulary.companions("kettle") == ()
    wording.catch_up()
    once = dict(wording.vocabulary.companions("kettle"))
    wording.catch_up()
    assert once == dict(wording.vocabulary.companions("kettle")) == {"lid": pytest.approx(3 / sqrt(3 * 4))}


def test_a_closed_index_leaves_the_vocabulary_as_it_is(engine: Engine) -> None:
    with Engine.open([engine.workspace.folders[0].path], store=":memory:") as other:
        other.build()
        wording = Wording(other.workspace.catalog)
    wording.catch_up()
    assert wording.vocabulary.companions("kettle") == ()
