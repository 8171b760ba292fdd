"""Whether git may have written files with other bytes than the commit has: line ends, encodings, large files."""

from collections.abc import Collection
from pathlib import Path

from lurcher_index.checkout.remotes import Configuration
from lurcher_index.files.repository import exclude_file

_NEVER = ("", "false", "no", "off", "0")


def may_convert(configuration: Configuration, root: Path, paths: Collection[str]) -> bool:
    """Whether some setting or some file of attributes can make contents and files differ.

    What the attributes say is not looked at: sizes are compared then, and that costs little.
    """
    if configuration.get("core.autocrlf", ("",))[-1].lower() not in _NEVER or "core.attributesfile" in configuration:
        return True
    if exclude_file(root).with_name("attributes").exists():
        return True
    return any(path.endswith(".gitattributes") for path in paths)


def is_partial(configuration: Configuration) -> bool:
    """Whether contents may be missing that git would fetch, one by one, to say how large they are."""
    return "extensions.partialclone" in configuration or any(
        key.startswith("remote.") and key.endswith((".promisor", ".partialclonefilter")) for key in configuration
    )
