"""Questions about the uses of one name: "who calls X", "where is X used", "what does X call"."""

import re
import string

from lurcher_index.query.code_terms import has_code_shape, identifier_of
from lurcher_index.query.parsed import CrossReference, Relation
from lurcher_index.query.question_words import QUESTION_WORDS
from lurcher_index.query.tokens import tokens

MAX_CHARACTERS = 300
"""Longest text that is looked at; a question about one name is a line."""

ASKING = frozenset(
    "all any can could every find for get give list locate look me of please search show the you".split()
)
"""Words that may stand before the question itself: "please show me all the callers of X"."""

ARTICLES = frozenset({"a", "an", "our", "the", "this"})
KINDS = frozenset(
    "class constant constructor function interface macro method module procedure struct symbol trait type "
    "variable".split()
)
"""Words that may stand beside a name: "the function X", "the X method"."""

_UNITS = "(?:functions?|methods?|code|class(?:es)?|files?|modules?|places?|tests?|symbols?|everything|anything)"
_ENDING = re.compile(
    r"(?: (?:from|here|anywhere|in (?:this|the|our) (?:code ?base|code|project|repo|repository|workspace)))?[\s?.!]*$"
)
_SHAPES = (
    (Relation.CALLEES, "(?:callees|calls made|(?:functions|methods) called) (?:of|by|from|in) (.+)"),
    (Relation.CALLEES, r"(?:what|which)(?: \w+)? (?:does|do|is|are|can) (.+) (?:calls?|calling|invokes?|invoking)"),
    (
        Relation.CALLEES,
        rf"(?:what|which|{_UNITS})(?: \w+)?(?: (?:is|are|gets?))? (?:called|invoked) (?:by|from|in) (.+)",
    ),
    (Relation.CALLEES, rf"{_UNITS} (?:that |which )?(\S+) (?:calls|invokes)"),
    (Relation.CALLERS, r"(?:who|what|which)(?: \w+)? (?:(?:is |are )?(?:calling|invoking)|calls?|invokes?) (.+)"),
    (Relation.CALLERS, "(?:callers?|call ?sites?|invocations?|calls) (?:of|to|for) (.+)"),
    (Relation.CALLERS, rf"{_UNITS} (?:that |which )?(?:calls?|invokes?|calling|invoking) (.+)"),
    (Relation.CALLERS, "where (?:is|are|was|does|do) (.+) (?:called|invoked)"),
    (Relation.CALLERS, "where (?:do|does|are) (?:we|i|they) (?:call|calling|invoke|invoking) (.+)"),
    (Relation.REFERENCES, "(?:references?|refs|usages?|uses|imports|occurrences|mentions) (?:of|to|for) (.+)"),
    (Relation.REFERENCES, r"(?:who|what|which)(?: \w+)? (?:uses?|references?|imports?|depends? on|refers? to) (.+)"),
    (Relation.REFERENCES, r"(?:who|what|which)(?: \w+)? (?:is|are) (?:using|referencing|importing) (.+)"),
    (
        Relation.REFERENCES,
        rf"{_UNITS} (?:that |which )?(?:uses?|references?|imports?|using|referencing|importing) (.+)",
    ),
    (Relation.REFERENCES, "where (?:is|are|was|does|do) (.+) (?:used|referenced|imported|mentioned|referred to)"),
    (Relation.REFERENCES, "where (?:do|does|are) (?:we|i|they) (?:use|using|reference|import|importing) (.+)"),
)
"""Relation by the shape of the whole question; the first that fits decides."""

_RULES = tuple((relation, re.compile(shape)) for relation, shape in _SHAPES)
_NAME_FIRST = re.compile("(.+) (?:(callees)|(callers|call ?sites)|(references|refs|usages))")
_NODE = re.compile(r"[\w./@+~-]+:[^\W\d]\w*(?:(?:\.|::)[^\W\d]\w*)*(?:#\d+)?")
"""`module:func`, and ids as answers give them: `src/app.py:Server.start#2`."""
_SIDES = {2: Relation.CALLEES, 3: Relation.CALLERS, 4: Relation.REFERENCES}
# Only ASCII: the lower case of other letters may be longer, and the name is cut out of the text as written.
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def cross_reference(text: str) -> CrossReference | None:
    """What is asked about which name; None unless the whole question is about the uses of one."""
    if len(text) > MAX_CHARACTERS:
        return None
    line = without_asking(" ".join(text.split()))
    lowered = line.translate(_LOWER)
    ending = _ENDING.search(lowered)
    end = ending.start() if ending else len(line)
    for relation, pattern in _RULES:
        if (match := pattern.fullmatch(lowered, 0, end)) and (name := _name(line[slice(*match.span(1))])):
            return CrossReference(relation, name)
    # "token usages" and "database references" are topics; "parseToken usages" is about a name.
    match = _NAME_FIRST.fullmatch(lowered, 0, end)
    name = _name(line[: match.end(1)]) if match else ""
    return CrossReference(_SIDES[match.lastindex or 0], name) if match and has_code_shape(name) else None


def without_asking(line: str) -> str:
    """A question without the words that only ask for an answer: "please show me all the"."""
    found = tokens(line)
    lead = tuple(token.lower for token in found[:3])
    at = 2 if len(lead) == 3 and lead[0] in ("what", "who", "where") and lead[1] == "are" and lead[2] in ASKING else 0
    while at < len(found) and found[at].lower in ASKING:
        at += 1
    return line[found[at].start :] if at < len(found) else ""


def _name(written: str) -> str:
    """The one name in a piece of text, without an article, a kind of thing and the brackets of a call; else ""."""
    found = tokens(written)
    if found and found[0].lower in ARTICLES:
        found = found[1:]
    if len(found) == 2:
        found = tuple(token for token in found if token.lower not in KINDS | {"get", "being"})
    only = found[0].text if len(found) == 1 else ""
    name = identifier_of(only) or (only if _NODE.fullmatch(only) else "")
    return "" if name.lower() in QUESTION_WORDS else name
