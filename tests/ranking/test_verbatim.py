"""What of a question stands in a text word for word."""

from collections.abc import Sequence

import pytest

from lurcher_index.ranking.verbatim import IN_A_ROW, LONG, MOST_RUNS, MOST_TEXTS, Runs, runs_of, said_by

MESSAGE = b'raise ConfigError(f"Cannot mock this class: {name!r}. Is it final?")\n'
TRACEBACK = 'Traceback (most recent call last):\n  File "/srv/shop/pay.py", line 7, in charge\nCardError: declined'


def words_said(texts: Sequence[bytes], runs: Runs) -> list[str]:
    return [each.words for each in said_by(texts, runs)]


def check(question: str, text: bytes, said: str) -> None:
    assert words_said([text], runs_of(question)) == [said]


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


def test_numbers_and_addresses_say_nothing() -> None:
    check("nodes at 10.0.0.1 rebalance", b"HOSTS = ['10.0.0.1']", "")
    check("why 0 0 1 2", b"STEPS = [0, 0, 1, 2]", "")
    check("ingress for https://github.com/kubernetes/ingress", b"# see https://github.com/kubernetes/ingress", "")


def test_a_traceback_is_told_by_its_message() -> None:
    check(TRACEBACK, b'print("Traceback (most recent call last):")', "")
    said = b'raise CardError("declined by the issuing bank")'
    check(TRACEBACK + " by the issuing bank", said, "carderror declined by the issuing")


def test_what_many_texts_say_is_no_proof() -> None:
    runs = runs_of("does from collections.abc import Sequence fail")
    said = b"from collections.abc import Sequence\n"
    assert words_said([said] * MOST_TEXTS, runs) == ["collections abc import"] * MOST_TEXTS
    assert words_said([said] * (MOST_TEXTS + 1), runs) == [""] * (MOST_TEXTS + 1)


def test_what_is_said_at_length_is_one_however_many_texts_say_it() -> None:
    runs = runs_of('"The SECRET_KEY setting must not be empty."')
    said = b'raise Improper("The SECRET_KEY setting must not be empty.")'
    assert all(words_said([said] * (MOST_TEXTS + 3), runs))
    assert not any(words_said([said.replace(b"setting", b"value")] * (MOST_TEXTS + 3), runs))


def test_parts_of_a_dotted_name_are_not_what_somebody_said() -> None:
    asked = "django.core.exceptions.FieldError: Cannot resolve keyword 'foo' into field"
    check(asked, b"from django.core.exceptions import FieldError", "")
    check(asked, b"\"Cannot resolve keyword '%s' into field\"", "cannot resolve keyword")


def test_a_dotted_name_is_one_word_among_others() -> None:
    asked = "startup fails with: Value for server.tls.certificate must exist"
    check(asked, b'"Value for server.tls.certificate must exist"', "value for server tls certificate must")
    check(asked, b'"Value for server.tls.key must exist"', "")
    check("move a.b.c d.e.f", b"move(a.b.c, d.e.f)", "")


@pytest.mark.parametrize("between", ["app.core.plugins", "https://example.org/plugins"])
def test_words_on_both_sides_of_a_name_were_not_said_in_a_row(between: str) -> None:
    asked = f"it cannot load {between} module named parser"
    check(asked, b"'cannot load module named so'", "")
    check(asked, b"'module named parser'", "module named parser")


def test_a_name_with_many_parts_makes_no_long_row() -> None:
    runs = runs_of("does from app.core.plugins.loading.base import loader fail")
    assert not any(run.is_long and b"loader" in run.words for run in runs.every)
    said = b"from app.core.plugins.loading.base import loader\n"
    assert words_said([said] * (MOST_TEXTS + 1), runs) == [""] * (MOST_TEXTS + 1)


def test_a_message_may_go_over_lines_and_be_written_in_any_script() -> None:
    check("wrong number of columns", b'"Wrong number"\n    " of columns"', "wrong number of columns")
    check("Файл уже открыт: a.txt", "# Файл уже открыт\n".encode(), "Файл уже открыт")


def test_a_name_is_one_word() -> None:
    check("max_retry_count", b"max_retry_count = 3", "")
    check("set max_retry_count limit", b"# set max_retry_count limit", "set max_retry_count limit")
    check("retry count limit", b"max_retry count limit", "")


def test_of_a_long_question_the_first_and_the_last_runs_are_looked_for() -> None:
    words = [f"word{number}" for number in range(10 * MOST_RUNS)]
    runs = runs_of(" ".join(words)).every
    assert len(runs) == 2 * MOST_RUNS
    for kind, length in ((runs[:MOST_RUNS], IN_A_ROW), (runs[MOST_RUNS:], LONG)):
        assert kind[0].words == tuple(word.encode() for word in words[:length])
        assert kind[-1].words == tuple(word.encode() for word in words[-length:])


def test_nothing_stands_in_nothing() -> None:
    check("cannot mock this class", b"", "")
    check("\ud800 cannot mock this class", b"\xff\xfe\x00", "")
    assert words_said([MESSAGE], Runs()) == [""]
    assert said_by([], runs_of("cannot mock this class")) == []


@pytest.mark.parametrize(
    ("question", "share"),
    [
        ("cannot mock this class", 1.0),
        ("cannot mock this class: it says so. Is it final?", 3 / 5),
        ("why does the build say: cannot mock this class, once the agent has been loaded twice", 3 / 9),
        ("cannot mock this class https://example.org/errors cannot mock this class", 1.0),
        ("cannot mock", 0.0),
    ],
)
def test_how_much_of_a_question_is_said(question: str, share: float) -> None:
    (saying,) = said_by([MESSAGE], runs_of(question))
    assert saying.share == pytest.approx(share), saying


def test_places_of_files_are_no_words() -> None:
    imports = b'import (\n\t"github.com/restic/restic/internal/restic"\n)\n'
    check("panic in github.com/restic/restic/internal/restic.ApplyPolicy at cmd", imports, "")


@pytest.mark.parametrize(
    "path",
    [
        "/home/me/acme/settings/config.yaml",
        r"C:\Work\acme\settings\config.yaml",
        r"'C:\\Work\\acme\\settings\\config.yaml'",
        "d:/acme/settings/config.yaml",
        r"D:\config.yaml",
        r"\\server\acme\settings\config.yaml",
        r"(\\\\server\\acme\\settings\\config.yaml)",
        r"[\\server\acme\settings\config.yaml]",
    ],
)
def test_a_path_in_a_message_is_what_a_program_filled_in(path: str) -> None:
    runs = runs_of(f"configuration file {path} is not readable by this daemon")
    (made,) = said_by([b'f"configuration file {path} is not readable by this daemon"'], runs)
    assert (made.words, made.share) == ("not readable by this daemon", 3 / 5)
    assert words_said([b"settings: config.yaml is not readable"], runs) == [""]


def test_backslashes_alone_make_no_path() -> None:
    check(r"cannot mock\nthis class\nfinal", rb"cannot mock\nthis class\nfinal", "cannot mock nthis")


@pytest.mark.parametrize("unit", ["\\", "C:", "C:\\", "\\\\a", "'\\\\", "a\\", "(\\\\a ", "/", "a/", "x:/ ", "//"])
def test_an_odd_text_ends(unit: str) -> None:
    assert len(runs_of((unit * 1_000_000)[:999_999] + "!").every) <= 2 * MOST_RUNS
