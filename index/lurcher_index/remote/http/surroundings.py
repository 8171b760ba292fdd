"""What a client takes from the world, and how much of it."""

import random
import ssl
import time
from collections.abc import Callable

import msgspec

MAX_ANSWER_BYTES = 32 << 20
"""Largest answer that is read, after unpacking: a thousand files with a hundred matching lines each take 10 MB."""


class Limits(msgspec.Struct, frozen=True):
    """Seconds and bytes that a call may take."""

    connect: float
    read: float
    """Longest silence of the server."""
    overall: float
    """For all requests of one call with the pauses between them, however busy the server looks."""
    bytes: int = MAX_ANSWER_BYTES
    """For one answer, unpacked."""


SEARCH_LIMITS = Limits(connect=3.0, read=10.0, overall=12.0)
"""A search: half a second less than `codeSearch` has in the race, so that its reason is told in time."""


class Surroundings(msgspec.Struct, frozen=True):
    """The clock, chance and trust of this machine, so that a test can give other ones."""

    clock: Callable[[], float] = time.monotonic
    now: Callable[[], float] = time.time
    """Seconds since 1970, for servers that name a moment."""
    sleep: Callable[[float], object] = time.sleep
    chance: Callable[[], float] = random.random
    """A number from 0 to 1, that keeps many clients from coming back at the same moment."""
    tls: ssl.SSLContext | None = None
    """Whom to trust; None for those whom this machine trusts."""
    limits: Limits = SEARCH_LIMITS
