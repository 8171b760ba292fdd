"""The addresses of a repository's remotes, as git would use them: pure functions over git's configuration."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

Configuration = Mapping[str, Sequence[str]]
"""By key, as `git config --list` writes it, all values in the order in which git reads them."""

_FIRST = ("origin", "upstream")
"""What people call the remotes that others know too."""


def read_configuration(raw: bytes) -> Configuration:
    """The output of `git config --list -z`. A key without a value is left out: none of ours can be one."""
    found: dict[str, list[str]] = {}
    for entry in raw.decode("utf-8", "replace").split("\0"):
        key, separator, value = entry.partition("\n")
        if separator:
            found.setdefault(key, []).append(value)
    return found


def addresses(configuration: Configuration, branch: str | None) -> tuple[str, ...]:
    """Addresses of all remotes, distinct, the likeliest first.

    The remote of the branch comes first, then `origin`, `upstream` and the others by name. Of each remote: where it
    is fetched from, after rewriting; where it is pushed to; and, last, the addresses as they are written, for somebody
    who reads through a mirror of their own.
    """
    found: dict[str, None] = {}
    for remote in _in_order(configuration, branch):
        written = configuration.get(f"remote.{remote}.url", ()) or (remote,)
        pushed = configuration.get(f"remote.{remote}.pushurl", ())
        for address in written:
            found[_rewritten(configuration, address, "insteadof") or address] = None
        for address in pushed:
            found[_rewritten(configuration, address, "insteadof") or address] = None
        for address in () if pushed else written:
            if rewritten := _rewritten(configuration, address, "pushinsteadof"):
                found[rewritten] = None
        for address in written:
            if "://" in address or "@" in address:
                found[address] = None
    return tuple(found)


def _in_order(configuration: Configuration, branch: str | None) -> Iterator[str]:
    names = sorted(_between(configuration, "remote.", ".url"))
    followed = configuration.get(f"branch.{branch}.remote", ("",))[-1] if branch else ""
    # A branch may follow another one of the same repository, which is ".", or an address without a name.
    if followed in names or "://" in followed or "@" in followed:
        yield followed
    yield from (name for name in _FIRST if name in names and name != followed)
    yield from (name for name in names if name not in _FIRST and name != followed)


def _rewritten(configuration: Configuration, address: str, key: str) -> str | None:
    """The address with the longest beginning exchanged that some `url.<base>.<key>` names; None if none does."""
    best, base = "", ""
    for name in _between(configuration, "url.", f".{key}"):
        for start in configuration[f"url.{name}.{key}"]:
            if address.startswith(start) and len(start) > len(best):
                best, base = start, name
    return f"{base}{address[len(best) :]}" if best else None


def _between(configuration: Configuration, start: str, end: str) -> Iterable[str]:
    least = len(start) + len(end)
    return [
        key[len(start) : -len(end)]
        for key in configuration
        if key.startswith(start) and key.endswith(end) and len(key) > least
    ]
