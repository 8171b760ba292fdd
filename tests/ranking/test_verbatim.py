"""What of a question stands in a text word for word."""

import pytest

from lurcher_index.ranking.verbatim import IN_A_ROW, MOST_RUNS, runs_of, said_by

MESSAGE = b'raise ConfigError(f"Cannot mock this class: {name!r}. Is it final?")\n'


def check(question: str, text: bytes, said: str) -> None:
    assert said_by(text, runs_of(question)) == said


@pytest.mark.parametrize(
    "question",
    ["cannot mock this class: com.acme.Foo", "it says 'Cannot mock this Class' and stops", "CANNOT MOCK THIS CLASS"],
)
def test_a_pasted_message_stands_where_it_is_made(question: str) -> None:
    check(question, MESSAGE, "cannot mock this class")


@pytest.mark.parametrize(
    "question",
    ["mock a class that cannot be final", "cannot mock final classes", "which class cannot be mocked", "class", ""],
)
def test_the_same_words_in_another_order_do_not(question: str) -> None:
    check(question, MESSAGE, "")


def test_words_that_say_nothing_count_nothing_but_have_to_be_there() -> None:
    check("is it in the file", b"is it in the file", "")
    check("names on the bus daemon", b"# Names on the bus daemon\n", "names on the bus daemon")
    check("names on the bus daemon", b"# Names of the bus daemon\n", "")


def test_a_message_may_go_over_lines_and_be_written_in_any_script() -> None:
    check("wrong number of columns", b'"Wrong number"\n    " of columns"', "wrong number of columns")
    check("Файл уже открыт: a.txt", "# Файл уже открыт\n".encode(), "Файл уже открыт")


def test_a_name_is_one_word() -> None:
    check("max_retry_count", b"max_retry_count = 3", "")
    check("set max_retry_count limit", b"# set max_retry_count limit", "set max_retry_count limit")
    check("retry count limit", b"max_retry count limit", "")


def test_of_a_long_question_the_first_and_the_last_runs_are_looked_for() -> None:
    words = [f"word{number}" for number in range(10 * MOST_RUNS)]
    runs = runs_of(" ".join(words))
    assert len(runs) == MOST_RUNS
    assert runs[0][0] == b"word0"
    assert runs[-1] == tuple(word.encode() for word in words[-IN_A_ROW:])


def test_nothing_stands_in_nothing() -> None:
    assert said_by(b"", runs_of("cannot mock this class")) == ""
    assert said_by(MESSAGE, ()) == ""
    assert said_by(b"\xff\xfe\x00", runs_of("\ud800 cannot mock this class")) == ""
