"""Whether a repository is as it was: a few looks at its own files, without running git."""

from pathlib import Path

from lurcher_index.checkout.values import Checkout
from lurcher_index.files.repository import exclude_file, git_dir, head, read_rule_file

Stamp = tuple[object, ...]
"""To be compared with another stamp of the same checkout, and for nothing else."""


def stamp(checkout: Checkout) -> Stamp:
    """Equal stamps: the same commit and branch are checked out, and git wrote neither index, refs nor configuration.

    It notices commits, checkouts, resets, fetches, `git add` and new remotes. It cannot notice what does not pass
    through git: files that somebody edits, adds or deletes (the watcher tells), the person's own git and ssh
    configuration, and files that the repository's configuration includes. Two writes of one file within a tick of the
    clock and of the same size look alike, except for HEAD and its branch, which are read.
    """
    found = git_dir(checkout.root)
    if found is None:
        return ()
    common = exclude_file(checkout.root).parent.parent
    branch = f"refs/heads/{checkout.branch}" if checkout.branch else "HEAD"
    looked_at = (
        found / "index",
        found / "config.worktree",
        common / "config",
        common / "packed-refs",
        common / "shallow",
        common / "reftable" / "tables.list",
        *([common / checkout.upstream] if checkout.upstream else []),
        common / "info" / "attributes",
    )
    return (str(found), head(checkout.root), read_rule_file(common / branch), *(_status(path) for path in looked_at))


def _status(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
