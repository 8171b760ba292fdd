"""The server's part, without a process: when the person is asked, how long a search waits, what engines are told."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import pytest
from tests.race.views import FakeView, context
from tests.race.virtual_clock import now, run_virtual

from lurcher_index.asking import Ask
from lurcher_index.errors import BadSetting, RemoteError
from lurcher_index.remote.agreement import Consent
from lurcher_index.remote.connection import Connection, Kind
from lurcher_index.remote.consent import Consents
from lurcher_index.remote.states import RemoteState, Repository
from lurcher_index.secret import Secret
from lurcher_index.strategies.code_search import CODE_SEARCH_TIMEOUT, CodeSearch
from lurcher_index.strategies.context import Context
from lurcher_index.strategies.interface import Retrieved
from lurcher_index.strategies.running import run_race
from lurcher_server.lsp import remoting as module
from lurcher_server.lsp.engines import EngineSlot
from lurcher_server.lsp.messages import ErrorCode, RpcError
from lurcher_server.lsp.remoting import ALLOW, NEVER, NOT_NOW, Remoting, Wishes

if TYPE_CHECKING:
    from lurcher_index import Engine

R = TypeVar("R")
ZOEKT = Connection(kind=Kind.ZOEKT, url="https://zoekt.example.com")
WITH_TOKEN = Connection(kind=Kind.ZOEKT, url=ZOEKT.url, token_variable="ZOEKT_TOKEN")


class Editor:
    """A client whose person clicks on what the test says, or never comes to it."""

    is_congested = False

    def __init__(self, clicks: str | RpcError | None) -> None:
        self.clicks = clicks
        self.asked: list[dict[str, Any]] = []
        self.told: list[object] = []
        self.comes = asyncio.Event()
        self.comes.set()

    def notify(self, method: str, params: object = None) -> None:
        self.told.append((method, params))

    async def request(self, method: str, params: object, result_type: type[R], timeout: float = 30.0) -> R:
        assert result_type is object, "null is an answer, too"
        assert method == "window/showMessageRequest"
        self.asked.append(cast("dict[str, Any]", params))
        async with asyncio.timeout(timeout):
            await self.comes.wait()
        if isinstance(self.clicks, RpcError):
            raise self.clicks
        return cast(R, {"title": self.clicks} if self.clicks else None)


class Told:
    """An engine that notes what it is told."""

    def __init__(self) -> None:
        self.is_complete = False
        self.lacks = ""
        self.remotes: list[tuple[Connection | None, str | None, str]] = []
        self.before_search: Callable[[], object] = lambda: None
        self.before_remote: Callable[[], Coroutine[Any, Any, None]] | None = None

    def set_remote(self, connection: Connection | None, secret: Secret | None = None, use: str = "auto") -> None:
        if connection is not None and self.lacks:
            raise RemoteError(self.lacks)
        self.remotes.append((connection, secret.reveal() if secret else None, use))

    async def search(self) -> Connection | None:
        """What every search does before it looks elsewhere; where it would look."""
        assert self.before_remote is not None
        await asyncio.to_thread(self.before_search)
        await self.before_remote()
        return self.remotes[-1][0]


class Scene:
    """A session with one folder, an engine and a person."""

    def __init__(self, place: Path, clicks: str | RpcError | None = None, **wishes: Any) -> None:
        self.folder = str(place / "tree")
        self.wishes = Wishes(**{"connection": ZOEKT, "folders": (self.folder,), "can_ask": True, **wishes})
        self.consents = Consents(place / "config")
        self.editor = Editor(clicks)
        self.engine = Told()
        self.slot = EngineSlot()
        self.tasks: list[asyncio.Task[None]] = []
        self.remoting = Remoting(self.editor, self.slot, self.soon, lambda: self.wishes, self.consents)

    def soon(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        self.tasks.append(asyncio.create_task(work))
        return self.tasks[-1]

    async def open(self) -> "Scene":
        engine = cast("Engine", self.engine)
        await self.slot.replace(lambda: engine)
        await asyncio.to_thread(self.remoting.adopt, engine, asyncio.get_running_loop())
        return self

    async def settle(self) -> None:
        while not all(task.done() for task in self.tasks):
            await asyncio.wait(self.tasks)
        for task in self.tasks:
            task.result()


def play(scene: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(scene())


def test_settings_alone_turn_nothing_on_and_the_question_says_what_is_sent_where(tmp_path: Path) -> None:
    async def main() -> None:
        scene = await Scene(tmp_path, NOT_NOW).open()
        assert await scene.engine.search() is None
        (question,) = scene.editor.asked
        assert [action["title"] for action in question["actions"]] == [ALLOW, NOT_NOW, NEVER]
        for part in (scene.folder, "zoekt at https://zoekt.example.com", "words of the question", "text of your files"):
            assert part in question["message"]
        assert not scene.consents.path.exists()
        assert {remote for remote, _, _ in scene.engine.remotes} == {None}

    play(main)


@pytest.mark.parametrize("clicks", [ALLOW, NOT_NOW, NEVER, None, RpcError(ErrorCode.METHOD_NOT_FOUND, "no")])
def test_the_question_is_asked_once_in_a_session_whatever_the_answer(
    tmp_path: Path, clicks: str | RpcError | None
) -> None:
    async def main() -> None:
        scene = await Scene(tmp_path, clicks).open()
        first, second = await asyncio.gather(scene.engine.search(), scene.engine.search())
        await scene.engine.search()
        # Another wish is not another reason to ask.
        scene.wishes = Wishes(
            connection=Connection(kind=Kind.GITHUB, url="https://api.github.com"),
            folders=(scene.folder,),
            can_ask=True,
        )
        await scene.remoting.refresh()
        await scene.engine.search()
        await scene.settle()
        assert len(scene.editor.asked) == 1
        assert ((first or second) == ZOEKT) == (clicks == ALLOW)
        assert (scene.consents.allowed(scene.folder) == ZOEKT) == (clicks == ALLOW)
        record = scene.consents.record(scene.folder)
        assert (record is not None and record.answer == "never") == (clicks == NEVER)

    play(main)


def test_never_is_not_asked_again_in_the_next_session_and_not_now_is(tmp_path: Path) -> None:
    async def main() -> None:
        for clicks, asked in ((NOT_NOW, 1), (NEVER, 1), (ALLOW, 0)):
            scene = await Scene(tmp_path, clicks).open()
            assert await scene.engine.search() is None
            await scene.settle()
            assert len(scene.editor.asked) == asked
        assert scene.remoting.agreement.consent is Consent.NEVER
        assert scene.remoting.alerts == (), "who said never is not reminded"

    play(main)


def test_what_was_allowed_is_on_in_the_next_session_without_a_question(tmp_path: Path) -> None:
    async def main() -> None:
        for wish in (ZOEKT, None):
            scene = await Scene(tmp_path, ALLOW, connection=wish).open()
            assert await scene.engine.search() == ZOEKT
            await scene.settle()
        assert scene.editor.asked == []

    play(main)


@pytest.mark.parametrize(
    "wishes",
    [
        {"trusted": False},
        {"can_ask": False},
        {"use": "off"},
        {"connection": None},
        {"folders": ()},
    ],
)
def test_where_nobody_may_or_must_be_asked_nobody_is_and_nothing_is_on(tmp_path: Path, wishes: dict[str, Any]) -> None:
    async def main() -> None:
        scene = await Scene(tmp_path, ALLOW, **wishes).open()
        assert await scene.engine.search() is None
        assert scene.editor.asked == [] and scene.tasks == []

    play(main)


def test_a_complete_index_needs_nobody_unless_it_is_always_to_be_used(tmp_path: Path) -> None:
    async def main() -> None:
        scene = await Scene(tmp_path, NOT_NOW).open()
        scene.engine.is_complete = True
        await scene.engine.search()
        assert scene.editor.asked == []
        scene.wishes = Wishes(connection=ZOEKT, folders=(scene.folder,), can_ask=True, use="always")
        await scene.engine.search()
        assert len(scene.editor.asked) == 1

    play(main)


def test_an_untrusted_workspace_has_nothing_on_whatever_was_allowed(tmp_path: Path) -> None:
    async def main() -> None:
        scene = Scene(tmp_path, trusted=False)
        scene.consents.allow(scene.folder, ZOEKT)
        await scene.open()
        assert await scene.engine.search() is None
        with pytest.raises(BadSetting, match="not trusted"):
            await scene.remoting.allow(ZOEKT)
        assert scene.remoting.alerts == ()

    play(main)


def test_where_the_client_cannot_ask_an_alert_names_the_command(tmp_path: Path) -> None:
    async def main() -> None:
        scene = await Scene(tmp_path, can_ask=False).open()
        (alert,) = scene.remoting.alerts
        assert "lurcher remote allow zoekt https://zoekt.example.com" in alert
        assert scene.remoting.notes(complete=False) == (alert,)
        assert scene.remoting.notes(complete=True) == (), "an answer that lacks nothing has nothing to say"

    play(main)


def test_a_search_does_not_wait_for_ever_and_the_question_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "FIRST_ANSWER_SECONDS", 0.01)

    async def main() -> None:
        scene = await Scene(tmp_path, ALLOW).open()
        scene.editor.comes.clear()
        assert await scene.engine.search() is None
        assert await scene.engine.search() is None
        assert len(scene.editor.asked) == 1
        scene.editor.comes.set()
        await scene.settle()
        assert scene.engine.remotes[-1][0] == ZOEKT
        assert await scene.engine.search() == ZOEKT

    play(main)


def test_what_is_answered_on_a_command_line_holds_from_the_next_search_on(tmp_path: Path) -> None:
    async def main() -> None:
        scene = await Scene(tmp_path, can_ask=False).open()
        other = Consents(scene.consents.directory)
        assert await scene.engine.search() is None
        other.allow(scene.folder, ZOEKT)
        assert await scene.engine.search() == ZOEKT
        other.forbid(scene.folder)
        assert await scene.engine.search() is None
        other.allow(scene.folder, ZOEKT)
        assert await scene.engine.search() == ZOEKT
        other.path.write_text("damaged")
        assert await scene.engine.search() is None
        assert "damaged" in scene.remoting.alerts[0]

    play(main)


def test_an_engine_is_told_what_is_new_and_nothing_twice(tmp_path: Path) -> None:
    async def main() -> None:
        scene = Scene(tmp_path)
        scene.consents.allow(scene.folder, ZOEKT)
        await scene.open()
        for _ in range(3):
            await scene.engine.search()
            await scene.remoting.refresh()
        assert scene.engine.remotes == [(ZOEKT, None, "auto")]
        await scene.remoting.take_token("hunter2")
        await scene.remoting.take_token("hunter2")
        await scene.remoting.forbid(never=False)
        assert scene.engine.remotes[1:] == [(ZOEKT, "hunter2", "auto"), (None, None, "auto")]

    play(main)


def test_tokens_come_from_the_client_or_the_variable_that_was_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ZOEKT_TOKEN", raising=False)

    async def main() -> None:
        scene = Scene(tmp_path, connection=None)
        scene.consents.allow(scene.folder, WITH_TOKEN)
        await scene.open()
        assert scene.engine.remotes[-1] == (WITH_TOKEN, None, "auto")
        assert "'ZOEKT_TOKEN'" in scene.remoting.alerts[0] and not scene.remoting.has_token
        monkeypatch.setenv("ZOEKT_TOKEN", "of the environment")
        await scene.remoting.refresh()
        assert not scene.remoting.has_token, "it has a blank in it"
        monkeypatch.setenv("ZOEKT_TOKEN", "of-the-environment")
        await scene.remoting.refresh()
        assert scene.engine.remotes[-1][1] == "of-the-environment" and scene.remoting.alerts == ()
        await scene.remoting.take_token("hunter2")
        assert scene.engine.remotes[-1][1] == "hunter2" and scene.remoting.has_token
        with pytest.raises(BadSetting) as caught:
            await scene.remoting.take_token("hunter3\n")
        assert "hunter3" not in str(caught.value)
        await scene.remoting.take_token("")
        assert scene.engine.remotes[-1][1] == "of-the-environment"

    play(main)


def test_taking_it_back_works_even_if_it_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        scene = Scene(tmp_path)
        scene.consents.allow(scene.folder, ZOEKT)
        await scene.open()
        assert await scene.engine.search() == ZOEKT

        def full(_folder: str) -> bool:
            raise RemoteError("no space left")

        monkeypatch.setattr(scene.consents, "forbid", full)
        with pytest.raises(RemoteError):
            await scene.remoting.forbid(never=False)
        assert await scene.engine.search() is None
        await scene.remoting.allow(None)
        assert await scene.engine.search() == ZOEKT

    play(main)


def test_an_engine_that_lacks_something_for_it_is_told_of_and_searches_here(tmp_path: Path) -> None:
    async def main() -> None:
        scene = Scene(tmp_path)
        scene.consents.allow(scene.folder, ZOEKT)
        scene.engine.lacks = "install lurcher[zoekt]"
        await scene.open()
        assert await scene.engine.search() is None
        assert scene.remoting.alerts == ("install lurcher[zoekt]",)

    play(main)


def test_a_consent_that_cannot_be_written_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        scene = await Scene(tmp_path, ALLOW).open()

        def full(_folder: str, _connection: Connection) -> None:
            raise RemoteError("no space left")

        monkeypatch.setattr(scene.consents, "allow", full)
        assert await scene.engine.search() is None
        ((method, params),) = cast("list[tuple[str, dict[str, str]]]", scene.editor.told)
        assert method == "window/showMessage" and "no space left" in params["message"]

    play(main)


def test_a_place_that_cannot_be_read_is_told_and_nobody_is_asked(tmp_path: Path) -> None:
    async def main() -> None:
        (tmp_path / "config").write_text("a file where the directory should be")
        scene = await Scene(tmp_path, ALLOW).open()
        assert await scene.engine.search() is None
        assert scene.editor.asked == [] and "not believed" in scene.remoting.alerts[0]

    play(main)


# -- the strategy


class Somewhere:
    """A provider that is there once somebody has agreed."""

    state = RemoteState.LOADED
    repositories: tuple[Repository, ...] = ()

    def __init__(self) -> None:
        self.searched_at: list[float] = []

    async def prepare(self, ask: Ask) -> None:
        """Nothing more has to be asked."""

    async def search(self, context: Context) -> Retrieved:
        assert not context.ask.strategies
        self.searched_at.append(now())
        return Retrieved(alerts=("from elsewhere",))


class Local:
    """A strategy that has no reason to be started."""

    id = "local"
    timeout = None

    async def prepare(self, context: Context) -> None:
        raise AssertionError(f"nothing is wrong with the remote search for {context.ask.text!r}")

    async def search(self, context: Context) -> Retrieved:
        raise AssertionError(f"nothing is wrong with the remote search for {context.ask.text!r}")


def test_the_question_is_no_part_of_the_strategys_timeout() -> None:
    """A person who takes longer than the timeout does not make the next strategy start; the race goes on after it."""
    agreed: list[float] = []

    async def before() -> None:
        await asyncio.sleep(CODE_SEARCH_TIMEOUT + 2.0)
        agreed.append(now())

    somewhere = Somewhere()

    async def main() -> None:
        made = context(FakeView())
        raced = await run_race(made, [CodeSearch(lambda: somewhere if agreed else None, before), Local()])
        assert (raced.winner, agreed, somewhere.searched_at) == ("codeSearch", [14.5], [14.5])
        assert not raced.attempts[0].timed_out
        await made.close()

    run_virtual(main())
