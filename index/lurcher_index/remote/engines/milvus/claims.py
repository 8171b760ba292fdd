"""The right to publish a repository, on a server without transactions.

Whoever wants it writes that down, looks who else does, writes down that he has it, and looks again. If two have it,
the later of their writes came before one of their second looks, so that at least one of them sees the other and gives
up. If two want it at once, the one that began earlier goes on. Whoever dies stops renewing, and his claim runs out.
"""

import secrets
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Annotated

import msgspec

from lurcher_index.errors import RemoteBusy, RemoteError
from lurcher_index.remote.engines.milvus.client import Client
from lurcher_index.remote.engines.milvus.keys import note_key, repository_key
from lurcher_index.remote.engines.milvus.notes import note, read

RENEWALS = 3
"""How often a claim is renewed in the time it lives: two may fail."""


class Claim(msgspec.Struct, frozen=True):
    """Somebody wants to publish, or does."""

    nonce: str
    owner: Annotated[str, msgspec.Meta(max_length=200)]
    started: float
    """Seconds since 1970, as `expires`."""
    expires: float
    held: bool

    def is_before(self, other: "Claim") -> bool:
        """Whether this one began earlier."""
        return (self.started, self.nonce) < (other.started, other.nonce)


class Claims:
    """The claims of one client. Thread-safe."""

    def __init__(self, client: Client, collection: str, clock: Callable[[], float] = time.time) -> None:
        """None yet."""
        self._client = client
        self._collection = collection
        self._clock = clock
        self._held: dict[str, _Held] = {}

    @contextmanager
    def claim(self, repository: str, owner: str) -> Generator[None]:
        """Hold the right to publish."""
        held = _Held(self, repository, owner[:200])
        try:
            held.take()
            self._held[repository] = held
            held.renewing.start()
            yield
        finally:
            if self._held.get(repository) is held:
                del self._held[repository]
            held.give_up()

    def check(self, repository: str) -> None:
        """Refuse to write without a claim that is known to be alive."""
        held = self._held.get(repository)
        if held is None:
            raise RemoteError(f"{repository} is not claimed; publish it within a claim")
        if self.is_over(held.claim):
            raise RemoteBusy(
                f"{self._client.where} could not be told in time that {repository} is still being published; publish it"
                " again"
            )

    def check_all(self) -> None:
        """Refuse to write if any claim that is held has run out."""
        for repository in tuple(self._held):
            self.check(repository)

    def is_over(self, claim: Claim) -> bool:
        """Whether another may have it by now."""
        return self._clock() >= claim.expires

    def alive(self, repository: str) -> list[Claim]:
        """All claims of a repository that have not run out."""
        condition = f'repository == "{repository_key(repository)}" and kind == "claim"'
        claims = read(self._client, self._collection, condition, Claim)
        now = self._clock()
        return [each for each in claims if each.expires > now]

    def write(self, repository: str, claim: Claim) -> None:
        """Write a claim down."""
        key = note_key("claim", repository, claim.nonce)
        self._client.upsert(self._collection, [note(key, repository_key(repository), "claim", claim)], claimed=False)

    def delete(self, repository: str, nonce: str) -> None:
        """Withdraw a claim."""
        self._client.delete(self._collection, [note_key("claim", repository, nonce)], claimed=False)

    def sweep(self, repository: str) -> None:
        """Delete what those who died left behind."""
        condition = f'repository == "{repository_key(repository)}" and kind == "claim"'
        now = self._clock()
        for each in read(self._client, self._collection, condition, Claim):
            if each.expires <= now:
                self.delete(repository, each.nonce)

    def new(self, owner: str) -> Claim:
        """A claim that begins now."""
        now = self._clock()
        return Claim(secrets.token_hex(8), owner, now, now + self._client.limits.claim, held=False)

    def wait_between_renewals(self) -> float:
        """Seconds."""
        return self._client.limits.claim / RENEWALS

    def busy(self, repository: str, others: list[Claim]) -> RemoteBusy:
        """What those are told who come too late."""
        wait = max(each.expires for each in others) - self._clock()
        return RemoteBusy(
            f"somebody else is publishing {repository} to {self._client.where}, or was killed less than"
            f" {self._client.limits.claim:g} s ago; try again when they are done",
            max(0.0, min(wait, self._client.limits.claim)),
        )

    def later(self, claim: Claim) -> Claim:
        """The same claim, renewed."""
        return msgspec.structs.replace(claim, expires=self._clock() + self._client.limits.claim, held=True)


class _Held:
    """One claim from its beginning to its end."""

    def __init__(self, claims: Claims, repository: str, owner: str) -> None:
        self._claims = claims
        self._repository = repository
        self.claim = claims.new(owner)
        """As others see it."""
        self._done = threading.Event()
        self.renewing = threading.Thread(target=self._renew, name="lurcher-claim", daemon=True)

    def take(self) -> None:
        """Get the claim, or raise."""
        self._claims.write(self._repository, self.claim)
        others = self._others()
        if any(each.held or each.is_before(self.claim) for each in others):
            raise self._claims.busy(self._repository, others)
        self._hold()
        others = [each for each in self._others() if each.held]
        if others:
            raise self._claims.busy(self._repository, others)
        self._claims.sweep(self._repository)

    def give_up(self) -> None:
        """Withdraw the claim."""
        self._done.set()
        if self.renewing.is_alive():
            self.renewing.join()
        try:
            self._claims.delete(self._repository, self.claim.nonce)
        except RemoteError:
            pass  # It runs out by itself.

    def _others(self) -> list[Claim]:
        return [each for each in self._claims.alive(self._repository) if each.nonce != self.claim.nonce]

    def renew(self) -> bool:
        """Hold on to the claim; whether there is still one to hold on to.

        Whoever slept for longer than it lived, as a laptop does, must not take back what another has by now.
        """
        if self._claims.is_over(self.claim):
            return False
        try:
            self._hold()
        except RemoteError:
            pass  # It is tried again; once it has run out, nothing is written any more.
        return True

    def _hold(self) -> None:
        before, after = self.claim, self._claims.later(self.claim)
        self._claims.write(self._repository, after)
        # Written too late: others may have looked while there was no claim.
        if not self._claims.is_over(before):
            self.claim = after

    def _renew(self) -> None:
        while not self._done.wait(self._claims.wait_between_renewals()) and self.renew():
            pass
