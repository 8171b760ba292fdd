"""Whole files as the chunks of an answer."""

from collections.abc import Sequence
from hashlib import blake2b

from lurcher_index.answers import AnswerChunk, Trace
from lurcher_index.rendering import with_source
from lurcher_index.strategies.interface import WholeFile
from lurcher_index.text.tokens import estimate_tokens


def whole_chunks(files: Sequence[WholeFile], strategy: str) -> tuple[AnswerChunk, ...]:
    """One chunk a file, in the order given: neither ranked nor cut."""
    return tuple(_chunk(file, strategy) for file in files)


def _chunk(file: WholeFile, strategy: str) -> AnswerChunk:
    last = file.text.count("\n") + (not file.text.endswith("\n") or not file.text)
    data = file.text.encode("utf-8", "replace")
    name = f"{file.folder}\0{file.path}\0".encode("utf-8", "surrogateescape")
    text = with_source(file.path, (1, max(1, last)), None, file.language, file.text)
    return AnswerChunk(
        chunk_id=blake2b(name + data, digest_size=10).hexdigest(),
        folder=file.folder,
        path=file.path,
        first_line=1,
        last_line=max(1, last),
        text=text,
        raw_text=file.text,
        tokens=estimate_tokens(text),
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
