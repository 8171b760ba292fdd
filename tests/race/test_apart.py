"""Threads for work that waits for somebody else."""

import asyncio
import threading

import pytest

from lurcher_index.strategies.apart import apart


def test_it_gives_what_the_function_gives() -> None:
    assert asyncio.run(apart(max, 3, 7)) == 7
    with pytest.raises(ValueError, match="invalid literal"):
        asyncio.run(apart(int, "x"))


def test_who_stops_waiting_does_not_wait_for_the_thread() -> None:
    """Nor does the end of the loop; and what the thread says afterwards disturbs nobody."""
    may_end, ended = threading.Event(), threading.Event()

    def work() -> None:
        assert may_end.wait(60)
        ended.set()

    async def main() -> None:
        task = asyncio.create_task(apart(work))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()

    asyncio.run(main())
    assert not ended.is_set()
    may_end.set()
    assert ended.wait(60)
