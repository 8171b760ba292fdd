"""What a piece of code is for, in a few words out of its name, its documentation and its path."""

import pytest

from lurcher_index.chunking.languages import language_of
from lurcher_index.chunking.outline import outline
from lurcher_index.features.digests import features_of, unpack_phrases
from lurcher_index.features.phrases import (
    PHRASE_WORDS,
    documented_phrase,
    file_phrase,
    leading_documentation,
    phrase_of,
    wants_documentation,
)
from lurcher_index.model import SymbolKind

CLASS, FUNCTION, METHOD = SymbolKind.CLASS, SymbolKind.FUNCTION, SymbolKind.METHOD


@pytest.mark.parametrize(
    ("name", "kind", "container", "path", "phrase"),
    [
        ("load_config", FUNCTION, "", "", "load config"),
        ("parseHTTPHeader", METHOD, "Request", "", "parse http header"),
        ("load", METHOD, "Config", "", "load config"),
        ("load", FUNCTION, "", "src/settings.py", "load settings"),
        ("format", METHOD, "MessageFormatter", "", "format message"),
        ("__init__", SymbolKind.CONSTRUCTOR, "Cart", "", "create cart"),
        ("NewServer", FUNCTION, "", "", "create server"),
        ("isValid", METHOD, "Form", "", "check whether valid"),
        ("has_header", METHOD, "Request", "", "check whether has header"),
        ("onClick", METHOD, "Button", "", "handle click"),
        ("to_json", METHOD, "Tag", "", "convert to json"),
        ("from_file", METHOD, "Config", "", "create config from file"),
        ("get_name", METHOD, "User", "", "get name"),
        ("headers", METHOD, "Request", "", "get headers"),
        ("test_save_row", FUNCTION, "", "", "test save row"),
        ("json_encode", FUNCTION, "", "", "encode json"),
        ("ConfigLoader", CLASS, "", "", "load config"),
        ("CartTests", CLASS, "", "", "test cart"),
        ("TimeoutError", CLASS, "", "", "report timeout error"),
        ("Cart", CLASS, "", "", "represent cart"),
        ("Color", SymbolKind.ENUM, "", "", "enumerate color"),
        ("Readable", SymbolKind.TRAIT, "", "", "define readable"),
        ("utf8_decoder", FUNCTION, "", "", "decode utf8"),
        ("解析", FUNCTION, "", "", "provide 解析"),
    ],
)
def test_names_become_verb_and_object(name: str, kind: SymbolKind, container: str, path: str, phrase: str) -> None:
    assert phrase_of(name, kind, container, path) == phrase


@pytest.mark.parametrize(
    ("doc", "name", "kind", "phrase"),
    [
        ('"""Loads the settings from disk. Then more."""', "read", FUNCTION, "load settings from disk"),
        ("// Parcel is one parcel and where it is.", "Parcel", CLASS, "represent one parcel"),
        ("/**\n * Finds the shortest way.\n * @param a where from\n */", "way", FUNCTION, "find shortest way"),
        ("/// <summary>Holds the open files.</summary>", "Files", CLASS, "hold open files"),
        ("# This function is used to compute the sum", "total", FUNCTION, "compute sum"),
        ("-- | Tries to open a door", "door", FUNCTION, "open door"),
        ("The current user of the session", "user", FUNCTION, ""),
        ("A parsed header", "Header", CLASS, "represent parsed header"),
        ("TODO: write this", "total", FUNCTION, ""),
        ("@deprecated use other", "total", FUNCTION, ""),
        ("", "total", FUNCTION, ""),
        ("*/ * * //", "total", FUNCTION, ""),
    ],
)
def test_the_first_sentence_of_a_documentation_says_it(doc: str, name: str, kind: SymbolKind, phrase: str) -> None:
    assert documented_phrase(doc, name, kind) == phrase


def test_phrases_are_short() -> None:
    name = "convert_all_of_the_old_entries_of_this_table_to_new_ones"
    assert len(phrase_of(name, FUNCTION).split()) <= PHRASE_WORDS
    assert (
        len(documented_phrase("Convert every single old entry of the table to a new one", "x", FUNCTION).split()) <= 6
    )


def test_a_name_that_says_enough_needs_no_documentation() -> None:
    assert not wants_documentation("load_config", FUNCTION)
    assert not wants_documentation("ConfigLoader", CLASS)
    assert wants_documentation("load", FUNCTION)
    assert wants_documentation("total", METHOD)
    assert wants_documentation("Cart", CLASS)


@pytest.mark.parametrize(
    ("path", "phrase"),
    [
        ("src/load_config.py", "load config"),
        ("src/db/session.py", "provide session"),
        ("tests/test_session.py", "test session"),
        ("docs/quickstart.md", "document quickstart"),
        ("web/__init__.py", "gather web"),
        ("src/Http/HeaderParser.php", "parse header"),
        ("app/tsconfig.json", "configure tsconfig"),
        ("src/json/parser.c", "parse json"),
    ],
)
def test_files_have_a_feature_too(path: str, phrase: str) -> None:
    assert file_phrase(path) == phrase


def test_a_files_own_documentation_wins_and_a_licence_does_not() -> None:
    assert file_phrase("x.py", "split words") == "split words"
    licensed = b"/* Copyright 2020 Somebody. Licensed under X. */\n\n// Splits words at their capitals.\n\nint main;\n"
    assert documented_phrase(leading_documentation(licensed), "", None) == "split words at capitals"
    magic = b"# frozen_string_literal: true\n# -*- coding: utf-8 -*-\n# Splits words.\n\ndef a; end\n"
    assert documented_phrase(leading_documentation(magic), "", None) == "split words"
    assert leading_documentation(b"# frozen_string_literal: true\n\nmodule A; end\n") == ""
    assert leading_documentation(b"int main() {} // Splits words\n") == ""
    assert leading_documentation(b"#include <stdio.h>\n#include <math.h>\n") == ""


@pytest.mark.parametrize(
    ("path", "text", "phrases"),
    [
        ("a.py", 'def total(cart):\n    """Add up the prices."""\n', {0: "add up prices"}),
        ("a.go", "package a\n\n// Total adds up the prices.\nfunc Total() int { return 1 }\n", {0: "add up prices"}),
        ("a.rs", "/// Adds up the prices.\nfn total() -> i32 { 1 }\n", {0: "add up prices"}),
        ("a.ts", "/** Adds up the prices. */\nexport function total() { return 1; }\n", {0: "add up prices"}),
        ("a.py", 'def load_cart(cart):\n    """Read it from disk."""\n', {}),
    ],
)
def test_only_what_the_name_does_not_say_is_stored(path: str, text: str, phrases: dict[int, str]) -> None:
    data = text.encode()
    kept = features_of(data, outline(data, language_of(path, data)))
    assert unpack_phrases(kept.phrases) == phrases


def test_hostile_documentation_is_read_in_bounded_time() -> None:
    for doc in (
        " " * 100_000,
        "\n" * 100_000,
        "/**/" * 50_000,
        "a" * 100_000,
        "*" * 100_000,
        "<" * 100_000,
        "{@" * 50_000,
        "# " * 50_000,
        '"""' + "a " * 50_000,
        "\n//" * 50_000,
    ):
        documented_phrase(doc, "x", CLASS)
        leading_documentation(doc.encode())
