"""Server-sent events out of bytes that are cut anywhere."""

import random
from collections.abc import Iterator

import pytest

from lurcher_index.errors import RemoteUnreachable
from lurcher_index.remote.http import events
from lurcher_index.remote.http.events import Event, events_of

STREAM = (
    b": hello\n\nevent: matches\ndata: [1,\ndata: 2]\n\ndata:x\r\n\r\nevent: done\ndata: {}\n\nevent: half\ndata: 1\n"
)
EVENTS = [Event("matches", b"[1,\n2]"), Event("message", b"x"), Event("done", b"{}")]


def heard(*blocks: bytes) -> list[Event]:
    return list(events_of(blocks, "the server"))


def test_events_wherever_the_bytes_are_cut() -> None:
    chance = random.Random(7)
    assert heard(STREAM) == EVENTS
    assert heard(*(STREAM[at : at + 1] for at in range(len(STREAM)))) == EVENTS
    for _ in range(50):
        cuts = sorted(chance.sample(range(len(STREAM)), 5))
        assert heard(*(STREAM[a:b] for a, b in zip([0, *cuts], [*cuts, None], strict=True))) == EVENTS


def test_an_event_comes_as_soon_as_it_is_whole() -> None:
    def blocks() -> Iterator[bytes]:
        yield b"data: 1\n\n"
        raise AssertionError("nobody asked for more")

    assert next(events_of(blocks(), "the server")) == Event("message", b"1")


@pytest.mark.parametrize("blocks", [(b"data: 0123",) * 3, (b"data: 0123\n",) * 5, (b"x" * 30,)])
def test_what_never_ends_is_not_kept(blocks: tuple[bytes, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "MAX_EVENT_BYTES", 16)
    with pytest.raises(RemoteUnreachable, match="more than 16 bytes"):
        heard(*blocks)


def test_nonsense_is_no_event() -> None:
    assert heard(b"\xff\xfe\n\n", b"event\n\n", b"\n\n\n", b"id: 4\nretry: 1\n\n") == []
    assert heard(b"event: \xff\ndata\n\n") == [Event("\ufffd", b"")]
