"""Remote code search of a session: what the person allowed reaches the engine; what is missing is asked for, once."""

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

import msgspec

from lurcher_index.errors import BadSetting, LurcherError
from lurcher_index.remote.agreement import Agreement, Consent, agree
from lurcher_index.remote.connection import Connection
from lurcher_index.remote.consent import Consents
from lurcher_index.remote.sending import described, what_is_never_sent
from lurcher_index.secret import Secret, secret_from
from lurcher_server.lsp.engines import EngineSlot
from lurcher_server.lsp.lanes import at_home
from lurcher_server.lsp.messages import RpcError
from lurcher_server.lsp.registry import Peer
from lurcher_server.lsp.settings import RemoteUse

if TYPE_CHECKING:
    from lurcher_index import Engine

log = logging.getLogger(__name__)

QUESTION_SECONDS = 24 * 3600.0
"""How long a question may stand unanswered on the person's screen before it counts as “not now”."""

FIRST_ANSWER_SECONDS = 5.0
"""How long the search that raised the question waits for the answer: enough for somebody who knows what is asked. Who
reads it first has the local answer meanwhile, and the question stays."""

ALLOW = "Allow for this workspace"
NOT_NOW = "Not now"
NEVER = "Never"

WARNING = 2
"""LSP's number for a message of type warning; editors show these longest."""


class Wishes(msgspec.Struct, frozen=True, kw_only=True):
    """What the settings and the client say. None of it turns anything on."""

    connection: Connection | None = None
    use: RemoteUse = "auto"
    folders: tuple[str, ...] = ()
    trusted: bool = True
    can_ask: bool = False


class _Given(NamedTuple):
    """What an engine was last told; to be told the same again would make it begin anew."""

    engine: "Engine"
    connection: Connection | None
    secret: Secret | None
    use: str

    def is_same(self, other: "_Given | None") -> bool:
        """Whether there is nothing new. A secret has no equality of its own, so that nothing compares it by chance."""
        if other is None or (self.engine, self.connection, self.use) != (other.engine, other.connection, other.use):
            return False
        if self.secret is None or other.secret is None:
            return self.secret is other.secret
        return self.secret.reveal() == other.secret.reveal()


class Soon(Protocol):
    """Runs something beside everything else, until the session ends."""

    def __call__(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """Begin."""
        ...


class Remoting:
    """Holds the session's token and how it stands with consent; the answers themselves are in the person's file."""

    def __init__(
        self,
        peer: Peer | None,
        slot: EngineSlot,
        soon: Soon,
        wishes: Callable[[], Wishes],
        consents: Consents | None = None,
    ) -> None:
        """Nothing is read yet. Without a peer nobody can be asked anything."""
        self._peer = peer
        self._slot = slot
        self._soon = soon
        self._wishes = wishes
        self._consents = consents or Consents()
        self._token: Secret | None = None
        self._is_taken_back = False
        self._given: _Given | None = None
        self._failure: tuple[str, ...] = ()
        self._turn = threading.Lock()
        self._stamp: object = None
        self._question: asyncio.Task[None] | None = None
        self.agreement = Agreement()
        """How it stood when it was last looked at."""
        self.alerts: tuple[str, ...] = ()
        """What a person should know about it."""

    # -- the engine

    def adopt(self, engine: "Engine", home: asyncio.AbstractEventLoop) -> None:
        """In a thread: have a new engine search where it may, and ask before it does, in the session's own loop."""
        engine.before_search = partial(self.follow, engine)
        engine.before_remote = partial(self._before_remote, engine, home)
        self._set_up(engine)

    def follow(self, engine: "Engine") -> None:
        """In a thread: notice what was answered elsewhere, as on a command line."""
        # Whoever is just setting it up has noted the new stamp, and has yet to tell the engine: that is waited for.
        with self._turn:
            is_new = self._consents.stamp() != self._stamp
        if is_new:
            self._set_up(engine)

    async def refresh(self) -> None:
        """Settings, token or consent changed: what holds now reaches the engine."""
        async with self._slot.use() as engine:
            await asyncio.to_thread(self._set_up, engine)

    def _set_up(self, engine: "Engine") -> None:
        """In a thread."""
        with self._turn:
            wishes = self._wishes()
            # Looked at before the file is read: what changes in between is noticed the next time.
            self._stamp = self._consents.stamp()
            self.agreement = agree(self._consents, wishes.folders, wishes.connection)
            may = wishes.trusted and not self._is_taken_back
            connection = self.agreement.allowed if may else None
            secret, missing = self._secret(connection)
            self.alerts = (*_alerts(self.agreement, wishes), *missing)
            given = _Given(engine, connection, secret, wishes.use)
            if not given.is_same(self._given):
                self._given = given
                self._failure = _told(given)
            self.alerts = (*self.alerts, *self._failure)

    def _secret(self, connection: Connection | None) -> tuple[Secret | None, tuple[str, ...]]:
        """The client's token or the environment's, and what is wrong with the latter."""
        if connection is None or self._token is not None or not connection.token_variable:
            return (self._token if connection is not None else None), ()
        try:
            return secret_from(connection.token_variable), ()
        except LurcherError as error:
            return None, (str(error),)

    @property
    def failure(self) -> str:
        """Why the engine cannot search where it may; empty if it can."""
        return "; ".join(self._failure)

    @property
    def has_token(self) -> bool:
        """Whether the client gave one, or the environment has it."""
        return self._secret(self.agreement.allowed)[0] is not None

    # -- acts of the person

    async def allow(self, connection: Connection | None) -> None:
        """The person allowed a connection, or the one that the settings name, for all folders of the workspace."""
        wishes = self._wishes()
        chosen = connection or wishes.connection or self.agreement.connection
        if not wishes.trusted:
            raise BadSetting("the workspace is not trusted; trust it first, then allow remote code search")
        if chosen is None or not wishes.folders:
            raise BadSetting("name a kind and an url, and open a folder: there is nothing to allow")
        await asyncio.to_thread(self._record, wishes.folders, chosen)
        self._is_taken_back = False
        await self.refresh()

    async def forbid(self, never: bool) -> None:
        """The person took it back, for all folders of the workspace; with `never` nobody asks again."""
        self._token = None
        # Off for this session at once, and also if that cannot be written down.
        self._is_taken_back = True
        await self.refresh()
        change = self._consents.refuse if never else self._consents.forbid
        for folder in self._wishes().folders:
            await asyncio.to_thread(change, folder)
        self._is_taken_back = False
        await self.refresh()

    async def take_token(self, token: str) -> None:
        """Sign in with a token from now on, in this session; an empty one forgets it."""
        try:
            self._token = Secret(token) if token else None
        except LurcherError:
            raise BadSetting("the token is too long or has characters that no token has") from None
        await self.refresh()

    def _record(self, folders: tuple[str, ...], connection: Connection) -> None:
        for folder in folders:
            self._consents.allow(folder, connection)

    # -- the question

    def notes(self, complete: bool) -> tuple[str, ...]:
        """What an answer has to say: that remote code search could have helped, if it could."""
        wishes = self._wishes()
        is_wanted = wishes.use == "always" or (wishes.use == "auto" and not complete)
        return self.alerts if is_wanted and wishes.trusted else ()

    async def _before_remote(self, engine: "Engine", home: asyncio.AbstractEventLoop) -> None:
        """Before a search looks elsewhere, and after it followed what was answered meanwhile."""
        if self._question is None and self.agreement.consent is Consent.MISSING:
            await at_home(home, partial(self._ask_first, engine))

    async def _ask_first(self, engine: "Engine") -> None:
        """Ask the person, if that is wanted, and wait a moment for the answer."""
        has_to_ask = await asyncio.to_thread(self._has_to_ask, engine)
        # Another search may have asked meanwhile.
        if has_to_ask and self._question is None:
            self._question = self._soon(self._ask())
            await asyncio.wait([self._question], timeout=FIRST_ANSWER_SECONDS)
            await asyncio.to_thread(self.follow, engine)

    def _has_to_ask(self, engine: "Engine") -> bool:
        wishes, agreement = self._wishes(), self.agreement
        return (
            wishes.trusted
            and wishes.can_ask
            and self._peer is not None
            and wishes.connection is not None
            and agreement.consent is Consent.MISSING
            and not agreement.complaint
            and (wishes.use == "always" or (wishes.use == "auto" and not engine.is_complete))
        )

    async def _ask(self) -> None:
        """Ask the person, once in a session, whatever the answer is."""
        agreement, peer = self.agreement, self._peer
        connection, folders = agreement.connection, agreement.lacking
        assert connection is not None, "only a wish is asked about"
        assert peer is not None, "only who is there is asked"
        message = {
            "type": WARNING,
            "message": question(connection, folders),
            "actions": [{"title": title} for title in (ALLOW, NOT_NOW, NEVER)],
        }
        try:
            answer = await peer.request("window/showMessageRequest", message, object, QUESTION_SECONDS)
        except RpcError as error:
            log.warning("the client did not ask about remote code search: %s", error)
            return
        title = _title(answer)
        try:
            if title == ALLOW:
                await asyncio.to_thread(self._record, folders, connection)
            elif title == NEVER:
                for folder in folders:
                    await asyncio.to_thread(self._consents.refuse, folder)
            else:
                return
        except LurcherError as error:
            peer.notify("window/showMessage", {"type": WARNING, "message": f"Lurcher: {error}"})
            return
        # Not here: the search that waits for this task may be what keeps the engine from being exchanged.
        self._soon(self.refresh())


def _told(given: _Given) -> tuple[str, ...]:
    """Tell the engine; what is wrong, if it cannot search there, as when a library is missing. Others go on."""
    try:
        given.engine.set_remote(given.connection, given.secret, given.use)
    except LurcherError as error:
        given.engine.set_remote(None)
        return (str(error),)
    return ()


def question(connection: Connection, folders: tuple[str, ...]) -> str:
    """What the person is asked: who wants to send what where, and what stays."""
    sent = "; ".join(described(connection))
    never = "; ".join(what_is_never_sent(connection.kind))
    return (
        f"Lurcher: may remote code search send what you search for in {', '.join(folders)} to {connection.kind} at"
        f" {connection.url}? Sent with every search: {sent}. Never sent: {never}. The settings ask for it, which may be"
        " those of the workspace; nothing is sent before you allow it."
    )


def _alerts(agreement: Agreement, wishes: Wishes) -> tuple[str, ...]:
    if wishes.use == "off" or not wishes.trusted:
        return ()
    if agreement.complaint:
        return (agreement.complaint,)
    if agreement.consent is not Consent.MISSING:
        return ()
    return (f"{agreement.detail}. To see what would be sent, and allow it, run: {' && '.join(agreement.commands)}",)


def _title(answer: object) -> object:
    return cast("dict[str, object]", answer).get("title") if isinstance(answer, dict) else None
