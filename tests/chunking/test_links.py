"""What imports bring in and what variables hold, from the text alone."""

import pytest

from lurcher_index.chunking.hints import called_name, type_name, variable_name
from lurcher_index.chunking.imports import MAX_STATEMENT_BYTES, read_imports
from lurcher_index.chunking.outline import outline


def brought(language: str, statement: str) -> list[str]:
    """Each import as `module name local`, with `>` before those that are handed on."""
    found = read_imports(language, statement.encode())
    return [f"{'>' if each.is_exported else ''}{each.module} {each.name or '-'} {each.local or '-'}" for each in found]


@pytest.mark.parametrize(
    ("language", "statement", "names"),
    [
        ("python", "import a.b as c, d", ["a.b - c", "d - d"]),
        ("python", "from .x import (y as z,  # why\n    w)", [".x y z", ".x w w"]),
        ("python", "from . import *", [". * -"]),
        ("typescript", "import D, {a as b, type c} from './x'", ["./x a b", "./x c c", "./x default D"]),
        ("typescript", 'import * as N from "y";', ["y - N"]),
        ("typescript", "import type { T } from './t'", ["./t T T"]),
        ("javascript", "export {q as r} from './z'", [">./z q r"]),
        ("javascript", "export * from './w'", [">./w * -"]),
        ("javascript", "{m, n: o} = require('k')", ["k m m", "k n o"]),
        ("javascript", "p = require('z').q", ["z q p"]),
        ("go", '"a/b"', ["a/b - -"]),
        ("go", 'c "d/e"', ["d/e - c"]),
        ("go", '. "f"', ["f * -"]),
        ("go", '_ "g"', []),
        ("java", "import a.b.C;", ["a.b C C"]),
        ("java", "import static a.b.C.d;", ["a.b.C d d"]),
        ("java", "import a.b.*;", ["a.b * -"]),
        ("kotlin", "import a.b.D as E", ["a.b D E"]),
        ("scala", "import a.b.{D => E, F}", ["a.b D E", "a.b F F"]),
        ("scala", "import a.b._", ["a.b * -"]),
        ("csharp", "using X = A.B.C;", ["A.B C X"]),
        ("csharp", "using static A.D;", ["A.D * -"]),
        ("rust", "a::b::{self, c as d, e::*}", ["a b b", "a::b c d", "a::b::e * -"]),
        ("rust", "crate::x::Y", ["crate::x Y Y"]),
        ("php", "use App\\Models\\User as U;", ["App\\Models User U"]),
        ("php", "use A\\{B, C as D};", ["A B B", "A C D"]),
        ("elixir", "alias A.B.{C, D}", ["A.B.C - C", "A.B.D - D"]),
        ("elixir", "alias A.B, as: C", ["A.B - C"]),
        ("haskell", "import qualified Data.Map as M", ["Data.Map - M"]),
        (
            "haskell",
            "import Routes (Route(..), shortest)",
            ["Routes - Routes", "Routes Route Route", "Routes shortest shortest"],
        ),
        ("lua", 'json = require("dkjson")', ["dkjson - json"]),
        ("zig", 'const routes = @import("routes.zig");', ["routes.zig - routes"]),
        ("swift", "import Foundation", []),
    ],
)
def test_imports(language: str, statement: str, names: list[str]) -> None:
    assert brought(language, statement) == names


@pytest.mark.parametrize(
    "statement", ["", "from", "import", "from x", "use {{{{", "import {", "a = require(", "use " + "{a::" * 500]
)
@pytest.mark.parametrize(
    "language", ["python", "typescript", "rust", "php", "go", "java", "scala", "haskell", "elixir", "lua"]
)
def test_statements_that_make_no_sense_do_no_harm(language: str, statement: str) -> None:
    assert len(read_imports(language, statement.encode())) < 600


def test_a_statement_without_end_is_not_read() -> None:
    assert read_imports("python", b"import " + b"a, " * MAX_STATEMENT_BYTES) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Foo", "Foo"),
        ("*pkg.Foo", "pkg.Foo"),
        ("&'a mut Foo", "Foo"),
        ("Optional[Foo]", "Foo"),
        ("Foo | None", "Foo"),
        ('"Foo"', "Foo"),
        ("Foo<Bar, Baz>", "Foo"),
        ("Foo<" + "Bar, " * 90 + ">", "Foo"),
        ("Promise<Foo>", "Foo"),
        ("std::unique_ptr<Foo>", "Foo"),
        ("Foo[]", ""),
        ("[]Foo", ""),
        ("map[string]Foo", ""),
        ("Foo | Bar", ""),
        ("", ""),
    ],
)
def test_types_are_reduced_to_the_name_that_counts(text: str, name: str) -> None:
    assert type_name(text.encode()) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("self.x", ".x"),
        ("this.x", ".x"),
        ("$this->x", ".x"),
        ("@x", ".x"),
        ("$x", "x"),
        ("x", "x"),
        ("a.b", ""),
        ("a[0]", ""),
    ],
)
def test_fields_of_the_object_itself_have_a_dot(text: str, name: str) -> None:
    assert variable_name(text.encode()) == name


def test_what_is_called_for_a_value() -> None:
    assert [called_name(text) for text in (b"Foo", b"a.make", b"Foo::new", b"x[1]")] == [
        "Foo",
        "a.make",
        "Foo::new",
        "",
    ]


@pytest.mark.parametrize(
    ("language", "text", "hints"),
    [
        (
            "python",
            "class A:\n    b: B\n    def f(self, c: C = 1) -> D:\n        self.e = E()\n",
            {"b B", "c C", ".e E()", " D"},
        ),
        ("typescript", "class A { b: B; f(c: C): D { const e = new E(); } }", {"b B", "c C", "e E()", " D"}),
        (
            "go",
            "package a\ntype A struct { b *B }\nfunc (a *A) f(c C) D { e := E{}; g := h() }",
            {"b B", "a A", "c C", "e E", "g h()", " D"},
        ),
        ("java", "class A { B b; D f(C c) { E e = null; } }", {"b B", "c C", "e E", " D"}),
        ("cpp", "class A { B b; }; D f(C c) { E* e; }", {"b B", "c C", "e E", " D"}),
        ("csharp", "class A { B b; D F(C c) { var e = new E(); } }", {"b B", "c C", "e E", " D"}),
        ("rust", "struct A { b: B }\nfn f(c: &C) -> D { let e = E::new(); }", {"b B", "c C", "e E::new()", " D"}),
        ("php", "<?php class A { private B $b; function f(C $c): D { $e = new E(); } }", {"b B", "c C", "e E", " D"}),
        ("kotlin", "class A(val b: B) { fun f(c: C): D { val e = E() } }", {"b B", "c C", "e E()", " D"}),
        ("swift", "class A { var b: B; func f(c: C) -> D { let e = E() } }", {"b B", "c C", "e E()", " D"}),
        ("scala", "class A(b: B) { def f(c: C): D = { val e = new E() } }", {"b B", "c C", "e E", " D"}),
        ("ruby", "def f\n  @e = E.new\nend\n", {".e E"}),
    ],
)
def test_what_variables_hold(language: str, text: str, hints: set[str]) -> None:
    found = outline(text.encode(), language).hints
    assert {f"{each.variable} {each.type}{'()' if each.is_call else ''}" for each in found} == hints


@pytest.mark.parametrize(
    ("language", "text", "bound"),
    [
        ("python", "def f(callback):\n    callback()\n", True),
        ("python", "def f(x: callback):\n    callback()\n", False),
        ("python", "def callback(x):\n    callback()\n", False),
        ("python", "def f(callback):\n    def g():\n        callback()\n", True),
        ("javascript", "function f(a, callback) { callback(); }", True),
        ("javascript", "const f = (callback) => { callback(); }", True),
        ("go", "package a\nfunc f(x int) { callback() }", False),
    ],
)
def test_parameters_that_are_called(language: str, text: str, bound: bool) -> None:
    assert [edge.bound for edge in outline(text.encode(), language).edges if edge.name == "callback"] == [bound]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("go", "package a\nfunc (s *Server) Start() {}\n"),
        ("cpp", "void Server::Start() {}\n"),
        ("lua", "function Server:Start() end\n"),
    ],
)
def test_a_method_apart_from_its_type_knows_the_type(language: str, text: str) -> None:
    (symbol,) = outline(text.encode(), language).symbols
    assert (symbol.name, symbol.owner, symbol.container) == ("Start", "Server", -1)
