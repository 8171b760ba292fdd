"""initialize, shutdown, exit."""

import asyncio

import pytest
from tests.server.rpc.wire import Text, ask, echoing, served, tell

from lurcher_server.lsp.messages import ErrorCode, RpcError
from lurcher_server.lsp.registry import Call

pytestmark = pytest.mark.asyncio


async def test_before_initialize_requests_are_refused_and_notifications_dropped() -> None:
    heard: list[str] = []
    handlers = echoing().notification("hear", Text, lambda said: heard.append(said.text))
    async with served(handlers, fresh=True) as client:
        for method in ("echo", "nothing", "shutdown"):
            assert await client.error(ask(1, method)) == (1, ErrorCode.SERVER_NOT_INITIALIZED)
        client.send(tell("hear", text="early"))
        await client.call(1, "initialize")
        client.send(tell("hear", text="late"))
        await client.call(2, text="")
        assert heard == ["late"]


async def test_initialize_is_answered_before_anything_sent_with_it() -> None:
    """Some clients do not wait for the answer; what they send behind it must not be lost."""
    order: list[str] = []

    async def initialize(params: None, call: Call) -> None:
        await asyncio.sleep(0)
        order.append("initialize")

    handlers = echoing().request("initialize", None, initialize)
    handlers.notification("initialized", None, lambda _: order.append("initialized"))
    async with served(handlers, fresh=True) as client:
        client.send(ask(1, "initialize"), tell("initialized"), ask(2, text="a"))
        assert [(await client.next())["id"] for _ in range(2)] == [1, 2]
        assert order == ["initialize", "initialized"]


async def test_a_second_initialize_is_refused() -> None:
    async with served() as client:
        assert await client.error(ask(1, "initialize")) == (1, ErrorCode.INVALID_REQUEST)


async def test_an_initialize_that_failed_may_be_tried_again() -> None:
    attempts: list[object] = []

    async def initialize(params: None, call: Call) -> None:
        attempts.append(call.id)
        if len(attempts) == 1:
            raise RpcError(ErrorCode.REQUEST_FAILED, "not yet")

    async with served(echoing().request("initialize", None, initialize), fresh=True) as client:
        assert await client.error(ask(1, "initialize")) == (1, ErrorCode.REQUEST_FAILED)
        assert await client.error(ask(2)) == (2, ErrorCode.SERVER_NOT_INITIALIZED)
        assert "result" in await client.call(3, "initialize")
        assert "result" in await client.call(4, text="")


async def test_exit_after_shutdown_ends_well() -> None:
    async with served() as client:
        assert (await client.call(1, "shutdown"))["result"] is None
        assert await client.error(ask(2, text="")) == (2, ErrorCode.INVALID_REQUEST)
        assert await client.error(ask(3, "initialize")) == (3, ErrorCode.INVALID_REQUEST)
        client.send(tell("exit"))
        assert await client.exit_code() == 0


async def test_a_shutdown_of_ones_own_is_answered_before_exit() -> None:
    async def shutdown(params: None, call: Call) -> str:
        await asyncio.sleep(0)
        return "saved"

    async with served(echoing().request("shutdown", None, shutdown)) as client:
        client.send(ask(1, "shutdown"), tell("exit"))
        assert [message["result"] for message in await client.rest()] == ["saved"]
        assert await client.exit_code() == 0


async def test_what_runs_at_shutdown_can_still_be_cancelled() -> None:
    async def wait(params: None, call: Call) -> None:
        await asyncio.Event().wait()

    async with served(echoing().request("wait", None, wait)) as client:
        client.send(ask(1, "wait"))
        await client.call(2, "shutdown")
        assert await client.error(tell("$/cancelRequest", id=1)) == (1, ErrorCode.REQUEST_CANCELLED)


async def test_a_shutdown_that_fails_is_still_one() -> None:
    async def shutdown(params: None, call: Call) -> None:
        raise OSError

    async with served(echoing().request("shutdown", None, shutdown)) as client:
        assert await client.error(ask(1, "shutdown")) == (1, ErrorCode.INTERNAL_ERROR)
        client.send(tell("exit"))
        assert await client.exit_code() == 0


@pytest.mark.parametrize("fresh", [True, False])
async def test_exit_without_shutdown_is_a_failure(fresh: bool) -> None:
    async with served(fresh=fresh) as client:
        client.send(tell("exit"))
        assert await client.exit_code() == 1


async def test_the_end_of_the_stream_is_an_exit() -> None:
    async with served() as client:
        client.writer.write_eof()
        assert await client.exit_code() == 1
    async with served() as client:
        await client.call(1, "shutdown")
        client.writer.write_eof()
        assert await client.exit_code() == 0


async def test_a_stream_that_ends_inside_a_message_ends_cleanly() -> None:
    async with served() as client:
        client.writer.write(b"Content-Length: 100\r\n\r\n{")
        client.writer.write_eof()
        assert await client.rest() == []
        assert await client.exit_code() == 1


async def test_a_client_that_vanishes_ends_the_connection() -> None:
    async with served() as client:
        client.writer.transport.abort()
        while not client.serving.done():
            client.connection.notify("status", "x" * 1000)
            await asyncio.sleep(0)
        assert await client.exit_code() == 1
