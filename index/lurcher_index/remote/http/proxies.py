"""Which proxy stands between this machine and a server, as the environment says."""

from urllib.parse import unquote, urlsplit
from urllib.request import getproxies_environment, proxy_bypass

import msgspec
from urllib3.util import make_headers

from lurcher_index.errors import RemoteError
from lurcher_index.remote.http.address import Base


class Proxy(msgspec.Struct, frozen=True):
    """A proxy. Name and password are in `headers` only, which nobody prints."""

    url: str
    shown: str
    headers: dict[str, str]

    def __repr__(self) -> str:
        """Where it is, and nothing of its password."""
        return f"Proxy({self.shown!r})"


def proxy_for(base: Base) -> Proxy | None:
    """The proxy for a server, by `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`; what is on this machine never needs one."""
    if base.is_here or proxy_bypass(base.shown) or proxy_bypass(base.host):
        return None
    proxies = getproxies_environment()
    url = proxies.get(base.scheme) or proxies.get("all")
    return _read(url) if url else None


def _read(url: str) -> Proxy:
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
        parts = urlsplit("")
    if not host or parts.scheme not in ("http", "https"):
        raise RemoteError("the proxy that HTTPS_PROXY or ALL_PROXY names is no http(s) address; correct the variable")
    shown = f"[{host}]" if ":" in host else host
    shown = f"{shown}:{port or (443 if parts.scheme == 'https' else 80)}"
    headers: dict[str, str] = {}
    if parts.username is not None:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        if not pair.isascii() or not pair.isprintable():
            raise RemoteError("name or password of the proxy have characters that cannot be sent; correct the variable")
        headers = dict(make_headers(proxy_basic_auth=pair))
    return Proxy(f"{parts.scheme}://{shown}", shown, headers)
