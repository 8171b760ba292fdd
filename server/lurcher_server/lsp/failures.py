"""What a handler raised, as the client and the log are told."""

import logging
import traceback

from lurcher_index.errors import BadFolder, BadQuery, BadSetting, LurcherError
from lurcher_server.lsp.messages import ErrorCode, RpcError

log = logging.getLogger(__name__)


def as_rpc_error(method: str, error: BaseException) -> RpcError:
    """The error to answer with; what nobody foresaw is logged."""
    if isinstance(error, RpcError):
        return error
    if isinstance(error, BadQuery | BadFolder | BadSetting):
        return RpcError(ErrorCode.INVALID_PARAMS, str(error))
    if isinstance(error, LurcherError):
        return RpcError(ErrorCode.REQUEST_FAILED, str(error))
    log_failure(method, error)
    return RpcError(ErrorCode.INTERNAL_ERROR, type(error).__name__)


def log_failure(method: str, error: BaseException) -> None:
    """Log where it happened. The exception's text is left out: it may quote params or source code."""
    where = "".join(traceback.format_tb(error.__traceback__))
    log.error("%s failed: %s\n%s", method, type(error).__name__, where)
