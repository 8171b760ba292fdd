"""The life of a connection as LSP orders it: initialize, work, shutdown, exit."""

from enum import Enum, auto

from lurcher_server.lsp.messages import ErrorCode, RpcError

INITIALIZE = "initialize"
SHUTDOWN = "shutdown"
EXIT = "exit"


class Phase(Enum):
    """How far a connection has come."""

    NEW = auto()
    RUNNING = auto()
    SHUT_DOWN = auto()


class Lifecycle:
    """Says what may be asked now, and how the process ends."""

    def __init__(self) -> None:
        """Nothing has been said yet."""
        self.phase = Phase.NEW

    @property
    def exit_code(self) -> int:
        """0 if the client said `shutdown` before it left, else 1; the end of the stream counts as leaving."""
        return 0 if self.phase is Phase.SHUT_DOWN else 1

    def refusal(self, method: str) -> RpcError | None:
        """Why a request cannot be taken now, or None if it can."""
        if self.phase is Phase.RUNNING and method != INITIALIZE:
            return None
        if self.phase is Phase.NEW:
            if method == INITIALIZE:
                return None
            return RpcError(ErrorCode.SERVER_NOT_INITIALIZED, "the server waits for `initialize`")
        if self.phase is Phase.RUNNING:
            return RpcError(ErrorCode.INVALID_REQUEST, "`initialize` was answered already")
        return RpcError(ErrorCode.INVALID_REQUEST, "the server was shut down")

    def takes_notifications(self) -> bool:
        """Whether notifications other than `exit` are looked at."""
        return self.phase is Phase.RUNNING

    def received(self, method: str) -> None:
        """A request was taken. From `shutdown` on nothing else is, however its handler ends."""
        if method == SHUTDOWN:
            self.phase = Phase.SHUT_DOWN

    def initialized(self) -> None:
        """`initialize` was answered well; one that failed may be tried again."""
        if self.phase is Phase.NEW:
            self.phase = Phase.RUNNING
