"""`workspace/executeCommand`: our own requests for clients that only know the standard."""

import msgspec

from lurcher_server.lsp.messages import ErrorCode, RpcError
from lurcher_server.lsp.protocol import COMMANDS
from lurcher_server.lsp.registry import Call, Handlers
from lurcher_server.lsp.session import Session
from lurcher_server.lsp.standard import CommandParams


def register(handlers: Handlers, _session: Session) -> None:
    """Bind the method."""

    async def execute(params: CommandParams, call: Call) -> object:
        method = COMMANDS.get(params.command)
        if method is None:
            known = ", ".join(COMMANDS)
            raise RpcError(ErrorCode.INVALID_PARAMS, f"unknown command {params.command}; there are {known}")
        decode, handler = handlers.requests[method]
        given: object = params.arguments[0] if params.arguments else {}
        return await handler(decode(msgspec.Raw(msgspec.json.encode(given))), call)

    handlers.request("workspace/executeCommand", CommandParams, execute)
