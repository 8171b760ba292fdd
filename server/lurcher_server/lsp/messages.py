"""JSON-RPC 2.0 messages: bodies into values and values into bodies."""

import re
from enum import IntEnum
from typing import Any

import msgspec
from msgspec import UNSET, Raw

Id = int | str
"""What names a request. JSON knows only one kind of number, so `1.0` is refused rather than taken for `1`."""


class ErrorCode(IntEnum):
    """The codes of JSON-RPC and of LSP 3.17."""

    PARSE_ERROR = -32700
    INVALID_REQUEST = -32600
    METHOD_NOT_FOUND = -32601
    INVALID_PARAMS = -32602
    INTERNAL_ERROR = -32603
    SERVER_NOT_INITIALIZED = -32002
    UNKNOWN_ERROR = -32001
    REQUEST_FAILED = -32803
    SERVER_CANCELLED = -32802
    CONTENT_MODIFIED = -32801
    REQUEST_CANCELLED = -32800


class RpcError(Exception):
    """An error as one side tells it to the other."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        """`data` is anything msgspec can encode; None leaves it out."""
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data


class Request(msgspec.Struct, frozen=True):
    """Wants exactly one answer."""

    id: Id
    method: str
    params: Raw
    """As they came; empty if there were none."""


class Notification(msgspec.Struct, frozen=True):
    """Wants no answer."""

    method: str
    params: Raw


class Response(msgspec.Struct, frozen=True):
    """The client's answer to a request of ours."""

    id: Id | None
    result: Raw
    error: RpcError | None


class Malformed(msgspec.Struct, frozen=True):
    """Not a message; `error` is what to say about it."""

    id: Id | None
    error: RpcError


Message = Request | Notification | Response | Malformed


class _Envelope(msgspec.Struct):
    jsonrpc: Any = None
    id: Any = UNSET
    method: Any = UNSET
    params: Raw = Raw()
    result: Raw | msgspec.UnsetType = UNSET
    error: Raw | msgspec.UnsetType = UNSET


class _Error(msgspec.Struct, omit_defaults=True):
    code: int
    message: str
    data: Any = None


# The tag writes `"jsonrpc":"2.0"` in front without being a field that has to be filled.
class _Result(msgspec.Struct, tag_field="jsonrpc", tag="2.0"):
    id: Id
    result: Any


class _Failure(msgspec.Struct, tag_field="jsonrpc", tag="2.0"):
    id: Id | None
    error: _Error


class _Call(msgspec.Struct, tag_field="jsonrpc", tag="2.0", omit_defaults=True):
    method: str
    params: Any = None
    id: Id | None = None


_decode_envelope = msgspec.json.Decoder(_Envelope).decode
_decode_error = msgspec.json.Decoder(_Error).decode
_encode = msgspec.json.Encoder().encode

_ABSENT = Raw()
_STRUCTURED = (ord("{"), ord("["))
_NULL = ord("n")

_ESCAPE = re.compile(rb"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(u[dD][89a-fA-F]..)|.)", re.DOTALL)


def decode(body: bytes) -> Message:
    """What a body says; never raises."""
    if not body.isascii():
        try:
            body.decode()
        except UnicodeDecodeError as error:
            return _malformed(None, ErrorCode.PARSE_ERROR, f"not UTF-8 at byte {error.start}")
    if b"\\ud" in body or b"\\uD" in body:
        body = _without_lone_surrogates(body)
    try:
        envelope = _decode_envelope(body)
    except msgspec.ValidationError:
        return _malformed(None, ErrorCode.INVALID_REQUEST, "a message is one JSON object; batches are not supported")
    except msgspec.DecodeError as error:
        return _malformed(None, ErrorCode.PARSE_ERROR, str(error))
    except RecursionError:
        return _malformed(None, ErrorCode.PARSE_ERROR, "JSON is nested too deeply")
    return _read(envelope)


def encode_result(id: Id, result: object) -> bytes:
    """The body of a good answer; raises what msgspec raises if `result` cannot be encoded."""
    return _encode(_Result(id, result))


def encode_error(id: Id | None, error: RpcError) -> bytes:
    """The body of an answer that is an error; what cannot be encoded of it is left out."""
    told = _Error(error.code, error.message.encode(errors="replace").decode(), error.data)
    try:
        return _encode(_Failure(id, told))
    except (TypeError, ValueError, RecursionError):
        told.data = None
        return _encode(_Failure(id, told))


def encode_notification(method: str, params: object) -> bytes:
    """The body of a notification; None as `params` leaves them out."""
    return _encode(_Call(method, params))


def encode_request(id: Id, method: str, params: object) -> bytes:
    """The body of a request; None as `params` leaves them out."""
    return _encode(_Call(method, params, id))


def _read(envelope: _Envelope) -> Message:
    id, method, params = envelope.id, envelope.method, envelope.params
    known = id if type(id) is int or type(id) is str else None
    if method is UNSET and (envelope.result is not UNSET or envelope.error is not UNSET):
        return _read_response(known, envelope)
    if envelope.jsonrpc != "2.0":
        return _invalid(known, '`jsonrpc` must be "2.0"')
    if type(method) is not str:
        return _invalid(known, "`method` must be a string")
    kind = memoryview(params)[:1]
    if not kind or kind[0] == _NULL:
        params = _ABSENT
    elif kind[0] not in _STRUCTURED:
        return _invalid(known, "`params` must be an object or an array")
    if id is UNSET:
        return Notification(method, params)
    if known is None:
        return _invalid(None, "`id` must be an integer or a string")
    return Request(known, method, params)


def _read_response(id: Id | None, envelope: _Envelope) -> Message:
    result, error = envelope.result, envelope.error
    # Some clients send both, one of them null.
    if isinstance(error, Raw) and memoryview(error)[0] != _NULL:
        try:
            told = _decode_error(error)
        except msgspec.DecodeError:
            told = _Error(ErrorCode.UNKNOWN_ERROR, "the client sent an error that cannot be read")
        return Response(id, _ABSENT, RpcError(told.code, told.message, told.data))
    return Response(id, result if isinstance(result, Raw) else _ABSENT, None)


def _without_lone_surrogates(body: bytes) -> bytes:
    r"""Half characters become U+FFFD, which is one UTF-16 unit as well, so that positions keep their meaning.

    Editors written in JavaScript can hold half a character and send it as `\ud83d`; msgspec refuses the whole text.
    """
    return _ESCAPE.sub(lambda escape: b"\\ufffd" if escape[1] else escape[0], body)


def _invalid(id: Id | None, message: str) -> Malformed:
    return _malformed(id, ErrorCode.INVALID_REQUEST, message)


def _malformed(id: Id | None, code: ErrorCode, message: str) -> Malformed:
    return Malformed(id, RpcError(code, message))
