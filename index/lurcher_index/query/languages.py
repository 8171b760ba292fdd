"""Phrases that ask for a programming language: "in golang", "rust code for …", "language:go".

A phrase becomes a filter, and a wrong filter hides the answer. So only what is clearly such a phrase counts: formats
of data (`in JSON`) and shells never do, since code is about them more often than it is written in them, and a noun
after the name (`in python bindings`) makes it a thing.
"""

from collections.abc import Sequence
from typing import NamedTuple

from lurcher_index.query.question_words import QUESTION_WORDS
from lurcher_index.query.tokens import Token, tokens

LANGUAGE_IDS: dict[str, tuple[str, ...]] = {
    "python": ("python",),
    "py": ("python",),
    "python2": ("python",),
    "python3": ("python",),
    "golang": ("go",),
    "go": ("go",),
    "javascript": ("javascript",),
    "js": ("javascript",),
    "typescript": ("typescript", "tsx"),
    "ts": ("typescript", "tsx"),
    "java": ("java",),
    "c": ("c",),
    "c++": ("cpp",),
    "cpp": ("cpp",),
    "c#": ("csharp",),
    "csharp": ("csharp",),
    "f#": ("fsharp",),
    "fsharp": ("fsharp",),
    "ruby": ("ruby",),
    "rust": ("rust",),
    "php": ("php",),
    "swift": ("swift",),
    "kotlin": ("kotlin",),
    "scala": ("scala",),
    "elixir": ("elixir",),
    "erlang": ("erlang",),
    "haskell": ("haskell",),
    "lua": ("lua",),
    "zig": ("zig",),
    "perl": ("perl",),
    "r": ("r",),
    "dart": ("dart",),
    "objective-c": ("objective-c",),
    "objc": ("objective-c",),
    "clojure": ("clojure",),
    "ocaml": ("ocaml",),
    "julia": ("julia",),
    "groovy": ("groovy",),
    "fortran": ("fortran",),
    "nim": ("nim",),
    "crystal": ("crystal",),
    "solidity": ("solidity",),
    "powershell": ("powershell",),
    "bash": ("bash",),
    "shell": ("bash",),
}
"""Names that people use → ids of the index's languages."""

OPERATOR_ONLY: dict[str, tuple[str, ...]] = {
    name: (name,)
    for name in ("css", "html", "json", "markdown", "protobuf", "sql", "terraform", "toml", "vue", "xml", "yaml")
}
"""Understood after `language:` alone."""

NEED_A_NOUN = frozenset({"bash", "shell", "powershell", "crystal", "py", "r", "ts", "js"})
"""Names that count only before a word such as "code": things are run in a shell, and `ts` is often a timestamp."""

CAPITAL_ONLY = frozenset({"c"})
"""In lower case a variable as often as a language, unless "code" or the like follows."""

NOUNS = frozenset("code codebase file files language program programs script scripts source sources".split())
"""What makes a language's name clearly one: "in go code"."""

FOLLOWING = frozenset("for please that using when where which with without".split())
"""Words that may follow "in python" in a question that goes on."""

AFTER_NOUN = frozenset("for of that to where which with".split())
"""Words that follow "rust code" when it says what is asked for rather than what is handled."""

LEADING = frozenset("a all any find get give list locate me my our please search show some the".split())
"""Words that may stand before "rust code for …" at the beginning."""

MAKERS = frozenset({"coded", "implemented", "programmed", "written"})
"""Words that go together with "in python"."""


class Phrase(NamedTuple):
    """A language phrase: what it asks for, and the tokens it takes up."""

    languages: tuple[str, ...]
    first: int
    last: int
    """One past the last token."""


def without_language(text: str) -> tuple[str, tuple[str, ...]]:
    """The question without its language phrase, and the ids it asks for; unchanged where there is none.

    A question that is nothing but such a phrase stays as it is.
    """
    found = tokens(text)
    phrase = _operator(found) or _leading_code(found) or _in_language(found)
    if phrase is None:
        return text, ()
    kept = [*found[: phrase.first], *found[phrase.last :]]
    if all(token.lower in QUESTION_WORDS for token in kept):
        return text, ()
    before = text[: found[phrase.first].start].rstrip()
    taken = text[found[phrase.last - 1].start : found[phrase.last - 1].end]
    after = text[found[phrase.last - 1].end :].strip()
    mark = taken[-1] if taken[-1] in "?!." and not after else ""
    return " ".join(part for part in (before.rstrip(","), after) if part) + mark, phrase.languages


def _operator(found: Sequence[Token]) -> Phrase | None:
    for at, token in enumerate(found):
        operator, colon, name = token.lower.partition(":")
        if colon and operator in ("lang", "language"):
            ids = LANGUAGE_IDS.get(name) or OPERATOR_ONLY.get(name)
            if ids:
                return Phrase(ids, at, at + 1)
    return None


def _leading_code(found: Sequence[Token]) -> Phrase | None:
    """ "rust code for …" at the beginning: behind another verb it would be what is parsed, compiled or run."""
    at = next((at for at, token in enumerate(found) if token.lower not in LEADING), len(found))
    if at + 2 >= len(found) or found[at].lower not in LANGUAGE_IDS:
        return None
    if found[at + 1].lower not in NOUNS or found[at + 2].lower not in AFTER_NOUN:
        return None
    return Phrase(LANGUAGE_IDS[found[at].lower], at, at + 3)


def _in_language(found: Sequence[Token]) -> Phrase | None:
    for at, token in enumerate(found):
        if token.lower == "in" and not token.ends_clause and (phrase := _names_after(found, at)):
            first = at - 1 if at and found[at - 1].lower in MAKERS else at
            return Phrase(phrase.languages, first, phrase.last)
    return None


def _names_after(found: Sequence[Token], at: int) -> Phrase | None:
    """Names behind the "in" at `at`, if what follows them shows that they are meant as languages."""
    here = at + 1
    if here < len(found) and found[here].lower in ("the", "our"):
        here += 1
        needs_noun = True
    else:
        needs_noun = False
    ids: list[str] = []
    while here < len(found) and found[here].lower in LANGUAGE_IDS:
        name = found[here]
        needs_noun = needs_noun or name.lower in NEED_A_NOUN or (name.lower in CAPITAL_ONLY and name.text.islower())
        ids += LANGUAGE_IDS[name.lower]
        here += 1
        another = here + (here < len(found) and found[here].lower in ("and", "or"))
        if another < len(found) and found[another].lower in LANGUAGE_IDS and (another > here or name.ends_clause):
            here = another
            continue
        return _closed(found, tuple(dict.fromkeys(ids)), at, here, needs_noun)
    return None


def _closed(found: Sequence[Token], ids: tuple[str, ...], at: int, here: int, needs_noun: bool) -> Phrase | None:
    has_noun = here < len(found) and not found[here - 1].ends_clause and found[here].lower in NOUNS
    if has_noun:
        here += 1
    ends = here == len(found) or found[here - 1].ends_clause or found[here].lower in FOLLOWING
    return Phrase(ids, at, here) if ends and (has_noun or not needs_noun) else None
