"""Which method is handled by what, and with which type of params."""

from collections.abc import Awaitable, Callable
from typing import Any, Protocol, Self, TypeVar, overload

import msgspec
from msgspec import Raw

from lurcher_server.lsp.messages import ErrorCode, Id, RpcError

P = TypeVar("P")
R = TypeVar("R")

CLIENT_SECONDS = 30.0
"""How long the client may take to answer; some of its answers wait for a person."""


class Peer(Protocol):
    """The client as a handler sees it."""

    @property
    def is_congested(self) -> bool:
        """The client reads slower than we write; what is only status can be left out."""
        ...

    def notify(self, method: str, params: object = None) -> None:
        """Send a notification, after everything sent before."""
        ...

    async def request(self, method: str, params: object, result_type: type[R], timeout: float = CLIENT_SECONDS) -> R:
        """Ask the client; anything but a good answer within `timeout` seconds raises RpcError."""
        ...


class Call(msgspec.Struct, frozen=True):
    """The request a handler answers."""

    id: Id
    method: str
    connection: Peer


RequestHandler = Callable[[P, Call], Awaitable[object]]
"""Its answer is anything msgspec can encode, or RpcError. It is cancelled when the client asks for that."""

NotificationHandler = Callable[[P], None]
"""Runs to its end before the next message is looked at."""


class Handlers:
    """The methods a server knows. Without a `shutdown` of its own, that request is answered with null."""

    def __init__(self) -> None:
        """Know nothing but `shutdown`."""
        self.requests: dict[str, tuple[Callable[[Raw], Any], RequestHandler[Any]]] = {}
        self.notifications: dict[str, tuple[Callable[[Raw], Any], NotificationHandler[Any]]] = {}
        self.request("shutdown", None, _nothing)

    @overload
    def request(self, method: str, params_type: None, handler: RequestHandler[None]) -> Self: ...
    @overload
    def request(self, method: str, params_type: type[P], handler: RequestHandler[P]) -> Self: ...
    def request(self, method: str, params_type: type[Any] | None, handler: RequestHandler[Any]) -> Self:
        """Answer a method; with None as `params_type` its params are not looked at."""
        self.requests[method] = (params_decoder(params_type) if params_type else _ignored), handler
        return self

    @overload
    def notification(self, method: str, params_type: None, handler: NotificationHandler[None]) -> Self: ...
    @overload
    def notification(self, method: str, params_type: type[P], handler: NotificationHandler[P]) -> Self: ...
    def notification(self, method: str, params_type: type[Any] | None, handler: NotificationHandler[Any]) -> Self:
        """Listen to a method; with None as `params_type` its params are not looked at."""
        self.notifications[method] = (params_decoder(params_type) if params_type else _ignored), handler
        return self


def params_decoder(params_type: type[P]) -> Callable[[Raw], P]:
    """Makes a value of raw params; RpcError names the field that does not fit."""
    decode = msgspec.json.Decoder(params_type).decode

    def decoded(raw: Raw) -> P:
        try:
            # Absent params are an object without fields: what is required is then missed by name.
            return decode(raw or b"{}")
        except (msgspec.DecodeError, RecursionError) as error:
            raise RpcError(ErrorCode.INVALID_PARAMS, str(error)) from None

    return decoded


def _ignored(_raw: Raw) -> None:
    return None


async def _nothing(_params: None, _call: Call) -> None:
    return None
