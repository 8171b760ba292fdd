"""Questions about where one name is defined: "where is X defined", "definition of X", "class X", "find the X method".

What is asked for is the name alone: the words around it stand in other places more often than where it is defined.
"""

import re
import string

from lurcher_index.query.code_terms import has_code_shape, identifier_of
from lurcher_index.query.cross_references import ARTICLES, MAX_CHARACTERS, without_asking
from lurcher_index.query.question_words import QUESTION_WORDS
from lurcher_index.query.tokens import Token, tokens

KEYWORDS = frozenset(
    "@callback @macrocallback @opaque @spec @type @typep const def defdelegate defguard defmacro defmacrop defmodule "
    "defp defprotocol fn fun func typealias typedef val var".split()
)
"""What languages write before a name that they define, and no word of everyday language but `fun`."""

KINDS = KEYWORDS | frozenset(
    "actor attribute callback class constant constructor delegate enum extension field function interface macro method "
    "mixin module namespace newtype object procedure property protocol record struct subroutine symbol trait type "
    "typeclass union variable".split()
)
"""What a name may be said to be."""

_TYPES = frozenset(
    "actor class enum interface mixin module namespace newtype object protocol record struct trait type typeclass "
    "union".split()
)
"""Kinds of things whose names begin with a capital in most languages."""

_VALUES = frozenset({"constant", "field", "macro", "variable"})
"""Kinds of things whose names are often all capitals."""

_CERTAIN = (
    re.compile("where(?:'s| is| are| was) (.+) (?:being )?(?:defined|declared)"),
    re.compile("where (?:do (?:we|they|you)|does it) (?:define|declare) (.+)"),
    re.compile("(?:definition|declaration) of (.+)"),
)
"""Questions about a definition, whatever the name looks like."""

_LIKELY = (
    re.compile("where(?:'s| is) (.+?)(?: (?:implemented|located))?"),
    re.compile("(?:implementation of|go ?to|jump to|navigate to|open) (.+)"),
)
"""Questions about a name if it is written as names of code alone are; a topic otherwise."""

_END = re.compile(r"[\s?.!]*$")
# Only ASCII: the lower case of other letters may be longer, and the name is cut out of the text as written.
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def defined_name(text: str) -> str:
    """The name whose definition is asked for, as it is written; "" unless that is all that is asked."""
    if len(text) > MAX_CHARACTERS or len(tokens(text)) < 2:
        return ""
    line = without_asking(" ".join(text.split()))
    end = match.start() if (match := _END.search(line)) else len(line)
    lowered = line.translate(_LOWER)
    for shape in _CERTAIN:
        if found := shape.fullmatch(lowered, 0, end):
            return _name(line[slice(*found.span(1))], is_certain=True)
    for shape in _LIKELY:
        if found := shape.fullmatch(lowered, 0, end):
            return _name(line[slice(*found.span(1))])
    return _name(line)


def _name(written: str, is_certain: bool = False) -> str:
    """The one name in a piece of text, without an article and the kind of thing it is."""
    found = tokens(written)
    if found and found[0].lower in ARTICLES:
        found = found[1:]
    if len(found) == 1:
        return _written(found[0]) if is_certain or has_code_shape(found[0].text) else ""
    if len(found) != 2:
        return ""
    first, second = found
    if first.lower in KINDS and first.text.islower():
        name = _written(second)
        is_name = (
            is_certain
            or has_code_shape(second.text)
            or (first.lower in KEYWORDS and first.lower != "fun")
            or (first.lower in _TYPES and name[:1].isupper())
            or (first.lower in _VALUES and name.isupper())
        )
        return name if is_name else ""
    if second.lower in KINDS and (is_certain or has_code_shape(first.text)):
        return _written(first)
    return ""


def _written(token: Token) -> str:
    name = identifier_of(token.text)
    return "" if not name or name.lower() in QUESTION_WORDS | KINDS else token.text
