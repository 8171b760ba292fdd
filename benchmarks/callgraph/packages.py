"""The packages that are compared: some to develop on, the others only to report on."""

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.registries import FetchError, fetch, unpack

DEVELOP = "develop"
"""Whoever changes the rules of the graph looks at the errors in these."""

REPORT = "report"
"""Held out: only their figures are told, so that rules are not fitted to what is reported."""


@dataclass(frozen=True, slots=True)
class Package:
    """A package of a registry, and the part of it that is source."""

    name: str
    language: str
    role: str
    kind: str
    package: str
    version: str
    prefix: str
    """What stands before the source's paths in the archive."""
    licence: str
    keep: tuple[str, ...] = ()
    """Glob patterns of what is kept of it, everything if there are none."""
    leave: tuple[str, ...] = ()
    """Glob patterns of what is left out again: tests, whose libraries are not there, and code for other systems."""


PACKAGES = (
    Package("click", "python", DEVELOP, "pypi-wheel", "click", "8.3.2", "", "BSD-3-Clause", ("click",)),
    Package("requests", "python", DEVELOP, "pypi-wheel", "requests", "2.32.5", "", "Apache-2.0", ("requests",)),
    Package("starlette", "python", DEVELOP, "pypi-wheel", "starlette", "0.50.0", "", "BSD-3-Clause", ("starlette",)),
    Package("httpx", "python", REPORT, "pypi-wheel", "httpx", "0.28.1", "", "BSD-3-Clause", ("httpx",)),
    Package("jinja2", "python", REPORT, "pypi-wheel", "jinja2", "3.1.6", "", "BSD-3-Clause", ("jinja2",)),
    Package("werkzeug", "python", REPORT, "pypi-wheel", "werkzeug", "3.1.3", "", "BSD-3-Clause", ("werkzeug",)),
    Package("query-core", "typescript", DEVELOP, "npm", "@tanstack/query-core", "5.90.7", "package/", "MIT", ("src",)),
    Package("immer", "typescript", DEVELOP, "npm", "immer", "10.2.0", "package/", "MIT", ("src",)),
    Package("redux-toolkit", "typescript", DEVELOP, "npm", "@reduxjs/toolkit", "2.10.1", "package/", "MIT", ("src",),
            ("src/**/tests",)),
    Package("mobx", "typescript", REPORT, "npm", "mobx", "6.15.0", "package/", "MIT", ("src",)),
    Package("rxjs", "typescript", REPORT, "npm", "rxjs", "7.8.2", "package/", "Apache-2.0", ("src/internal",)),
    Package("zod", "typescript", REPORT, "npm", "zod", "3.25.76", "package/", "MIT", ("src/v3",),
            ("src/v3/tests", "src/v3/benchmarks")),
    Package("axios", "javascript", DEVELOP, "npm", "axios", "1.13.2", "package/", "MIT", ("lib",)),
    Package("commander", "javascript", DEVELOP, "npm", "commander", "14.0.2", "package/", "MIT", ("lib",)),
    Package("express", "javascript", DEVELOP, "npm", "express", "4.21.2", "package/", "MIT", ("lib",)),
    Package("fastify", "javascript", REPORT, "npm", "fastify", "5.6.1", "package/", "MIT", ("fastify.js", "lib")),
    Package("mocha", "javascript", REPORT, "npm", "mocha", "11.7.4", "package/", "MIT", ("lib",)),
    Package("knex", "javascript", REPORT, "npm", "knex", "3.1.0", "package/", "MIT", ("lib",)),
    Package("jansson", "c", DEVELOP, "debian-source", "jansson", "2.14", "jansson-2.14/", "MIT", ("src", "android")),
    Package("hiredis", "c", DEVELOP, "debian-source", "hiredis", "0.14.1", "hiredis-0.14.1/", "BSD-3-Clause",
            ("*.[ch]",), ("test.c",)),
    Package("libyaml", "c", DEVELOP, "debian-source", "libyaml", "0.2.5", "libyaml-0.2.5/", "MIT", ("src", "include")),
    Package("expat", "c", REPORT, "debian-source", "expat", "2.5.0", "libexpat-R_2_5_0/expat/", "MIT", ("lib",)),
    Package("libuv", "c", REPORT, "debian-source", "libuv1", "1.44.2", "libuv1-1.44.2/", "MIT", ("src", "include"),
            ("src/win", "include/uv/win.h")),
    Package("lua", "c", REPORT, "debian-source", "lua5.4", "5.4.4", "lua-5.4.4/", "MIT", ("src",)),
    Package("commons-csv", "java", DEVELOP, "debian-source", "commons-csv", "1.9.0",
            "commons-csv-rel-commons-csv-1.9.0/src/main/java/", "Apache-2.0"),
    Package("commons-codec", "java", DEVELOP, "debian-source", "libcommons-codec-java", "1.15",
            "commons-codec-rel-commons-codec-1.15/src/main/java/", "Apache-2.0"),
    Package("jsoup", "java", DEVELOP, "debian-source", "jsoup", "1.15.3",
            "jsoup-jsoup-1.15.3/src/main/java/", "MIT"),
    Package("commons-io", "java", REPORT, "debian-source", "commons-io", "2.11.0",
            "commons-io-2.11.0-src/src/main/java/", "Apache-2.0"),
    Package("jackson-core", "java", REPORT, "debian-source", "jackson-core", "2.14.1",
            "jackson-core-jackson-core-2.14.1/src/main/java/", "Apache-2.0"),
    Package("args4j", "java", REPORT, "debian-source", "args4j", "2.33",
            "args4j-args4j-site-2.33/args4j/src/", "MIT"),
    Package("cobra", "go", DEVELOP, "debian", "golang-github-spf13-cobra-dev", "1.6.1-1", "usr/share/gocode/src/",
            "Apache-2.0", (), ("**/*_test.go", "**/testdata")),
    Package("chi", "go", DEVELOP, "debian", "golang-github-go-chi-chi-dev", "5.0.7-1", "usr/share/gocode/src/", "MIT",
            (), ("**/*_test.go", "**/testdata", "**/_examples")),
    Package("mux", "go", DEVELOP, "debian", "golang-github-gorilla-mux-dev", "1.8.0-1", "usr/share/gocode/src/",
            "BSD-3-Clause", (), ("**/*_test.go",)),
    Package("pflag", "go", REPORT, "debian", "golang-github-spf13-pflag-dev", "1.0.6~git20210604-d5e0c0615ace-1",
            "usr/share/gocode/src/", "BSD-3-Clause", (), ("**/*_test.go",)),
    Package("toml", "go", REPORT, "debian", "golang-github-burntsushi-toml-dev", "1.2.0-2", "usr/share/gocode/src/",
            "MIT", (), ("**/*_test.go", "**/testdata")),
    Package("dns", "go", REPORT, "debian", "golang-github-miekg-dns-dev", "1.1.50-2", "usr/share/gocode/src/",
            "BSD-3-Clause", (), ("**/*_test.go",)),
)  # fmt: skip


def chosen(names: Sequence[str] = (), languages: Sequence[str] = (), role: str = "") -> list[Package]:
    """The packages with one of these names, in one of these languages, for this use; all where nothing is said."""
    return [
        each
        for each in PACKAGES
        if (not names or each.name in names)
        and (not languages or each.language in languages)
        and (not role or each.role == role)
    ]


def fetch_package(package: Package, into: Path) -> Path:
    """The folder of a package's source; fetched and unpacked unless it is there."""
    folder = into / package.name
    if folder.exists():
        return folder
    archives = fetch(package.kind, package.package, package.version, into / ".downloads")
    # Unpacked beside its place and then renamed, so that a package that exists is a whole one.
    whole, partial = into / f".{package.name}.whole", into / f".{package.name}.partial"
    for each in (whole, partial):
        shutil.rmtree(each, ignore_errors=True)
    unpack(archives, package.prefix, whole)
    for pattern in package.leave:
        for each in sorted(whole.glob(pattern), reverse=True):
            shutil.rmtree(each) if each.is_dir() else each.unlink()
    for source in _kept(whole, package):
        place = partial / source.relative_to(whole)
        place.parent.mkdir(parents=True, exist_ok=True)
        source.rename(place)
    shutil.rmtree(whole)
    partial.rename(folder)
    return folder


def _kept(whole: Path, package: Package) -> Iterator[Path]:
    for pattern in package.keep or ("*",):
        found = sorted(whole.glob(pattern))
        if not found:
            raise FetchError(f"{package.name}: nothing matches {pattern!r} in it")
        yield from found
