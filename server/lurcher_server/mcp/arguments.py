"""The arguments of a call as a model writes them: other spellings of a name are understood, and what is wrong is said
in words that lead to what is right."""

from collections.abc import Collection, Mapping
from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

MOST_COMPLAINTS = 5
"""Complaints about one call that are told; a list of fifty bad entries is one mistake."""

MAX_SHOWN = 60
"""Characters of a refused value that are quoted."""

_BEGINNINGS = ("Input ", "String ", "List ", "Dictionary ")
"""How pydantic's messages name what they are about; here the parameter's name stands in its place."""

_DETAILS = (", unable to ", ", got ")
"""What follows in them says how it was read, which is nothing to a caller."""


class BadArguments(Exception):
    """A call has arguments that its tool does not know; the message says which."""


def understood(arguments: Mapping[str, Any], known: Collection[str], needed: Collection[str] = ()) -> dict[str, Any]:
    """The arguments by the names that a tool has for them: `maxResults` is `max_results`, and the other way round.

    What is none of them is refused: dropped without a word, it would be taken for granted. Null is what many clients
    write for nothing; only of what is needed it is refused.
    """
    plain = {_plain(name): name for name in known}
    found: dict[str, Any] = {}
    for given, value in arguments.items():
        name = given if given in known else plain.get(_plain(given))
        if name is None:
            raise BadArguments(_unknown(given, plain))
        if name in found:
            raise BadArguments(f"{name} is given twice")
        found[name] = value
    return {name: value for name, value in found.items() if value is not None or name in needed}


def in_words(error: ValidationError) -> str:
    """What is wrong with the values, parameter by parameter."""
    every = list(dict.fromkeys(_complaint(each) for each in error.errors(include_url=False, include_context=False)))
    more = f"; and {len(every) - MOST_COMPLAINTS} more" if len(every) > MOST_COMPLAINTS else ""
    return "; ".join(every[:MOST_COMPLAINTS]) + more


def _unknown(given: str, plain: Mapping[str, str]) -> str:
    near = get_close_matches(_plain(given), plain, 1)
    meant = f"; {plain[near[0]]} is the nearest" if near else ""
    return f"there is no parameter {given[:MAX_SHOWN]!r}{meant}. The parameters are {', '.join(plain.values())}"


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


def _complaint(error: ErrorDetails) -> str:
    name = "".join(f"[{part}]" if isinstance(part, int) else str(part) for part in error["loc"])
    if error["type"] == "missing":
        return f"{name} is missing"
    message = error["msg"].replace(" after validation", "")
    for beginning in _BEGINNINGS:
        message = message.removeprefix(beginning)
    for detail in _DETAILS:
        message = message.partition(detail)[0]
    return f"{name} {message}" + ("" if ", not " in message else _instead(error))


def _instead(error: ErrorDetails) -> str:
    """What was given; of lists and objects that they are none of what is wanted is enough."""
    value = error["input"]
    if error["type"] == "string_too_long":
        return f", not {len(value)}"
    if not isinstance(value, str | int | float | None):
        return ""
    shown = repr(value)
    return f", not {shown}" if len(shown) <= MAX_SHOWN else f", not {shown[:MAX_SHOWN]}…"
