"""What the server sends by itself."""

import asyncio

import pytest
from tests.server.rpc.wire import Served, Text, ask, echoing, served

from lurcher_server.lsp.messages import ErrorCode, RpcError
from lurcher_server.lsp.registry import Call

pytestmark = pytest.mark.asyncio


async def asked(client: Served, timeout: float = 30.0) -> tuple["asyncio.Task[Text]", dict[str, object]]:
    """A question to the client under way, and how it arrived."""
    question = asyncio.create_task(client.connection.request("question", {"a": 1}, Text, timeout))
    message = await client.next()
    assert (message["method"], message["params"]) == ("question", {"a": 1})
    return question, message


async def failure(question: "asyncio.Task[Text]") -> RpcError:
    with pytest.raises(RpcError) as caught:
        await question
    return caught.value


async def test_notifications_keep_their_order() -> None:
    async with served() as client:
        for n in range(100):
            client.connection.notify("count", n)
        client.connection.notify("done")
        assert [(await client.next())["params"] for _ in range(100)] == list(range(100))
        assert await client.next() == {"jsonrpc": "2.0", "method": "done"}


async def test_a_question_gets_its_own_answer() -> None:
    async with served() as client:
        first, asked_first = await asked(client)
        second, asked_second = await asked(client)
        for message, text in ((asked_second, "two"), (asked_first, "one")):
            client.send({"jsonrpc": "2.0", "id": message["id"], "result": {"text": text}})
        assert (await first, await second) == (Text("one"), Text("two"))


async def test_a_handler_can_ask_the_client() -> None:
    async def relay(params: Text, call: Call) -> Text:
        return await call.connection.request("question", params, Text)

    async with served(echoing().request("relay", Text, relay)) as client:
        client.send(ask(1, "relay", text="hm"))
        question = await client.next()
        client.send({"jsonrpc": "2.0", "id": question["id"], "result": question["params"]})
        assert (await client.next())["result"] == {"text": "hm", "times": 1}


async def test_what_goes_wrong_is_an_rpc_error() -> None:
    async with served() as client:
        question, message = await asked(client)
        client.send({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "what?"}})
        assert ((await failure(question)).code, str(await failure(question))) == (-32601, "what?")
        question, message = await asked(client)
        client.send({"jsonrpc": "2.0", "id": message["id"], "result": {"text": 1}})
        assert "$.text" in str(await failure(question))


async def test_a_late_answer_is_ignored_and_the_client_told() -> None:
    async with served() as client:
        question, message = await asked(client, timeout=0.0)
        assert "within 0 s" in str(await failure(question))
        cancel = await client.next()
        assert (cancel["method"], cancel["params"]) == ("$/cancelRequest", {"id": message["id"]})
        client.send({"jsonrpc": "2.0", "id": message["id"], "result": {"text": "late"}})
        client.send({"jsonrpc": "2.0", "id": None, "result": 1}, {"jsonrpc": "2.0", "id": 99, "result": 1})
        assert (await client.call(1, text="a"))["result"] == {"text": "a"}


async def test_giving_up_a_question_tells_the_client() -> None:
    async with served() as client:
        question, message = await asked(client)
        question.cancel()
        assert (await client.next())["params"] == {"id": message["id"]}
        assert question.cancelled()


async def test_questions_fail_when_the_connection_ends() -> None:
    async with served() as client:
        question, _ = await asked(client)
        client.connection.stop()
        error = await failure(question)
        assert (error.code, "has ended" in str(error)) == (ErrorCode.REQUEST_FAILED, True)
        await client.exit_code()
        with pytest.raises(RpcError, match="has ended"):
            await client.connection.request("question", None, Text)
