"""`workspace/chunkSearch/remote`: see what remote code search sends, allow it, take that back, sign in, check anew."""

import asyncio
from typing import TYPE_CHECKING, Literal

from lurcher_server.lsp.messages import ErrorCode, RpcError
from lurcher_server.lsp.protocol import REMOTE, ConnectionAnswer, RemoteAnswer, RemoteParams
from lurcher_server.lsp.registry import Call, Handlers
from lurcher_server.lsp.session import Session
from lurcher_server.lsp.uris import uri_of

if TYPE_CHECKING:
    from lurcher_index.remote.agreement import Agreement
    from lurcher_server.lsp.remoting import Remoting


def register(handlers: Handlers, session: Session) -> None:
    """Bind the method."""

    async def remote(params: RemoteParams, call: Call) -> object:
        remoting = (await session.loaded()).remoting
        if params.action in ("allow", "token") and call.method != REMOTE:
            # Tasks and links of a workspace can name commands; an editor's own buttons send the request.
            message = f"{params.action} is no command; a client sends it as a request of its own"
            raise RpcError(ErrorCode.INVALID_PARAMS, message)
        await _act(session, remoting, params)
        return await _answer(session, remoting)

    handlers.request(REMOTE, RemoteParams, remote)


async def _act(session: Session, remoting: "Remoting", params: RemoteParams) -> None:
    from lurcher_index.remote.addresses import checked_connection

    match params.action:
        case "status":
            await remoting.refresh()
        case "allow":
            named = checked_connection(params.kind, params.url, params.token_variable) if params.kind else None
            await remoting.allow(named)
        case "forbid":
            await remoting.forbid(params.never)
        case "token":
            await remoting.take_token(params.token)
        case "check":
            await remoting.refresh()
            async with session.slot.use() as engine:
                await asyncio.to_thread(engine.check_remote)


async def _answer(session: Session, remoting: "Remoting") -> RemoteAnswer:
    from lurcher_index.remote.sending import NEVER_SENT, described, what_is_never_sent
    from lurcher_server.lsp.status import repository_answers

    async with session.slot.use() as engine:
        status = await asyncio.to_thread(engine.remote_status)
    agreement = remoting.agreement
    connection = agreement.connection
    consent: Literal["none", "missing", "never", "allowed", "untrusted"] = (
        agreement.consent.value if session.trusted else "untrusted"
    )
    return RemoteAnswer(
        state=status.state.value,
        consent=consent,
        use=session.settings.remote_use,
        detail=status.detail or remoting.failure or _detail(session, agreement),
        connection=ConnectionAnswer(kind=connection.kind, url=connection.url, token_variable=connection.token_variable)
        if connection
        else None,
        since=agreement.since,
        has_token=remoting.has_token,
        sends=described(connection) if connection else (),
        never_sends=what_is_never_sent(connection.kind) if connection else NEVER_SENT,
        lacking=tuple(uri_of(session.folder_shown(folder)) for folder in agreement.lacking),
        commands=agreement.commands,
        repositories=repository_answers(status.repositories),
    )


def _detail(session: Session, agreement: "Agreement") -> str:
    if not session.trusted:
        return "the workspace is not trusted; nothing is asked and nothing is sent"
    if session.settings.remote_use == "off":
        return "remote code search is switched off by the setting `lurcher.remoteUse`; nothing is sent"
    return agreement.detail
