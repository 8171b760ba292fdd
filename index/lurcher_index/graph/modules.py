"""Whether a file is the module that an import names. Pure functions over paths and texts."""

import posixpath
import re
from functools import lru_cache

EXACT = 1.0
"""The module is this file or, where a folder is a module, lies in it."""

WITHIN = 0.8
"""The file lies inside the module: it may hand on what its parts define."""

FOLDERS = "go"
"""The family in which all files of a folder are one module."""

MEMO = 65_536
"""Comparisons kept in mind: the same modules are imported all over a workspace."""

_ENDING = re.compile(r"\.(?:d\.[cm]?ts|[^./]+)$")
_SPLIT = re.compile(r"::|[./\\]")
_ECMA_INDEX = frozenset({"index"})
_VERSION = re.compile(r"v\d+$")
_RUST_FILES = frozenset({"mod", "lib", "main"})
_RUST_LIBRARIES = frozenset({"std", "core", "alloc"})
_BUILT_IN = frozenset({"node", "bun", "deno"})


@lru_cache(MEMO)
def fit(family: str, module: str, importer: str, path: str) -> float:
    """How well a file fits a module that another file of the same family imports: 0, `WITHIN` or `EXACT`."""
    if family == "python":
        return _python(module, importer, path)
    if family == "ecma":
        return _ecma(module, importer, path)
    if family == FOLDERS:
        return fit_of_folder(module, path.rpartition("/")[0])
    if family == "rust":
        return _rust(module, importer, path)
    if family in ("c", "lua", "zig", "bash", "ruby", "php") and ("/" in module or "." in module):
        return _by_path(module, importer, path)
    return _by_parts(module, path)


def module_paths(family: str, module: str, importer: str) -> list[str]:
    """Where the file of a module can be, for the families in which a module often hands on what others define."""
    if family == "ecma" and module.startswith("."):
        joined = posixpath.normpath(posixpath.join(posixpath.dirname(importer), module))
        bare = re.sub(r"\.[cm]?js$", "", joined)
        return [f"{each}{ending}" for each in (bare, posixpath.join(bare, "index")) for ending in _ECMA_ENDINGS]
    if family == "python":
        return [path for base in _python_bases(module, importer) for path in (f"{base}.py", f"{base}/__init__.py")]
    return []


def _python_bases(module: str, importer: str) -> list[str]:
    names = module.lstrip(".")
    level = len(module) - len(names)
    folders = importer.split("/")[:-1]
    parts = names.split(".") if names else []
    if level:
        return ["/".join([*folders[: len(folders) - level + 1], *parts])]
    # An absolute name begins at one of the folders above, or in `src`.
    roots = [folders[:depth] for depth in range(min(len(folders), _ROOTS) + 1)]
    return ["/".join([*root, *parts]) for root in (*roots, ["src"])]


_ECMA_ENDINGS = (".ts", ".tsx", ".js", ".jsx", ".mts", ".mjs", ".cjs", ".d.ts", "")
_ROOTS = 4
"""How deep below the workspace folder packages begin at most."""


def _segments(path: str) -> list[str]:
    """Folders and the file's name without its ending."""
    return _ENDING.sub("", path).split("/")


def _is_tail(tail: list[str], whole: list[str]) -> bool:
    return bool(tail) and whole[-len(tail) :] == tail


def _python(module: str, importer: str, path: str) -> float:
    names = module.lstrip(".")
    level = len(module) - len(names)
    wanted = names.split(".") if names else []
    found = _segments(path)
    is_package = found[-1] == "__init__"
    found = found[:-1] if is_package else found
    if level:
        base = posixpath.dirname(importer).split("/") if posixpath.dirname(importer) else []
        base = base[: len(base) - (level - 1)] if level > 1 else base
        wanted = [*base, *wanted]
        if found == wanted:
            return EXACT
        return WITHIN if found[: len(wanted)] == wanted else 0.0
    if _is_tail(wanted, found):
        return EXACT
    return WITHIN if _holds(found, wanted) else 0.0


def _holds(whole: list[str], part: list[str]) -> bool:
    """Whether some folders in a row are these."""
    return any(whole[at : at + len(part)] == part for at in range(len(whole) - len(part)))


def _ecma(module: str, importer: str, path: str) -> float:
    found = _segments(path)
    if found[-1] in _ECMA_INDEX and len(found) > 1:
        found = found[:-1]
    if module.startswith("."):
        joined = posixpath.normpath(posixpath.join(posixpath.dirname(importer), module))
        if joined.startswith(".."):
            return 0.0
        wanted = [] if joined == "." else joined.split("/")
        bare = [*wanted[:-1], re.sub(r"\.[cm]?[jt]sx?$", "", wanted[-1])] if wanted else []
        bare = bare[:-1] if bare and bare[-1] in _ECMA_INDEX else bare
        if found in (bare, wanted) or (not bare and _segments(path) == ["index"]):
            return EXACT
        return WITHIN if bare and found[: len(bare)] == bare else 0.0
    if module.partition(":")[0] in _BUILT_IN:
        return 0.0
    wanted = [part for part in module.lstrip("@~#").split("/") if part]
    if len(wanted) > 1 and _is_tail(wanted[1:] if module[:1] in "@~#" and len(wanted) > 2 else wanted, found):
        return EXACT
    # A package of the same repository: its folder has its name.
    return WITHIN if wanted and wanted[-1] in found[:-1] else 0.0


@lru_cache(MEMO)
def fit_of_folder(module: str, folder: str) -> float:
    """The same where a folder is a module."""
    found = folder.split("/") if folder else []
    wanted = [part for part in module.split("/") if not _VERSION.match(part)]
    if not found:
        # The root of the repository; which path it has, only go.mod says.
        return WITHIN if len(wanted) == 3 and "." in wanted[0] else 0.0
    shared = min(len(found), len(wanted))
    return (
        EXACT if shared and found[-shared:] == wanted[-shared:] and ("." in wanted[0] or shared == len(wanted)) else 0.0
    )


def _rust(module: str, importer: str, path: str) -> float:
    wanted = [part for part in module.split("::") if part]
    if not wanted or wanted[0] in _RUST_LIBRARIES:
        return 0.0
    found = [part for part in _segments(path) if part != "src"]
    found = found[:-1] if found[-1] in _RUST_FILES else found
    if wanted[0] in ("crate", "self", "super"):
        own = [part for part in _segments(importer) if part != "src"]
        own = own[:-1] if own and own[-1] in _RUST_FILES else own
        while wanted and wanted[0] in ("self", "super"):
            own = own[:-1] if wanted[0] == "super" else own
            wanted = wanted[1:]
            if wanted[:1] != ["super"]:
                break
        if not wanted:
            return EXACT if found == own else 0.0
        if wanted[0] == "crate":
            wanted = wanted[1:]
            if not wanted:
                return WITHIN
    elif wanted[0].replace("_", "-") in found or wanted[0] in found:
        wanted = wanted[1:]
        if not wanted:
            return WITHIN
    # The last part may be a type in the module.
    if _is_tail(wanted, found) or (len(wanted) > 1 and _is_tail(wanted[:-1], found)):
        return EXACT
    return WITHIN if _holds([*found, ""], wanted) else 0.0


def _by_path(module: str, importer: str, path: str) -> float:
    plain = module.replace("\\", "/")
    if "/" not in plain and not re.search(r"\.(?:h|hh|hpp|hxx|inc|zig|sh|bash|rb|php)$", plain):
        plain = plain.replace(".", "/")
    joined = posixpath.normpath(posixpath.join(posixpath.dirname(importer), plain))
    wanted, found = _segments(posixpath.normpath(plain)), _segments(path)
    if found == _segments(joined):
        return EXACT
    wanted = [part for part in wanted if part not in ("..", ".")]
    if _is_tail(wanted, found):
        return EXACT
    # A header declares what a source file of the same name defines, wherever that lies.
    return WITHIN if wanted and wanted[-1] == found[-1] else 0.0


def _by_parts(module: str, path: str) -> float:
    """Java, Kotlin, Scala, C#, PHP, Haskell, Elixir: the parts of the module are folders, the last may be the file."""
    wanted = [part.lower() for part in _SPLIT.split(module) if part]
    found = [part.lower() for part in _segments(path)]
    if _is_tail(wanted, found[:-1]) or _is_tail(wanted, found):
        return EXACT
    # Folders often leave out the first parts, such as the organisation's.
    for shared in range(len(wanted) - 1, 0, -1):
        if _is_tail(wanted[-shared:], found[:-1]) or _is_tail(wanted[-shared:], found):
            return WITHIN
    return 0.0
