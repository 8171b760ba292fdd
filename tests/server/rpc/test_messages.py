"""Bodies into values, and back."""

import json
from typing import Any

import pytest

from lurcher_server.lsp.messages import (
    ErrorCode,
    Malformed,
    Notification,
    Request,
    Response,
    RpcError,
    decode,
    encode_error,
    encode_notification,
    encode_request,
    encode_result,
)


def test_the_three_kinds() -> None:
    request = decode(b'{"jsonrpc":"2.0","id":1,"method":"m","params":{"a" : [1]}}')
    assert isinstance(request, Request)
    assert (request.id, request.method, bytes(request.params)) == (1, "m", b'{"a" : [1]}')
    notification = decode(b'{"jsonrpc":"2.0","method":"m"}')
    assert isinstance(notification, Notification)
    assert bytes(notification.params) == b""
    response = decode(b'{"jsonrpc":"2.0","id":"x","result":null}')
    assert isinstance(response, Response)
    assert (response.id, bytes(response.result), response.error) == ("x", b"null", None)


@pytest.mark.parametrize("params", ["", ',"params":null', ',"params":{}', ',"params":[1]'])
def test_params_that_are_fine(params: str) -> None:
    assert isinstance(decode(f'{{"jsonrpc":"2.0","id":"a","method":"m"{params}}}'.encode()), Request)


def test_a_key_called_jsonrpc_inside_params_is_just_a_key() -> None:
    assert isinstance(decode(b'{"jsonrpc":"2.0","id":1,"method":"m","params":{"jsonrpc":"1.0","id":[]}}'), Request)


def test_errors_of_the_client_are_read_however_they_look() -> None:
    def check(error: str, code: int, message: str) -> None:
        response = decode(f'{{"jsonrpc":"2.0","id":1,"error":{error},"result":null}}'.encode())
        assert isinstance(response, Response) and response.error is not None
        assert (response.error.code, message in str(response.error)) == (code, True)

    check('{"code":-32601,"message":"what?","data":{"x":1}}', -32601, "what?")
    check('"broken"', ErrorCode.UNKNOWN_ERROR, "cannot be read")
    check('{"message":"no code"}', ErrorCode.UNKNOWN_ERROR, "cannot be read")


DEEP = b"[" * 100_000 + b"]" * 100_000


@pytest.mark.parametrize(
    ("body", "id", "code"),
    [
        (b"", None, ErrorCode.PARSE_ERROR),
        (b"{", None, ErrorCode.PARSE_ERROR),
        (b"{}x", None, ErrorCode.PARSE_ERROR),
        (b'{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":}}', None, ErrorCode.PARSE_ERROR),
        (b'{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":"\xff"}}', None, ErrorCode.PARSE_ERROR),
        (b'{"jsonrpc":"2.0","id":1,"method":"m","params":' + DEEP + b"}", None, ErrorCode.PARSE_ERROR),
        (DEEP, None, ErrorCode.INVALID_REQUEST),
        (b"[]", None, ErrorCode.INVALID_REQUEST),
        (b'[{"jsonrpc":"2.0","id":1,"method":"m"}]', None, ErrorCode.INVALID_REQUEST),
        (b"1", None, ErrorCode.INVALID_REQUEST),
        (b"null", None, ErrorCode.INVALID_REQUEST),
        (b"{}", None, ErrorCode.INVALID_REQUEST),
        (b'{"id":1,"method":"m"}', 1, ErrorCode.INVALID_REQUEST),
        (b'{"jsonrpc":"1.0","id":"a","method":"m"}', "a", ErrorCode.INVALID_REQUEST),
        (b'{"jsonrpc":2.0,"id":1,"method":"m"}', 1, ErrorCode.INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":1}', 1, ErrorCode.INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":1,"method":7}', 1, ErrorCode.INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":true,"method":"m"}', None, ErrorCode.INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":1.0,"method":"m"}', None, ErrorCode.INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":null,"method":"m"}', None, ErrorCode.INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":{},"method":"m"}', None, ErrorCode.INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":1,"method":"m","params":"text"}', 1, ErrorCode.INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":1,"method":"m","params":3}', 1, ErrorCode.INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":1,"method":"m","params":true}', 1, ErrorCode.INVALID_REQUEST),
    ],
)
def test_what_is_no_message(body: bytes, id: object, code: ErrorCode) -> None:
    message = decode(body)
    assert isinstance(message, Malformed)
    assert (message.id, message.error.code) == (id, code)


@pytest.mark.parametrize(
    ("escaped", "text"),
    [
        (r"\ud83d!", "\ufffd!"),
        (r"\uDE00\uD83D", "\ufffd\ufffd"),
        (r"\ud83d\ude00", "\U0001f600"),
        (r"\\ud83d", r"\ud83d"),
        (r"\\\ud83d\n", "\\\ufffd\n"),
        (r"\ud83d\\ude00", "\ufffd\\ude00"),
    ],
)
def test_half_characters_become_one_replacement_character(escaped: str, text: str) -> None:
    """One UTF-16 unit for another, so that the editor's columns stay right."""
    message = decode(f'{{"jsonrpc":"2.0","method":"m","params":["{escaped}"]}}'.encode())
    assert isinstance(message, Notification)
    assert json.loads(bytes(message.params)) == [text]


def test_what_is_sent() -> None:
    def check(body: bytes, **expected: Any) -> None:
        assert json.loads(body) == {"jsonrpc": "2.0", **expected}

    check(encode_result(1, {"a": None}), id=1, result={"a": None})
    check(encode_result("x", None), id="x", result=None)
    check(encode_notification("m", {"a": 1}), method="m", params={"a": 1})
    check(encode_notification("m", None), method="m")
    check(encode_request("s", "m", [1]), id="s", method="m", params=[1])
    check(encode_error(None, RpcError(-32700, "no")), id=None, error={"code": -32700, "message": "no"})
    check(encode_error(2, RpcError(-1, "no", [1])), id=2, error={"code": -1, "message": "no", "data": [1]})


def test_an_error_can_always_be_sent() -> None:
    error = json.loads(encode_error(1, RpcError(-1, "half \ud800", object())))["error"]
    assert error == {"code": -1, "message": "half ?"}
