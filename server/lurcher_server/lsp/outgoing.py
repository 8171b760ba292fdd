"""Requests from the server to the client."""

import asyncio
from collections.abc import Callable
from itertools import count
from typing import TypeVar

import msgspec
from msgspec import Raw

from lurcher_server.lsp.messages import ErrorCode, Id, Response, RpcError, encode_notification, encode_request

R = TypeVar("R")


class ClientRequests:
    """What the client was asked and has not answered yet."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        """`send` takes the body of a message."""
        self._send = send
        self._numbers = count(1)
        self._waiting: dict[Id | None, asyncio.Future[Response | None]] = {}
        self._ended = False

    async def ask(self, method: str, params: object, result_type: type[R], timeout: float) -> R:
        """The client's answer; RpcError if it is an error, late, of another type, or if the connection ends."""
        if self._ended:
            raise _failed(method, "the connection has ended")
        # A word in front keeps our ids apart from the client's own in every log.
        id = f"server-{next(self._numbers)}"
        body = encode_request(id, method, params)
        future = self._waiting[id] = asyncio.get_running_loop().create_future()
        self._send(body)
        try:
            async with asyncio.timeout(timeout):
                response = await future
        except TimeoutError:
            raise _failed(method, f"no answer from the client within {timeout:g} s") from None
        finally:
            if self._waiting.pop(id, None) is not None:
                self._send(encode_notification("$/cancelRequest", {"id": id}))
        if response is None:
            raise _failed(method, "the connection has ended")
        if response.error is not None:
            raise response.error
        return _result(method, response.result, result_type)

    def settle(self, response: Response) -> None:
        """Hand an answer to whoever waits for it; answers nobody waits for are late, and are dropped."""
        future = self._waiting.pop(response.id, None)
        if future is not None and not future.done():
            future.set_result(response)

    def end(self) -> None:
        """There will be no more answers."""
        self._ended = True
        waiting, self._waiting = self._waiting, {}
        for future in waiting.values():
            if not future.done():
                future.set_result(None)


def _result(method: str, raw: Raw, result_type: type[R]) -> R:
    try:
        return msgspec.json.decode(raw or b"null", type=result_type)
    except (msgspec.DecodeError, RecursionError) as error:
        raise _failed(method, f"the client's answer does not fit: {error}") from None


def _failed(method: str, reason: str) -> RpcError:
    return RpcError(ErrorCode.REQUEST_FAILED, f"{method}: {reason}")
