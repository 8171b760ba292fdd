"""Turns comments into queries: without comment signs, tags and markup, cut to what a person might ask."""

import re
from random import Random

MOST_WORDS = 40
"""Words of a query; questions are shorter, and what comes later in a comment is detail."""

FIRST_SENTENCE_SHARE = 0.75
"""How often only the first sentence of a comment is taken; else the first two."""

LETTER_SHARE = 0.62
"""Share of letters a text must have to be prose and not code, rules or art."""

MARKS = re.compile(
    r"^\s*(?:///?!?|//!|/\*+!?|\*+/|\*(?!\*)|#+|--+\[=*\[|--+\s?[|^]?|\{-+\s*\|?|-\}|\]=*\]|%+|;+|@(?:module|type)?doc\b\s*(?:~[sS])?|"
    r"[rRuUbB]{0,2}(?:\"\"\"|'''))\s?"
)
END_MARKS = re.compile(r"\s*(?:\*+/|-\}|\]=*\]|\"\"\"|''')\s*$")
NOISE = re.compile(
    r"copyright|licen[sc]e|warranty|spdx|all rights reserved|permission is hereby|redistribut|eslint|nolint|"
    r"noqa|istanbul|"
    r"pylint|generated (?:by|from|file|code)|auto-?generated|do not edit|@ts-|prettier-ignore|"
    r"clang-format|coding[:=]|vim:|"
    r"-\*-|#!|\bfixme\b|https?://|webpack|c8 ignore|rubocop|shellcheck|"
    r"created by .* on \d|swiftlint|ktlint|noinspection|"
    r"pragma|mode: |inheritdoc|[\w.]+@[\w.]+\.\w+",
    re.IGNORECASE,
)
"""Comments that speak to tools and lawyers."""

TAG = re.compile(
    r"^\s*(?:@\w+|:\w+[^:]*:|\\(?:param|return|note|see|ingroup|fn|file|class|struct|def|details|tparam|throws?|retval|since|"
    r"author)\b|<(?:param|returns|exception|remarks|typeparam|example)|Args:|Arguments:|Parameters\b|Returns?:|Raises:|Examples?:|"
    r"Usage:|Notes?:|See also|- Parameters?\b|- Returns?\b|- Throws\b|"
    r"#+ (?:Examples?|Errors|Panics|Safety|Parameters)|```|>>>|"
    r"\.\. )"
)
"""Where the prose of a comment ends."""

OPENING = re.compile(
    r"^(?:[\\@](?:brief|short|summary|description|desc|abstract|discussion)\s+|<summary>|\|\s?|\^\s?)", re.IGNORECASE
)
PLACEHOLDER = re.compile(r"^(?:TODO|XXX|HACK|NOTE|BUG|WARNING|region|endregion|Deprecated|MARK)\b")
CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")


def comment_query(comment: str, rng: Random) -> str:
    """The query that a comment makes; empty if it makes none."""
    text = " ".join(_prose(comment))
    text = re.sub(r"</?[a-zA-Z][^>]{0,80}/?>", " ", text)
    text = re.sub(r"\{@\w+\s+([^}]*)\}", r"\1", text)
    text = re.sub(r"\[`?([^\]`]{1,60})`?\](?:\([^)]*\)|\[[^\]]*\])?", r"\1", text)
    text = re.sub(r":\w+:`|[`*|]+|''", " ", text)
    text = re.sub(r"\s+", " ", text).strip(" -=#/*.:;,")
    if not text or NOISE.search(text) or PLACEHOLDER.match(text):
        return ""
    sentences = re.split(r"(?<=[.!?])\s+(?=[A-Z])", text)
    chosen = sentences[0] if rng.random() < FIRST_SENTENCE_SHARE else " ".join(sentences[:2])
    chosen = " ".join(chosen.split()[:MOST_WORDS]).rstrip(".")
    return chosen if is_prose(chosen) else ""


def is_prose(text: str) -> bool:
    """Say whether a text is made of words, in an alphabet that the vocabulary has."""
    words = re.findall(r"[A-Za-z]{2,}", text)
    return len(words) >= 2 and text.isascii() and sum(map(len, words)) >= LETTER_SHARE * len(text)


def split_name(name: str) -> str:
    """The words of an identifier, in lower case."""
    return " ".join(CAMEL.findall(name)).lower()


def without_subject(query: str, name: str) -> str:
    """A comment's text without the name it begins with, as in Go: `Open opens a file` says `opens a file`."""
    words = query.split()
    if words and words[0].rstrip("(),:") == name:
        words = words[1:]
        if words and words[0] in ("is", "are"):
            words = words[1:]
    return " ".join(words)


def _prose(comment: str) -> list[str]:
    out: list[str] = []
    for line in comment.split("\n"):
        line = END_MARKS.sub("", MARKS.sub("", line)).strip().strip('"').strip()
        line = OPENING.sub("", line).strip()
        if TAG.match(line):
            break
        if not line or re.fullmatch(r"[\W_]+", line) or line in ("<summary>", "</summary>"):
            if out:
                break
            continue
        out.append(line)
    return out
