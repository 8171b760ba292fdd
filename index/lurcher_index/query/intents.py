"""What kind of answer a question wants, told by whole words in a fixed order."""

import re

from lurcher_index.query.parsed import Intent, Task

SURE, LIKELY, GUESSED = 0.9, 0.7, 0.5
"""Confidence of an intent that the first words state, that a phrase or the shape suggests, that nothing tells. Ours:
the rules have no probabilities, only three grades."""

FEW_WORDS = 3
"""Up to so many words without a question name a thing, and whoever names a thing wants to go there."""

STATED_CHARACTERS = 400
"""How far into a text is looked for what it wants; a question says so at once."""

_POLITE = re.compile(
    "(?:(?:please|hey|hi|ok|so|and|can you|could you|would you|i want to|i need to|i'd like to|help me)[ ,]+){0,3}"
)


def _at_start(phrases: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{phrases})\b")


def _anywhere(phrases: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{phrases})\b")


_STARTS: tuple[tuple[Intent, re.Pattern[str]], ...] = (
    (
        Intent.ANALYTICAL,
        _at_start(
            "why|how come|what happens|what (?:causes|caused|would happen)|what breaks|compare|analy[sz]e|debug|"
            "what (?:is|are|'s) the (?:difference|differences|impact|effect|reason|relationship|trade-?offs?)|"
            "find out why"
        ),
    ),
    (Intent.NAVIGATIONAL, _at_start("what (?:file|module|class|function|method)|which (?:file|module)s?")),
    (
        Intent.EXPLORATORY,
        _at_start(
            "how|explain|describe|understand|explore|overview|tell me about|learn about|walk me through|show me how|"
            "find out how|what are the (?:ways|options)|examples?"
        ),
    ),
    (
        Intent.FACTUAL,
        _at_start("what|what's|which|when|who|whose|is|are|does|do|did|can|could|should|will|has|have"),
    ),
    (
        Intent.NAVIGATIONAL,
        _at_start(
            "where|where's|find|locate|go ?to|jump to|navigate to|open|show|list|get|look for|look up|search|"
            "definition of|declaration of|implementation of|callers of|callees of|references to|usages of"
        ),
    ),
)
"""Intent by the first words; the first row that matches decides, so narrower rows stand before wider ones."""

_PHRASES: tuple[tuple[Intent, re.Pattern[str]], ...] = (
    (Intent.ANALYTICAL, _anywhere("why|differences? between|compared (?:to|with)|versus|vs|impact of|root cause")),
    (Intent.EXPLORATORY, _anywhere("how|overview of|related to|similar to|architecture of")),
    (Intent.NAVIGATIONAL, _anywhere("where|definition of|defined in|declared in|located|location of")),
)
"""Intent by a phrase anywhere, where the first words do not tell."""

_TASKS: tuple[tuple[Task, re.Pattern[str]], ...] = (
    (
        Task.DOCUMENTATION,
        _anywhere(
            "docs?|documentation|documented|explain|explained|explains|describe|what is|what are|what's|readme|"
            "docstrings?"
        ),
    ),
    (Task.EXAMPLES, _anywhere("examples?|samples?|demos?|how to use|usage of|how do i use|how can i use|sample code")),
    (
        Task.IMPLEMENTATION,
        _anywhere(
            "how does|how do|how is|how are|definition of|definition|defined|declared|declaration of|implementation|"
            "implementations|implement|implements|implemented|source of|where is"
        ),
    ),
    (
        Task.DEBUG,
        _anywhere(
            "bug|bugs|buggy|debug|debugging|fix|fixes|fixing|fixed|error|errors|exception|exceptions|fail|fails|failed|"
            "failing|failure|failures|crash|crashes|crashed|crashing|broken|breaks|traceback|stack ?trace|why|wrong|"
            "not work|not working|doesn't work|issue|issues|leak|leaks|hangs?|deadlock"
        ),
    ),
    (
        Task.REFACTOR,
        _anywhere(
            "refactor|refactoring|refactors|rename|renaming|clean ?up|restructure|reorgani[sz]e|simplify|deduplicate|"
            "extract (?:a |the )?(?:method|function|class|module|interface)|migrate|deprecate|public api|rewrite"
        ),
    ),
)
"""Task by whole words; the first row that matches decides, in the order of seed 002."""


def intent_of(text: str, keywords: int, is_symbol: bool, is_error_text: bool) -> tuple[Intent, float]:
    """The intent of a question with so many keywords, and how sure that is."""
    if is_symbol:
        return Intent.NAVIGATIONAL, SURE
    if is_error_text:
        # Whoever pastes an error looks for the place it comes from.
        return Intent.NAVIGATIONAL, LIKELY
    text = _stated(text)
    polite = _POLITE.match(text)
    start = polite.end() if polite else 0
    for intent, pattern in _STARTS:
        if pattern.match(text, start):
            return intent, SURE
    for intent, pattern in _PHRASES:
        if pattern.search(text):
            return intent, LIKELY
    return (Intent.NAVIGATIONAL if keywords <= FEW_WORDS else Intent.EXPLORATORY), GUESSED


def task_of(text: str, is_error_text: bool) -> Task:
    """What the answer is wanted for."""
    if is_error_text:
        return Task.DEBUG
    text = _stated(text)
    return next((task for task, pattern in _TASKS if pattern.search(text)), Task.GENERAL)


def _stated(text: str) -> str:
    return text.lstrip()[:STATED_CHARACTERS].lower()
