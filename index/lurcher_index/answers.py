"""What a race of strategies answers: chunks ready to be read, and an account of how they came about."""

from enum import StrEnum

import msgspec

from lurcher_index.query.parsed import ParsedQuery
from lurcher_index.results import HitSymbol


class Empty(StrEnum):
    """Why an answer holds no chunk; an empty answer is never ambiguous."""

    NO_MATCH = "noMatch"
    BELOW_SPREAD = "belowSpread"
    NOT_INDEXED = "notIndexedYet"
    NO_FILES = "noFiles"
    ALL_EXCLUDED = "everythingExcluded"
    UNKNOWN_SCOPE = "unknownScope"
    ALL_SEEN = "alreadyInContext"
    NO_USES = "noUses"
    """A question about the uses of a name that has none; `cross_reference` says more."""
    FAILED = "strategiesFailed"


class Form(StrEnum):
    """How much of a chunk is given."""

    FULL = "full"
    SKELETON = "skeleton"
    CUT = "cut"


class Trace(msgspec.Struct, frozen=True):
    """Every rank and score that led to a chunk's place. None where a way of searching did not find it."""

    keyword_rank: int | None = None
    keyword_score: float | None = None
    dense_rank: int | None = None
    dense_score: float | None = None
    remote_rank: int | None = None
    fused: float | None = None
    boosts: dict[str, float] = {}
    """Factors on the keyword score, by name."""
    rerank: float | None = None
    clues: dict[str, float] = {}
    """What each clue adds to the learned ranker's verdict, measured from the mean of all candidates, the most telling
    first; only where somebody asked for it."""


class AnswerChunk(msgspec.Struct, frozen=True, kw_only=True):
    """One chunk of an answer."""

    chunk_id: str
    """The same for the same text in the same file, wherever in it, today and tomorrow."""
    folder: str
    path: str
    """Relative to its folder."""
    first_line: int
    last_line: int
    before: str = ""
    """What stands before the chunk on its first line; nearly always nothing."""
    text: str
    """Ready to be read: where it is from, then the code; perhaps only its outline."""
    raw_text: str
    """The chunk as it stands in the file."""
    tokens: int
    """Estimated tokens of `text`."""
    form: Form = Form.FULL
    is_full_file: bool
    score: float
    """From 0 to 1, comparable within one answer."""
    strategy: str
    language: str
    symbol: HitSymbol | None
    reasons: tuple[str, ...]
    digest: str
    """Hash of `raw_text`."""
    version: int | None
    """The editor's version of the document, if one is open."""
    trace: Trace
    feature_path: str | None = None
    """Labels of the groups of the feature tree that its file is in, joined by slashes; None if not known yet."""


class StrategyAttempt(msgspec.Struct, frozen=True):
    """What became of one strategy in the race."""

    strategy: str
    outcome: str
    detail: str
    started_ms: float | None
    ended_ms: float | None
    timed_out: bool = False


class Freshness(msgspec.Struct, frozen=True):
    """How much of the workspace the answer could come from."""

    indexed: int
    pending: int
    skipped: int
    unsaved: int
    """Open documents that count in place of their files."""
    vectors_ready: float
    """Share of chunks that can be found by meaning."""


class AskedQuery(ParsedQuery, frozen=True, kw_only=True):
    """What was understood of the question, and what was searched for because of it. `keywords` has the caller's too."""

    terms: tuple[str, ...]
    """Their forms in the index."""
    cut: bool
    """Whether only the first words were used."""


class Nearby(msgspec.Struct, frozen=True, kw_only=True):
    """A place that comes near to the question and is too weak to be shown: where to look on, with a line of it."""

    folder: str
    path: str
    """Relative to its folder."""
    first_line: int
    last_line: int
    symbol: HitSymbol | None
    excerpt: str
    """The line of it that says most of the question."""
    score: float
    """As those of chunks."""


class Dropped(msgspec.Struct, frozen=True):
    """Chunks that were found and are not in the answer, by reason."""

    limit: int = 0
    spread: int = 0
    duplicates: int = 0
    per_file: int = 0
    budget: int = 0
    seen: int = 0


class CrossReferenced(msgspec.Struct, frozen=True, kw_only=True):
    """What the call graph said about a name."""

    relation: str
    """`callers`, `callees` or `references`."""
    name: str
    """As it was asked for."""
    definitions: tuple[str, ...]
    """Ids of all that is called so; empty if nothing in the workspace is."""
    total: int
    """How many uses there are, shown or not."""
    truncated: bool
    """Whether there may be more: the name is so common that not every file that has it was looked at."""
    unsure: int
    """How many more may be meant."""
    explanation: str
    """Why there is nothing, or what to keep in mind."""


class RemotePart(msgspec.Struct, frozen=True, kw_only=True):
    """What was searched elsewhere for an answer."""

    repository: str
    commit: str
    """The commit that was searched there; empty if nobody knows which it was."""
    changed: int
    """Files that differ from it and were searched on this machine."""
    possibly_outdated: bool = False
    """Whether the differences to that commit are not known exactly, so that something may be missing."""


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to one question."""

    chunks: tuple[AnswerChunk, ...]
    strategy: str
    """Whose result it is; empty if none had one."""
    stage: str = ""
    """Which stage of a staged search answered, `features` or `snippets`; empty if there were no stages."""
    is_full_workspace: bool = False
    alerts: tuple[str, ...] = ()
    empty: Empty | None = None
    complete: bool
    """Whether every file could be searched and every stage ran."""
    limit_hit: bool
    """Whether more was found than was asked for."""
    parsed_query: AskedQuery
    attempts: tuple[StrategyAttempt, ...]
    freshness: Freshness
    model: str = ""
    """The embedding model that had a part in the order; empty if the words alone decided."""
    dropped: Dropped = Dropped()
    nearby: tuple[Nearby, ...] = ()
    """What comes next and is too weak to be shown, best first."""
    cross_reference: CrossReferenced | None = None
    """For a question about the uses of a name."""
    answerability: float | None = None
    """How likely the workspace answers the question, from 0 to 1; None if nobody judged that."""
    remote: tuple[RemotePart, ...] = ()
    """What was searched elsewhere; empty if all of it was searched on this machine."""
    tokens: int = 0
    """Estimated tokens of all chunks together."""
    timings: dict[str, float] = {}
    """Milliseconds by stage."""
