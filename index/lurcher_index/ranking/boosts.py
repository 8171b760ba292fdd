"""The factors of the rule-based ranker: what people wrote down before anything was learned (seed 002's figures)."""

import re
from typing import NamedTuple

DAY_SECONDS = 86_400.0

COMPLETE = 1.1
"""A definition that is all there can be read without looking further."""

DOCUMENTED = 1.1
CHANGED_TODAY = 1.2
CHANGED_THIS_WEEK = 1.1

BY_TASK = {
    "documentation": ("asksForDocumentation", 1.2),
    "examples": ("asksForExamples", 1.25),
    "implementation": ("asksForImplementation", 1.15),
    "debug": ("asksForErrors", 1.25),
    "refactor": ("asksForInterfaces", 1.3),
}
"""Task → name and factor of what it lifts: documented code, tests and examples, definitions, the handling of errors,
what others may call."""

_ERROR_HANDLING = re.compile(
    rb"\b(?:try|except|catch|rescue|finally|raise|throw|throws|panic|recover|errno|err|error|exception|fail|failed|abort"
    rb"|Result|unwrap|expect|perror|assert)\b|\b\w*(?:Error|Exception)\b"
)


class Seen(NamedTuple):
    """What is known of a chunk for the factors."""

    documented: bool
    complete: bool
    defines: bool
    public: bool
    """Whether it defines a name that is not marked as private."""
    is_test_or_example: bool
    data: bytes
    age_seconds: float | None
    """Since its file was changed; None if nobody knows."""


def boosts(task: str, seen: Seen) -> dict[str, float]:
    """The factors of a chunk, by name."""
    found: dict[str, float] = {}
    if seen.complete:
        found["complete"] = COMPLETE
    if seen.documented:
        found["documented"] = DOCUMENTED
    if seen.age_seconds is not None and 0 <= seen.age_seconds < 7 * DAY_SECONDS:
        found["recent"] = CHANGED_TODAY if seen.age_seconds < DAY_SECONDS else CHANGED_THIS_WEEK
    if task in BY_TASK and _fits(task, seen):
        name, factor = BY_TASK[task]
        found[name] = factor
    return found


def _fits(task: str, seen: Seen) -> bool:
    if task == "documentation":
        return seen.documented
    if task == "examples":
        return seen.is_test_or_example
    if task == "implementation":
        return seen.defines
    if task == "debug":
        return _ERROR_HANDLING.search(seen.data) is not None
    return seen.public
