"""Which files of a package are worth mining."""

import fnmatch
import re
from random import Random

LANGUAGES = frozenset(
    """python javascript typescript tsx go rust java kotlin ruby php c cpp csharp swift scala elixir lua bash haskell
    zig objc erlang""".split()
)
"""Languages that pairs are mined from."""

THIN = frozenset("kotlin swift scala csharp elixir lua bash zig".split())
"""Languages of which the registries have little: everything of them is taken."""

SMALLEST_BYTES = 120
LARGEST_BYTES = 250_000
LONGEST_AVERAGE_LINE = 110
"""Beyond it, a text is data or minified."""

SKIPPED = re.compile(
    r"(^|/)(node_modules|vendor|third_party|thirdparty|_vendor|bower_components|generated|testdata|fixtures?|locales?|"
    r"__tests__|__mocks__|umd|min|dist|build|pods|\.git|docs?/_static)(/|$)|\.min\.|\.d\.ts$|_pb2|\.pb\.|\.generated\.|\.g\.|"
    r"(^|/)(conftest|setup)\.py$|bindata|zz_generated|unicode_?data|\.bundle\.|\.designer\.|(^|/)jquery|gradlew",
    re.IGNORECASE,
)
"""Copies of others' sources, generated and packed files."""

BUILT = re.compile(r"^package/(lib|dist|build|commonjs|module|esm|cjs|es|es6|esm5|bundles|_esm\w*|umd|out)(/|$)")
"""Where packages of npm keep what a compiler made of their sources."""

TEST = re.compile(
    r"(^|/)(tests?|specs?|testing|examples?|test_[^/]*|[^/]*_test\.\w+|[^/]*Tests?\.\w+|[^/]*[._]spec\.\w+|[^/]*\.test\.\w+)(/|$)"
)
TEST_SHARE = 0.1
"""Tests are plenty and alike; a few are taken, since people search for them too."""

PAIRS_PER_FILE = 60
PAIRS_PER_PACKAGE = 400
"""So that no giant decides what the model learns; the experiment's figures."""

THIN_PAIRS_PER_PACKAGE = 4_000
"""Of the thin languages a giant (a compiler, a class library) is better than nothing."""


def wanted(path: str, size: int, registry: str, language: str, denied: tuple[str, ...], rng: Random) -> bool:
    """Say whether a source file is mined."""
    if language not in LANGUAGES or not SMALLEST_BYTES < size < LARGEST_BYTES or SKIPPED.search(path):
        return False
    if registry == "npm" and language in ("javascript", "typescript") and BUILT.search(path):
        return False
    if denied and any(fnmatch.fnmatchcase(_inside(path), pattern) for pattern in denied):
        return False
    return not TEST.search(path) or rng.random() < TEST_SHARE


def readable(text: str) -> bool:
    """Say whether a text was written line by line."""
    return len(text) <= LONGEST_AVERAGE_LINE * (text.count("\n") + 1)


def _inside(path: str) -> str:
    """The path without the folder that a tarball's contents stand in."""
    return path.split("/", 1)[-1]
