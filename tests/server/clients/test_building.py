"""Progress, the cancel button and a real question, on this repository's own engine."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types
from tests.server.clients.editor import Editor, Matches, editor_on
from tests.server.clients.surroundings import ROOT

from lurcher_server.lsp.protocol import REBUILD, STATUS

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def editor(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Editor]:
    place = tmp_path_factory.mktemp("building")
    # One worker makes sure that the build is long enough to be shown.
    async with editor_on(ROOT / "index", place, "visual-studio-code", workers=1) as editor:
        yield editor  # The tests below stand in an order: the last two leave an index that is not whole.


def of(token: object, *kinds: str) -> Matches:
    """Chooses the progress of one build, and of it some kinds."""

    def matches(params: Any) -> bool:
        return bool(params.token == token and params.value.get("kind") in kinds)

    return matches


async def test_section_9_a_build_is_shown_from_begin_to_end(editor: Editor) -> None:
    token = (await editor.hears(types.WINDOW_WORK_DONE_PROGRESS_CREATE)).token
    await editor.hears(types.PROGRESS, of(token, "end"))
    shown = [params.value for params in editor.told(types.PROGRESS, of(token, "begin", "report", "end"))]
    kinds = [value["kind"] for value in shown]
    assert kinds == ["begin", *["report"] * (len(kinds) - 2), "end"] and "report" in kinds
    assert shown[0]["cancellable"] is True and "Lurcher" in shown[0]["title"]
    assert all(0 <= value["percentage"] <= 100 for value in shown if "percentage" in value)


async def test_percentages_can_be_shown_and_only_rise(editor: Editor) -> None:
    """LSP: without a percentage in `begin` clients may ignore those of the reports, as VS Code does; they must rise."""
    token = (await editor.hears(types.WINDOW_WORK_DONE_PROGRESS_CREATE)).token
    await editor.hears(types.PROGRESS, of(token, "end"))
    shown = [params.value for params in editor.told(types.PROGRESS, of(token, "begin", "report"))]
    assert "percentage" in shown[0]
    told = [value["percentage"] for value in shown if "percentage" in value]
    assert told == sorted(told)


async def test_a_question_about_this_repository_is_answered(editor: Editor) -> None:
    status = await editor.ready()
    assert status.complete and status.pending == 0 and status.indexed > 100
    answer = await editor.search("Workspace.snapshot")
    assert (ROOT / "index" / "lurcher_index" / "workspace.py").as_uri() in [chunk.uri for chunk in answer.chunks]


async def test_section_9_the_cancel_button_stops_the_build(editor: Editor) -> None:
    await editor.ready()
    before = {params.token for params in editor.told(types.WINDOW_WORK_DONE_PROGRESS_CREATE)}
    assert (await editor.ask(REBUILD)).done
    token = (await editor.hears(types.WINDOW_WORK_DONE_PROGRESS_CREATE, lambda made: made.token not in before)).token
    await editor.hears(types.PROGRESS, of(token, "begin"))
    editor.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
    await editor.hears(types.PROGRESS, of(token, "end"))
    status = await editor.ask(STATUS)
    # Words come first, and may all be there by then.
    assert status.state == "requiresIndexing" and not (status.complete and status.vectorsReady == 1.0)
    assert "Build index" in status.message and ("Words are searchable" in status.message) is status.complete


async def test_status_answers_after_a_search_and_a_rebuild(editor: Editor) -> None:
    assert (await editor.search("snapshot")).attempts
    assert (await editor.ask(REBUILD)).done
    assert (await editor.ask(STATUS)).state == "updating"
