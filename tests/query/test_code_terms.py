"""Names of code are kept whole, in their case and order."""

import pytest

from lurcher_index.query.code_terms import code_terms
from lurcher_index.query.parser import parse
from lurcher_index.query.paths import is_path


def check(text: str, *names: str) -> None:
    assert code_terms(text) == names


def test_names_as_each_language_writes_them() -> None:
    check("Enum.map/2 and &Parser.format_error/3", "Enum.map", "Parser.format_error")
    check("HTTP/2, map/2 and tcp/80")
    check("where List<String> becomes std::vector<int>", "List", "std::vector")
    check("a<b, <div> and a<b>c")
    check("room_mt:destroy calls Widget:new", "room_mt:destroy", "Widget:new")
    check("TODO:later key:value python:3")
    assert parse("format_error/3").identifiers == ("format_error",)
    assert parse("$size").identifiers == ("$size", "size")
    assert parse("Parcel::$size").identifiers == ("$size", "size")
    assert parse("Widget:new").identifiers == ("new",)


def test_identifiers_are_kept_whole() -> None:
    check("how getUserName and get_user_name differ", "getUserName", "get_user_name")
    check("JsonSerializer, HTTPException and TRPCError", "JsonSerializer", "HTTPException", "TRPCError")
    check("set MAX_SIZE in __init__", "MAX_SIZE", "__init__")
    check("straßeÖffnen wird gerufen", "straßeÖffnen")


def test_qualified_names_are_kept_whole() -> None:
    check("why does Foo.bar fail in std::vec::Vec", "Foo.bar", "std::vec::Vec")
    check("ptr->next and Array#map", "ptr->next", "Array#map")


def test_a_call_is_its_name() -> None:
    check("what does run() do", "run")
    check("Engine.open(path) hangs", "Engine.open")
    check("find the file(s)")


def test_paths_are_kept_whole() -> None:
    check("look at src/auth/login.py:12.", "src/auth/login.py:12")
    check("what is in package.json and ./scripts/", "package.json", "./scripts/")


def test_quoted_text_is_one_term() -> None:
    check('where is "connection refused" raised', "connection refused")
    check("the `retry policy` of `Client.send()`", "retry policy", "Client.send")
    check("what's the user's name")


def test_error_codes_are_names() -> None:
    check("what does E0308 mean, or TS2345", "E0308", "TS2345")
    check("error[E0308]: mismatched types", "E0308")
    check("ENOENT after SIGTERM with 0x80070005", "ENOENT", "SIGTERM", "0x80070005")


def test_a_name_counts_once_and_cases_are_told_apart() -> None:
    check("fooBar fooBar FooBar", "fooBar", "FooBar")


@pytest.mark.parametrize(
    "text",
    [
        "gzip response compression",
        "HTTP and URLs",
        "GitHub and TypeScript",
        "e.g. a word",
        "EVENT",
        "UTF-8",
        "1.5 2.0",
        "认证",
    ],
)
def test_words_of_language_are_no_names(text: str) -> None:
    check(text)


@pytest.mark.parametrize(
    "token", ["a/b.py", "/etc/hosts", "~/x", "../up", "src/db", r"C:\x\y.cs", "main.go", "lib/x.rb#L3"]
)
def test_paths(token: str) -> None:
    assert is_path(token)


@pytest.mark.parametrize(
    "token", ["request/response", "and/or", "Node.js", "res.send", "1.5", "https://x.org/a.py", "/", "..."]
)
def test_what_only_looks_like_a_path(token: str) -> None:
    assert not is_path(token)
