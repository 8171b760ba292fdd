"""What the commands of the status do when they come together."""

import asyncio
from collections.abc import Callable, Coroutine
from types import SimpleNamespace
from typing import Any, cast

from lurcher_server.lsp.handlers import status as commands
from lurcher_server.lsp.protocol import BUILD, DoneAnswer
from lurcher_server.lsp.registry import Handlers
from lurcher_server.lsp.session import Session
from lurcher_server.lsp.settings import read_settings


def test_section_10_one_command_at_a_time() -> None:
    """A second one that comes while the first is at work says that it was not done, and may be sent again."""
    bound: dict[str, Callable[[None, None], Coroutine[Any, Any, DoneAnswer]]] = {}
    indexing = SimpleNamespace(requests=0)
    indexing.request = lambda: setattr(indexing, "requests", indexing.requests + 1)

    async def main() -> None:
        loads = asyncio.Event()

        async def loaded() -> object:
            await loads.wait()
            return SimpleNamespace(indexing=indexing)

        session = SimpleNamespace(loaded=loaded, soon=asyncio.ensure_future, settings=read_settings({})[0])
        handlers = SimpleNamespace(request=lambda method, _params, handle: bound.update({method: handle}))
        commands.register(cast("Handlers", handlers), cast("Session", session))
        build = bound[BUILD]
        first = asyncio.create_task(build(None, None))
        await asyncio.sleep(0)
        second = await build(None, None)
        assert (second.done, indexing.requests) == (False, 0)
        assert "still at work" in second.message
        loads.set()
        assert (await first).done
        assert (await build(None, None)).done
        assert indexing.requests == 2

    asyncio.run(main())
