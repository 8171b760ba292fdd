"""Streams over file descriptors an event loop cannot wait for: files, terminals, and everything on Windows."""

import asyncio
import os
import threading
from queue import SimpleQueue

CHUNK_BYTES = 64 * 1024
"""Bytes read at once."""


def read_in_thread(fd: int, reader: asyncio.StreamReader) -> asyncio.ReadTransport:
    """Feed a stream from a thread that ends with the input, or with the process."""
    transport = _ThreadReader(fd, reader, asyncio.get_running_loop())
    reader.set_transport(transport)
    return transport


def write_in_thread(fd: int, protocol: asyncio.BaseProtocol) -> asyncio.WriteTransport:
    """A transport whose writing is done by a thread."""
    return _ThreadWriter(fd, protocol, asyncio.get_running_loop())


class _ThreadReader(asyncio.ReadTransport):
    """Reads the next chunk only when the last one was taken, so memory stays bounded."""

    def __init__(self, fd: int, reader: asyncio.StreamReader, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._fd = fd
        self._reader = reader
        self._loop = loop
        self._paused = False
        self._closed = False
        self._go = threading.Event()
        threading.Thread(target=self._pump, name="lsp-input", daemon=True).start()

    def pause_reading(self) -> None:
        self._paused = True

    def resume_reading(self) -> None:
        self._paused = False
        self._go.set()

    def is_closing(self) -> bool:
        return self._closed

    def close(self) -> None:
        # A thread that waits for input stays until there is some; a daemon, it keeps nobody from leaving.
        self._closed = True
        self._reader.feed_eof()
        self._go.set()

    def _pump(self) -> None:
        data = b"-"
        while data and not self._closed:
            try:
                data = os.read(self._fd, CHUNK_BYTES)
            except OSError:
                data = b""
            self._go.clear()
            try:
                self._loop.call_soon_threadsafe(self._deliver, data)
            except RuntimeError:
                break  # The loop is closed.
            if data and not self._closed:
                self._go.wait()
        os.close(self._fd)

    def _deliver(self, data: bytes) -> None:
        if not data or self._closed:
            self._reader.feed_eof()
            return
        self._reader.feed_data(data)
        if not self._paused:
            self._go.set()


class _ThreadWriter(asyncio.WriteTransport):
    """Keeps what is written in a queue for its thread; an empty chunk asks the thread to end."""

    def __init__(self, fd: int, protocol: asyncio.BaseProtocol, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._fd = fd
        self._protocol = protocol
        self._loop = loop
        self._waiting = 0
        self.set_write_buffer_limits()
        self._paused = False
        self._closing = False
        self._chunks: SimpleQueue[bytes] = SimpleQueue()
        protocol.connection_made(self)
        threading.Thread(target=self._pump, name="lsp-output", daemon=True).start()

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self._closing or not data:
            return
        self._waiting += len(data)
        self._chunks.put(bytes(data))
        if self._waiting > self._high and not self._paused:
            self._paused = True
            self._protocol.pause_writing()

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        self._high = CHUNK_BYTES if high is None else high
        self._low = self._high // 4 if low is None else low

    def get_write_buffer_size(self) -> int:
        return self._waiting

    def is_closing(self) -> bool:
        return self._closing

    def close(self) -> None:
        if not self._closing:
            self._closing = True
            self._chunks.put(b"")

    def abort(self) -> None:
        self.close()

    def _pump(self) -> None:
        error: OSError | None = None
        try:
            while chunk := self._chunks.get():
                view = memoryview(chunk)
                while view:
                    view = view[os.write(self._fd, view) :]
                self._loop.call_soon_threadsafe(self._written, len(chunk))
        except OSError as failed:
            error = failed
        except RuntimeError:
            return  # The loop is closed.
        finally:
            os.close(self._fd)
        try:
            self._loop.call_soon_threadsafe(self._lost, error)
        except RuntimeError:
            pass

    def _written(self, size: int) -> None:
        self._waiting -= size
        if self._paused and self._waiting <= self._low:
            self._paused = False
            self._protocol.resume_writing()

    def _lost(self, error: OSError | None) -> None:
        self._closing = True
        self._waiting = 0
        self._protocol.connection_lost(error)
