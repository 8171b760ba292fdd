"""Names of code in a question: identifiers, qualified names, paths, quoted text, error codes."""

import re
from collections.abc import Iterator
from itertools import pairwise

from lurcher_index.query.paths import is_path
from lurcher_index.query.tokens import MAX_TOKEN_CHARACTERS, tokens

MAX_QUOTED_CHARACTERS = 200
"""Longest text between quotes that is taken for one term."""

PRODUCTS = frozenset(
    "bitbucket devops dotnet facebook firefox github gitlab graphql ios ipv4 ipv6 javascript leetcode linkedin macos "
    "mongodb mysql nginx nodejs oauth oauth2 openai openapi opengl openid openssl postgresql powershell rabbitmq "
    "sqlite stackoverflow typescript websocket websockets wifi wordpress youtube".split()
)
"""Written like identifiers, and words of everyday language all the same."""

_QUOTED = re.compile(
    rf'"([^"\n]{{1,{MAX_QUOTED_CHARACTERS}}})"'
    rf"|`([^`\n]{{1,{MAX_QUOTED_CHARACTERS}}})`"
    rf"|“([^”\n]{{1,{MAX_QUOTED_CHARACTERS}}})”"
    rf"|(?<!\w)'([^'\n]{{1,{MAX_QUOTED_CHARACTERS}}})'(?!\w)"
)
_NAME = r"[^\W\d]\w*"
_QUALIFIED = re.compile(rf"[$@]?{_NAME}(?:(?:\.|::\$?|->|\?\.|#){_NAME})+[!?]?")
_GENERIC = re.compile(rf"({_NAME}(?:(?:\.|::){_NAME})*)<[\w\s,.:<>?&*\[\]]*>")
_WITH_ARITY = re.compile(rf"&?({_NAME}(?:\.{_NAME})*[!?]?)/[0-9]")
_METHOD = re.compile(rf"{_NAME}(?:\.{_NAME})*:{_NAME}")
"""`Widget:new` in Lua. What else has a single colon in it, `TODO:later` and `key:value`, is told by `_is_method`."""
_IDENTIFIER = re.compile(rf"[$@]?{_NAME}[!?]?")
_OPTION = re.compile(r"--[A-Za-z][\w-]+")
_ERROR_CODE = re.compile(
    r"[A-Z]{1,6}-?[0-9]{3,6}|0x[0-9A-Fa-f]{4,16}"
    r"|E(?:ACCES|ADDRINUSE|ADDRNOTAVAIL|AGAIN|BADF|BUSY|CONNABORTED|CONNREFUSED|CONNRESET|EXIST|FAULT|HOSTUNREACH|INTR"
    r"|INVAL|IO|ISDIR|LOOP|MFILE|NAMETOOLONG|NETUNREACH|NFILE|NOENT|NOMEM|NOSPC|NOTCONN|NOTDIR|NOTEMPTY|NOTFOUND"
    r"|NOTSUP|PERM|PIPE|ROFS|TIMEDOUT|WOULDBLOCK|XDEV)"
    r"|SIG(?:ABRT|ALRM|BUS|CHLD|CONT|FPE|HUP|ILL|INT|KILL|PIPE|QUIT|SEGV|STOP|TERM|TRAP|USR1|USR2|WINCH)"
)
_BRACKETED_CODE = re.compile(rf"[A-Za-z]{{1,20}}\[({_ERROR_CODE.pattern})\]?$")
_PLURAL_ENDINGS = frozenset({"s)", "es)", "ies)"})


def code_terms(text: str) -> tuple[str, ...]:
    """Every name of code, whole and in its case, each once, in the order of the text."""
    return tuple(dict.fromkeys(_found(text)))


def quoted(text: str) -> list[str]:
    """What stands between quotes."""
    return [_inner(match) for match in _QUOTED.finditer(text) if _inner(match)]


def identifier_of(token: str) -> str:
    """The identifier or qualified name that a token is, without the brackets of a call, the arguments of a type and
    the number of parameters; "" if it is none."""
    name = _called(token) or _bare(token)
    return name if _IDENTIFIER.fullmatch(name) or _QUALIFIED.fullmatch(name) or _is_method(name) else ""


def has_code_shape(token: str) -> bool:
    """Whether a token is written as only code is: `fooBar`, `foo_bar`, `Foo.bar`, `foo()`, `src/foo.py`, `E0308`."""
    # Nearly every word of a question ends here.
    if (token.isalpha() and token.islower()) or len(token) > MAX_TOKEN_CHARACTERS:
        return False
    name = _called(token)
    if name and identifier_of(name):
        return True
    if _bare(token) != token:
        return True
    if is_path(token) or _OPTION.fullmatch(token) or _ERROR_CODE.fullmatch(token):
        return True
    if _QUALIFIED.fullmatch(token):
        return not _is_abbreviation(token)
    if _is_method(token):
        return True
    return bool(_IDENTIFIER.fullmatch(token)) and _is_compound(token)


def _found(text: str) -> Iterator[str]:
    at = 0
    for match in _QUOTED.finditer(text):
        yield from _names(text[at : match.start()])
        if inner := _inner(match):
            yield identifier_of(inner) or inner
        at = match.end()
    yield from _names(text[at:])


def _names(text: str) -> Iterator[str]:
    for token in tokens(text):
        if has_code_shape(token.text):
            yield _called(token.text) or _bare(token.text)
        elif code := _BRACKETED_CODE.match(token.text):
            yield code[1]


def _inner(match: re.Match[str]) -> str:
    return next(group for group in match.groups() if group is not None).strip()


def _called(token: str) -> str:
    """`parse` of `parse(text)`; nothing for the English `word(s)`."""
    name, bracket, rest = token.partition("(")
    return name if bracket and name and rest not in _PLURAL_ENDINGS else ""


def _is_method(token: str) -> bool:
    """`Widget:new`, `room_mt:destroy`: before the colon stands a type or what is written as only code is."""
    if ":" not in token or not _METHOD.fullmatch(token):
        return False
    owner = token.partition(":")[0]
    return _is_compound(owner) or "." in owner or (owner[0].isupper() and not owner.isupper())


def _bare(token: str) -> str:
    """`List` of `List<String>`, `Foo.bar` of `&Foo.bar/2`; the token itself if it is written in no such way."""
    if match := _GENERIC.fullmatch(token):
        return match[1]
    # `HTTP/2` and `map/2` may be anything.
    match = _WITH_ARITY.fullmatch(token)
    return match[1] if match and has_code_shape(match[1]) else token


def _is_compound(word: str) -> bool:
    """Whether a word has an underscore, a sigil or a capital inside; acronyms and their plurals do not count."""
    bare = word.strip("_")
    if not bare:
        return False
    if "_" in word or word[0] in "$@":
        return True
    if bare.lower() in PRODUCTS or re.fullmatch(r"[A-Z]+s?", bare):
        return False
    humps = any(one.islower() and other.isupper() for one, other in pairwise(bare))
    return humps or bool(re.match(r"[A-Z]{2,}[a-z]{2,}", bare))


def _is_abbreviation(token: str) -> bool:
    """`e.g`, `i.e`, `U.S.A`: single letters, as no qualified name has them throughout."""
    return all(len(part) == 1 for part in token.split("."))
