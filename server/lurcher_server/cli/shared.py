"""What a publish or a collection of a shared index did, in lines for people."""

from collections.abc import Iterator, Sequence

from lurcher_index.publishing.values import Collected, Preview, Published

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
        f"sent of at most {preview.send_files:,} of {preview.files:,} files ({preview.send_source_bytes:,} bytes of"
        f" source): paths, hashes, line numbers, terms {vectors}; no source text"
    )
    if preview.end_files:
        yield f"no longer part of it: {preview.end_files:,} versions of files that earlier commits have"
    yield from _kept_back(preview.skipped)


def published_lines(done: Published) -> Iterator[str]:
    """What was done."""
    if done.was_published:
        yield f"{_commit(done.commit, done.branch)} was published already: {done.files:,} files, {done.chunks:,} chunks"
        return
    yield (
        f"published {_commit(done.commit, done.branch)} of {done.repository}: {done.files:,} files,"
        f" {done.chunks:,} chunks, in {done.seconds:.1f} s"
    )
    yield (
        f"sent: {done.sent_files:,} files, {done.sent_chunks:,} chunks, about {done.sent_bytes:,} bytes;"
        f" reused: {done.reused_files:,} files; ended: {done.ended_files:,}"
    )
    yield from _kept_back(done.skipped)
    if done.masked:
        yield f"masked before that: {done.masked:,} secrets inside files"


def collected_lines(collected: Sequence[Collected], is_dry: bool) -> Iterator[str]:
    """What went, or would go."""
    for each in collected:
        names = ", ".join(commit[:SHORT_COMMIT] for commit in each.forgotten) or "nothing"
        went = "" if is_dry else f" ({each.versions:,} versions of files, {each.chunks:,} chunks)"
        yield f"{each.repository}: {'would forget' if is_dry else 'forgot'} {names}{went}; {each.kept:,} commits stay"
    if not collected:
        yield "nothing is published there"


def _commit(commit: str, branch: str) -> str:
    return commit[:SHORT_COMMIT] + (f" ({branch})" if branch else "")


def _kept_back(skipped: dict[str, int]) -> Iterator[str]:
    if skipped:
        yield "kept back: " + ", ".join(f"{count:,} {reason}" for reason, count in sorted(skipped.items()))
