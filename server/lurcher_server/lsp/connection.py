"""One client: its messages in order, its requests side by side, one answer to each."""

import asyncio
import logging
from typing import TypeVar

import msgspec

from lurcher_server.lsp.failures import log_failure
from lurcher_server.lsp.framing import MAX_MESSAGE_BYTES, Frame, FrameSplitter, Rejected, write_frame
from lurcher_server.lsp.lifecycle import EXIT, INITIALIZE, SHUTDOWN, Lifecycle
from lurcher_server.lsp.messages import (
    ErrorCode,
    Id,
    Malformed,
    Notification,
    Request,
    Response,
    RpcError,
    decode,
    encode_error,
    encode_notification,
)
from lurcher_server.lsp.outgoing import ClientRequests
from lurcher_server.lsp.registry import CLIENT_SECONDS, Call, Handlers, params_decoder
from lurcher_server.lsp.running import RunningRequests

R = TypeVar("R")
log = logging.getLogger(__name__)

CANCEL = "$/cancelRequest"

READ_BYTES = 256 * 1024
"""Bytes taken from the stream at once; asyncio reads no more from a pipe either."""

HIGH_WATER_BYTES = 4 * 1024 * 1024
"""Bytes that may wait for a slow client before nothing more is read from it; about twenty large answers."""

FLUSH_SECONDS = 2.0
"""How long the client may take to read the last answers once the connection ends."""

MAX_UNKNOWN = 100
"""Unknown methods that are remembered, so that each is logged once."""


class CancelParams(msgspec.Struct, frozen=True):
    """What `$/cancelRequest` says."""

    id: Id


_cancel_params = params_decoder(CancelParams)


class Connection:
    """A client, and what runs on its behalf in one event loop.

    Notifications take effect at once, so before anything later starts. Requests are tasks, started in order.
    `initialize` and `shutdown` are answered before the next message is looked at.
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        handlers: Handlers,
        *,
        max_message_bytes: int = MAX_MESSAGE_BYTES,
        high_water_bytes: int = HIGH_WATER_BYTES,
    ) -> None:
        """Prepare; `serve` does the work and closes the writer."""
        self._reader = reader
        self._writer = writer
        self._transport = writer.transport
        self._transport.set_write_buffer_limits(high=high_water_bytes)
        self._high_water = high_water_bytes
        self._handlers = handlers
        self._splitter = FrameSplitter(max_message_bytes)
        self._lifecycle = Lifecycle()
        self._outgoing = ClientRequests(self._send)
        self._running = RunningRequests(self._send)
        self._reading: asyncio.Task[None] | None = None
        self._first: asyncio.Task[bool] | None = None
        """The request that has to be answered before anything else is looked at."""
        self._unknown: set[str] = set()

    async def serve(self) -> int:
        """Work until the client leaves or `stop` is called; answers the exit code that LSP asks for."""
        reading = self._reading = asyncio.create_task(self._read())
        try:
            await asyncio.wait({reading})
        finally:
            reading.cancel()
            await self._end()
        if not reading.cancelled():
            reading.result()
        return self._lifecycle.exit_code

    def stop(self) -> None:
        """Let `serve` end, for example because the client's process is gone."""
        if self._reading is not None:
            self._reading.cancel()

    @property
    def is_congested(self) -> bool:
        """The client reads slower than we write; what is only status can be left out."""
        return self._transport.get_write_buffer_size() > self._high_water

    def notify(self, method: str, params: object = None) -> None:
        """Send a notification, after everything sent before; once the connection has ended, nothing happens."""
        self._send(encode_notification(method, params))

    async def request(self, method: str, params: object, result_type: type[R], timeout: float = CLIENT_SECONDS) -> R:
        """Ask the client; anything but a good answer within `timeout` seconds raises RpcError."""
        return await self._outgoing.ask(method, params, result_type, timeout)

    async def _read(self) -> None:
        try:
            while data := await self._reader.read(READ_BYTES):
                for frame in self._splitter.feed(data):
                    if not self._take(frame):
                        return
                    if self._first is not None:
                        await self._settle_first(self._first)
                    if self._running.is_full:
                        await self._running.room()
                    if self.is_congested:
                        await self._writer.drain()
        except OSError as error:
            log.info("the connection broke: %s", type(error).__name__)

    def _take(self, frame: Frame) -> bool:
        """Act on a message; False if it was the last one."""
        if isinstance(frame, Rejected):
            log.warning("a message was left out: %s", frame.reason)
            self._send(encode_error(None, RpcError(ErrorCode.INVALID_REQUEST, frame.reason)))
            return not frame.fatal
        match decode(frame):
            case Request() as request:
                self._start(request)
            case Notification() as notification:
                return self._hear(notification)
            case Response() as response:
                self._outgoing.settle(response)
            case Malformed(id, error):
                log.warning("a message cannot be read: %s", error)
                self._send(encode_error(id, error))
        return True

    def _start(self, request: Request) -> None:
        method = request.method
        try:
            self._check(request)
            decode_params, handler = self._handlers.requests[method]
            params = decode_params(request.params)
        except RpcError as error:
            self._send(encode_error(request.id, error))
            return
        self._lifecycle.received(method)
        task = self._running.start(Call(request.id, method, self), handler, params)
        if method in (INITIALIZE, SHUTDOWN):
            self._first = task

    def _check(self, request: Request) -> None:
        refusal = self._lifecycle.refusal(request.method)
        if refusal is not None:
            raise refusal
        if request.id in self._running:
            raise RpcError(ErrorCode.INVALID_REQUEST, "a request with this id is still running")
        if request.method not in self._handlers.requests:
            raise RpcError(ErrorCode.METHOD_NOT_FOUND, f"unknown method: {request.method}")

    async def _settle_first(self, task: asyncio.Task[bool]) -> None:
        self._first = None
        # Waiting this way leaves the task to `RunningRequests` if the connection is stopped meanwhile.
        await asyncio.wait({task})
        if not task.cancelled() and task.result():
            self._lifecycle.initialized()

    def _hear(self, notification: Notification) -> bool:
        method = notification.method
        if method == EXIT:
            return False
        if method != CANCEL and not self._lifecycle.takes_notifications():
            return True
        try:
            if method == CANCEL:
                self._running.cancel(_cancel_params(notification.params).id)
            elif (route := self._handlers.notifications.get(method)) is not None:
                decode_params, handler = route
                handler(decode_params(notification.params))
            elif not method.startswith("$/"):
                self._note_unknown(method)
        except RpcError as error:
            log.warning("%s was dropped: %s", method, error)
        except Exception as error:  # noqa: BLE001 - one bad notification must not end the connection
            log_failure(method, error)
        return True

    def _note_unknown(self, method: str) -> None:
        if method not in self._unknown and len(self._unknown) < MAX_UNKNOWN:
            self._unknown.add(method)
            log.info("unknown notification, from now on ignored: %s", method)

    def _send(self, body: bytes) -> None:
        # An output that is closed closes the input too, which ends `serve`; there is nothing to do here.
        if not self._transport.is_closing():
            self._writer.write(write_frame(body))

    async def _end(self) -> None:
        self._outgoing.end()
        await self._running.end()
        self._writer.close()
        try:
            async with asyncio.timeout(FLUSH_SECONDS):
                await self._writer.wait_closed()
        except TimeoutError:
            self._transport.abort()
        except OSError:
            pass  # The client was gone before us.
