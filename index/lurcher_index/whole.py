"""Whole files as the chunks of an answer."""

from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

from lurcher_index.answers import AnswerChunk, Trace
from lurcher_index.asking import Seen
from lurcher_index.ranking.ranges import LineRange, covered
from lurcher_index.rendering import with_source
from lurcher_index.strategies.interface import WholeFile


def whole_chunks(files: Sequence[WholeFile], strategy: str) -> tuple[AnswerChunk, ...]:
    """One chunk a file, in the order given: neither ranked nor cut."""
    return tuple(_chunk(file, strategy) for file in files)


def whole_text(file: WholeFile) -> str:
    """A file as it is shown, which is also what counts against a budget."""
    return with_source(file.path, (1, _last_line(file.text)), None, file.language, file.text)


def is_seen_whole(chunk: AnswerChunk, seen: Sequence[Seen]) -> bool:
    """Whether the caller has all of a file already, by its id or by its lines."""
    path = str(Path(chunk.folder, chunk.path))
    ranges = [LineRange(each.first_line, each.last_line) for each in seen if each.path == path]
    by_id = any(each.chunk_id == chunk.chunk_id for each in seen)
    return by_id or covered(LineRange(chunk.first_line, chunk.last_line), ranges)


def _last_line(text: str) -> int:
    return max(1, len(text.encode("utf-8", "replace").splitlines()))


def _chunk(file: WholeFile, strategy: str) -> AnswerChunk:
    data = file.text.encode("utf-8", "replace")
    name = f"{file.folder}\0{file.path}\0".encode("utf-8", "surrogateescape")
    return AnswerChunk(
        chunk_id=blake2b(name + data, digest_size=10).hexdigest(),
        folder=file.folder,
        path=file.path,
        first_line=1,
        last_line=_last_line(file.text),
        text=whole_text(file),
        raw_text=file.text,
        tokens=file.tokens,
        is_full_file=True,
        score=1.0,
        strategy=strategy,
        language=file.language,
        symbol=None,
        reasons=("the whole workspace fits the budget",),
        digest=blake2b(data, digest_size=8).hexdigest(),
        version=file.version,
        trace=Trace(),
    )
