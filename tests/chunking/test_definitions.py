"""What counts as a definition in languages whose definitions take many forms, one small text for each form."""

import pytest

from lurcher_index.chunking.legible import in_cpp
from lurcher_index.chunking.outline import outline
from lurcher_index.nodes import qualified_names


def check(language: str, text: str, *expected: str) -> None:
    """Compare the kinds and qualified names of all symbols."""
    found = outline(text.encode(), language)
    assert not found.note
    names = zip(found.symbols, qualified_names(found), strict=True)
    assert [f"{symbol.kind.value} {name}" for symbol, name in names] == list(expected)


def test_ruby_accessors_and_aliases_are_members() -> None:
    check(
        "ruby",
        "class Job\n  attr_reader :id, :queue\n  private attr_writer :done\n  alias_method :run!, :call\n"
        "  alias :go :call\n  define_method(:stop?) { true }\nend\n",
        "class Job",
        "property Job.id",
        "property Job.queue",
        "property Job.done",
        "method Job.run!",
        "method Job.go",
        "method Job.stop?",
    )


def test_ruby_names_a_class_by_its_last_part() -> None:
    check(
        "ruby",
        "class R10K::Git::Cache < R10K::Base\n  def sync; end\nend\nmodule ::Top; end\n",
        "class R10K::Git.Cache",
        "method R10K::Git.Cache.sync",
        "module Top",
    )


def test_a_selector_keeps_its_colon() -> None:
    check("css", "a { b: c }\n:root { --x: 1 }\n", "section a", "section :root", "variable :root.--x")


def test_elixir_callbacks_types_and_records() -> None:
    check(
        "elixir",
        "defmodule B do\n  @type t :: map\n  @typep pair(a) :: {a, a} when a: term\n  @callback init(map) :: t\n"
        "  @macrocallback quoted() :: t when t: term\n  Record.defrecord(:user, a: 1)\n  @limit 3\nend\n",
        "module B",
        "type B.t",
        "type B.pair",
        "method B.init",
        "method B.quoted",
        "struct B.user",
        "constant B.limit",
    )


def test_elixir_documents_a_callback() -> None:
    data = b'defmodule B do\n  @doc "Begins."\n  @callback init(map) :: map\nend\n'
    symbol = outline(data, "elixir").symbols[1]
    assert data[symbol.doc_start : symbol.doc_end] == b'@doc "Begins."'


def test_lua_fields_of_a_module() -> None:
    check(
        "lua",
        "local M = {}\nM.limit = 3\nM.__index = M\nM.names.first = 1\n"
        'local t = {\n  ["on load"] = function() end,\n}\n',
        "constant M",
        "variable M.limit",
        "variable t",
        "function t.on load",
    )


def test_scala_members_without_a_body() -> None:
    check(
        "scala",
        "class C(val loader: L, private var size: Int, plain: Int)\ntrait T {\n  val repl: R\n  var count: Int\n}\n",
        "class C",
        "property C.loader",
        "property C.size",
        "trait T",
        "constant T.repl",
        "variable T.count",
    )


def test_php_properties_have_no_sigil() -> None:
    check(
        "php",
        "<?php\nclass A {\n  private ?int $size = 1;\n  public static $all;\n}\n",
        "class A",
        "field A.size",
        "field A.all",
    )


def test_swift_types_that_a_protocol_leaves_open() -> None:
    check("swift", "protocol P {\n  associatedtype Owner: Q\n}\n", "interface P", "type P.Owner")


def test_zig_constants_of_unions_and_enums() -> None:
    check(
        "zig",
        "const U = union(enum) {\n    pub const max = 1;\n};\nconst E = enum {\n    a,\n    const b = 2;\n};\n",
        "struct U",
        "constant U.max",
        "enum E",
        "field E.a",
        "constant E.b",
    )


def test_haskell_constructors_of_every_form() -> None:
    check(
        "haskell",
        "module M where\ndata R = Made { size :: Int } | Int :+: Int\nnewtype N = Wrapped { inner :: Int }\n"
        "data G a where\n  Whole :: Int -> G Int\ntype family F a\npattern Pair x y = (x, y)\n"
        'foreign import ccall "sin" c_sin :: Double -> Double\nclass C a where\n  one, two :: a\n',
        "module M",
        "type R",
        "constant R.Made",
        "field R.size",
        "constant R.:+:",
        "type N",
        "constant N.Wrapped",
        "field N.inner",
        "type G",
        "constant G.Whole",
        "type F",
        "constant Pair",
        "function c_sin",
        "interface C",
        "method C.one",
        "method C.two",
    )


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_haskell_on_both_sides_of_the_preprocessor(ends: str) -> None:
    text = (
        "module M where\n#if WINDOWS\none :: Int\none = 1\n#else\ntwo :: Int\ntwo = 2\n#define X \\\n  three = 3\n"
        "four :: Int\n#endif\nfive :: Int\n"
    )
    check(
        "haskell",
        text.replace("\n", ends),
        "module M",
        "function one",
        "function two",
        "function four",
        "function five",
    )


def test_cpp_types_behind_a_macro() -> None:
    check(
        "cpp",
        "class MYLIB_EXPORT Slice {\n public:\n  int size() const;\n};\n"
        'struct DEPRECATED("x") Old final : Slice {};\nclass A::B : C {};\nstruct DB::Writer {};\n',
        "class Slice",
        "method Slice.size",
        "struct Old",
        "class A.B",
        "struct DB.Writer",
    )


def test_cpp_macros_on_lines_of_their_own() -> None:
    check(
        "cpp",
        "namespace a {\nMYLIB_BEGIN_NAMESPACE\nclass A : public B {\n  Q_OBJECT\n\npublic:\n  explicit A(int x);\n};\n"
        "enum E {\n  FIRST_ONE,\n  LAST_ONE\n};\nMYLIB_END_NAMESPACE\n}\n",
        "namespace a",
        "class a.A",
        "constructor a.A.A",
        "enum a.E",
        "constant a.E.FIRST_ONE",
        "constant a.E.LAST_ONE",
    )


@pytest.mark.parametrize("between", [b"/" * 100_000 + b"\n", b"// a\n" * 20_000, b"\n \t" * 30_000])
def test_cpp_lines_of_slashes_below_a_macro_do_not_hang(between: bytes) -> None:
    """Who divides a file by slashes must not have it guessed in how many ways these are comments."""
    text = b"FOO_BEGIN_NAMESPACE\n" + between + b"int size();\n"
    assert in_cpp(text) == text


def test_cpp_constants_of_namespaces_and_classes() -> None:
    check(
        "cpp",
        "namespace n {\nstatic const int kLimit = 4;\nconstexpr int SIZES[] = {1};\nclass C {\n"
        "  static const int kPart = 1;\n  int plain;\n};\nvoid f() { const int local = 1; }\n}\n",
        "namespace n",
        "variable n.kLimit",
        "constant n.SIZES",
        "class n.C",
        "field n.C.kPart",
        "function n.f",
    )


def test_what_is_left_out_for_the_parser_stays_in_the_chunks() -> None:
    data = b"module M where\n#if A\na = 1\n#else\nb = 2\n#endif\n"
    found = outline(data, "haskell")
    assert b"".join(data[chunk.start : chunk.end] for chunk in found.chunks).count(b"#") == 3
