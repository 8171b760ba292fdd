"""Questions about the uses of one name: "who calls X", "where is X used", "what does X call"."""

import re

from lurcher_index.query.code_terms import has_code_shape, identifier_of
from lurcher_index.query.parsed import CrossReference, Relation
from lurcher_index.query.question_words import QUESTION_WORDS

MAX_CHARACTERS = 300
"""Longest text that is looked at; a question about one name is a line."""

_NAME = r"[`'\"“]?(?P<name>[^\s`'\"“”?,;]+?)[`'\"”]?"
_KIND = (
    r"(?:function|method|class|symbol|constructor|macro|procedure|type|constant|variable|module|interface|struct|trait)"
)
_X = rf"(?:(?:the|our|a|an|this) )?(?:{_KIND} )?{_NAME}(?: {_KIND})?"
_UNITS = r"(?:functions?|methods?|code|classes|class|files?|modules?|places?|things?|tests?|callers?|symbols?|parts?)"
_ASK = (
    r"(?:(?:please|can you|could you)[ ,]+)?"
    r"(?:(?:find|show|list|get|give|search for|look for|locate|what are|who are|which are|where are)(?: me)? )?"
    r"(?:(?:all|any|every)(?: of)? )?(?:the )?"
)
_END = (
    r"(?: (?:from|at|here|anywhere|in (?:this|the|our) (?:code ?base|code|project|repo|repository|workspace)))?[\s?.!]*"
)
_CALL = r"(?:calls?|invokes?)"
_USE = r"(?:uses?|references?|imports?|depends? on|refers? to)"


def _rule(relation: Relation, *shapes: str) -> tuple[Relation, re.Pattern[str]]:
    return relation, re.compile(rf"\s*(?:{'|'.join(_distinct(shapes))}){_END}", re.IGNORECASE)


def _distinct(shapes: tuple[str, ...]) -> list[str]:
    """The shapes with a group name of their own each: an expression may not use one twice."""
    return [shape.replace("(?P<name>", f"(?P<name{at}>") for at, shape in enumerate(shapes)]


_RULES = (
    _rule(
        Relation.CALLEES,
        rf"{_ASK}(?:callees|calls made|functions called|methods called) (?:of|by|from|in) {_X}",
        rf"{_ASK}(?:what|which)(?: {_UNITS})? (?:does|do|is|are|will|can) {_X} (?:calls?|calling|invokes?|invoking)",
        rf"{_ASK}(?:what|which)(?: {_UNITS})? (?:is|are|gets?) (?:called|invoked) (?:by|from|in) {_X}",
        rf"{_ASK}{_UNITS} (?:that |which )?(?:are |is )?(?:called|invoked) (?:by|from|in) {_X}",
        rf"{_ASK}{_UNITS} (?:that |which )?{_X} (?:calls|invokes)",
        rf"{_ASK}{_X} callees",
    ),
    _rule(
        Relation.CALLERS,
        rf"{_ASK}(?:who|what|which)(?: {_UNITS})? (?:{_CALL}|(?:is|are) (?:calling|invoking)) {_X}",
        rf"{_ASK}(?:callers?|call ?sites?|invocations?|calls) (?:of|to|for) {_X}",
        rf"{_ASK}(?:everything|anything|everyone|{_UNITS}) (?:that |which |who )?(?:{_CALL}|calling|invoking) {_X}",
        rf"where (?:is|are|was|does|do) {_X} (?:get |being )?(?:called|invoked)",
        rf"where (?:do|does|are|is) (?:we|i|it|they|anyone|anybody) (?:call|calling|invoke|invoking) {_X}",
        rf"(?:from )?where (?:do|does|can) {_X} get (?:called|invoked)",
        rf"{_ASK}{_X} (?:callers|call ?sites)",
    ),
    _rule(
        Relation.REFERENCES,
        rf"{_ASK}(?:references?|refs|usages?|uses|imports|occurrences|mentions) (?:of|to|for) {_X}",
        rf"{_ASK}(?:who|what|which)(?: {_UNITS})? (?:{_USE}|(?:is|are) (?:using|referencing|importing)) {_X}",
        rf"{_ASK}(?:everything|anything|{_UNITS}) (?:that |which |who )?(?:{_USE}|using|referencing|importing) {_X}",
        rf"where (?:is|are|was) {_X} (?:being )?(?:used|referenced|imported|mentioned|referred to)",
        rf"where (?:do|does|are|is) (?:we|i|it|they|anyone|anybody) (?:use|using|reference|import|importing) {_X}",
        rf"where (?:do|does) {_X} get (?:used|referenced|imported)",
        rf"{_ASK}{_X} (?:references|refs|usages)",
    ),
)
"""Relation by the shape of the whole question; the first that fits decides."""

_NOUN_AFTER = re.compile(r"\W* (?:callees|callers|call ?sites|references|refs|usages)\b", re.IGNORECASE)


def cross_reference(text: str) -> CrossReference | None:
    """What is asked about which name; None unless the whole question is about the uses of one."""
    if len(text) > MAX_CHARACTERS:
        return None
    line = " ".join(text.split())
    for relation, pattern in _RULES:
        if (match := pattern.fullmatch(line)) and (name := _name_in(match)):
            return CrossReference(relation, name)
    return None


def _name_in(match: re.Match[str]) -> str:
    """The name without the brackets of a call; "" where a word is a topic, as in "token usages"."""
    assert match.lastindex is not None, "every shape has a name"
    written = match[match.lastindex]
    name = identifier_of(written)
    if not name or name.lower() in QUESTION_WORDS:
        return ""
    is_topic = not has_code_shape(written) and _NOUN_AFTER.match(match.string, match.end(match.lastindex))
    return "" if is_topic else name
