"""What kind of file a path names."""

import pytest

from lurcher_index.ranking.kinds import kind_of


def check(path: str, *kinds: str) -> None:
    found = kind_of(path)
    assert {name for name, holds in found._asdict().items() if holds} == set(kinds)


@pytest.mark.parametrize(
    "path",
    [
        "tests/helpers.py",
        "internal/testing/helpers.go",
        "pkg/test_store.py",
        "conftest.py",
        "pkg/store_test.go",
        "src/app.test.ts",
        "src/Store.spec.tsx",
        "__tests__/store.js",
        "e2e/login.ts",
        "spec/models/user_spec.rb",
        "src/test/java/Helper.java",
        "src/StoreTest.java",
        "StoreTests.cs",
        "StoreSpec.scala",
        "StoreSuite.scala",
        "src/commonTest/kotlin/Helper.kt",
        "store_unittest.cc",
    ],
)
def test_tests_of_many_languages(path: str) -> None:
    check(path, "test")


@pytest.mark.parametrize(
    "path",
    ["examples/app.py", "_examples/main.go", "Samples/App.cs", "demo/a.js", "benches/a.rs", "benchmark/a.py"],
)
def test_examples(path: str) -> None:
    check(path, "example")


@pytest.mark.parametrize(
    "path", ["docs/conf.py", "README", "README.md", "CHANGES.rst", "src/guide.adoc", "man/tool.1", "LICENCE", "a.txt"]
)
def test_documentation(path: str) -> None:
    check(path, "documentation")


@pytest.mark.parametrize(
    "path",
    [
        "package.json",
        "pkg/pyproject.toml",
        "ci.yml",
        "Makefile",
        "Dockerfile",
        "setup.py",
        "build.rs",
        "mix.exs",
        "vite.config.mts",
        ".eslintrc.js",
        "app.csproj",
    ],
)
def test_configuration(path: str) -> None:
    check(path, "configuration")


@pytest.mark.parametrize(
    "path",
    [
        "vendor/lib/a.go",
        "a/node_modules/b/c.js",
        "third_party/a.c",
        "third-party/a.c",
        "generated/a.ts",
        "dist/app.js",
        "static/app.min.js",
        "api/user_pb2.py",
        "api/user_pb2_grpc.py",
        "api/user.pb.go",
        "lib/user.g.dart",
        "Form.Designer.cs",
        "legacy/a.py",
    ],
)
def test_what_is_copied_or_made_by_a_program(path: str) -> None:
    check(path, "second_hand")


@pytest.mark.parametrize(
    "path", ["pkg/__init__.py", "src/index.ts", "index.mjs", "src/mod.rs", "src/lib.rs", "init.lua", "src/prelude.rs"]
)
def test_entrances(path: str) -> None:
    check(path, "entrance")


@pytest.mark.parametrize("path", ["src/a.h", "src/a.hpp", "types/a.d.ts", "a.d.mts", "a.pyi", "a.mli", "A.hs-boot"])
def test_declarations(path: str) -> None:
    check(path, "declarations")


@pytest.mark.parametrize(
    "path",
    [
        "contest.py",
        "latest/app.py",
        "attestation.go",
        "Contest.java",
        "Latest/App.cs",
        "src/protest/app.py",
        "testament.py",
        "inspect.py",
        "spectrum/app.py",
        "documentation_builder.py",
        "docstring.py",
        "manager/app.py",
        "licensing.py",
        "resamples/app.py",
        "sample.py",
        "setup_tools.py",
        "config.py",
        "jsonparser.py",
        "builder/app.py",
        "generator.py",
        "genesis/app.py",
        "admin.py",
        "reindex.ts",
        "model.rs",
        "src/app.ts",
        "src/app.c",
    ],
)
def test_names_that_only_look_like_it_are_plain_code(path: str) -> None:
    check(path)


def test_several_kinds_may_hold() -> None:
    check("tests/__init__.py", "test", "entrance")
    check("vendor/lib/a.h", "second_hand", "declarations")
    check("docs/examples/conf.json", "documentation", "example", "configuration")
    check("pkg/__init__.pyi", "entrance", "declarations")
