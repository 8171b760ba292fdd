"""What a commit needs against what the engine holds: pure, over paths and hashes."""

from collections.abc import Iterable, Mapping

import msgspec

from lurcher_index.remote.engines.interface import Version


class Difference(msgspec.Struct, frozen=True):
    """What has to be done for a commit."""

    kept: frozenset[str]
    """Paths whose content is there already."""
    missing: tuple[str, ...]
    """Paths whose content is not, in the order in which they were wanted."""
    superfluous: tuple[Version, ...]
    """Versions that do not belong to the commit, whoever left them."""
    chunks: int
    """Chunks of what is kept."""


def compare(wanted: Mapping[str, bytes], held: Iterable[Version]) -> Difference:
    """`wanted` has the key of each path's content."""
    kept: dict[str, int] = {}
    superfluous: list[Version] = []
    for version in held:
        if wanted.get(version.path) == version.content:
            kept[version.path] = version.chunks
        else:
            superfluous.append(version)
    missing = tuple(path for path in wanted if path not in kept)
    return Difference(frozenset(kept), missing, tuple(superfluous), sum(kept.values()))
