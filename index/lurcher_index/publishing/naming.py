"""Under which name a repository is published: that of its remote, as everybody who has it checked out derives it."""

import re
from pathlib import Path

from lurcher_index.checkout.identity import MAX_CONFIGURATION_BYTES
from lurcher_index.checkout.names import repository_name
from lurcher_index.checkout.remotes import addresses, read_configuration
from lurcher_index.checkout.ssh_hosts import SshHosts
from lurcher_index.errors import BadSetting
from lurcher_index.publishing.source import Source

_NAME = re.compile(r"(?=.{3,256}$)[^\s/:@\\]+(:\d+)?(/[^\s/\\]+)+")
"""`host/owner/name`, with a port if that is unusual; no scheme, no user."""


def name_of(source: Source) -> str:
    """The likeliest name of the repository; one without a remote has none."""
    # Not through `checkout.identity`: a bare repository is no checkout, and has remotes all the same.
    configuration = read_configuration(source.git.output("config", "--list", "-z", limit=MAX_CONFIGURATION_BYTES))
    hosts = SshHosts(_home())
    for address in addresses(configuration, source.branch or None):
        name = repository_name(address, hosts.real_host)
        if name is not None:
            return name
    raise BadSetting(
        f"the repository at {str(source.git.root)!r} has no remote on another machine to be named after;"
        " give it a name with --repository host/owner/name"
    )


def checked_name(name: str) -> str:
    """A name that somebody typed, written as everybody else derives it."""
    found = repository_name(f"https://{name}") if _NAME.fullmatch(name) else None
    if found is None:
        raise BadSetting(f"{name!r} is no name of a repository; write it as host/owner/name, without https:// or .git")
    return found


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:
        return Path("/")
