"""What kind of file a path names, by the conventions of many languages: code, its tests, its examples, its papers."""

import re
from functools import lru_cache
from typing import NamedTuple

_TEST = re.compile(
    r"(?:^|/)(?:tests?|__tests?__|specs?|testing|test[-_]\w+|\w+[-_]tests?|e2e|testsuite|unittests?|[\w.]*Tests?)/"
    r"|(?:^|/)(?:tests?[-_.][^/]*|conftest\.py|[^/]*(?:[-_.](?:test|tests|spec|specs|unittest)|Tests?|Spec|Specs|Suite)\.\w+)$"
)
_EXAMPLE = re.compile(
    r"(?:^|/)(?:_?examples?|samples?|demos?|playgrounds?|tutorials?|bench(?:es|mark|marks)?|perf|docs_src|cookbook)/",
    re.IGNORECASE,
)
_DOCUMENTATION = re.compile(
    r"(?:^|/)(?:docs?|documentation|man|website|wiki)/"
    r"|\.(?:md|mdx|markdown|rst|adoc|asciidoc|txt|tex|texi|pod|[1-9])$"
    r"|(?:^|/)(?:readme|changes|changelog|history|news|authors|copying|licen[cs]e|contributing|todo)(?:[-_][^/.]*)?$",
    re.IGNORECASE,
)
_CONFIGURATION = re.compile(
    r"\.(?:json|jsonc|json5|ya?ml|toml|ini|cfg|conf|properties|env|editorconfig|lock|xml|plist|gradle|kts|cabal|gemspec"
    r"|podspec|csproj|props|targets|sbt|rockspec|nix|tf|cmake|mk|am|ac|in)$"
    r"|(?:^|/)(?:makefile|dockerfile|rakefile|gemfile|cmakelists\.txt|setup\.(?:py|cfg)|build\.(?:zig|rs|sbt)|mix\.exs"
    r"|package\.swift|[^/]*\.config\.[cm]?[jt]s|\.[^/]+rc(?:\.\w+)?)$",
    re.IGNORECASE,
)
_SECOND_HAND = re.compile(
    r"(?:^|/)(?:vendor|vendored|_vendor|third[-_]?party|thirdparty|external|extern|deps|node_modules|generated|gen"
    r"|auto[-_]?generated|dist|build|stubs?|typings|compat|_compat|legacy|deprecated|polyfills?)/"
    r"|[._-](?:generated|gen|pb|pb2|min|designer|g)\.\w+$|_pb2(?:_grpc)?\.pyi?$",
    re.IGNORECASE,
)
_ENTRANCE = re.compile(
    r"(?:^|/)(?:__init__\.pyi?|index\.[cm]?[jt]sx?|mod\.rs|lib\.rs|init\.lua|package-info\.java|prelude\.\w+)$"
)
_DECLARATIONS = re.compile(r"\.(?:d\.[cm]?ts|h|hpp|hh|hxx|pyi|mli|hs-boot)$")


class FileKind(NamedTuple):
    """What a file is besides plain code; several may hold."""

    test: bool
    example: bool
    documentation: bool
    configuration: bool
    second_hand: bool
    """Copied from elsewhere, made by a program or kept only for old callers."""
    entrance: bool
    """Gathers what other files define: `__init__.py`, `index.ts`, `mod.rs`."""
    declarations: bool
    """Says what there is and not how it is done: headers, type stubs."""


@lru_cache(20_000)
def kind_of(path: str) -> FileKind:
    """The kind of a file, by its path relative to the folder."""
    kind = FileKind(
        test=_TEST.search(path) is not None,
        example=_EXAMPLE.search(path) is not None,
        documentation=_DOCUMENTATION.search(path) is not None,
        configuration=_CONFIGURATION.search(path) is not None,
        second_hand=_SECOND_HAND.search(path) is not None,
        entrance=_ENTRANCE.search(path) is not None,
        declarations=_DECLARATIONS.search(path) is not None,
    )
    return _KINDS.setdefault(kind, kind)


_KINDS: dict[FileKind, FileKind] = {}
"""Each kind once: there are few, and thousands of paths."""
