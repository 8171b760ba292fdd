"""How long a server wants to be left alone, and how long we wait if it does not say."""

from collections.abc import Mapping

from lurcher_index.dense.breaker import LONGEST_SECONDS
from lurcher_index.dense.endpoint.exchange import MAX_WAIT_TEXT, seconds_to_wait

FIRST_PAUSE_SECONDS = 0.5
"""Pause before the second attempt; before each further one twice as long."""

UNSAID_SECONDS = 60.0
"""After a limit whose end nobody tells: GitHub asks for at least a minute."""


def asked_for(headers: Mapping[str, str], now: float) -> float:
    """Seconds that an answer asks for: by `Retry-After`, else by the moment a limit ends; 0 if it does not say.

    Nobody is left alone for longer than an hour, whatever he says.
    """
    if after := headers.get("retry-after", ""):
        wait = seconds_to_wait(after[:MAX_WAIT_TEXT], now)
        if wait > 0:
            return min(wait, LONGEST_SECONDS)
    return _until_reset(headers, now) if headers.get("x-ratelimit-remaining", "0") == "0" else 0.0


def backoff(attempt: int, chance: float) -> float:
    """The pause after an attempt, counted from 1; `chance` from 0 to 1 shortens it by half at most."""
    return FIRST_PAUSE_SECONDS * 2.0 ** (attempt - 1) * (0.5 + 0.5 * chance)


def _until_reset(headers: Mapping[str, str], now: float) -> float:
    reset = headers.get("x-ratelimit-reset", "")[:MAX_WAIT_TEXT]
    if not (reset.isascii() and reset.isdigit()):
        return 0.0
    return min(max(0.0, float(reset) - now), LONGEST_SECONDS)
