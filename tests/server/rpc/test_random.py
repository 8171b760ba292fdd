"""Whatever comes in whatever pieces: one answer to each request, and the server lives on."""

import asyncio
import json
from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.server.rpc.wire import Served, Text, ask, echoing, framed, served, tell

from lurcher_server.lsp.registry import Call

IDS = st.one_of(st.integers(-3, 3), st.sampled_from(["a", "b", "1"]))


async def slow(params: Text, call: Call) -> str:
    for _ in range(params.times):
        await asyncio.sleep(0)
    return params.text


async def fail(params: None, call: Call) -> None:
    await asyncio.sleep(0)
    raise KeyError


def request(id: object, method: str, times: int) -> bytes:
    return framed(ask(id, method, text="t", times=times))


METHODS = st.sampled_from(["echo", "slow", "fail", "unknown", "initialize"])
REQUESTS = st.builds(request, IDS, METHODS, st.integers(0, 8))
BAD_PARAMS = st.builds(lambda id: framed(ask(id, "echo", text=1)), IDS)
CANCELS = st.builds(lambda id: framed(tell("$/cancelRequest", id=id)), IDS)
NOISE = st.sampled_from(
    [
        framed(b"{"),
        framed(b"[]"),
        framed(b"\xff"),
        framed(b'{"jsonrpc":"2.0","id":1.5,"method":"echo"}'),
        framed({"jsonrpc": "2.0", "id": 1, "result": 1}),
        framed(tell("unknown")),
        b"Content-Length: none\r\n\r\n",
        b"X-Header: only\r\n\r\n",
        b"garbage\r\n",
        b"Content-Length: 5\r\nContent-Type: x; charset=utf-16\r\n\r\n12345",
        framed(b" " * 3000),
    ]
)


async def converse(client: Served, parts: list[bytes], cuts: list[int]) -> list[dict[str, Any]]:
    """Send all of it in pieces, then a ping; every answer before the one to the ping, and those still to come."""
    data = b"".join(parts)
    at = 0
    while at < len(data):
        step = cuts[at % len(cuts)]
        client.writer.write(data[at : at + step])
        at += step
        await asyncio.sleep(0)
    client.send(ask("ping", "slow", text="pong", times=20))
    answers = []
    while (answer := await client.next())["id"] != "ping":
        answers.append(answer)
    assert answer["result"] == "pong"
    client.send(tell("exit"))
    return answers + await client.rest()


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.one_of(REQUESTS, REQUESTS, BAD_PARAMS, CANCELS, NOISE), max_size=25),
    st.lists(st.integers(1, 400), min_size=1, max_size=5),
)
def test_every_request_is_answered_exactly_once(parts: list[bytes], cuts: list[int]) -> None:
    async def scenario() -> list[dict[str, Any]]:
        handlers = echoing().request("slow", Text, slow).request("fail", None, fail)
        async with served(handlers, max_message_bytes=2000) as client:
            return await converse(client, parts, cuts)

    sent: Counter[object] = Counter()
    for part in parts:
        body = part.partition(b"\r\n\r\n")[2]
        if b'"params"' in body and (id := json.loads(body).get("id")) is not None:
            sent[repr(id)] += 1
    answered = Counter(repr(answer["id"]) for answer in asyncio.run(scenario()))
    del answered[repr(None)]
    assert answered == sent
