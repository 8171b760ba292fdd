"""Files of a commit that are not listed: they are gone, or our rules ignore them."""

import os
import stat
import unicodedata
from collections.abc import Collection
from functools import cache

from lurcher_index.checkout.trees import StagedFiles
from lurcher_index.checkout.values import Checkout
from lurcher_index.history.changes import usable_path


class Missing:
    """Looks for files of a commit, one by one, and counts."""

    def __init__(self, checkout: Checkout, staged: StagedFiles, here: Collection[str]) -> None:
        """`here` are the paths in the repository of what is listed."""
        self.gone: set[str] = set()
        self.left_out = 0
        self.unnameable = 0
        self._checkout = checkout
        self._staged = staged
        self._here = here
        self._alike: dict[str, list[str]] | None = None
        # Most files share their folders with others.
        self._is_real_folder = cache(self._look_at_folder)

    def look_for(self, path: str) -> None:
        """Say of a file of the commit that is not listed whether it is there all the same."""
        if usable_path(path.encode("utf-8", "surrogateescape")) is None:
            self.unnameable += 1
        elif not self._is_there(path):
            self.gone.add(path)
            self.left_out += self._staged.is_left_out(path)

    def _is_there(self, path: str) -> bool:
        if self._checkout.nested and path.startswith(self._checkout.nested):
            return False
        # Through a link we would come to another file, which is not listed either.
        if not self._is_real_folder(path.rpartition("/")[0]):
            return False
        try:
            found = os.lstat(f"{self._checkout.root}/{path}")
        except OSError:
            return False
        return stat.S_ISREG(found.st_mode) and not self._has_other_name(path, found)

    def _look_at_folder(self, folder: str) -> bool:
        if not folder:
            return True
        try:
            found = os.lstat(f"{self._checkout.root}/{folder}")
        except OSError:
            return False
        return stat.S_ISDIR(found.st_mode) and self._is_real_folder(folder.rpartition("/")[0])

    def _has_other_name(self, path: str, found: os.stat_result) -> bool:
        """Whether a listed file is this one under a name in other case, or with other marks for the same letters.

        On a disk that does not care, a file that was renamed from `Readme` to `README` is found by either name.
        """
        if self._alike is None:
            self._alike = {}
            for other in self._here:
                self._alike.setdefault(_without_case(other), []).append(other)
        for other in self._alike.get(_without_case(path), ()):
            try:
                if os.path.samestat(found, os.lstat(f"{self._checkout.root}/{other}")):
                    return True
            except OSError:
                continue
        return False


def _without_case(path: str) -> str:
    return path.lower() if path.isascii() else unicodedata.normalize("NFC", path).casefold()
