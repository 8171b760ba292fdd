"""Who is called by whom: one small workspace per rule and per language."""

from pathlib import Path

import pytest
from tests.graph.trees import graph_of, sources, targets

from lurcher_index.graph.graph import SHOWN_CONFIDENCE


def check(folder: Path, files: dict[str, str], name: str, callers: list[str]) -> None:
    """Exactly these definitions call what the name stands for."""
    with graph_of(folder, files) as graph:
        assert sorted(set(sources(graph.callers(name)))) == sorted(callers)


LANGUAGES = {
    "python": {
        "app.py": "from lib.shop import Shop\nimport lib.shop as s\n\ndef go(x: Shop):\n    x.sell()\n    s.close()\n",
        "lib/shop.py": "class Shop:\n    def sell(self): self.note()\n    def note(self): pass\ndef close(): pass\n",
        "lib/other.py": "class Other:\n    def sell(self): pass\n    def note(self): pass\n",
    },
    "typescript": {
        "app.ts": "import { Shop } from './lib/shop';\nfunction go(x: Shop) { x.sell(); }\n",
        "lib/shop.ts": "export class Shop { sell() { this.note(); } note() {} }\n",
        "lib/other.ts": "export class Other { sell() {} note() {} }\n",
    },
    "javascript": {
        "app.js": "const { Shop } = require('./lib/shop');\nfunction go() { const x = new Shop(); x.sell(); }\n",
        "lib/shop.js": "class Shop { sell() { this.note(); } note() {} }\nmodule.exports = { Shop };\n",
        "lib/other.js": "class Other { sell() {} note() {} }\n",
    },
    "go": {
        "app.go": 'package app\nimport "example.org/app/lib"\nfunc go_(x *lib.Shop) { x.sell() }\n',
        "lib/shop.go": "package lib\ntype Shop struct{}\nfunc (s *Shop) sell() { s.note() }\n",
        "lib/notes.go": "package lib\nfunc (s *Shop) note() {}\n",
        "other/other.go": "package other\ntype Other struct{}\nfunc (o *Other) sell() {}\nfunc (o *Other) note() {}\n",
    },
    "java": {
        "app/App.java": "package app;\nimport lib.Shop;\nclass App { void go(Shop x) { x.sell(); } }\n",
        "lib/Shop.java": "package lib;\npublic class Shop { void sell() { note(); } void note() {} }\n",
        "lib/Other.java": "package lib;\npublic class Other { void sell() {} void note() {} }\n",
    },
    "kotlin": {
        "app/App.kt": "package app\nimport lib.Shop\nclass App { fun go(x: Shop) { x.sell() } }\n",
        "lib/Shop.kt": "package lib\nclass Shop { fun sell() { note() }\n fun note() {} }\n",
        "lib/Other.kt": "package lib\nclass Other { fun sell() {}\n fun note() {} }\n",
    },
    "csharp": {
        "App.cs": "class App { void go(Shop x) { x.sell(); } }\n",
        "Shop.cs": "class Shop { void sell() { note(); } void note() {} }\n",
        "Other.cs": "class Other { void sell() {} void note() {} }\n",
    },
    "rust": {
        "src/app.rs": "use crate::shop::Shop;\nfn go(x: &Shop) { x.sell(); }\n",
        "src/shop.rs": "pub struct Shop {}\nimpl Shop { pub fn sell(&self) { self.note(); } fn note(&self) {} }\n",
        "src/other.rs": "pub struct Other {}\nimpl Other { pub fn sell(&self) {} fn note(&self) {} }\n",
    },
    "php": {
        "app.php": "<?php\nuse Lib\\Shop;\nfunction go(Shop $x) { $x->sell(); }\n",
        "Lib/Shop.php": "<?php\nclass Shop { function sell() { $this->note(); } function note() {} }\n",
        "Lib/Other.php": "<?php\nclass Other { function sell() {} function note() {} }\n",
    },
    "swift": {
        "App.swift": "func go(x: Shop) { x.sell() }\n",
        "Shop.swift": "class Shop { func sell() { note() }\n func note() {} }\n",
        "Other.swift": "class Other { func sell() {}\n func note() {} }\n",
    },
    "scala": {
        "App.scala": "import lib.Shop\nclass App { def go(x: Shop) = { x.sell() } }\n",
        "lib/Shop.scala": "class Shop { def sell() = { note() }\n def note() = {} }\n",
        "lib/Other.scala": "class Other { def sell() = {}\n def note() = {} }\n",
    },
    "cpp": {
        "app.cpp": '#include "shop.hpp"\nvoid go(Shop &x) { x.sell(); }\n',
        "shop.hpp": "class Shop { public: void sell(); void note(); };\n",
        "shop.cpp": '#include "shop.hpp"\nvoid Shop::sell() { note(); }\nvoid Shop::note() {}\n',
        "other.hpp": "class Other { public: void sell() {} void note() {} };\n",
    },
    "ruby": {
        "app.rb": "def go\n  x = Shop.new\n  x.sell()\nend\n",
        "shop.rb": "class Shop\n  def sell\n    self.note()\n  end\n  def note\n  end\nend\n",
        "other.rb": "class Other\n  def sell\n  end\n  def note\n  end\nend\n",
    },
}
"""`Shop.sell` is called by `go` and calls `Shop.note`; `Other` has methods of the same names."""


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_the_type_of_the_receiver_decides(language: str, tmp_path: Path) -> None:
    with graph_of(tmp_path, LANGUAGES[language]) as graph:
        asked = graph.callers("Shop.sell")
        assert [use.source.name.rstrip("_") for use in asked.uses] == ["go"]
        assert graph.callers("Other.sell").uses == ()
        assert graph.callers("Other.sell").unsure == 1


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_the_object_itself_calls_its_own_methods(language: str, tmp_path: Path) -> None:
    with graph_of(tmp_path, LANGUAGES[language]) as graph:
        assert {use.source.name for use in graph.callers("Shop.note").uses} == {"sell"}
        assert graph.callers("Other.note").uses == ()


PLAIN = {
    "c": {
        "main.c": '#include "util.h"\nint main(void) { return helper(); }\n',
        "util.h": "int helper(void);\n",
        "util.c": "int helper(void) { return 1; }\n",
    },
    "bash": {"main.sh": ". ./util.sh\nmain() { helper; }\n", "util.sh": "helper() { echo; }\n"},
    "lua": {
        "main.lua": 'local u = require("util")\nfunction main() u.helper() end\n',
        "util.lua": "function helper() end\n",
    },
    "elixir": {
        "main.ex": "defmodule Main do\n  import Util\n  def main(x) do\n    helper(x)\n  end\nend\n",
        "util.ex": "defmodule Util do\n  def helper(x), do: x\nend\n",
    },
    "haskell": {
        "Main.hs": "module Main where\nimport Util (helper)\nmain x = helper x\n",
        "Util.hs": "module Util where\nhelper x = x\n",
    },
    "zig": {
        "main.zig": 'const u = @import("util.zig");\npub fn main() void { u.helper(); }\n',
        "util.zig": "pub fn helper() void {}\n",
    },
}


@pytest.mark.parametrize("language", sorted(PLAIN))
def test_functions_of_other_files(language: str, tmp_path: Path) -> None:
    with graph_of(tmp_path, PLAIN[language]) as graph:
        assert [use.source.name for use in graph.callers("helper").uses] == ["main"]


@pytest.mark.parametrize(
    ("text", "callers"),
    [
        ("from util import helper\ndef f(): helper()\n", ["app.py:f"]),
        ("from util import helper as h\ndef f(): h()\n", ["app.py:f"]),
        ("import util\ndef f(): util.helper()\n", ["app.py:f"]),
        ("from util import *\ndef f(): helper()\n", ["app.py:f"]),
        ("from elsewhere import helper\ndef f(): helper()\n", []),
        ("import elsewhere\ndef f(): elsewhere.helper()\n", []),
        ("def f(): helper()\n", []),
        ("def helper(): pass\ndef f(): helper()\n", []),
        ("from util import helper\ndef f(helper): helper()\n", []),
        ("from package import helper\ndef f(): helper()\n", ["app.py:f"]),
    ],
)
def test_imports_decide_about_plain_names(text: str, callers: list[str], tmp_path: Path) -> None:
    files = {"app.py": text, "util.py": "def helper(): pass\n", "package/__init__.py": "from util import helper\n"}
    check(tmp_path, files, "util.py:helper", callers)


def test_names_are_handed_on_by_barrels(tmp_path: Path) -> None:
    files = {
        "app.ts": "import { helper } from './internal';\nfunction f() { helper(); }\n",
        "internal.ts": "export * from './a';\nexport * from './lib/util';\n",
        "a.ts": "export * from './internal';\n",
        "lib/util.ts": "export function helper() {}\n",
        "lib/other.ts": "export function helper() {}\n",
    }
    with graph_of(tmp_path, files) as graph:
        assert sources(graph.callers("lib/util.ts:helper")) == ["app.ts:f"]
        assert sources(graph.callers("lib/other.ts:helper")) == []


def test_inherited_methods_and_super(tmp_path: Path) -> None:
    text = (
        "class Base:\n    def run(self): pass\n    def stop(self): pass\n"
        "class Child(Base):\n    def run(self):\n        super().run()\n        self.stop()\n"
    )
    with graph_of(tmp_path, {"m.py": text}) as graph:
        assert sources(graph.callers("Base.run")) == ["m.py:Child.run"]
        assert sources(graph.callers("Child.run")) == []
        assert sources(graph.callers("Base.stop")) == ["m.py:Child.run"]


def test_types_that_inherit_each_other_do_not_run_in_a_circle(tmp_path: Path) -> None:
    text = "class A(B):\n    def f(self): self.missing()\nclass B(A):\n    pass\n"
    check(tmp_path, {"m.py": text, "n.py": "class C:\n    def missing(self): pass\n"}, "missing", [])


def test_who_makes_a_value_calls_the_class_and_its_constructor(tmp_path: Path) -> None:
    files = {"m.py": "class A:\n    def __init__(self): pass\ndef f(): return A()\n"}
    with graph_of(tmp_path, files) as graph:
        assert sources(graph.callers("A")) == ["m.py:f"]
        assert sources(graph.callers("A.__init__")) == ["m.py:f"]


def test_fields_tell_the_type(tmp_path: Path) -> None:
    files = {
        "m.py": "from n import Pool\nclass A:\n    def __init__(self, pool: Pool):\n        self.pool = pool\n"
        "    def f(self):\n        self.pool.take()\n",
        "n.py": "class Pool:\n    def take(self): pass\nclass Other:\n    def take(self): pass\n",
    }
    with graph_of(tmp_path, files) as graph:
        assert sources(graph.callers("Pool.take")) == ["m.py:A.f"]
        assert sources(graph.callers("Other.take")) == []


def test_what_functions_return_tells_the_type(tmp_path: Path) -> None:
    files = {
        "m.ts": "import { open } from './n';\nfunction f() { open().take(); const p = open(); p.take(); }\n",
        "n.ts": "export class Pool { take() {} }\nexport class Other { take() {} }\nexport function open(): Pool { }\n",
    }
    with graph_of(tmp_path, files) as graph:
        assert set(sources(graph.callers("Pool.take"))) == {"m.ts:f"}
        assert sources(graph.callers("Other.take")) == []


def test_ambiguous_calls_are_kept_with_a_lower_confidence(tmp_path: Path) -> None:
    files = {
        "m.py": "def f(x):\n    x.frobnicate()\n",
        "a.py": "class A:\n    def frobnicate(self): pass\n",
        "b.py": "class B:\n    def frobnicate(self): pass\n",
    }
    with graph_of(tmp_path, files) as graph:
        both = [graph.callers(name, least=0.0).uses[0] for name in ("A.frobnicate", "B.frobnicate")]
        assert [use.source.id for use in both] == ["m.py:f", "m.py:f"]
        assert all(0.0 < use.confidence < SHOWN_CONFIDENCE for use in both)
        assert [use.others for use in both] == [("b.py:B.frobnicate",), ("a.py:A.frobnicate",)]
        assert graph.callers("A.frobnicate").unsure == 1


def test_the_only_method_of_a_rare_name_is_likely_meant_and_one_of_a_common_name_is_not(tmp_path: Path) -> None:
    files = {
        "m.py": "def f(x):\n    x.frobnicate()\n    x.append(1)\n",
        "a.py": "class A:\n    def frobnicate(self): pass\n    def append(self, x): pass\n",
    }
    with graph_of(tmp_path, files) as graph:
        assert sources(graph.callers("A.frobnicate")) == ["m.py:f"]
        assert sources(graph.callers("A.append")) == []
        assert graph.callers("A.append").unsure == 1


def test_texts_and_types_of_the_language_are_not_the_workspaces(tmp_path: Path) -> None:
    files = {
        "m.py": "def f(x: str):\n    ', '.glue(x)\n    x.glue()\n    Decimal.glue()\n",
        "a.py": "class A:\n    def glue(self): pass\n",
    }
    check(tmp_path, files, "glue", [])


def test_languages_do_not_call_each_other(tmp_path: Path) -> None:
    files = {"m.py": "def f():\n    helper()\n", "u.js": "function helper() {}\nfunction g() { helper(); }\n"}
    check(tmp_path, files, "helper", ["u.js:g"])


def test_a_plain_call_means_no_method_where_that_cannot_be(tmp_path: Path) -> None:
    check(tmp_path, {"m.py": "class A:\n    def go(self): pass\n    def f(self): go()\n"}, "A.go", [])


def test_callees_with_and_without_a_definition(tmp_path: Path) -> None:
    files = {"m.py": "from n import g\ndef f():\n    g()\n    print(1)\n", "n.py": "def g(): pass\n"}
    with graph_of(tmp_path, files) as graph:
        assert targets(graph.callees("f")) == ["n.py:g", "(print)"]


@pytest.mark.parametrize(
    "files",
    [
        {
            "Shop.java": "class Shop { Shop(int n) {}\n void sell() {} }\n",
            "Other.java": "class Other { void sell() {} }\n",
            "App.java": "class App { void go() { new Shop(f(1)).sell(); } }\n",
        },
        {
            "Shop.cs": "class Shop { public void Sell() {} }\n",
            "Other.cs": "class Other { public void Sell() {} }\n",
            "App.cs": "class App { void Go() { (new Shop()).Sell(); } }\n",
        },
        {
            "shop.ts": "export class Shop { sell() {} }\nexport class Other { sell() {} }\n",
            "app.ts": 'import { Shop } from "./shop";\nexport function go() { new Shop().sell(); }\n',
        },
    ],
    ids=["java", "csharp", "typescript"],
)
def test_a_value_made_in_passing_has_its_type(files: dict[str, str], tmp_path: Path) -> None:
    with graph_of(tmp_path, files) as graph:
        for name in ("sell", "Sell"):
            if graph.definitions(f"Shop.{name}"):
                assert [use.source.name.lower() for use in graph.callers(f"Shop.{name}").uses] == ["go"]
                assert graph.callers(f"Other.{name}").uses == ()
