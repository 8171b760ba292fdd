"""A server that is told to go, or whose editor dies, leaves no process behind."""

from pathlib import Path

import pytest
from lsprotocol import types
from tests.server.clients.editor import Editor, editor_on
from tests.server.clients.surroundings import ROOT, descendants, is_running

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc"),
]


async def test_shutdown_in_the_middle_of_a_build_leaves_no_process(tmp_path: Path) -> None:
    async with editor_on(ROOT / "index", tmp_path, "visual-studio-code") as editor:
        family = await family_at_work(editor)
    assert editor.exit_code == 0
    assert [pid for pid in family if is_running(pid)] == []


async def test_an_editor_that_dies_takes_its_server_with_it(tmp_path: Path) -> None:
    """No `shutdown`, no `exit`: the pipe just ends."""
    async with editor_on(ROOT / "index", tmp_path, "visual-studio-code") as editor:
        family = await family_at_work(editor)
        await editor.hang_up()
    assert editor.exit_code == 1
    assert [pid for pid in family if is_running(pid)] == []


async def family_at_work(editor: Editor) -> set[int]:
    """The server's process and those below it, while a build is under way."""
    await editor.hears(types.PROGRESS, lambda params: params.value["kind"] == "begin")
    below = descendants(editor.server_pid)
    assert below, "a build has processes of its own"
    return {editor.server_pid, *below}
