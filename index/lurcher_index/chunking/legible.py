"""What a grammar is given in place of a text where the preprocessor's share of it would lead the parser astray.

Only blanks take the place of anything, so that every byte and every line stays where it is.
"""

import re
from collections.abc import Callable

_TO_ASCII = bytes(range(128)) + b"_" * 128
_BLANKS = re.compile(rb"[^\r\n]")

_DIRECTIVE = re.compile(
    rb"^#[ \t]*(?:define|elif|else|endif|error|if|ifdef|ifndef|include|line|undef|warning)\b"
    rb"(?:[^\\\r\n]|\\(?:\r\n|.)|\\\n)*",
    re.MULTILINE,
)
"""A directive of the preprocessor with the lines that it goes on in."""

_MARKED_TYPE = re.compile(
    rb"\b(?:class|struct|union)[ \t]+([A-Z][A-Z0-9_]+(?:\([^()\r\n]*\))?)"
    rb"(?=\s+[A-Za-z_][\w:]*\s*(?:<[^<>{};]*>\s*)?(?:final\s*)?[:{])"
)
"""`class MYLIB_EXPORT Name {`: without the macro's definition it reads as a function that returns a class."""

_LONE_MACRO = re.compile(
    # Nothing is given back of what stands between: a line of slashes could be taken for comments in very many ways.
    rb"^[ \t]*([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?=[ \t]*\r?\n(?:\s++|//[^\r\n]*+)*+(?:class|const|enum|explicit|inline|"
    rb"namespace|private|protected|public|signals|static|struct|template|typedef|using|virtual)\b)",
    re.MULTILINE,
)
"""`Q_OBJECT`, `MYLIB_BEGIN_NAMESPACE`: on a line of its own, without a semicolon, it reads as the type of what follows.
The last name of an enumeration is followed by no such word."""


def in_haskell(text: bytes) -> bytes:
    """Without the preprocessor's lines: the grammar passes over all that stands between `#else` and `#endif`."""
    return _DIRECTIVE.sub(_blank, text) if b"#else" in text or b"#elif" in text else text


def in_cpp(text: bytes) -> bytes:
    """Without the macros that mark a type as exported, deprecated or the like, and those that stand alone on a line."""
    return _LONE_MACRO.sub(_unmarked, _MARKED_TYPE.sub(_unmarked, text))


def in_bash(text: bytes) -> bytes:
    """With underscores for all but ASCII: the parser crashed on `{9` before a character beyond U+FFFF, probably by
    looking it up in a table for bytes."""
    return text.translate(_TO_ASCII)


LEGIBLE: dict[str, Callable[[bytes], bytes]] = {"bash": in_bash, "cpp": in_cpp, "haskell": in_haskell}
"""By language."""


def _blank(match: re.Match[bytes]) -> bytes:
    return _BLANKS.sub(b" ", match[0])


def _unmarked(match: re.Match[bytes]) -> bytes:
    start, end = (at - match.start() for at in match.span(1))
    return match[0][:start] + b" " * (end - start) + match[0][end:]
