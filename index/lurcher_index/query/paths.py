"""Whether a token names a file or a folder; `request/response` and `Node.js` do not."""

import re

FILE_ENDINGS = frozenset(
    "adoc asm bash bat bzl c cc cfg clj cmake cmd conf cpp cs css csv cts cxx dart el env erb erl ex exs fish fs go "
    "gql gradle graphql h hh hpp hs htm html ini ipynb java jl js json json5 jsonc jsx kt kts less lock log lua m "
    "md mdx mjs mk ml mm mts nim nix php pl plist pm prisma properties proto ps1 py pyi pyx r rake rb rs rst sass "
    "sbt scala scm scss sh sol sql svelte svg swift tex tf toml ts tsx txt vb vim vue wasm xml yaml yml zig zsh".split()
)
"""Endings that make a word with a dot a file's name."""

SOURCE_FOLDERS = frozenset("cmd internal lib node_modules packages pkg src vendor".split())
"""First folders that nobody writes before a slash in plain language, unlike `client/server` and `test/production`."""

LIBRARIES = frozenset(
    "angular.js backbone.js chart.js d3.js discord.js ember.js express.js moment.js nest.js next.js node.js nuxt.js "
    "react.js solid.js three.js vue.js".split()
)
"""Names of libraries that look like files."""

_SEGMENTS = re.compile(r"(?:~|[A-Za-z]:)?[/\\]?(?:[^/\\\s:*?\"<>|]+[/\\])*[^/\\\s:*?\"<>|]*")
_PLACE = re.compile(r"(?::[0-9]+){1,2}$|#L[0-9]+(?:-L?[0-9]+)?$")


def is_path(token: str) -> bool:
    """Whether a token is the name of a file or folder, with or without a line after it."""
    # Nearly every word of a question ends here.
    if "." not in token and "/" not in token and "\\" not in token:
        return False
    bare = _PLACE.sub("", token)
    if "://" in bare or bare.lower() in LIBRARIES or not _SEGMENTS.fullmatch(bare):
        return False
    slashed = bare.replace("\\", "/")
    if "/" not in slashed:
        return _is_file_name(slashed)
    if not any(char.isalnum() for char in slashed):
        return False
    first, _, last = slashed.rpartition("/")
    rooted = slashed.startswith(("./", "../", "~/")) or (slashed[0] == "/" and slashed.count("/") > 1)
    return rooted or not last or _is_file_name(last) or first.partition("/")[0] in SOURCE_FOLDERS


def _is_file_name(name: str) -> bool:
    stem, dot, ending = name.rpartition(".")
    return bool(dot) and bool(stem.strip(".")) and ending in FILE_ENDINGS and not stem.replace(".", "").isdigit()
