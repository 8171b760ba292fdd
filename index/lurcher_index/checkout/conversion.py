"""Whether git may have written files with other bytes than the commit has: line ends, encodings, large files."""

import os
from collections.abc import Iterable
from pathlib import Path

from lurcher_index.checkout.remotes import Configuration
from lurcher_index.checkout.ssh_hosts import home_folder
from lurcher_index.checkout.values import Checkout
from lurcher_index.files.repository import exclude_file

_NEVER = ("", "false", "no", "off", "0")
_ATTRIBUTES = ".gitattributes"


def may_convert(configuration: Configuration, checkout: Checkout, paths: Iterable[str]) -> bool:
    """Whether some setting or some file of attributes can make contents and files differ; `paths` are the files.

    What the attributes say is not looked at: sizes are compared then, and that costs little. Attributes for the whole
    machine, which hardly anybody has, are not noticed.
    """
    if configuration.get("core.autocrlf", ("",))[-1].lower() not in _NEVER or "core.attributesfile" in configuration:
        return True
    parts = checkout.prefix.split("/")
    above = (checkout.root / "/".join(parts[:depth]) / _ATTRIBUTES for depth in range(len(parts)))
    own = Path(os.environ.get("XDG_CONFIG_HOME") or home_folder() / ".config") / "git" / "attributes"
    shared = exclude_file(checkout.root).with_name("attributes")
    return any(path.exists() for path in (*above, own, shared)) or any(path.endswith(_ATTRIBUTES) for path in paths)


def is_partial(configuration: Configuration) -> bool:
    """Whether contents may be missing that git would fetch, one by one, to say how large they are."""
    return "extensions.partialclone" in configuration or any(
        key.startswith("remote.") and key.endswith((".promisor", ".partialclonefilter")) for key in configuration
    )


def needs_sizes(configuration: Configuration, checkout: Checkout, paths: Iterable[str]) -> bool:
    """Whether sizes of contents are asked for: where they may differ from those of files, and are at hand."""
    return may_convert(configuration, checkout, paths) and not is_partial(configuration)
