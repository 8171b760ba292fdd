"""What it takes to publish a commit: time, CPU on both sides, bytes on the wire."""

import os
import time
from pathlib import Path

import msgspec
from benchmarks.measure import cpu_seconds
from benchmarks.sharing.servers import Server
from benchmarks.sharing.wire import Wire

from lurcher_index import Settings
from lurcher_index.publishing.publisher import Publisher
from lurcher_index.publishing.source import find_commit
from lurcher_index.remote.connection import Connection
from lurcher_index.remote.engines.opening import open_index


class Sent(msgspec.Struct, frozen=True):
    """One publish."""

    what: str
    files: int
    """That were sent, not those of the commit."""
    chunks: int
    seconds: float
    client_cpu: float
    server_cpu: float
    """Seconds, both."""
    bytes_sent: int
    bytes_received: int
    load: float
    """Of the machine, over the last minute: how many wanted its cores."""


def published(what: str, checkout: Path, repository: str, server: Server, wire: Wire) -> Sent:
    """Publish the commit that is checked out, through the relay."""
    index = open_index(through(server.connection, wire))
    before, server_cpu, client_cpu, began = wire.bytes(), server.cpu(), cpu_seconds(), time.perf_counter()
    try:
        done = Publisher(index, repository, find_commit(checkout), Settings()).publish()
    finally:
        index.close()
    seconds = time.perf_counter() - began
    on_wire = wire.bytes().since(before)
    return Sent(
        what,
        done.sent_files,
        done.sent_chunks,
        seconds,
        cpu_seconds() - client_cpu,
        server.cpu() - server_cpu,
        *on_wire,
        os.getloadavg()[0],
    )


def through(connection: Connection, wire: Wire) -> Connection:
    """The same engine, behind the relay."""
    head, _, database = connection.url.rpartition("/")
    return msgspec.structs.replace(connection, url=f"{head.rpartition(':')[0]}:{wire.port}/{database}")
