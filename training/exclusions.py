"""What must not be learned from: the projects that search is judged on, under any name and in any vendored copy.

A model that has seen the judged sources would be praised for remembering. Packages are excluded by name, files by the
components of their path, and code by the lines that it shares with the sources themselves.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

BENCHMARK_PROJECTS = tuple(
    """aiohttp fastapi flask httpx model2vec pydantic requests starlette click axios express redux gin cobra chi gson
    commons-lang jackson-databind guzzle monolog laravel sinatra rack rails tokio serde axum trpc zod vitest
    messagepack-csharp newtonsoft-json dapper ktor kotlinx-coroutines exposed cats circe http4s alamofire vapor
    snapkit plug ecto phoenix nlohmann-json abseil fmt curl redis libuv bats bash-it nvm aeson pandoc xmonad
    telescope lazy.nvim mini.nvim zig zls zig-clap""".split()
)
"""The repositories of the retrieval benchmark."""

QUESTION_PROJECTS = tuple(
    """paramiko celery scrapy fastify knex rxjs tanstack-query dns raft regex hyper jsoup okhttp libevent leveldb puma
    sidekiq dbal penlight warp wai cowboy poison jason nunit moshi react-native-reanimated
    react-native-vision-camera lottie mustache luasocket django guava symfony eslint rocksdb effect ex_unit
    debootstrap react-native-screens expo-modules-core livekit-client moleculer rabbitmq-server prosody latexdraw
    octocatalog-diff restic maturin mockito mosquitto ninja unitask phpmd hlint
    dramatiq mopidy react-native-video live-build imapflow eleventy msw hls.js certmagic tview nebula cbindgen jmdns
    csvjdbc react-native-gesture-handler dbus-java schleuder yard luakit roundcube tinc i2pd mosh keepass2 hypercorn
    vdirsyncer mobx colyseus mineflayer serf gojq ureq rsass gitit c3p0 javassist chrony tinyproxy libtorrent r10k
    simplepie rnmapbox unirx ltsp""".split()
)
"""The projects that the project's own set of questions asks about."""

ALIASES = {
    "commons-lang": "commons-lang2 commons-lang3 lang3 libcommons-lang-java libcommons-lang3-java",
    "pydantic": "pydantic-core pydantic_core pydantic-settings",
    "gin": "gin-gonic gin-gonic-gin",
    "cobra": "spf13-cobra",
    "chi": "go-chi go-chi-chi",
    "gson": "google-gson libgoogle-gson-java",
    "jackson-databind": "jackson2-databind libjackson2-databind-java databind",
    "guzzle": "guzzlehttp guzzlehttp-guzzle guzzle6 guzzle7",
    "laravel": "laravel-framework illuminate laravel/framework",
    "sinatra": "sinatra-contrib",
    "rack": "rack-protection rack-session rack-test",
    "rails": """railties activerecord actionpack activesupport actionview actionmailer activemodel activejob
        activestorage actioncable actiontext actionmailbox""",
    "tokio": "tokio-util tokio-macros tokio-stream tokio-test",
    "serde": "serde-derive serde_derive serde-core serde-test serde_test serde-derive-internals",
    "axum": "axum-core axum-extra axum-macros",
    "trpc": "trpc-server trpc-client trpc-react-query trpc-next",
    "messagepack-csharp": "messagepack-for-csharp messagepack.csharp com.github.messagepack-csharp",
    "newtonsoft-json": """newtonsoft newtonsoft.json com.unity.nuget.newtonsoft-json jillejr.newtonsoft.json-for-unity
        newtonsoft-json-for-unity libnewtonsoft-json5.0-cil""",
    "ktor": "ktor-client ktor-server io.ktor",
    "kotlinx-coroutines": "kotlinx.coroutines kotlinx-coroutines-core",
    "cats": "cats-core cats-effect cats-kernel",
    "circe": "circe-core circe-parser",
    "http4s": "http4s-core http4s-server http4s-client http4s-dsl",
    "redux": "redux-toolkit",
    "vitest": "vitest-runner vitest-utils",
    "nlohmann-json": "nlohmann nlohmann_json nlohmann-json3 json-modern-cpp",
    "abseil": "abseil-cpp absl libabsl",
    "fmt": "fmtlib libfmt",
    "curl": "libcurl curl-src",
    "redis": "redis-server redis-tools",
    "libuv": "libuv1",
    "bats": "bats-core",
    "bash-it": "bash_it",
    "pandoc": "pandoc-types pandoc-lua-engine pandoc-server",
    "xmonad": "xmonad-contrib",
    "telescope": "telescope.nvim neovim-telescope telescope-nvim",
    "lazy.nvim": "lazy-nvim neovim-lazy",
    "mini.nvim": "mini-nvim neovim-mini neovim-mini.test",
    "zig": "ziglang zig-lang",
    "zig-clap": "zig_clap",
    "phoenix": "phoenix_live_view phoenix-live-view phoenix_html phoenix-html",
    "plug": "plug_cowboy plug_crypto",
    "ecto": "ecto_sql ecto-sql",
    "tanstack-query": "tanstack/query query-core react-query vue-query solid-query svelte-query",
    "dns": "miekg-dns miekg",
    "raft": "hashicorp-raft raft-boltdb",
    "regex": "regex-syntax regex-automata",
    "hyper": "hyper-util",
    "okhttp": "okhttp3",
    "dbal": "doctrine-dbal",
    "warp": "haskell-warp warp-tls",
    "wai": "haskell-wai wai-extra wai-app-static",
    "lottie": "lottie-ios lottie-android lottie-react-native airbnb-lottie lottie-web",
    "mustache": "mustache.js ruby-mustache pystache",
    "effect": "effect-ts",
    "react-native-reanimated": "reanimated",
    "react-native-vision-camera": "vision-camera",
    "luasocket": "lua-socket lua-luasocket",
    "celery": "kombu",
    "livekit-client": "livekit",
    "rabbitmq-server": "rabbitmq_cli rabbitmqctl",
    "mosquitto": "libmosquitto libmosquitto-dev libmosquittopp",
    "mockito": "mockito-core libmockito-java",
    "ninja": "ninja-build",
    "unitask": "com.cysharp.unitask",
    "rocksdb": "librocksdb",
    "leveldb": "libleveldb leveldb-sharp",
    "eslint": "eslint-scope eslint-js",
    "rxjs": "rxjs-compat",
    "ex_unit": "ex-unit exunit",
    "roundcube": "roundcube-core roundcubemail",
    "eleventy": "11ty",
    "keepass2": "keepass keepasslib",
    # What is left of it where a version is taken off.
    "c3p0": "c3p libc3p0-java",
    "rnmapbox": "rnmapbox-maps",
    "unirx": "com.neuecc.unirx",
    "react-native-video": "react-native-video-ios",
    "react-native-gesture-handler": "gesture-handler",
}
"""Other names of the same projects: parts of them, names of packages and folders."""

PARTS = {"elixir-lang": ("lib/ex_unit",), "scala": ("src/repl",)}
"""Judged projects that are a part of a larger package, whose other parts may be learned from."""

FAMILIES = re.compile(
    r"(^|[-/@])(illuminate|laravel|symfony|lottie|reduxjs|tanstack|vitest|trpc|rxjs|doctrine-dbal|reanimated|http4s|"
    r"newtonsoft|kotlinx-coroutines|cats-effect|fastify|phoenixframework)([-/.]|$)"
)
"""Projects that come as many packages with one beginning; their names are no ordinary words."""

COMMON_WORDS = frozenset(
    """click express exposed cats plug lazy mini fmt rack gin chi dns raft regex effect poison warp hyper requests
    redis curl phoenix telescope databind redux query serde zig ninja nebula serf yard mosh eleventy
    gesture-handler""".split()
)
"""Project names that are also words: `src/requests/list.ts` is no copy of the project. As a folder they exclude only
where sources of others stand: directly in a folder of vendored or installed packages."""

VENDORED = frozenset(
    """node_modules vendor vendors vendored _vendor third_party third-party thirdparty 3rdparty external externals
    extern deps dep ext dist-packages site-packages vendor_ruby gems libs lib src packages contrib subprojects
    submodules crates registry github.com pods php python3 java include rust-crates pkg modules""".split()
)
"""Folders whose children are projects of their own, or may be."""

PREFIXES = re.compile(
    r"^(golang(-[a-z0-9]+)?-(github|gitlab|gopkg|golang)?-?|librust-|rust-|python3?-|py|ruby-|php-|node-|lua-|libjs-|"
    r"haskell-|libghc-|elixir-|erlang-|neovim-|vim-|go-|js-|ts-|lib)"
)
SUFFIXES = re.compile(
    r"(\.js|\.py|\.rb|\.nvim|\.vim|-js|-py|-rb|-go|-rs|-cpp|-java|-php|-dev|-perl|-cil|-doc|-src|-python|-ruby|-lua)$"
)
VERSION = re.compile(r"(?:[-@_]?v?\d[\d.]*(?:[-.~+][\w.~+]*)?)$")

LEAK_SHARE = 0.15
"""Share of a text's shingles that may be known from the judged sources; common licence and import lines are a few."""

SHINGLE_LINES = 3
SHINGLE_LINE_LENGTH = 9
"""Shorter lines (braces, `return x`) are alike everywhere and are not counted."""

SOURCE_ENDINGS = frozenset(
    """py js jsx mjs cjs ts tsx mts go rs java kt kts rb php c h cc cpp cxx hpp hh cs swift scala ex exs lua sh bash
    bats hs zig zon md vim""".split()
)
LARGEST_SOURCE_BYTES = 2_000_000


def _all_names() -> frozenset[str]:
    names: set[str] = set()
    for project in (*BENCHMARK_PROJECTS, *QUESTION_PROJECTS):
        names.add(project)
        names.update(ALIASES.get(project, "").split())
    return frozenset(names)


NAMES = _all_names()
"""Every name of every excluded project."""


def excluded_package(name: str) -> bool:
    """Say whether a package of any registry is an excluded project or a part of it, by its name."""
    name = name.lower()
    if FAMILIES.search(name):
        return True
    scope, slash, rest = name.rpartition("/")
    if slash and any(form in NAMES for form in _forms(scope.lstrip("@"))):
        return True
    return any(form in NAMES for form in _forms(rest)) or any(form in NAMES for form in _go_forms(rest))


def excluded_path(path: str) -> bool:
    """Say whether a file stands in a copy of an excluded project."""
    parts = [part.lower() for part in PurePosixPath(path).parts]
    for number, part in enumerate(parts[:-1]):
        bare = VERSION.sub("", part)
        for form in (part, bare):
            if form in NAMES and (form not in COMMON_WORDS or number == 0 or parts[number - 1] in VENDORED):
                return True
        if part.startswith("@") and part[1:] in NAMES:
            return True
    stem = parts[-1].split(".", 1)[0] if parts else ""
    # Single files that are a whole project, as people copy them: json.hpp aside, these names are unmistakable.
    return stem in NAMES and stem not in COMMON_WORDS and len(stem) > 4 and len(parts) > 1 and parts[-2] in VENDORED


def excluded_pair(package: str, path: str) -> bool:
    """Say whether a mined pair must not be learned from, by its package and the path in it.

    Mining asks the same; whoever reads pairs asks again, since projects may have been added after they were mined.
    """
    inside = f"/{path}"
    judged = any(f"/{part}/" in inside for part in PARTS.get(package, ()))
    return judged or excluded_package(package) or excluded_path(path)


def shingles(text: str) -> set[int]:
    """Hashes of every three lines that follow each other, without their blanks; the same in every process."""
    lines = [line for line in ("".join(line.split()) for line in text.split("\n")) if len(line) >= SHINGLE_LINE_LENGTH]
    return {
        int.from_bytes(hashlib.blake2b("".join(lines[at : at + SHINGLE_LINES]).encode(), digest_size=8).digest(), "big")
        for at in range(len(lines) - SHINGLE_LINES + 1)
    }


def leaked(code: str, known: set[int] | frozenset[int]) -> bool:
    """Say whether a piece of code is largely a copy of the judged sources."""
    found = shingles(code)
    return bool(found) and len(found & known) > LEAK_SHARE * len(found)


def judged_shingles(folders: Iterable[Path]) -> frozenset[int]:
    """The shingles of all sources below some folders."""
    found: set[int] = set()
    for path in _sources(folders):
        found |= shingles(path.read_text(encoding="utf-8", errors="replace"))
    return frozenset(found)


def _sources(folders: Iterable[Path]) -> Iterator[Path]:
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            plain = path.is_file() and not path.is_symlink()
            if plain and path.suffix[1:].lower() in SOURCE_ENDINGS and path.stat().st_size <= LARGEST_SOURCE_BYTES:
                yield path


def _forms(name: str) -> Iterator[str]:
    """A package's name as it is, and without what registries put around the project's own name."""
    queue = [name]
    seen: set[str] = set()
    while queue:
        form = queue.pop()
        if not form or form in seen:
            continue
        seen.add(form)
        yield form
        queue += [PREFIXES.sub("", form), SUFFIXES.sub("", form), form.split("+", 1)[0]]
        if "+" not in form:
            queue.append(VERSION.sub("", form))


def _go_forms(name: str) -> Iterator[str]:
    """Debian calls a Go package after its host, owner and repository: golang-github-spf13-cobra-dev."""
    if name.startswith("golang-"):
        words = SUFFIXES.sub("", name).split("-")[1:]
        for start in range(len(words)):
            yield "-".join(words[start:])
