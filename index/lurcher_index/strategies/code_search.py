"""Remote code search as one of the strategies; without a provider nothing leaves the machine."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Protocol

from lurcher_index.asking import Ask
from lurcher_index.remote.states import RemoteState, Repository
from lurcher_index.strategies.context import Context
from lurcher_index.strategies.interface import Cannot, Retrieved

CODE_SEARCH_TIMEOUT = 12.5
"""Seconds after which the local strategies start beside it; Copilot Chat's figure."""


class RemoteProvider(Protocol):
    """Somebody who can search the workspace's repositories elsewhere. Whoever sets one has the person's consent."""

    @property
    def state(self) -> RemoteState:
        """Whether it can be asked."""
        ...

    @property
    def repositories(self) -> tuple[Repository, ...]:
        """What it knows of the workspace's repositories."""
        ...

    async def prepare(self, ask: Ask) -> None:
        """Anything that may have to ask a person first, as signing in does."""
        ...

    async def search(self, context: Context) -> Retrieved | Cannot:
        """Search there, and for what has changed since here."""
        ...


def nobody() -> None:
    """Nobody to ask."""


class CodeSearch:
    """Asks the remote provider, if there is one."""

    id = "codeSearch"
    timeout = CODE_SEARCH_TIMEOUT

    def __init__(
        self,
        provider: Callable[[], RemoteProvider | None] = nobody,
        before: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """`provider` gives the one of now; without one it cannot search. `before` is where a person may be asked."""
        self._provider = provider
        self._before = before

    @property
    def is_on(self) -> bool:
        """Whether somebody may be asked now."""
        provider = self._provider()
        return provider is not None and provider.state is not RemoteState.DISABLED

    async def prepare(self, context: Context) -> None:
        """Let the person be asked for consent, and then the provider ask what it must; one that is off asks nothing."""
        if self._before is not None:
            await self._before()
        provider = self._provider()
        if provider is not None and provider.state is not RemoteState.DISABLED:
            await provider.prepare(context.ask)

    async def search(self, context: Context) -> Retrieved | Cannot:
        """What the provider finds."""
        provider = self._provider()
        if provider is None:
            return Cannot("remote code search is not configured; it sends nothing")
        if provider.state is RemoteState.DISABLED:
            return Cannot("remote code search is switched off; it sends nothing")
        context.is_asked_elsewhere = True
        try:
            return await provider.search(context)
        finally:
            context.is_asked_elsewhere = False


def asks_far(strategies: Iterable[object]) -> bool:
    """Whether one of some strategies may ask somebody else."""
    return any(isinstance(each, CodeSearch) and each.is_on for each in strategies)
