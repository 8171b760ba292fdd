"""Why there was no answer, in words that hold nothing of what was sent: texts of exceptions may quote it."""

import ssl

from urllib3 import exceptions


def reason_of(error: BaseException, proxy: str) -> str:
    """What went wrong; `proxy` is the proxy as people may see it, empty for none."""
    match error:
        case exceptions.ProxyError():
            return _of_proxy(error.original_error, proxy)
        case exceptions.SSLError():
            return _of_encryption(error)
        case exceptions.NameResolutionError():
            return "its host is not known" if not proxy else f"the host of the proxy {proxy} is not known"
        case exceptions.NewConnectionError():
            return "nothing answers there"
        case exceptions.ConnectTimeoutError():
            return "nobody answers there in time"
        case exceptions.ReadTimeoutError():
            return "it is silent for too long"
        case exceptions.ProtocolError():
            if any(type(inner).__name__ == "IncompleteRead" for inner in (error, *error.args)):
                return "its answer broke off"
            return "the connection broke, or what it said is no answer"
        case _:
            return "its answer cannot be read"


def is_lasting(error: BaseException) -> bool:
    """Whether another attempt in a moment would end in the same way."""
    lasting = (
        exceptions.ProxyError,
        exceptions.SSLError,
        exceptions.NameResolutionError,
        exceptions.NewConnectionError,
        exceptions.TimeoutError,
    )
    return isinstance(error, lasting)


def _of_proxy(error: Exception, proxy: str) -> str:
    if "407" in str(error):
        return f"the proxy {proxy} wants a name and password; put them into HTTPS_PROXY"
    return f"the proxy {proxy} does not let us through"


def _of_encryption(error: BaseException) -> str:
    inner: object = error.args[0] if error.args else error
    if isinstance(inner, ssl.SSLCertVerificationError):
        return (
            f"its certificate is not trusted ({inner.verify_message}); if it is your organisation's, let SSL_CERT_FILE"
            " name a file with its root certificate"
        )
    return "no encrypted connection could be made"
