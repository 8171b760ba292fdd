"""The name of a repository out of the address of a remote: `host/owner/name`. Pure functions over the address.

Everybody who has a clone of a repository must come to the same name, whichever way they reach it. So the scheme, the
user, usual ports and `.git` are dropped, and so is what some hosts put into paths of one scheme only.
"""

import re
from collections.abc import Callable
from ipaddress import IPv6Address
from urllib.parse import unquote, urlsplit

MAX_ADDRESS_CHARACTERS = 4_096
"""No address is longer; a configuration file can be made to hold one without end."""

_USUAL_PORTS = {
    "https": {443},
    "http": {80},
    # 7999 is where Bitbucket Server listens for ssh unless somebody changes it; its web address has no such port.
    "ssh": {22, 7999},
    "git": {9418},
}

_SCHEMES = {"git+ssh": "ssh", "ssh+git": "ssh", "git+https": "https", "git+http": "http"}
"""Old ways to write a scheme."""

_OTHER_DOORS = {
    "www.github.com": "github.com",
    "ssh.github.com": "github.com",
    "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
}
"""Hosts that are another one, reached through a port that firewalls leave open (443, whatever the scheme)."""

_CASELESS = frozenset({"github.com", "gitlab.com", "bitbucket.org", "dev.azure.com"})
"""Hosts that take owners and names in any case. Elsewhere `Team/x` and `team/x` may be two repositories."""

_SCP = re.compile(r"(?:[^@/\[\]]*@)?(\[[0-9A-Fa-f:.]+\]|[^:/\[\]@]+):(.*)", re.DOTALL)
"""`user@host:path`, as of scp. A slash before the first colon makes it a path of this machine instead."""

_HOST = re.compile(r"[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?")
_AZURE = "dev.azure.com"


def repository_name(address: str, real_host: Callable[[str], str] = lambda host: host) -> str | None:
    """The name of the repository that an address leads to; None if it is a folder of this machine or no address.

    `real_host` says which host a name of the person's ssh configuration stands for. It is asked for ssh only.
    """
    if len(address) > MAX_ADDRESS_CHARACTERS or not address.isprintable() or "\\" in address:
        return None
    parts = _from_url(address) if "://" in address else _from_scp(address)
    if parts is None:
        return None
    scheme, host, port, path = parts
    if scheme == "ssh":
        host = real_host(host)
    plain = _plain_host(host)
    folders = _folders(path)
    if plain is None or not folders:
        return None
    if plain in _OTHER_DOORS:
        plain, port = _OTHER_DOORS[plain], None
    plain, folders = _azure(plain, folders)
    if len(folders) > 1 and folders[0] == "scm" and scheme in ("http", "https"):
        # Bitbucket Server has all repositories below `scm`, but not for ssh.
        folders = folders[1:]
    name = "/".join(folders)
    shown_port = f":{port}" if port is not None and port not in _USUAL_PORTS[scheme] else ""
    return f"{plain}{shown_port}/{name.lower() if plain in _CASELESS else name}"


def _from_url(address: str) -> tuple[str, str, int | None, str] | None:
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    scheme = _SCHEMES.get(parts.scheme, parts.scheme)
    # What follows a question mark may name the repository; nobody clones from such an address.
    if scheme not in _USUAL_PORTS or not host or parts.query or parts.fragment:
        return None
    return scheme, host, port, unquote(parts.path, errors="surrogateescape")


def _from_scp(address: str) -> tuple[str, str, int | None, str] | None:
    found = _SCP.fullmatch(address)
    # `helper::address` asks for a program to be run; a single letter is a drive of Windows.
    if found is None or found[2].startswith(":") or len(found[1]) == 1:
        return None
    return "ssh", found[1].strip("[]"), None, found[2]


def _plain_host(host: str) -> str | None:
    """A host in lower case, in ASCII, without the dot that ends a full name; an address of IPv6 in brackets."""
    if ":" in host:
        try:
            return f"[{IPv6Address(host).compressed}]"
        except ValueError:
            return None
    try:
        plain = host.encode("idna").decode().lower().removesuffix(".")
    except UnicodeError:
        plain = host.lower()
    return plain if _HOST.fullmatch(plain) else None


def _folders(path: str) -> list[str]:
    """The parts of a path, without slashes too many and `.git`; none if it leads elsewhere or is no text."""
    folders = [part for part in path.split("/") if part]
    if folders:
        folders[-1] = folders[-1].removesuffix(".git")
    if not path.isprintable() or "\\" in path or any(part in ("", ".", "..") for part in folders):
        return []
    return folders


def _azure(host: str, folders: list[str]) -> tuple[str, list[str]]:
    """Azure DevOps has four addresses for a repository: `dev.azure.com/organisation/project/name` stands for all."""
    if host in ("ssh.dev.azure.com", "vs-ssh.visualstudio.com") and len(folders) == 4 and folders[0] == "v3":
        return _AZURE, folders[1:]
    organisation = host.removesuffix(".visualstudio.com")
    if organisation != host and "_git" in folders:
        host, folders = _AZURE, [organisation, *(part for part in folders if part.lower() != "defaultcollection")]
    if host == _AZURE and len(folders) > 2 and folders[-2] == "_git":
        name = folders[-1]
        # A project's first repository has its name, and the address may leave it out.
        project = folders[1:-2] or [name]
        folders = [folders[0], *project, name]
    return host, folders
