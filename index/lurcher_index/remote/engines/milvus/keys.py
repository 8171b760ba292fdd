"""Names under which things are stored. Each is made of what it stands for, so that to write it again replaces it."""

import re
from hashlib import blake2b

KEY_LENGTH = 32
"""Characters of a key: 128 bits in hex."""


def repository_key(repository: str) -> str:
    """A repository in filters and as the key of partitions: nothing that would have to be quoted."""
    return _key(repository)


def file_key(path: str, content: bytes) -> str:
    """A file with a content, whenever it was there."""
    return _key(path, content.hex())


def version_key(repository: str, path: str, content: bytes, since: int) -> str:
    """A version of a file."""
    return _key(repository, path, content.hex(), str(since))


def chunk_keys(version: str, chunks: int) -> list[str]:
    """All chunks of a version: nobody has to ask which there are."""
    return [f"{version}{ordinal:x}" for ordinal in range(chunks)]


def note_key(kind: str, *parts: str) -> str:
    """Something small that is kept of a repository."""
    return _key(kind, *parts)


def stored_path(path: str) -> str:
    """A path as text that every server takes: what is no character, or one that cannot stand in a filter, is written
    as its number. Slashes stay, so that folders can be compared."""
    return _ODD.sub(lambda found: f"{_MARK}{ord(found[0]):04x}", path)


def shown_path(stored: str) -> str:
    """The path that was stored. Nonsense of a hostile server comes out as some other path, which is looked at again."""
    first, *rest = stored.split(_MARK)
    parts = [first]
    for part in rest:
        try:
            parts.append(chr(int(part[:4], 16)) + part[4:])
        except (ValueError, OverflowError):
            parts.append(part)
    return "".join(parts)


_MARK = "\ue01a"
"""From the private use area; where it stands in a path, it is itself written as its number."""

_ODD = re.compile("[\x00-\x1f\x7f\ud800-\udfff\ue01a]")
"""Control characters, halves of characters (names that are no UTF-8), and the mark."""


def _key(*parts: str) -> str:
    text = "\0".join(parts).encode("utf-8", "surrogatepass")
    return blake2b(text, digest_size=KEY_LENGTH // 2).hexdigest()
