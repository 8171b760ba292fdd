"""The score table: how much each signal speaks for each strategy, and who wins.

The weights are those of the system that this rule comes from. They are not probabilities: sums are clamped to 0..100,
and several strategies often reach the top.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum

import msgspec

from lurcher_index.locate.issue import Goal
from lurcher_index.locate.signals import Signals

LITERAL_STRING_WEIGHT = 30
"""What literal text adds to searching code as text; can be set."""

SYMBOL_NAME_WEIGHT = 40
"""What a name adds to looking up symbols; can be set."""

LEAST_SCORE, MOST_SCORE = 0, 100


class Strategy(StrEnum):
    """Ways to look for the places of an issue, in the order in which they win a tie."""

    CODE_SEARCH = "code-search"
    SEMANTIC_ANALYSIS = "semantic-analysis"
    PATTERN_MATCH = "pattern-match"


BASES: Mapping[Strategy, int] = {
    Strategy.CODE_SEARCH: 50,
    Strategy.SEMANTIC_ANALYSIS: 40,
    Strategy.PATTERN_MATCH: 45,
}
"""What each strategy starts with."""


class Weights(msgspec.Struct, frozen=True):
    """The two weights that a person can set."""

    literal_string: int = LITERAL_STRING_WEIGHT
    symbol_name: int = SYMBOL_NAME_WEIGHT


Rule = tuple[str, Callable[[Signals], bool], Strategy, int]
"""Why, in words; when; for which strategy; by how much."""

_CODE, _SEMANTIC, _PATTERN = Strategy
_LITERAL = "has literal text to search for"
_SYMBOL = "names a symbol"
_EXACT = "has an exact code snippet"


def rules(weights: Weights) -> tuple[Rule, ...]:
    """The table, a line for each number in it."""
    return (
        (_LITERAL, lambda s: s.literal_string, _CODE, weights.literal_string),
        (_LITERAL, lambda s: s.literal_string and not s.structural, _PATTERN, -25),
        (_SYMBOL, lambda s: bool(s.symbols) and not s.exact_code, _CODE, -20),
        (_SYMBOL, lambda s: bool(s.symbols), _SEMANTIC, weights.symbol_name),
        (_EXACT, lambda s: s.exact_code, _CODE, 25),
        (_EXACT, lambda s: s.exact_code, _PATTERN, -15),
        ("names a function", _has_functions, _SEMANTIC, 30),
        ("speaks of a structure", lambda s: s.structural, _PATTERN, 35),
        ("SQL is found as text", lambda s: s.sql_injection, _CODE, 20),
        ("a hardcoded secret is found as text", lambda s: s.hardcoded_secret, _CODE, 25),
        ("a hardcoded secret is no symbol", lambda s: s.hardcoded_secret, _SEMANTIC, -20),
        ("needs all references", lambda s: s.goal == Goal.ANALYZE_IMPACT, _CODE, -15),
        ("needs all references", lambda s: s.goal == Goal.ANALYZE_IMPACT, _SEMANTIC, 35),
        ("needs everything of one pattern", lambda s: s.goal == Goal.FIND_DUPLICATES, _PATTERN, 30),
        ("the definition of a symbol is its location", _seeks_symbol, _SEMANTIC, 25),
        ("has literal values", lambda s: bool(s.literals), _CODE, 15),
        ("names a variable", lambda s: bool(s.variables), _SEMANTIC, 15),
        ("speaks of missing validation", lambda s: s.missing_validation, _PATTERN, 25),
        ("the snippet has control flow", lambda s: s.control_flow, _PATTERN, 20),
        ("is about performance", lambda s: s.performance, _PATTERN, 20),
        ("nothing in it can be looked up", _has_nothing_to_look_up, _SEMANTIC, -30),
    )


class Decision(msgspec.Struct, frozen=True):
    """Which strategy is tried first, which second, and why."""

    primary: Strategy
    fallback: Strategy
    confidence: int
    """The primary's score."""
    reasoning: str
    scores: dict[Strategy, int]


def decide(signals: Signals, weights: Weights | None = None, forced: Strategy | None = None) -> Decision:
    """Add up the table. The highest score wins, the second is the fallback, a tie keeps the declared order."""
    sums = dict(BASES)
    reasons: dict[Strategy, dict[str, None]] = {strategy: {} for strategy in Strategy}
    for why, holds, strategy, weight in rules(weights or Weights()):
        if holds(signals):
            sums[strategy] += weight
            if weight > 0:
                reasons[strategy][why] = None
    scores = {strategy: min(MOST_SCORE, max(LEAST_SCORE, total)) for strategy, total in sums.items()}
    # A sort that keeps the order of equals, so that ties keep the declared one.
    best = sorted(Strategy, key=lambda strategy: (strategy != forced, -scores[strategy]))
    primary, fallback = best[0], best[1]
    told = list(reasons[primary]) or ["no signal speaks for another way"]
    if forced is not None:
        told.insert(0, "this strategy was forced")
    return Decision(primary, fallback, scores[primary], "; ".join(told), scores)


def _has_functions(signals: Signals) -> bool:
    return bool(signals.functions or signals.snippet_functions)


def _seeks_symbol(signals: Signals) -> bool:
    return signals.goal == Goal.FIND_LOCATION and bool(signals.symbols)


def _has_nothing_to_look_up(signals: Signals) -> bool:
    """No symbol, and no code that defines or calls one: `KEY = 'x'` gives an index of symbols nothing to look up."""
    return not signals.symbols and not signals.snippet_functions
