"""Chunk search as a source of places: the last resort, and a second opinion."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from lurcher_index.answers import Answer
from lurcher_index.asking import Ask
from lurcher_index.locate.fusing import ChunkPlace
from lurcher_index.locate.issue import Issue
from lurcher_index.locate.sight import Sight

CHUNK_SEARCH = "chunkSearch"
"""Its name as a tool."""

MAX_CHUNKS = 50
"""Chunks that are asked for: their files are ranked, and several may be of one."""

QUESTION_CHARACTERS = 4_000
"""What is asked of a long issue; its first words say what it is about."""

AskEngine = Callable[[Ask], Awaitable[Answer]]


def chunk_places(
    sight: Sight, issue: Issue, patterns: Sequence[str], ask: AskEngine
) -> tuple[list[ChunkPlace], Answer]:
    """What chunk search finds for the words of an issue, best first, and what it says. Blocks: it runs its own loop."""
    question = _question(issue, patterns)
    answer = asyncio.run(_asked(ask, Ask(text=question, max_results=MAX_CHUNKS, unfiltered=True)))
    found: list[ChunkPlace] = []
    for chunk in answer.chunks:
        row = sight.row_at(f"{chunk.folder}/{chunk.path}")
        if row is not None:
            reason = "; ".join(("chunk search", *chunk.reasons))
            found.append(ChunkPlace(row.file_id, row.path, chunk.first_line, chunk.last_line, reason))
    return found, answer


async def _asked(ask: AskEngine, question: Ask) -> Answer:
    return await ask(question)


def _question(issue: Issue, patterns: Sequence[str]) -> str:
    """The prose. A snippet speaks through its patterns, since whole code would drown the words."""
    prose = issue.prose
    more = [pattern for pattern in patterns if pattern not in prose] if issue.snippet else []
    return "\n".join([prose, *more])[:QUESTION_CHARACTERS].strip() or issue.snippet[:QUESTION_CHARACTERS]
