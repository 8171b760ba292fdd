"""One connection: order, answers, cancels, failures, slow clients."""

import asyncio
import logging

import pytest
from tests.server.rpc.wire import Served, Text, ask, echoing, served, tell

from lurcher_index.errors import BadFolder, BadQuery, BadSetting, Cancelled, StoreBusy
from lurcher_server.lsp.messages import ErrorCode, RpcError
from lurcher_server.lsp.registry import Call, Handlers
from lurcher_server.lsp.running import MAX_RUNNING

pytestmark = pytest.mark.asyncio


class Gate:
    """Handlers that wait until they are let go, and what happened to them."""

    def __init__(self) -> None:
        self.open = asyncio.Event()
        self.entered: list[object] = []
        self.cancelled: list[object] = []

    async def wait(self, _params: None, call: Call) -> str:
        self.entered.append(call.id)
        try:
            await self.open.wait()
        except asyncio.CancelledError:
            self.cancelled.append(call.id)
            raise
        return "let go"

    def handlers(self) -> Handlers:
        return echoing().request("wait", None, self.wait)


async def ping(client: Served) -> None:
    """The connection is alive, and nothing else was waiting to be read."""
    answer = await client.call("ping", text="pong")
    assert answer["result"] == {"text": "pong"}


async def test_a_request_is_answered() -> None:
    async with served() as client:
        assert await client.call(1, text="ab", times=2) == {"jsonrpc": "2.0", "id": 1, "result": {"text": "abab"}}
        assert (await client.call("x", text="ü", unknown=[1]))["result"] == {"text": "ü"}


async def test_params_that_do_not_fit_are_answered_with_the_field() -> None:
    async with served() as client:

        async def check(params: object, part: str) -> None:
            client.send({"jsonrpc": "2.0", "id": 1, "method": "echo", "params": params})
            error = (await client.next())["error"]
            assert error["code"] == ErrorCode.INVALID_PARAMS
            assert part in error["message"]

        await check({"text": 1}, "$.text")
        await check({"text": "a", "times": "b"}, "$.times")
        await check({}, "`text`")
        await check(None, "`text`")
        await check(["a"], "array")
        client.send({"jsonrpc": "2.0", "id": 2, "method": "echo"})
        assert "`text`" in (await client.next())["error"]["message"]
        await ping(client)


async def test_malformed_messages_are_answered_and_the_connection_lives_on() -> None:
    async with served(max_message_bytes=1000) as client:
        assert await client.error(b"{") == (None, ErrorCode.PARSE_ERROR)
        assert await client.error(b"[]") == (None, ErrorCode.INVALID_REQUEST)
        assert await client.error(b'{"id":7,"method":"echo"}') == (7, ErrorCode.INVALID_REQUEST)
        assert await client.error(ask(8, text="x" * 1000)) == (None, ErrorCode.INVALID_REQUEST)
        client.writer.write(b"Content-Length: many\r\n\r\n")
        assert (await client.next())["error"]["code"] == ErrorCode.INVALID_REQUEST
        await ping(client)


async def test_a_browser_is_sent_away() -> None:
    async with served(fresh=True) as client:
        client.writer.write(b"POST / HTTP/1.1\r\nHost: localhost\r\n")
        client.send(ask(1, "initialize"))
        assert [message["id"] for message in await client.rest()] == [None]
        assert await client.exit_code() == 1


async def test_unknown_methods(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    async with served() as client:
        assert await client.error(ask(1, "nothing")) == (1, ErrorCode.METHOD_NOT_FOUND)
        assert await client.error(ask(2, "$/nothing")) == (2, ErrorCode.METHOD_NOT_FOUND)
        client.send(*[tell("$/setTrace", value="off"), tell("$/hm"), tell("huh"), tell("huh")])
        await ping(client)
    assert [record.getMessage() for record in caplog.records if "unknown" in record.getMessage()] == [
        "unknown notification, from now on ignored: huh"
    ]


async def test_notifications_take_effect_before_later_requests_start() -> None:
    heard: list[str] = []

    async def state(params: None, call: Call) -> list[str]:
        return list(heard)

    handlers = echoing().request("state", None, state).notification("hear", Text, lambda said: heard.append(said.text))
    async with served(handlers) as client:
        client.send(*(body for n in range(50) for body in (tell("hear", text=str(n)), ask(n, "state"))))
        for n in range(50):
            answer = await client.next()
            assert answer["id"] == n
            assert answer["result"][: n + 1] == [str(m) for m in range(n + 1)]


async def test_a_bad_notification_is_logged_and_dropped(caplog: pytest.LogCaptureFixture) -> None:
    def fail(said: Text) -> None:
        raise ValueError(said.text)

    async with served(echoing().notification("fail", Text, fail)) as client:
        client.send(tell("fail", text=1), tell("fail", text="secret source"), tell("$/cancelRequest", id=[]))
        await ping(client)
    logged = caplog.text
    assert "fail was dropped: Expected `str`, got `int` - at `$.text`" in logged
    assert "fail failed: ValueError" in logged
    assert "secret source" not in logged


async def test_what_a_handler_raises_becomes_an_error(caplog: pytest.LogCaptureFixture) -> None:
    raised: Exception = Exception()

    async def fail(params: None, call: Call) -> None:
        raise raised

    async with served(echoing().request("fail", None, fail)) as client:

        async def check(error: Exception, code: int, message: str) -> None:
            nonlocal raised
            raised = error
            answer = (await client.call(1, "fail"))["error"]
            assert (answer["code"], answer["message"]) == (code, message)

        await check(RpcError(ErrorCode.CONTENT_MODIFIED, "changed"), ErrorCode.CONTENT_MODIFIED, "changed")
        await check(BadQuery("query cannot be empty"), ErrorCode.INVALID_PARAMS, "query cannot be empty")
        await check(BadFolder("f"), ErrorCode.INVALID_PARAMS, "f")
        await check(BadSetting("s"), ErrorCode.INVALID_PARAMS, "s")
        await check(StoreBusy("busy"), ErrorCode.REQUEST_FAILED, "busy")
        await check(Cancelled("stopped"), ErrorCode.REQUEST_FAILED, "stopped")
        assert caplog.text == ""
        await check(KeyError("secret source"), ErrorCode.INTERNAL_ERROR, "KeyError")
        await check(TimeoutError("secret source"), ErrorCode.INTERNAL_ERROR, "TimeoutError")
    assert "fail failed: KeyError" in caplog.text
    assert "secret source" not in caplog.text


async def test_an_answer_that_cannot_be_encoded_is_an_error() -> None:
    async def answer(params: Text, call: Call) -> object:
        return object() if params.text == "object" else "\ud800"

    async with served(echoing().request("answer", Text, answer)) as client:
        for text in ("object", "surrogate"):
            assert await client.error(ask(1, "answer", text=text)) == (1, ErrorCode.INTERNAL_ERROR)


async def test_a_handlers_own_cancellation_is_not_the_clients() -> None:
    async def fail(params: None, call: Call) -> None:
        raise asyncio.CancelledError

    async with served(echoing().request("fail", None, fail)) as client:
        assert await client.error(ask(1, "fail")) == (1, ErrorCode.INTERNAL_ERROR)
        await ping(client)


async def test_requests_run_side_by_side() -> None:
    gate = Gate()
    async with served(gate.handlers()) as client:
        client.send(ask(1, "wait"), ask(2, "wait"))
        await ping(client)
        assert gate.entered == [1, 2]
        gate.open.set()
        assert [(await client.next())["id"] for _ in range(2)] == [1, 2]


async def test_a_cancel_is_answered_once_and_stops_the_handler() -> None:
    gate = Gate()
    async with served(gate.handlers()) as client:
        client.send(ask(1, "wait"))
        await ping(client)
        cancel = tell("$/cancelRequest", id=1)
        client.send(cancel, cancel)
        assert await client.error(cancel) == (1, ErrorCode.REQUEST_CANCELLED)
        await ping(client)
        assert gate.cancelled == [1]


async def test_a_cancel_before_the_first_step_is_answered_once() -> None:
    gate = Gate()
    async with served(gate.handlers()) as client:
        client.send(ask(1, "wait"), tell("$/cancelRequest", id=1))
        answer = await client.next()
        assert (answer["id"], answer["error"]["code"]) == (1, ErrorCode.REQUEST_CANCELLED)
        await ping(client)
        assert gate.entered == []


async def test_cancels_of_unknown_or_answered_requests_are_ignored() -> None:
    async with served() as client:
        await client.call(1, text="a")
        client.send(tell("$/cancelRequest", id=1), tell("$/cancelRequest", id="1"), tell("$/cancelRequest", id=99))
        await ping(client)


async def test_a_handler_that_outlives_its_cancel_says_nothing_more() -> None:
    release = asyncio.Event()
    ended: list[str] = []

    async def stubborn(params: None, call: Call) -> str:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await release.wait()
        ended.append("stubborn")
        return "too late"

    gate = Gate()
    async with served(gate.handlers().request("stubborn", None, stubborn)) as client:
        client.send(ask(1, "stubborn"))
        await ping(client)
        assert await client.error(tell("$/cancelRequest", id=1)) == (1, ErrorCode.REQUEST_CANCELLED)
        client.send(ask(1, "wait"))
        await ping(client)
        release.set()
        while not ended:
            await ping(client)
        gate.open.set()
        assert (await client.next())["result"] == "let go"


async def test_an_id_in_use_is_refused_to_a_second_request() -> None:
    gate = Gate()
    async with served(gate.handlers()) as client:
        client.send(ask(1, "wait"))
        assert await client.error(ask(1, text="a")) == (1, ErrorCode.INVALID_REQUEST)
        assert (await client.call("1", text="a"))["result"] == {"text": "a"}
        gate.open.set()
        assert (await client.next())["result"] == "let go"
        assert (await client.call(1, text="free again"))["result"] == {"text": "free again"}


async def test_more_requests_than_may_run_wait_their_turn() -> None:
    gate = Gate()
    count = MAX_RUNNING * 2 + 10
    async with served(gate.handlers()) as client:
        client.send(*(ask(n, "wait") for n in range(count)))
        while len(gate.entered) < MAX_RUNNING:
            await asyncio.sleep(0)
        for _ in range(20):
            await asyncio.sleep(0)
        assert len(gate.entered) == MAX_RUNNING
        gate.open.set()
        assert sorted([(await client.next())["id"] for _ in range(count)]) == list(range(count))


async def test_a_client_that_does_not_read_is_not_read_from() -> None:
    """Section 11, less memory: what waits for a slow client is bounded."""
    started: list[object] = []
    large = "x" * 100_000

    async def answer(params: None, call: Call) -> str:
        started.append(call.id)
        return large

    high_water = 300_000
    async with served(echoing().request("large", None, answer), high_water_bytes=high_water) as client:
        assert not client.connection.is_congested
        count = 1000
        for n in range(count):
            # One at a time, as a client sends them; a burst may start as many as may run.
            client.send(ask(n, "large"))
            await asyncio.sleep(0)
        while not client.connection.is_congested:
            await asyncio.sleep(0)
        for _ in range(100):
            await asyncio.sleep(0)
        assert len(started) < count / 2
        assert [(await client.next())["id"] for _ in range(count)] == list(range(count))
        assert not client.connection.is_congested
        await ping(client)


async def test_the_end_answers_what_still_runs_and_waits_for_it() -> None:
    gate = Gate()
    async with served(gate.handlers()) as client:
        client.send(ask(1, "wait"), ask(2, "wait"))
        await ping(client)
        client.send(tell("exit"))
        answers = await client.rest()
        assert [(each["id"], each["error"]["code"]) for each in answers] == [
            (1, ErrorCode.SERVER_CANCELLED),
            (2, ErrorCode.SERVER_CANCELLED),
        ]
        await client.exit_code()
        assert gate.cancelled == [1, 2]


async def test_stop_ends_the_connection() -> None:
    gate = Gate()
    async with served(gate.handlers()) as client:
        client.send(ask(1, "wait"))
        await ping(client)
        client.connection.stop()
        assert await client.exit_code() == 1
        assert gate.cancelled == [1]
        client.connection.notify("into the void")
