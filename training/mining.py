"""Mines (query, code) pairs out of one file, with its code cut the way the index cuts it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from lurcher_index.chunking.outline import outline
from lurcher_index.model import Chunk, Outline, Symbol
from training.comments import CODE_LIKE, header, remarks
from training.questions import question
from training.texts import NOISE, comment_query, is_prose, split_name, without_subject

MOST_CODE = 2_200
"""Characters of a code target; a chunk of the index is about half of that."""

LEAST_CODE = 25
LEAST_CODE_WORDS = 5
"""Less says nothing that could be found."""

MOST_SYMBOL_LINES = 46
"""Lines that are kept of a definition."""

CHUNK_SHARE = 0.4
"""How often the target is the index's chunk around a definition instead of the definition alone."""

NAME_SHARE = 0.18
QUESTION_SHARE = 0.4
REMARK_SHARE = 0.5
PATH_SHARE = 0.6
SUBJECT_SHARE = 0.75
"""How often a name, a question, a remark, a path makes a pair, and the name that begins a comment is taken off."""

PLAIN_PATH = frozenset(
    """src lib main java usr share source sources include pkg python3 dist-packages site-packages package gocode cargo
    registry org com net io github.com golang.org x scala kotlin js ts php vendor_ruby ruby rubygems-integration
    all gems nodejs app runtime scripts""".split()
)
"""Components of paths that say nothing about what a file does."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A query and the code that answers it."""

    kind: str
    query: str
    code: str


def mine_source(data: bytes, language: str, path: str, rng: Random) -> Iterator[Pair]:
    """All pairs of a source file."""
    found = outline(data, language)
    text = _Text(data, found)
    yield from _symbol_pairs(text, rng)
    yield from _remark_pairs(text, language, rng)
    yield from _file_pairs(text, language, path, rng)


def mine_markdown(text: str, rng: Random) -> Iterator[Pair]:
    """Sentences and headings of a document with the block of code that follows."""
    lines = text.split("\n")
    heading = sentence = ""
    at = 0
    while at < len(lines):
        line = lines[at].strip()
        at += 1
        if match := re.match(r"```+\s*([\w+#-]*)", line):
            start = at
            while at < len(lines) and not lines[at].strip().startswith("```"):
                at += 1
            code = "\n".join(lines[start:at])
            at += 1
            if match.group(1).lower() not in NOT_CODE and LEAST_CODE + 15 <= len(code) <= MOST_CODE:
                yield from _markdown_pairs(heading, sentence, code, rng)
            sentence = ""
        elif line.startswith("#"):
            heading, sentence = line.strip("# "), ""
        elif line:
            sentence = line


NOT_CODE = frozenset(
    "sh bash console json yaml yml text txt toml shell xml html diff ini plain plaintext log csv".split()
)
"""Blocks of Markdown that are no program."""


def path_words(path: str) -> str:
    """The words of a path that may say what a file does: its name and the two folders above."""
    parts = path.split("/")
    folders = [part for part in parts[:-1] if part.lower() not in PLAIN_PATH][-2:]
    stem = parts[-1].rsplit(".", 1)[0]
    return " ".join(split_name(re.sub(r"[-@_]v?\d[\d.\-+~a-z]*$", "", part)) for part in (*folders, stem)).strip()


class _Text:
    """A file's bytes with its outline."""

    def __init__(self, data: bytes, found: Outline) -> None:
        self.data = data
        self.outline = found
        self.lines = data.decode("utf-8", "replace").split("\n")

    def part(self, start: int, end: int) -> str:
        return self.data[start:end].decode("utf-8", "replace")

    def without(self, start: int, end: int, doc_start: int, doc_end: int) -> str:
        """A range of the text with the documentation taken out where it lies inside."""
        low, high = max(start, doc_start), min(end, doc_end)
        if low >= high:
            return self.part(start, end)
        return self.part(start, low).rstrip() + "\n" + self.part(high, end).lstrip("\n")

    def chunk_at(self, offset: int) -> Chunk | None:
        return next((chunk for chunk in self.outline.chunks if chunk.start <= offset < chunk.end), None)


def _symbol_pairs(text: _Text, rng: Random) -> Iterator[Pair]:
    for symbol in text.outline.symbols:
        name = re.split(r"[.:]", symbol.name)[-1] or symbol.name
        words = split_name(name)
        target = ""
        if symbol.doc_end and (query := comment_query(text.part(symbol.doc_start, symbol.doc_end), rng)):
            target = _target(text, symbol, rng)
            bare = without_subject(query, name)
            if rng.random() < SUBJECT_SHARE:
                query = bare
            if target and is_prose(query):
                yield Pair("doc", query, target)
                asked = question(bare, words, rng) if rng.random() < QUESTION_SHARE else ""
                if asked:
                    yield Pair("question", asked, _target(text, symbol, rng))
        if len(name) > 3 and symbol.last_line - symbol.first_line >= 2 and rng.random() < NAME_SHARE:
            target = target or _target(text, symbol, rng)
            if target:
                yield Pair("name", words if rng.random() < 0.6 and words else name, target)
                asked = question("", words, rng) if not symbol.doc_end else ""
                if asked:
                    yield Pair("question", asked, target)


def _target(text: _Text, symbol: Symbol, rng: Random) -> str:
    start, end = symbol.start, symbol.end
    if rng.random() < CHUNK_SHARE and (chunk := text.chunk_at(symbol.name_start)):
        start, end = chunk.start, chunk.end
    code = text.without(start, end, symbol.doc_start, symbol.doc_end)
    return _fit("\n".join(code.split("\n")[:MOST_SYMBOL_LINES]))


def _remark_pairs(text: _Text, language: str, rng: Random) -> Iterator[Pair]:
    documented = {line for s in text.outline.symbols if s.doc_end for line in range(s.first_line - 1, s.first_line + 1)}
    for remark in remarks(text.lines, language):
        if remark.first in documented or rng.random() > REMARK_SHARE:
            continue
        query = comment_query("\n".join(text.lines[remark.first : remark.code]), rng)
        if len(query.split()) < 3 or CODE_LIKE.search(query):
            continue
        code = text.lines[remark.code : remark.end]
        if rng.random() < CHUNK_SHARE:
            code = _around(text, remark.first, remark.code)
        if fitted := _fit("\n".join(code)):
            yield Pair("remark", query, fitted)


def _around(text: _Text, first: int, code: int) -> list[str]:
    """The lines of the chunk that a remark stands in, without the remark."""
    chunk = next((c for c in text.outline.chunks if c.first_line <= code + 1 <= c.last_line), None)
    if chunk is None:
        return text.lines[code : code + MOST_SYMBOL_LINES]
    return text.lines[chunk.first_line - 1 : first] + text.lines[code : chunk.last_line]


def _file_pairs(text: _Text, language: str, path: str, rng: Random) -> Iterator[Pair]:
    chunks = [chunk for chunk in text.outline.chunks if chunk.end - chunk.start > 4 * LEAST_CODE]
    words = path_words(path)
    if words and chunks and rng.random() < PATH_SHARE:
        chunk = chunks[0] if rng.random() < 0.4 else rng.choice(chunks)
        fitted = _fit(text.part(chunk.start, chunk.end))
        if fitted and not NOISE.search(fitted[:300]):
            yield Pair("path", words, fitted)
    top = header(text.lines, language)
    if top is None or not chunks:
        return
    query = comment_query("\n".join(text.lines[top[0] : top[1]]), rng)
    if len(query.split()) < 4:
        return
    after = [chunk for chunk in chunks if chunk.last_line > top[1]]
    for kind, choice in (("header", after[:1]), ("file", after[1:] and [rng.choice(after[1:])])):
        for chunk in choice:
            code = "\n".join(text.lines[max(chunk.first_line - 1, top[1]) : chunk.last_line])
            if fitted := _fit(code):
                yield Pair(kind, query, fitted)


def _markdown_pairs(heading: str, sentence: str, code: str, rng: Random) -> Iterator[Pair]:
    for text in (sentence, heading):
        query = comment_query(text, rng)
        if len(query.split()) >= (4 if text is sentence else 2) and (fitted := _fit(code)):
            yield Pair("markdown", query, fitted)
            return


def _fit(code: str) -> str:
    """A target cut to its bounds; empty if too little is left."""
    code = code.strip("\n")[:MOST_CODE]
    if len(code) < LEAST_CODE or len(re.findall(r"[A-Za-z]{2,}", code)) < LEAST_CODE_WORDS:
        return ""
    return code
