"""An engine is exchanged only when nobody uses it, and who comes meanwhile waits for the new one."""

import asyncio
from typing import Any, cast

import pytest

from lurcher_server.lsp.engines import EngineSlot
from lurcher_server.lsp.messages import RpcError


class FakeEngine:
    """Stands for an engine: it can only be closed."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.closed = False

    def close(self) -> None:
        self.closed = True


def made(engine: FakeEngine) -> Any:
    return lambda: cast(Any, engine)


def test_users_keep_the_engine_open() -> None:
    async def run() -> None:
        slot = EngineSlot()
        old, new = FakeEngine("old"), FakeEngine("new")
        await slot.replace(made(old))
        async with slot.use() as used:
            assert used is cast(Any, old)
            exchange = asyncio.create_task(slot.replace(made(new)))
            await asyncio.sleep(0)
            waiting = asyncio.create_task(name_of(slot))
            for _ in range(5):
                await asyncio.sleep(0)
            assert not old.closed and not waiting.done()
        assert await waiting == "new"
        await exchange
        assert old.closed and not new.closed

    asyncio.run(run())


def test_a_closed_slot_lets_nobody_wait_for_ever() -> None:
    async def run() -> None:
        slot = EngineSlot()
        waiting = asyncio.create_task(name_of(slot))
        await asyncio.sleep(0)
        await slot.close()
        with pytest.raises(RpcError):
            await waiting

    asyncio.run(run())


def test_a_cancelled_user_leaves_all_the_same() -> None:
    async def run() -> None:
        slot = EngineSlot()
        engine = FakeEngine("one")
        await slot.replace(made(engine))
        entered = asyncio.Event()

        async def hang() -> None:
            async with slot.use():
                entered.set()
                await asyncio.Event().wait()

        task = asyncio.create_task(hang())
        await entered.wait()
        task.cancel()
        await asyncio.wait([task])
        await slot.close()
        assert engine.closed

    asyncio.run(run())


async def name_of(slot: EngineSlot) -> str:
    async with slot.use() as engine:
        return str(cast(Any, engine).name)
