"""The engine dies, the line is cut or falls silent while an editor searches: the search on this machine answers."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from tests.history.repositories import needs_git
from tests.remote.faults.desks import NAME, QUESTION, Desk, Shown, shown
from tests.server.client import Client, Message

pytestmark = needs_git

REMOTE = "workspace/chunkSearch/remote"


def check_local(answer: Message, expected: Shown, outcome: str, detail: str) -> None:
    """The search here won, and began in the moment in which the other one was over, or overdue."""
    rows: dict[str, Any] = {each["strategy"]: each for each in answer["attempts"]}
    asked, won = rows["codeSearch"], rows["embeddings"]
    assert (asked["outcome"] in outcome, won["outcome"]) == (True, "won"), answer["attempts"]
    assert detail in asked["detail"]
    if not asked["timedOut"]:
        assert won["started"] >= asked["ended"]
        between = [row for row in rows.values() if row["started"] is not None and row is not won and row is not asked]
        assert all(row["ended"] <= asked["started"] or row["started"] >= won["started"] for row in between)
    assert shown(answer)[0] == expected[0]
    assert answer["complete"], answer["alerts"]


def states(editor: Client, action: str = "status") -> list[tuple[str, str]]:
    answer: Message = editor.ask(REMOTE, {"action": action})
    return [(each["state"], each["detail"]) for each in answer["repositories"]]


@pytest.fixture
def editor(desk: Desk) -> Iterator[Client]:
    with desk.editor() as client:
        yield client


def test_slow_cut_and_killed_in_the_middle_of_a_search(desk: Desk, editor: Client) -> None:
    expected = desk.open(editor)
    desk.site.proxy.slow_down(0.05)
    answer = editor.search(QUESTION)
    assert (answer["strategy"], shown(answer)) == ("codeSearch", expected)
    troubles: list[Callable[[], object]] = [lambda: None, desk.site.kill]
    for trouble in troubles:
        desk.site.proxy.cut_after(1, trouble)
        check_local(editor.search(QUESTION), expected, "failed", "did not answer; check that it runs")
        # Nobody else waits for it, and people are told why.
        check_local(editor.search(QUESTION), expected, "cannot search", f"{NAME} is not to be reached")
        ((state, detail),) = states(editor)
        assert (state, "check that it runs" in detail) == ("couldNotCheck", True)
        if trouble == desk.site.kill:
            told = desk.team.lurcher("remote", "status", "--workspace", str(desk.checkout), "--check")
            assert "couldNotCheck" in told
            assert "check that it runs and can be reached from here" in " ".join(told.split())
        desk.site.start()
        assert states(editor, "check") == [("ready", "")]
        answer = editor.search(QUESTION)
        assert (answer["strategy"], shown(answer)) == ("codeSearch", expected)


def check_silence(desk: Desk, silence: Callable[[], None]) -> None:
    """Searches that were under way wait as long as the race lets them; later ones do not, and the server can leave."""
    with desk.editor() as editor:
        expected = desk.open(editor)
        silence()
        # More at once than an event loop has threads.
        begun = [
            editor.begin("workspace/chunkSearch", {"query": f"{QUESTION}{' ' * at}", "maxResults": 10})
            for at in range(9)
        ]
        for request in begun:
            answer = editor.answer(request)["result"]
            # A connection that is to be made is given up sooner than one that is there.
            check_local(answer, expected, "failed, timed out", "")
        check_local(editor.search(QUESTION), expected, "cannot search", "did not answer")
        ((state, detail),) = states(editor)
        assert (state, "did not answer" in detail) == ("couldNotCheck", True)
        # What still waits for the engine does not keep the server from leaving.


def test_a_silent_line(postgres_desk: Desk) -> None:
    check_silence(postgres_desk, postgres_desk.site.proxy.hold)


@pytest.mark.heavy
@pytest.mark.parametrize("way", ["silent", "half-open"])
def test_a_silent_line_of_each_kind(desk: Desk, way: str) -> None:
    check_silence(desk, desk.site.proxy.hold if way == "silent" else desk.site.proxy.hold_answers)


def test_a_server_that_is_killed_in_the_middle_of_a_search_leaves_nothing(postgres_desk: Desk) -> None:
    desk = postgres_desk
    with pytest.raises(ZeroDivisionError), desk.editor() as editor:
        expected = desk.open(editor)
        desk.site.proxy.hold_answers()
        sent = desk.site.proxy.sent
        editor.begin("workspace/chunkSearch", {"query": QUESTION, "maxResults": 10})
        while desk.site.proxy.sent == sent:
            time.sleep(0.01)
        editor.process.kill()
        raise ZeroDivisionError  # Whoever is killed says no goodbye.
    desk.site.start()
    with psycopg.connect(desk.site.direct) as database:
        others = (
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'lurcher'"
        )
        while database.execute(others).fetchone() != (0,):
            database.rollback()
    with desk.editor() as editor:
        assert desk.open(editor) == expected
        assert editor.ask("workspace/chunkSearch/status")["alerts"] == []
