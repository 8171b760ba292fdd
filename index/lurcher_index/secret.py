"""A key or token that cannot be shown by accident: not by printing, logging, comparing, copying or storing it."""

import os
import re
from typing import NoReturn

from lurcher_index.errors import BadSetting

_USABLE = re.compile(r"[!-~]{1,4096}")
"""What can stand in a line of a request: HTTP libraries would quote anything else in their errors."""


class Secret:
    """Holds a key; only `reveal` gives it away."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        """Refuse what cannot be a key, without quoting it."""
        if not _USABLE.fullmatch(value):
            raise BadSetting("a key or token is empty or has characters that none has")
        self._value = value

    def reveal(self) -> str:
        """The key itself, for the one line of a request that needs it."""
        return self._value

    def __repr__(self) -> str:
        """Nothing of the key, not even its length."""
        return "Secret(…)"

    def __reduce__(self) -> NoReturn:
        """Refuse to be stored."""
        raise TypeError("a secret is not stored")


def secret_from(variable: str) -> Secret:
    """The key in an environment variable."""
    value = os.environ.get(variable, "").strip()
    if not value:
        raise BadSetting(
            f"the environment variable {variable!r}, which shall hold a key or token, is not set; set it and restart,"
            " or correct the setting that names it"
        )
    return Secret(value)
