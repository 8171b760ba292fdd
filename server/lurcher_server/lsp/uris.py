"""`file:` URIs and paths, on this machine or, for the tests, on a machine of the other kind."""

import os
import re
from pathlib import Path, PurePosixPath, PureWindowsPath
from urllib.parse import quote, unquote, urlsplit

_DRIVE = re.compile(r"^/?([A-Za-z])(:|\|)(?=/|$)")


def path_of(uri: str) -> Path | None:
    """The path a `file:` URI names; None for other schemes, for other hosts and for what cannot be a path."""
    text = path_text(uri, windows=os.name == "nt")
    return None if text is None else Path(text)


def path_text(uri: str, windows: bool) -> str | None:
    """The path as text, in the form of one of the two kinds of machines."""
    try:
        parts = urlsplit(uri)
        host = parts.netloc.lower()
    except ValueError:
        return None
    if parts.scheme.lower() != "file":
        return None
    # A client that forgets to quote "?" or "#" means a file name: a file has no query.
    raw = parts.path + (f"?{parts.query}" if parts.query else "") + (f"#{parts.fragment}" if parts.fragment else "")
    path = unquote(raw, errors="surrogateescape")
    if not path or "\0" in path:
        return None
    if windows:
        path = _DRIVE.sub(lambda drive: f"{drive[1].upper()}:", path)
        return str(PureWindowsPath(f"//{host}{path}" if host not in ("", "localhost") else path))
    return path if host in ("", "localhost") and path.startswith("/") else None


def uri_of(path: str | Path) -> str:
    """The `file:` URI of an absolute path."""
    return uri_text(str(path), windows=os.name == "nt")


def uri_text(path: str, windows: bool) -> str:
    """The URI of a path of one of the two kinds of machines; a drive's colon is quoted as VS Code does it."""
    pure = PureWindowsPath(path).as_posix() if windows else PurePosixPath(path).as_posix()
    quoted = quote(pure, safe="/-_.~", errors="surrogateescape")
    if windows and pure.startswith("//"):
        return "file:" + quoted
    return "file://" + ("" if quoted.startswith("/") else "/") + quoted
