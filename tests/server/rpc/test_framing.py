"""Bytes into messages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lurcher_server.lsp.framing import MAX_HEADER_BYTES, MAX_SKIPPED_BYTES, Frame, FrameSplitter, Rejected, write_frame

GOOD = b"Content-Length: 2\r\n\r\n{}"


def split(data: bytes, *, step: int | None = None, limit: int = 100) -> list[Frame]:
    """What comes out if the bytes come at once, or `step` at a time."""
    splitter = FrameSplitter(limit)
    step = step or len(data)
    return [frame for at in range(0, len(data), step) for frame in splitter.feed(data[at : at + step])]


def check(data: bytes, *expected: bytes | str) -> None:
    """Bytes are a body, a string is a part of the reason why one was left out; the same for every way to cut."""
    for step in (None, 1, 7):
        frames = split(data, step=step)
        assert len(frames) == len(expected), (step, frames)
        for frame, wanted in zip(frames, expected, strict=True):
            if isinstance(frame, Rejected):
                assert isinstance(wanted, str) and wanted in frame.reason
            else:
                assert frame == wanted


def test_what_is_written_is_read() -> None:
    check(write_frame(b"{}") + write_frame("ä".encode()) + write_frame(b""), b"{}", "ä".encode(), b"")


@pytest.mark.parametrize(
    "header",
    [
        b"content-length: 2",
        b"CONTENT-LENGTH:2",
        b"Content-Length : 2 ",
        b"Content-Length: 002",
        b"X-Extra: a: b\r\nContent-Length: 2\r\nOther:",
        b"Content-Length: 2\r\nContent-Type: application/vscode-jsonrpc",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2",
        b'content-type: application/vscode-jsonrpc; charset="UTF8"\r\nContent-Length: 2',
    ],
)
def test_headers_that_are_understood(header: bytes) -> None:
    check(header + b"\r\n\r\n{}" + GOOD, b"{}", b"{}")


def test_bare_line_feeds_are_understood() -> None:
    check(b"Content-Length: 2\n\n{}" + GOOD, b"{}", b"{}")


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        (b"X", "colon"),
        (b"X-Length: 2", "no Content-Length"),
        (b"Content-Length:", "no length"),
        (b"Content-Length: -2", "no length"),
        (b"Content-Length: +2", "no length"),
        (b"Content-Length: 2.0", "no length"),
        (b"Content-Length: two", "no length"),
        (b"Content-Length: \xb2", "no length"),
        (b"Content-Length: %d" % (MAX_SKIPPED_BYTES + 1), "no length"),
        (b"Content-Length: " + b"9" * 5000, "no length"),
        (b"hello\r\nX: y", "colon"),
    ],
)
def test_a_broken_header_is_reported_and_the_next_message_is_found(header: bytes, reason: str) -> None:
    check(header + b"\r\n\r\n{}" + GOOD, reason, b"{}")


def test_of_two_lengths_the_last_is_tried() -> None:
    check(b"Content-Length: 9\r\nContent-Length: 2\r\n\r\n{}" + GOOD, "two lengths", b"{}", b"{}")


def test_garbage_in_front_of_a_header_costs_nothing_but_a_report() -> None:
    check(b"garbage" + GOOD, "no Content-Length", b"{}")
    check(b"garbage\r\n" + GOOD, "colon", b"{}")


def test_a_header_without_end_is_given_up() -> None:
    check(b"x" * (MAX_HEADER_BYTES + 1) + GOOD, "no end", b"{}")


def test_garbage_without_end_takes_no_memory() -> None:
    splitter = FrameSplitter()
    frames = [frame for _ in range(50) for frame in splitter.feed(b"x" * 100_000)]
    assert len(frames) == 1
    assert len(splitter._buffer) < 1000
    assert list(splitter.feed(GOOD)) == [b"{}"]


def test_a_message_beyond_the_limit_is_skipped_and_takes_no_memory() -> None:
    check(write_frame(b"x" * 100) + GOOD, b"x" * 100, b"{}")
    check(write_frame(b"x" * 101) + GOOD, "101 bytes", b"{}")
    splitter = FrameSplitter(10)
    assert len(list(splitter.feed(b"Content-Length: 500000000\r\n\r\n"))) == 1
    for _ in range(500):
        assert list(splitter.feed(b"x" * 1_000_000)) == []
    assert len(splitter._buffer) == 0
    assert list(splitter.feed(GOOD)) == [b"{}"]


def test_another_charset_is_refused() -> None:
    check(b"Content-Length: 2\r\nContent-Type: a/b; charset=utf-16\r\n\r\n{}" + GOOD, "utf-16", b"{}")


@pytest.mark.parametrize("request_line", [b"POST / HTTP/1.1", b"GET /x HTTP/1.1", b"POST /" + b"a" * 9000])
def test_a_browser_is_never_taken_for_a_client(request_line: bytes) -> None:
    """A web page may post a message to a local port; its body must not be found by looking for the next header."""
    for step in (None, 1, 7):
        frames = split(request_line + b"\r\nHost: localhost\r\n" + GOOD + GOOD, step=step)
        assert [isinstance(frame, Rejected) and frame.fatal for frame in frames] == [True]


@given(st.lists(st.binary(max_size=40), max_size=6), st.lists(st.integers(1, 30), min_size=1))
def test_the_way_a_stream_is_cut_makes_no_difference(bodies: list[bytes], cuts: list[int]) -> None:
    data = b"".join(write_frame(body) for body in bodies)
    splitter, frames, at = FrameSplitter(), list[Frame](), 0
    while at < len(data):
        step = cuts[at % len(cuts)]
        frames += splitter.feed(data[at : at + step])
        at += step
    assert frames == bodies
