"""What an assistant has been shown, so that nothing is shown twice and a chunk can be read again by its id."""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

V = TypeVar("V")

MAX_CONVERSATIONS = 64
"""Conversations that are remembered, the latest; hosts that tell them apart keep few open at a time."""

MAX_CHUNKS = 20_000
"""Chunks remembered of one conversation: five million tokens, more than any assistant keeps in mind."""

FORGET_SECONDS = 3_600.0
"""Silence after which a conversation is over. Most hosts keep one server for all chats and name none of them, and what
was shown in yesterday's must not be missing in today's."""


class Memory:
    """Chunks by conversation; one host's conversations all have the empty name unless it tells them apart."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Nothing was shown yet."""
        self._clock = clock
        self._shown: OrderedDict[str, tuple[float, OrderedDict[str, None]]] = OrderedDict()
        self._places: OrderedDict[str, Path] = OrderedDict()

    def seen(self, conversation: str) -> tuple[str, ...]:
        """Ids of the chunks that were shown in a conversation that is still going on."""
        last, chunks = self._shown.get(conversation, (0.0, OrderedDict[str, None]()))
        if self._clock() - last > FORGET_SECONDS:
            self._shown.pop(conversation, None)
            return ()
        return tuple(chunks)

    def show(self, conversation: str, chunk_ids: Iterable[str], file: Path) -> None:
        """Chunks of a file were shown."""
        self.seen(conversation)
        _, chunks = self._shown.pop(conversation, (0.0, OrderedDict[str, None]()))
        for chunk_id in chunk_ids:
            chunks[chunk_id] = None
            self._places[chunk_id] = file
        _bound(chunks, MAX_CHUNKS)
        _bound(self._places, MAX_CHUNKS)
        self._shown[conversation] = (self._clock(), chunks)
        _bound(self._shown, MAX_CONVERSATIONS)

    def file_of(self, chunk_id: str) -> Path | None:
        """The file that a chunk was in when it was shown, in any conversation."""
        return self._places.get(chunk_id)


def _bound(held: "OrderedDict[str, V]", most: int) -> None:
    while len(held) > most:
        held.popitem(last=False)
