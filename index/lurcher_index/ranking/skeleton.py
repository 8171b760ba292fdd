"""A chunk in short: how it begins, what it says about itself, and the lines that were asked for."""

import re
from collections.abc import Collection, Iterator, Sequence

MARK = "…"
"""Stands for lines that were left out."""

MARK_WORTH_BYTES = 6
"""Non-blank UTF-8 bytes that must be left out for a mark to cost fewer tokens than they do: by the estimate in
`text/tokens.py` a mark costs 3 * 0.161 + 0.40 = 0.88 tokens, 6 bytes at least 0.97. A closing brace stays itself."""

SIGNATURE_LINES = 8
"""Longest signature that is kept whole; brackets that are open for longer are data, and then one line is kept."""

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_COMMENT = re.compile(r"""\s*(?:\#|//|/\*|\*|--|;|<!--|[rRbBuUfF]?(?:\"\"\"|'''))""")
_DECORATOR = re.compile(r"\s*(?:@\w|#\[|\[\w+.*\]\s*$)")
_OPENING = re.compile(r"""\s*[rRbBuUfF]?(/\*|<!--|\"\"\"|''')""")
_CLOSINGS = {"/*": "*/", "<!--": "-->", '"""': '"""', "'''": "'''"}
_INDENT = re.compile(r"[ \t]*")
_LETTER = re.compile(r"[^\W\d_]")


def lines_of(text: str) -> list[str]:
    """The lines of a text with their ends, which are LF, CR LF or a lone CR, as LSP says."""
    return _LINE.findall(text)


def skeleton(text: str, keep_lines: Collection[int] = ()) -> str:
    """The text with its first line, its signature, the first line of its documentation and `keep_lines` (from 0).

    Every run of other lines becomes one line with a mark, indented as the run was; blank ones become one blank line.
    A run stays as it is where the mark would cost more, so the result is never longer, in bytes or tokens. Lines that
    are not there are ignored.
    """
    lines = lines_of(text)
    keep = _head(lines).union(keep_lines)
    return "".join(_shortened(lines, keep))


def _shortened(lines: Sequence[str], keep: Collection[int]) -> Iterator[str]:
    at = 0
    while at < len(lines):
        if at in keep:
            yield lines[at]
            at += 1
            continue
        end = next((line for line in range(at, len(lines)) if line in keep), len(lines))
        yield _gap(lines[at:end])
        at = end


def _gap(lines: Sequence[str]) -> str:
    """What stands for a run of lines that were left out."""
    first = next((line for line in lines if line.strip()), None)
    if first is None:
        return lines[-1]
    if len("".join("".join(lines).split()).encode("utf-8", "surrogatepass")) < MARK_WORTH_BYTES:
        return "".join(lines)
    indent = _INDENT.match(first)
    return (indent.group() if indent else "") + MARK + lines[-1][len(lines[-1].rstrip("\r\n")) :]


def _head(lines: Sequence[str]) -> set[int]:
    """Indexes of the first line, of the signature and of the first words of the documentation.

    Documentation stands before the signature, among decorators, or right after it.
    """
    solid = [at for at, line in enumerate(lines) if line.strip()]
    lead = _leading(lines, solid)
    signature = _signature(lines, solid[lead:])
    keep = {*solid[:1], *_first_words(lines, solid[:lead]), *signature}
    after = solid[lead + len(signature) :]
    if after and _COMMENT.match(lines[after[0]]):
        keep.update(_first_words(lines, after))
    return keep


def _leading(lines: Sequence[str], solid: Sequence[int]) -> int:
    """How many of the non-blank lines are comments and decorators before anything else."""
    at = 0
    while at < len(solid):
        line = lines[solid[at]]
        if _DECORATOR.match(line):
            at += len(_signature(lines, solid[at:]))
        elif _COMMENT.match(line):
            at += _comment_lines(lines, solid[at:])
        else:
            break
    return at


def _comment_lines(lines: Sequence[str], solid: Sequence[int]) -> int:
    """How many lines the comment has that begins with the first one; one that is never closed has one."""
    first = lines[solid[0]]
    opened = _OPENING.match(first)
    if opened is None:
        return 1
    closing = _CLOSINGS[opened.group(1)]
    if closing in first[opened.end() :]:
        return 1
    closed = (count for count, at in enumerate(solid[1:], start=2) if closing in lines[at])
    return next(closed, 1)


def _first_words(lines: Sequence[str], solid: Sequence[int]) -> list[int]:
    """The first of the lines, and those up to the first that holds a letter: an opening mark alone says nothing."""
    for count, at in enumerate(solid[:SIGNATURE_LINES], start=1):
        if _LETTER.search(lines[at]):
            return list(solid[:count])
    return list(solid[:1])


def _signature(lines: Sequence[str], solid: Sequence[int]) -> list[int]:
    """The lines up to the one that closes all round and square brackets."""
    depth = 0
    for count, at in enumerate(solid[:SIGNATURE_LINES], start=1):
        line = lines[at]
        depth += line.count("(") + line.count("[") - line.count(")") - line.count("]")
        if depth <= 0:
            return list(solid[:count])
    return list(solid[:1])
