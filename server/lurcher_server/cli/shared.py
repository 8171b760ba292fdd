"""What a publish or a collection of a shared index did, in lines for people."""

from collections.abc import Iterator, Sequence

from lurcher_index.publishing.values import Collected, Preview, Published
from lurcher_index.text.numbers import counted

SHORT_COMMIT = 12
"""Characters of a commit's name that people are shown."""


def preview_lines(preview: Preview) -> Iterator[str]:
    """What is about to be sent, and where."""
    yield f"{preview.repository} at {_commit(preview.commit, preview.branch)} to {preview.where}"
    if preview.is_published:
        yield "it is published already: nothing is sent"
        return
    vectors = f"and vectors of {preview.model}" if preview.model else "but no vectors"
    yield (
        f"to be sent of {preview.send_files:,} out of {counted(preview.files, 'file')}, which hold"
        f" {preview.send_source_bytes:,} bytes of source: paths, hashes, line numbers, terms {vectors}; no source text"
    )
    if preview.end_files:
        yield f"no longer part of it: {counted(preview.end_files, 'version')} of files that earlier commits have"
    yield from _kept_back(preview.skipped)


def published_lines(done: Published) -> Iterator[str]:
    """What was done."""
    if done.was_published:
        yield (
            f"{_commit(done.commit, done.branch)} of {done.repository} was published already, and nothing was sent:"
            f" {counted(done.files, 'file')}, {counted(done.chunks, 'chunk')}"
        )
        return
    yield (
        f"published {_commit(done.commit, done.branch)} of {done.repository}: {counted(done.files, 'file')},"
        f" {counted(done.chunks, 'chunk')}, in {done.seconds:.1f} s"
    )
    yield (
        f"sent: {counted(done.sent_files, 'file')}, {counted(done.sent_chunks, 'chunk')}, about"
        f" {done.sent_bytes:,} bytes; reused: {counted(done.reused_files, 'file')}; ended: {done.ended_files:,}"
    )
    yield from _kept_back(done.skipped)
    if done.masked:
        yield f"masked before that: {counted(done.masked, 'secret')} inside files"


def collected_lines(collected: Sequence[Collected], is_dry: bool) -> Iterator[str]:
    """What went, or would go."""
    for each in collected:
        if not each.kept and not each.forgotten:
            yield f"{each.repository}: nothing of it is published there"
            continue
        names = ", ".join(commit[:SHORT_COMMIT] for commit in each.forgotten) or "nothing"
        went = f" ({counted(each.versions, 'version')} of files, {counted(each.chunks, 'chunk')})"
        told = f"{'would forget' if is_dry else 'forgot'} {names}{'' if is_dry or not each.versions else went}"
        yield f"{each.repository}: {told}; {counted(each.kept, 'commit')} kept"
    if not collected:
        yield "nothing is published there"


def _commit(commit: str, branch: str) -> str:
    return commit[:SHORT_COMMIT] + (f" ({branch})" if branch else "")


def _kept_back(skipped: dict[str, int]) -> Iterator[str]:
    if skipped:
        yield "kept back: " + ", ".join(f"{count:,} {reason}" for reason, count in sorted(skipped.items()))
