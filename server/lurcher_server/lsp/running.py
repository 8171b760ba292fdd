"""The requests of a client that are being worked on, and the one answer each of them gets."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from lurcher_server.lsp.failures import as_rpc_error
from lurcher_server.lsp.messages import ErrorCode, Id, RpcError, encode_error, encode_result
from lurcher_server.lsp.registry import Call, RequestHandler

log = logging.getLogger(__name__)

MAX_RUNNING = 256
"""Requests that may run at once before nothing more is read; editors have a handful. Reading goes on at half."""

END_SECONDS = 5.0
"""How long handlers may take to end after they were cancelled."""

_CANCELLED = RpcError(ErrorCode.REQUEST_CANCELLED, "cancelled by the client")
_CANCELLED_INSIDE = RpcError(ErrorCode.INTERNAL_ERROR, "cancelled inside the server")
_ENDED = RpcError(ErrorCode.SERVER_CANCELLED, "the connection has ended")


class RunningRequests:
    """One task a request. An entry in `_open` is the right to answer: whoever takes it out sends the one answer."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        """`send` takes the body of a message."""
        self._send = send
        self._open: dict[Id, asyncio.Task[bool]] = {}
        self._tasks: set[asyncio.Task[bool]] = set()
        """Every task that has not ended; after a cancel that is for a while more than the open requests."""
        self._room = asyncio.Event()

    def __contains__(self, id: Id) -> bool:
        """Whether a request of this id waits for its answer."""
        return id in self._open

    @property
    def is_full(self) -> bool:
        """No more requests should be started now."""
        return len(self._tasks) >= MAX_RUNNING

    def start(self, call: Call, handler: RequestHandler[Any], params: object) -> asyncio.Task[bool]:
        """Run a handler and send its answer; the task says whether that was a good one."""
        task = asyncio.create_task(self._run(call, handler, params))
        self._open[call.id] = task
        self._tasks.add(task)
        task.add_done_callback(self._retire)
        return task

    def cancel(self, id: Id) -> None:
        """Answer that a request was cancelled, and stop its handler; ids that are unknown or answered are ignored.

        The answer does not wait for the handler, and is sent even if the handler was not yet started.
        """
        self._abandon(id, _CANCELLED)

    async def room(self) -> None:
        """Wait until half of the places are free again."""
        self._room.clear()
        await self._room.wait()

    async def end(self) -> None:
        """Stop everything, and wait until it has stopped."""
        for id in tuple(self._open):
            self._abandon(id, _ENDED)
        if self._tasks:
            _, stuck = await asyncio.wait(self._tasks, timeout=END_SECONDS)
            for task in stuck:
                log.error("a request does not end although it was cancelled: %s", task.get_name())

    async def _run(self, call: Call, handler: RequestHandler[Any], params: object) -> bool:
        good = False
        try:
            body = encode_result(call.id, await handler(params, call))
            good = True
        except asyncio.CancelledError:
            if not self._is_mine(call.id):
                raise
            body = encode_error(call.id, _CANCELLED_INSIDE)
        except Exception as error:  # noqa: BLE001 - a request is answered whatever its handler does
            body = encode_error(call.id, as_rpc_error(call.method, error))
        if self._is_mine(call.id):
            del self._open[call.id]
            self._send(body)
        return good

    def _is_mine(self, id: Id) -> bool:
        # After a cancel the client may use the id again, so having an entry is not enough.
        return self._open.get(id) is asyncio.current_task()

    def _abandon(self, id: Id, error: RpcError) -> None:
        task = self._open.pop(id, None)
        if task is not None:
            self._send(encode_error(id, error))
            task.cancel()

    def _retire(self, task: asyncio.Task[bool]) -> None:
        self._tasks.discard(task)
        if len(self._tasks) <= MAX_RUNNING // 2:
            self._room.set()
