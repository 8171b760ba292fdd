"""What a question looks like, from its words."""

import re

from lurcher_index.query.code_terms import identifier_of
from lurcher_index.query.parsed import LooksLike
from lurcher_index.query.paths import is_path
from lurcher_index.query.question_words import QUESTION_WORDS
from lurcher_index.query.tokens import MAX_TOKEN_CHARACTERS, tokens

TESTS = frozenset("test tests testcase testcases testing unittest unittests spec specs".split())
CONFIG = frozenset("config configs configuration configurations settings dotenv".split())
DOCS = frozenset("doc docs documentation readme changelog guide tutorial tutorials docstring docstrings".split())
EXAMPLES = frozenset("example examples sample samples demo demos".split())
"""Words that ask for tests, configuration, documents and examples: each as a word of its own, never inside a name."""

_QUESTION = re.compile(r"(?:how|where|what|why|which|who|when)(?:'s)?\b")
_ENVIRONMENT = re.compile(r"\b(?:environment variables?|env vars?)\b")
_HOW_TO_USE = re.compile(r"\bhow (?:to|do i|can i|do you) use\b|\busage of\b")


def looks_like(text: str, is_error_text: bool) -> LooksLike:
    """All that can be told from the text alone."""
    found = tokens(text)
    lowered = text.lower()
    spoken = {token.lower for token in found}
    paths = any(len(token.text) <= MAX_TOKEN_CHARACTERS and is_path(token.text) for token in found)
    return LooksLike(
        is_symbol=len(found) == 1 and _is_symbol(found[0].text),
        is_question=bool(_QUESTION.match(lowered.lstrip())),
        asks_for_tests=not TESTS.isdisjoint(spoken),
        asks_for_config=not CONFIG.isdisjoint(spoken) or bool(_ENVIRONMENT.search(lowered)),
        asks_for_docs=not DOCS.isdisjoint(spoken),
        asks_for_examples=not EXAMPLES.isdisjoint(spoken) or bool(_HOW_TO_USE.search(lowered)),
        is_error_text=is_error_text,
        mentions_path=paths,
    )


def _is_symbol(token: str) -> bool:
    """Whether one token is a name. A word of a script without capitals may be a whole sentence, so it is none."""
    name = identifier_of(token) if len(token) <= MAX_TOKEN_CHARACTERS and not is_path(token) else ""
    return bool(name) and name.lower() not in QUESTION_WORDS and name.lower() != name.upper()
