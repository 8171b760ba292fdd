"""A chunk as it is shown: its name for ever, where it is from, its code without needless indentation."""

import re
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

from lurcher_index.model import Outline
from lurcher_index.presenting import Asked, Passage
from lurcher_index.results import HitSymbol
from lurcher_index.text.terms import words

LONGEST_EXCERPT = 120
"""Characters of a line that stands for a passage: what fits beside its place in a list."""

_FENCE = re.compile(r"^[ \t]*(`{3,})", re.MULTILINE)


def chunk_id(passage: Passage) -> str:
    """A name that stays as long as the text stays in its file, wherever it moves to within it."""
    return id_of_chunk(passage.folder, passage.row.path, passage.held.outline, passage.candidate.ordinal)


def id_of_chunk(folder: Path, path: str, outline: Outline, ordinal: int) -> str:
    """The same name, for a chunk whose text nobody has read."""
    digest = outline.chunks[ordinal].digest
    # The same text may stand in a file more than once.
    occurrence = [chunk.digest for chunk in outline.chunks[:ordinal]].count(digest)
    name = f"{folder}\0{path}\0{occurrence}\0".encode("utf-8", "surrogateescape")
    return blake2b(name + digest, digest_size=10).hexdigest()


def with_source(path: str, lines: tuple[int, int], symbol: HitSymbol | None, language: str, code: str) -> str:
    """Code for a reader who does not see the file: path, lines and symbol above, a fence around."""
    first, last = lines
    where = f"{path}:{first}-{last}" if last > first else f"{path}:{first}"
    if symbol is not None:
        whole = f"{symbol.container}.{symbol.name}" if symbol.container else symbol.name
        where += f" ({symbol.kind} {whole})"
    return f"{where}\n{fenced(language, code)}"


def fenced(language: str, code: str) -> str:
    """Code with a fence around it that is longer than every fence inside."""
    # Code seldom has a fence in it, and to look for one line by line takes longer than all the rest.
    inside = _FENCE.findall(code) if "```" in code else []
    fence = "`" * max([3, *(len(found) + 1 for found in inside)])
    end = "" if code.endswith("\n") else "\n"
    return f"{fence}{language}\n{code}{end}{fence}"


def dedented(code: str) -> str:
    """Code without the indentation that all its lines share; blank lines do not count, nothing else is taken."""
    if code and not code[0].isspace():
        return code  # Most definitions begin at the margin.
    lines = code.split("\n")
    indents = [line[: len(line) - len(line.lstrip(" \t"))] for line in lines if line.strip()]
    # What the first and the last in the order of the alphabet share, all between them do.
    shared = _common(min(indents), max(indents)) if indents else ""
    if not shared:
        return code
    return "\n".join(line[len(shared) :] if line.startswith(shared) else line.lstrip(" \t") for line in lines)


def telling_lines(passage: Passage, asked: Asked) -> set[int]:
    """Lines of a passage, from 0, that define a name or hold a word of the question."""
    kept = {line_of(passage, start) for start in _defined_at(passage)}
    for number, line in enumerate(passage.data.decode("utf-8", "replace").split("\n")):
        if any(asked[word] for word in words(line)):
            kept.add(number)
    return kept


def excerpt(passage: Passage, asked: Asked) -> str:
    """One line that stands for a passage where there is no room for it: the one with most words of the question, of
    equals one that defines something; where no line has any, the first that defines something, or that says anything.
    """
    # Lines as `line_of` counts them: a form feed ends none.
    lines = passage.data.decode("utf-8", "replace").split("\n")
    defining = {line_of(passage, start) for start in _defined_at(passage)}
    held = [len({term for word in words(line) for term in asked[word]}) for line in lines]
    saying = [at for at, line in enumerate(lines) if any(map(str.isalnum, line))]
    if not saying:
        return ""
    best = max(saying, key=lambda at: (held[at], at in defining, -at))
    line = " ".join(lines[best].split())
    return line if len(line) <= LONGEST_EXCERPT else line[: LONGEST_EXCERPT - 1] + "…"


def line_of(passage: Passage, offset: int) -> int:
    """The line of a passage, from 0, that an offset of the document lies on."""
    return passage.data.count(b"\n", 0, offset - passage.chunk.start)


def _defined_at(passage: Passage) -> Iterator[int]:
    """Where the names stand that a passage defines."""
    chunk = passage.chunk
    for at in passage.symbols():
        start = passage.held.outline.symbols[at].name_start
        if chunk.start <= start < chunk.end:
            yield start


def _common(one: str, other: str) -> str:
    length = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        length += 1
    return one[:length]
