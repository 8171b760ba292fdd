"""Globs of ignore files as regular expressions, in ripgrep's dialect, with matching in linear time.

The dialect is .gitignore's with what ripgrep adds or leaves out, because both listers must give one list: `{a,b}`
means either, a backslash inside `[...]` is a plain character, `[:alpha:]` is no class, a lone `[` is a plain character.
"""

import re
from itertools import pairwise
from typing import NamedTuple

MAX_ALTERNATIVES = 256
"""More than this from the braces of one glob is hostile or a mistake; the rule is dropped."""

MAX_LOOSE_WILDCARDS = 6
"""Stars in a glob whose classes may match a slash. Such a glob needs backtracking, whose time grows with the stars."""

_SLASH = "/"
_STAR = "*"


class BadGlob(ValueError):
    """The glob means nothing; ignore files drop such a line."""


class _Token(NamedTuple):
    regex: str
    """`*` and `/` stand for themselves; everything else matches exactly one character."""
    crosses: bool = False
    """Whether it could match a slash."""


def translate(glob: str, anywhere: bool) -> str:
    """A regular expression for whole paths; `anywhere` lets the glob match at every depth."""
    return "|".join(_translate_one(one, anywhere) for one in _expand(glob))


def _translate_one(glob: str, anywhere: bool) -> str:
    tokens = _tokens(glob)
    loose = any(token.crosses for token in tokens)
    if loose and sum(token.regex == _STAR for token in tokens) > MAX_LOOSE_WILDCARDS:
        tokens = [_Token(f"(?!/){token.regex}") if token.crosses else token for token in tokens]
        loose = False
    components = _components(tokens)
    if anywhere and components[0] != ["**"]:
        components.insert(0, ["**"])
    if components == [["**"]]:
        return r".*\Z"
    return _join(components, "(?:" if loose else "(?>")


def _join(components: list[list[str]], group: str) -> str:
    """Put components together. `group` opens the groups that need no second try.

    Between two `**` the earliest match is always as good as a later one, for what follows may start anywhere behind
    it. So the engine need not come back, and a glob of many stars cannot make it try every combination.
    """
    result: list[str] = []
    floating = False
    section: list[str] = []
    for component in components:
        if component != ["**"]:
            section.append(_component(component, group))
        elif section:
            body = "/".join(section) + "/"
            result.append(f"{group}(?:[^/]+/)*?{body})" if floating else body)
            section, floating = [], True
        else:
            floating = True
    lead = ("(?:.*/)?" if group == "(?:" else "(?:[^/]+/)*?") if floating else ""
    # A glob that ends in `/**` means everything below the folder and not the folder itself.
    return "".join(result) + (f"{lead}{'/'.join(section)}" if section else ".+") + r"\Z"


def _component(pieces: list[str], group: str) -> str:
    """One path component: between two stars the earliest match is as good as any."""
    if _STAR not in pieces:
        return "".join(pieces)
    runs: list[str] = [""]
    for piece in pieces:
        if piece != _STAR:
            runs[-1] += piece
        elif runs[-1] or len(runs) == 1:
            runs.append("")
    middle = "".join(f"{group}[^/]*?{run})" for run in runs[1:-1])
    return f"{runs[0]}{middle}[^/]*{runs[-1]}"


def _components(tokens: list[_Token]) -> list[list[str]]:
    components: list[list[str]] = [[]]
    for token in tokens:
        if token.regex == _SLASH:
            components.append([])
        else:
            components[-1].append(token.regex)
    return [["**"] if component == [_STAR, _STAR] else component for component in components]


def _tokens(glob: str) -> list[_Token]:
    tokens: list[_Token] = []
    at = 0
    while at < len(glob):
        char = glob[at]
        at += 1
        if char == "[" and (end := _class_end(glob, at)) > 0:
            tokens.append(_class(glob[at : end - 1]))
            at = end
        elif char == "\\":
            if at == len(glob):
                raise BadGlob("it ends in a backslash")
            tokens.append(_literal(glob[at]))
            at += 1
        else:
            tokens.append({"*": _Token(_STAR), "?": _Token("[^/]")}.get(char) or _literal(char))
    return tokens


def _literal(char: str) -> _Token:
    return _Token(_SLASH if char == "/" else "[*]" if char == "*" else re.escape(char))


def _class_end(glob: str, start: int) -> int:
    """Offset behind the class whose content starts at `start`, or 0 if nothing closes it."""
    body = start + 1 if glob[start : start + 1] in ("!", "^") else start
    return glob.find("]", body + 1) + 1


def _class(content: str) -> _Token:
    negated = content[0] in "!^"
    body = content[1:] if negated else content
    parts: list[str] = []
    at = 0
    while at < len(body):
        low = high = body[at]
        if at + 2 < len(body) and body[at + 1] == "-":
            high = body[at + 2]
            at += 2
        if high < low:
            raise BadGlob(f"the range {low}-{high} is empty")
        parts.append(f"{re.escape(low)}-{re.escape(high)}")
        at += 1
    regex = f"[{'^' if negated else ''}{''.join(parts)}]"
    return _Token(regex, re.match(regex, "/") is not None)


def _expand(glob: str) -> list[str]:
    """Every glob that the braces stand for."""
    done: list[str] = []
    waiting = [glob]
    while waiting:
        one = waiting.pop()
        braces = _first_braces(one)
        if braces is None:
            done.append(one)
        else:
            start, end, options = braces
            waiting += [one[:start] + option + one[end:] for option in options]
        if len(done) + len(waiting) > MAX_ALTERNATIVES:
            raise BadGlob("it has too many alternatives")
    return done


def _first_braces(glob: str) -> tuple[int, int, list[str]] | None:
    """Start, end and alternatives of the first outermost pair of braces."""
    opened: list[int] = []
    cuts: list[int] = []
    at = 0
    while at < len(glob):
        char = glob[at]
        if char == "\\":
            at += 1
        elif char == "[":
            at = max(at, _class_end(glob, at + 1) - 1)
        elif char == "{":
            opened.append(at)
        elif char == "," and len(opened) == 1:
            cuts.append(at)
        elif char == "}":
            if not opened:
                raise BadGlob("it closes a brace that was not opened")
            start = opened.pop()
            if not opened:
                edges = [start, *cuts, at]
                options = [glob[a + 1 : b] for a, b in pairwise(edges)]
                return start, at + 1, [option for option in options if option] or [""]
        at += 1
    if opened:
        raise BadGlob("a brace is not closed")
    return None
