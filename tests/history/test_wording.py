"""Messages as questions."""

import pytest

from lurcher_index.history.wording import LeftOut, is_telling, names_a_file, question_of, why_not


@pytest.mark.parametrize(
    ("message", "question"),
    [
        ("Close idle sessions\n\nThey leak.\n", "Close idle sessions"),
        ("fix: close idle sessions (#12)", "close idle sessions"),
        ("feat(router)!: match optional segments", "router match optional segments"),
        ("Parser: accept tabs", "Parser: accept tabs"),
        ("Close idle sessions, fixes #12", "Close idle sessions,"),
        ("Close idle sessions GH-7 https://example.org/7", "Close idle sessions"),
        ("Explain src/app.py in C# 3", "Explain src/app.py in C# 3"),
        ("   \n\n  Close   idle sessions", "Close idle sessions"),
    ],
)
def test_the_first_line_is_asked_without_what_nobody_would_type(message: str, question: str) -> None:
    assert question_of(message, with_body=False) == question


def test_the_body_is_asked_without_its_trailers() -> None:
    message = (
        "Close idle sessions\n\nThey leak: one per\nlogin.\n\nFixes: #4\nSigned-off-by: Ada <a@b.c>\n"
        "Change-Id: I0123\n(cherry picked from commit 0123456789abcdef)\n"
    )
    assert question_of(message, with_body=True) == "Close idle sessions They leak: one per login."


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ('Revert "Close idle sessions"', LeftOut.REVERT),
        ("Undo it\n\nThis reverts commit 0123.", LeftOut.REVERT),
        ("fixup! Close idle sessions", LeftOut.UNFINISHED),
        ("WIP sessions and more", LeftOut.UNFINISHED),
        ("Bump lodash from 1.0 to 1.1", LeftOut.RELEASE),
        ("chore(release): 2.4.0", LeftOut.RELEASE),
        ("v2.4.0-rc1", LeftOut.RELEASE),
        ("Release 2.4 of everything", LeftOut.RELEASE),
        ("Update version to 3", LeftOut.RELEASE),
        ("Release the lock before the build waits", None),
        ("Run black", LeftOut.FORMATTING),
        ("Fix lint errors", LeftOut.FORMATTING),
        ("Reformat all files", LeftOut.FORMATTING),
        ("style: blank lines between methods", LeftOut.FORMATTING),
        ("Remove trailing whitespace", LeftOut.FORMATTING),
        ("Fix formatting of dates in reports", None),
        ("Whitespace inside of tokens is kept", None),
        ("Format dates as the locale says", None),
        ("Close idle sessions", None),
    ],
)
def test_messages_that_ask_nothing_are_told_apart(message: str, reason: LeftOut | None) -> None:
    assert why_not("Ada <ada@example.org>", message) is reason


@pytest.mark.parametrize(
    ("author", "is_bot"),
    [
        ("dependabot[bot] <49699333+dependabot[bot]@users.example.org>", True),
        ("Renovate Bot <bot@example.org>", True),
        ("pre-commit-ci <x@example.org>", True),
        ("Abbott Botha <abbott@example.org>", False),
    ],
)
def test_bots_are_known_by_their_names(author: str, is_bot: bool) -> None:
    assert (why_not(author, "Close idle sessions") is LeftOut.BOT) is is_bot


@pytest.mark.parametrize(
    ("question", "telling"),
    [
        ("Fix tests", False),
        ("Use the other one for this", False),
        ("Update 1 2 3 4", False),
        ("Close idle sessions", True),
        ("Fix parseHTTPRequest", True),
        ("关闭空闲会话", True),
    ],
)
def test_a_question_needs_some_telling_words(question: str, telling: bool) -> None:
    assert is_telling(question) is telling


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("Close sessions in src/session.py.", True),
        ("session.py: close idle ones", True),
        ("Mend `session.py`", True),
        ("Close every session", False),
        ("my-session.py is another file", False),
        ("Ignore more in .gitignore", True),
        ("Mend the Makefile", False),
    ],
)
def test_a_question_that_names_a_file_is_easy(question: str, named: bool) -> None:
    assert names_a_file(question, ("src/session.py", ".gitignore", "Makefile")) is named
