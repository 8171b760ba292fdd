"""The judged projects stay out, under every name a registry gives them, and nothing else does."""

import json
from pathlib import Path

import pytest
from training.exclusions import (
    BENCHMARK_PROJECTS,
    PARTS,
    QUESTION_PROJECTS,
    excluded_package,
    excluded_pair,
    excluded_path,
    judged_shingles,
    leaked,
)

QUESTIONS = Path(__file__).resolve().parents[2] / "benchmarks" / "questions"
PROJECTS = (*BENCHMARK_PROJECTS, *QUESTION_PROJECTS)


def test_there_are_63_benchmark_projects() -> None:
    assert len(set(BENCHMARK_PROJECTS)) == 63


@pytest.mark.parametrize(
    "corpus", json.loads((QUESTIONS / "corpora.json").read_text()), ids=lambda corpus: corpus["name"]
)
def test_what_our_questions_ask_about_is_excluded(corpus: dict[str, str]) -> None:
    package = corpus["package"]
    assert excluded_package(package) or package in PARTS or corpus["registry"] == "checkout"


@pytest.mark.parametrize("project", PROJECTS)
def test_a_project_is_excluded_in_every_form(project: str) -> None:
    packages = [project, project.upper(), f"@{project}/core", f"@someone/{project}"]
    packages += [f"{prefix}-{project}" for prefix in ("python3", "ruby", "php", "node", "lua", "haskell", "elixir")]
    packages += [f"librust-{project}-dev", f"librust-{project}-1+default-dev", f"golang-github-owner-{project}-dev"]
    missed = [name for name in packages if not excluded_package(name)]
    assert missed == []
    paths = [f"vendor/{project}/a.c", f"node_modules/{project}/lib/a.js", f"third_party/{project}-1.2.3/src/a.h"]
    paths += [f"usr/lib/python3/dist-packages/{project}/a.py", f"{project}/src/a.go", f"a/vendor/{project}@v1.2.0/b.go"]
    missed = [path for path in paths if not excluded_path(path)]
    assert missed == []


@pytest.mark.parametrize(
    "name",
    """golang-github-gin-gonic-gin-dev golang-github-spf13-cobra-dev golang-github-go-chi-chi-dev libgoogle-gson-java
    golang-github-miekg-dns-dev golang-github-hashicorp-raft-dev libcommons-lang3-java libjackson2-databind-java
    php-guzzlehttp-guzzle php-illuminate-database ruby-activerecord ruby-rack-protection librust-tokio-util-dev
    librust-serde-derive-dev librust-regex-syntax-dev @trpc/server @reduxjs/toolkit @tanstack/query-core
    newtonsoft.json com.unity.nuget.newtonsoft-json kotlinx-coroutines xmonad-contrib haskell-wai-extra
    nlohmann-json3 abseil-cpp fmtlib libuv1 bats-core neovim-telescope php-doctrine-dbal lottie-react-native
    lottie-ios php-symfony-console python3-django""".split(),
)
def test_names_of_registries(name: str) -> None:
    assert excluded_package(name)


@pytest.mark.parametrize(
    "name",
    """clickhouse python3-clickhouse-driver expressive rackspace ginkgo golang-github-onsi-ginkgo-dev children fmtutil
    python3-click-plugins rediscover curlew chimera catsup plugin pluggable python3-pluggy phoenixdb-adapter zodiac
    zigbee-herdsman python3-zigpy ruby-racket servant requestsizer effector node-regexpp warpfork lazy minimist
    node-mini-css-extract-plugin react-native-svg @capacitor/core com.adjust.sdk lua-cjson""".split(),
)
def test_near_misses_are_taken(name: str) -> None:
    assert not excluded_package(name)


@pytest.mark.parametrize(
    "path",
    """app/http/requests/list.ts server/plugs/auth.ex ui/express-checkout/a.js internal/regexes/a.go
    cmd/effects/run.go game/cats_and_dogs/a.lua com/shop/exposed/Table.kt clickhouse/a.py redisplay/a.c""".split(),
)
def test_folders_that_are_only_alike_are_taken(path: str) -> None:
    assert not excluded_path(path)


@pytest.mark.parametrize(
    ("package", "path", "excluded"),
    [
        # Mined before their families were excluded.
        ("php-illuminate-database", "Query/Builder.php", True),
        ("capacitor-lottie-splash-screen", "ios/Plugin.swift", True),
        ("harmless", "vendor/flask/app.py", True),
        ("harmless", "src/app.py", False),
        # Judged parts of packages that are not judged as a whole.
        ("elixir-lang", "lib/ex_unit/lib/ex_unit/runner.ex", True),
        ("elixir-lang", "lib/elixir/lib/enum.ex", False),
        ("scala", "src/repl/scala/tools/nsc/Interpreter.scala", True),
        ("scala", "src/library/scala/Option.scala", False),
    ],
)
def test_pairs_are_judged_again_when_they_are_read(package: str, path: str, excluded: bool) -> None:
    assert excluded_pair(package, path) is excluded


def test_a_copy_of_judged_code_is_found_by_its_lines(tmp_path: Path) -> None:
    lines = [f"value_{number} = compute(argument_{number})" for number in range(20)]
    (tmp_path / "judged.py").write_text("\n".join(lines))
    (tmp_path / "picture.png").write_text("another_line = not_source(1)\n" * 5)
    known = judged_shingles([tmp_path])
    assert len(known) == 18
    assert leaked("\n".join("    " + line for line in lines[3:9]), known)
    assert not leaked("\n".join(line.replace("compute", "guess") for line in lines), known)
    assert not leaked("}\n", known)
