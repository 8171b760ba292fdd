"""The debug transcript: how a decision was made and what became of it, line by line. Pure."""

from collections.abc import Sequence

import msgspec

from lurcher_index.locate.framed import STACK_TRACE
from lurcher_index.locate.running import Attempt, Outcome
from lurcher_index.locate.scoring import Decision


def transcript(
    decision: Decision,
    patterns: Sequence[str],
    chains: Sequence[tuple[str, Sequence[str]]],
    attempts: Sequence[Attempt],
    used: tuple[str, str],
) -> tuple[str, ...]:
    """Strategy and confidence, reasoning, patterns, chain, each attempt, and who found it.

    `chains` are those that were begun, with their tools; `used` is the tool and the strategy that found something.
    """
    lines = [
        f"Strategy selected: {decision.primary} ({decision.confidence}% confidence)",
        f"Reasoning: {decision.reasoning}",
        f"Search patterns: {msgspec.json.encode(list(patterns)).decode()}",
    ]
    for number, (strategy, tools) in enumerate(chains):
        if number and chains[number - 1][0] != STACK_TRACE:
            lines.append(f"Falling back to {strategy}")
        lines.append(f"Tool chain: {' → '.join(tools)}")
        lines += [_line(attempt) for attempt in attempts if attempt.strategy == strategy]
    tool, strategy = used
    lines.append(f"Found location using {tool} via {strategy}" if tool else "Found no location")
    return tuple(lines)


def _line(attempt: Attempt) -> str:
    detail = f" ({attempt.detail})" if attempt.detail else ""
    if attempt.outcome is Outcome.SKIPPED:
        return f"Skipping {attempt.tool}{detail}"
    return f"Attempting with {attempt.tool}... {attempt.outcome}{detail}"
