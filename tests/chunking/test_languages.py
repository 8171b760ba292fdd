"""Which language a file is taken for."""

import pytest

from lurcher_index.chunking.grammars import load_grammar
from lurcher_index.chunking.languages import LANGUAGES, language_of


@pytest.mark.parametrize(
    ("path", "head", "language"),
    [
        ("src/a.py", b"", "python"),
        ("a.PYI", b"", "python"),
        ("a.jsx", b"", "javascript"),
        ("a.mts", b"", "typescript"),
        ("a.d.ts", b"", "typescript"),
        ("a.tsx", b"", "tsx"),
        ("a.go", b"", "go"),
        ("A.java", b"", "java"),
        ("a.c", b"", "c"),
        ("a.h", b"#include <stdio.h>\nint f(void);\n", "c"),
        ("a.h", b"struct a { int class_id; };\n", "c"),
        ("a.h", b"#include <vector>\n", "cpp"),
        ("a.h", b"#pragma once\nnamespace a {\n", "cpp"),
        ("a.h", b"class A {\npublic:\n};\n", "cpp"),
        ("a.hpp", b"", "cpp"),
        ("a.cs", b"", "csharp"),
        ("Gemfile", b"", "ruby"),
        ("a.rs", b"", "rust"),
        ("a.php", b"", "php"),
        ("a.swift", b"", "swift"),
        ("build.gradle.kts", b"", "kotlin"),
        ("build.sbt", b"", "scala"),
        ("a.exs", b"", "elixir"),
        ("a.hs", b"", "haskell"),
        ("a.lua", b"", "lua"),
        (".bashrc", b"", "bash"),
        ("a.zig", b"", "zig"),
        ("a.sql", b"", "sql"),
        ("a.html", b"", "html"),
        ("a.css", b"", "css"),
        ("tsconfig.json", b"", "json"),
        (".github/workflows/a.yml", b"", "yaml"),
        ("Cargo.lock", b"", "toml"),
        ("README.md", b"", "markdown"),
        ("Makefile", b"", "makefile"),
        ("Dockerfile", b"", "dockerfile"),
        ("Dockerfile.dev", b"", "dockerfile"),
        ("a.pl", b"", "perl"),
        ("a.R", b"", "r"),
        ("a.vue", b"", "vue"),
        ("CMakeLists.txt", b"", "cmake"),
        ("go.mod", b"", "gomod"),
        ("settings.yaml.example", b"", "yaml"),
        ("notes.txt", b"", "text"),
        ("LICENSE", b"", "text"),
        ("", b"", "text"),
        ("a.", b"", "text"),
        (".gitignore", b"", "text"),
        ("C:\\code\\a.py", b"", "python"),
        ("run", b"#!/usr/bin/env python3.12\n", "python"),
        ("run", b"#!/bin/sh -e\n", "bash"),
        ("run", b"#! /usr/bin/env -S VAR=1 node --flag\n", "javascript"),
        ("run", b"#!/usr/bin/env\n", "text"),
        ("run", b"#!/opt/\xff\n", "text"),
        ("run.cgi", b"#!/usr/bin/perl\n", "perl"),
    ],
)
def test_language_of(path: str, head: bytes, language: str) -> None:
    assert language_of(path, head) == language


def test_no_ending_is_claimed_twice() -> None:
    for column in ("endings", "files", "shebangs"):
        words = [word for row in LANGUAGES for word in str(getattr(row, column)).split()]
        assert sorted(words) == sorted(set(words)), column


@pytest.mark.parametrize("language", [row.id for row in LANGUAGES if row.grammar])
def test_every_grammar_and_query_loads(language: str) -> None:
    grammar = load_grammar(language)
    assert grammar is not None
    assert any(pattern.role == "def" for pattern in grammar.patterns)
    tree = grammar.parse(b"", 1.0)
    assert tree is not None
    assert grammar.matches(tree, 1.0) == []
