"""Every message of our own, as types: what is decoded here has been checked."""

from typing import Annotated, Literal

import msgspec

from lurcher_server.lsp.wire import Range, Token, Wire

CHUNK_SEARCH = "workspace/chunkSearch"
STATUS = "workspace/chunkSearch/status"
BUILD = "workspace/chunkSearch/build"
REBUILD = "workspace/chunkSearch/rebuild"
CLEAR = "workspace/chunkSearch/clear"
EXPLAIN = "workspace/chunkSearch/explain"
METRICS = "workspace/chunkSearch/metrics"
FETCH_NODE = "workspace/chunkSearch/fetchNode"
EXPLORE_GRAPH = "workspace/chunkSearch/exploreGraph"
TREE = "workspace/chunkSearch/tree"
REMOTE = "workspace/chunkSearch/remote"
LOCATE = "workspace/locate"
STATUS_CHANGED = "workspace/chunkSearch/statusChanged"

COMMANDS = {
    "lurcher.chunkSearch": CHUNK_SEARCH,
    "lurcher.status": STATUS,
    "lurcher.build": BUILD,
    "lurcher.rebuild": REBUILD,
    "lurcher.clear": CLEAR,
    "lurcher.explain": EXPLAIN,
    "lurcher.metrics": METRICS,
    "lurcher.fetchNode": FETCH_NODE,
    "lurcher.exploreGraph": EXPLORE_GRAPH,
    "lurcher.tree": TREE,
    "lurcher.remote": REMOTE,
    "lurcher.locate": LOCATE,
}
"""The same requests for clients that only know `workspace/executeCommand`; the first argument is their params."""


# -- workspace/chunkSearch


class SeenParams(Wire, frozen=True):
    """Something the caller has already: a chunk by its id, or a document, or a range of one."""

    chunk_id: str | None = None
    uri: str | None = None
    range: Range | None = None


class WeightParams(Wire, frozen=True):
    """How much words and meaning count when their rankings are fused."""

    words: float = 0.5
    meaning: float = 0.5


class ChunkSearchParams(Wire, frozen=True):
    """A question. One of `maxResults` and `tokenBudget` must be given."""

    query: str
    keywords: tuple[str, ...] = ()
    max_results: int | None = None
    token_budget: int | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    content: Literal["all", "code", "docs", "config"] = "all"
    search_scopes: tuple[str, ...] = ()
    """Where alone to search: paths or URIs, ids of symbols and features, feature paths."""
    already_in_context: tuple[SeenParams, ...] = ()
    min_versions: dict[str, int] = msgspec.field(default_factory=dict[str, int])
    """Documents (by URI) that must be searched in this version or a later one."""
    sync: bool = False
    """Wait until everything the server was told of is searchable."""
    preset: Literal["balanced", "words", "meaning"] | None = None
    weights: WeightParams | None = None
    rrf_k: int | None = None
    rerank: bool = True
    ranker: Literal["learned", "rules"] = "learned"
    max_per_file: int | None = None
    weak: bool = False
    """Whether what is too weak for its place is given too, with its code."""
    deadline_ms: int | None = None
    strategies: tuple[str, ...] = ()
    mode: Literal["snippets", "features", "auto"] = "snippets"
    module_boost: float = 1.0
    expand: bool = False
    partial_result_token: Token | None = None


class SymbolAnswer(Wire, frozen=True):
    """The definition a chunk belongs to."""

    name: str
    kind: str
    container: str


class TraceAnswer(Wire, frozen=True):
    """Every rank and score that led to a chunk's place; null where a way of searching did not find it."""

    keyword_rank: int | None
    keyword_score: float | None
    dense_rank: int | None
    dense_score: float | None
    remote_rank: int | None
    fused: float | None
    boosts: dict[str, float]
    rerank: float | None


class ChunkAnswer(Wire, frozen=True):
    """One chunk."""

    id: str
    uri: str
    range: Range
    text: str
    raw_text: str
    form: str
    is_full_file: bool
    score: float
    tokens: int
    strategy: str
    language: str
    symbol: SymbolAnswer | None
    reasons: tuple[str, ...]
    content_hash: str
    version: int | None
    feature_path: str | None
    scores: TraceAnswer


class AttemptAnswer(Wire, frozen=True):
    """What became of one strategy in the race; times in milliseconds since it began."""

    strategy: str
    outcome: str
    detail: str
    started: float | None
    ended: float | None
    timed_out: bool


class FreshnessAnswer(Wire, frozen=True):
    """How much of the workspace the answer could come from."""

    indexed: int
    pending: int
    skipped: int
    unsaved: int
    vectors_ready: float


class CrossReferenceAnswer(Wire, frozen=True):
    """A question about the uses of one name."""

    relation: str
    name: str


class LooksLikeAnswer(Wire, frozen=True):
    """What the question looks like."""

    is_symbol: bool
    is_question: bool
    asks_for_tests: bool
    asks_for_config: bool
    asks_for_docs: bool
    asks_for_examples: bool
    is_error_text: bool
    mentions_path: bool


class QueryAnswer(Wire, frozen=True):
    """What was understood of the question."""

    original: str
    text: str
    intent: str
    task: str
    keywords: tuple[str, ...]
    code_terms: tuple[str, ...]
    expanded: tuple[str, ...]
    expanded_from: dict[str, str]
    languages: tuple[str, ...]
    phrases: tuple[str, ...]
    cross_reference: CrossReferenceAnswer | None
    looks_like: LooksLikeAnswer
    confidence: float
    used_model: bool
    terms: tuple[str, ...]
    cut: bool


class DroppedAnswer(Wire, frozen=True):
    """Chunks that were found and are not in the answer, by reason."""

    limit: int
    spread: int
    duplicates: int
    per_file: int
    budget: int
    already_in_context: int


class NearbyAnswer(Wire, frozen=True):
    """A place that comes near to the question and is too weak to be shown: where to look on, with a line of it."""

    uri: str
    range: Range
    symbol: SymbolAnswer | None
    excerpt: str
    """The line of it that says most of the question, without indentation and of 120 characters at most."""
    score: float


class UsesAnswer(Wire, frozen=True):
    """What the call graph said about a name."""

    relation: str
    name: str
    definitions: tuple[str, ...]
    total: int
    truncated: bool
    unsure: int
    explanation: str


class RemotePartAnswer(Wire, frozen=True):
    """What was searched elsewhere: a repository at a commit, and how many files differ from it and were searched
    here."""

    repository: str
    commit: str
    changed: int
    possibly_outdated: bool


class ChunkSearchAnswer(Wire, frozen=True):
    """The answer. `empty` says why there are no chunks, if there are none."""

    chunks: tuple[ChunkAnswer, ...]
    strategy: str
    stage: str
    is_full_workspace: bool
    alerts: tuple[str, ...]
    empty: str | None
    complete: bool
    limit_hit: bool
    parsed_query: QueryAnswer
    attempts: tuple[AttemptAnswer, ...]
    freshness: FreshnessAnswer
    cross_reference: UsesAnswer | None
    answerability: float | None
    """How likely the workspace answers the question, from 0 to 1; None if nobody judged that."""
    model: str
    remote: tuple[RemotePartAnswer, ...]
    """What was searched elsewhere; empty if all of it was searched on this machine."""
    dropped: DroppedAnswer
    nearby: tuple[NearbyAnswer, ...]
    """What comes next and is too weak to be shown, the nearest first."""
    tokens: int
    timings: dict[str, float]
    correlation_id: str


# -- the others of our own


class RepositoryAnswer(Wire, frozen=True):
    """A repository of the workspace as the remote code search knows it."""

    name: str
    state: str
    commit: str | None
    detail: str


class StatusAnswer(Wire, frozen=True):
    """The state of the index."""

    state: Literal["starting", "updating", "ready", "requiresIndexing", "failed"]
    message: str
    """What happens, in words for a person, with what to do if something must be done."""
    folders: tuple[str, ...]
    store: str
    indexed: int
    pending: int
    skipped: dict[str, int]
    chunks: int
    unsaved: int
    vectors_ready: float
    model: str
    next_model: str
    complete: bool
    has_fast_search: bool
    phase: str
    done: int
    total: int
    files_per_second: float
    eta_seconds: float | None
    last_error: str | None
    alerts: tuple[str, ...]
    remote: Literal["disabled", "loading", "loaded"]
    repositories: tuple[RepositoryAnswer, ...] = ()


class RemoteParams(Wire, frozen=True):
    """What to do about remote code search."""

    action: Literal["status", "allow", "forbid", "check", "token"] = "status"
    kind: Literal["", "postgres", "milvus", "zoekt", "sourcegraph", "github"] = ""
    url: str = ""
    token_variable: str = ""
    token: str = ""
    never: bool = False

    def __repr__(self) -> str:
        """Without the token, should anybody ever log this."""
        return f"RemoteParams(action={self.action!r}, …)"


class ConnectionAnswer(Wire, frozen=True):
    """Who is asked, and where."""

    kind: str
    url: str
    token_variable: str


class RemoteAnswer(Wire, frozen=True):
    """Remote code search of this workspace."""

    state: Literal["disabled", "loading", "loaded"]
    consent: Literal["none", "missing", "never", "allowed", "untrusted"]
    use: Literal["auto", "always", "off"]
    detail: str
    connection: ConnectionAnswer | None
    since: float | None
    has_token: bool
    sends: tuple[str, ...]
    never_sends: tuple[str, ...]
    lacking: tuple[str, ...]
    commands: tuple[str, ...]
    repositories: tuple[RepositoryAnswer, ...]


class DoneAnswer(Wire, frozen=True):
    """Whether what was asked for was done, and a word about it."""

    done: bool
    message: str


class ExplainParams(Wire, frozen=True):
    """Why is this file, or this chunk for this question, (not) found?"""

    uri: str
    search: ChunkSearchParams | None = None


class ExplainAnswer(Wire, frozen=True):
    """What the index knows of a document and, with a question, what became of it there."""

    uri: str
    indexed: bool
    reason: str
    detail: str
    hint: str
    language: str
    chunks: int
    symbols: int
    masked: int
    unsaved: bool
    in_answer: bool | None = None
    verdict: str = ""
    clues: dict[str, float] = msgspec.field(default_factory=dict[str, float])
    """With a question: what each clue adds to the place of the document's best chunk."""


# -- the structure of the workspace

NodeIds = Annotated[tuple[str, ...], msgspec.Meta(max_length=1_000)]
"""Nodes in one question: more than anybody reads, and an answer that can still be sent."""


class NodeAnswer(Wire, frozen=True):
    """A file, a folder or a definition."""

    id: str
    kind: str
    name: str
    container: str
    uri: str
    language: str
    range: Range | None
    selection_range: Range | None


class FetchNodeParams(Wire, frozen=True):
    """Which nodes?"""

    ids: NodeIds


class FetchedAnswer(Wire, frozen=True):
    """A node with its code, what it lies in and what it holds."""

    node: NodeAnswer
    code: str
    container: NodeAnswer | None
    members: tuple[NodeAnswer, ...]
    changed: bool
    feature_paths: tuple[str, ...]


class FetchNodeAnswer(Wire, frozen=True):
    """The nodes in the order asked for, and the ids that name nothing."""

    nodes: tuple[FetchedAnswer, ...]
    unknown: tuple[str, ...]


class ExploreGraphParams(Wire, frozen=True):
    """What hangs together with these nodes?"""

    ids: NodeIds
    direction: Literal["up", "down", "both"] = "both"
    depth: Annotated[int, msgspec.Meta(ge=0, le=10)] = 2
    kinds: tuple[Literal["contains", "inherits", "invokes", "imports", "composes"], ...] = ()
    limit: Annotated[int, msgspec.Meta(ge=1, le=10_000)] = 100


class LinkAnswer(Wire, frozen=True):
    """One edge, from the user to the used and from the container to the contained."""

    source: str
    target: str
    kind: str
    line: int | None
    confidence: float
    external: bool


class ExploreGraphAnswer(Wire, frozen=True):
    """A part of the graph."""

    roots: tuple[str, ...]
    nodes: tuple[NodeAnswer, ...]
    links: tuple[LinkAnswer, ...]
    unknown: tuple[str, ...]
    truncated: bool
    hidden: int


class TreeParams(Wire, frozen=True):
    """Which part of the feature tree?"""

    target: str = ""
    depth: Annotated[int, msgspec.Meta(ge=1)] | None = None


class FeatureAnswer(Wire, frozen=True):
    """A group, file or definition of the feature tree."""

    id: str
    kind: str
    label: str
    feature: str
    feature_path: str
    files: int
    uri: str | None
    range: Range | None
    children: "tuple[FeatureAnswer, ...]"


class TreeAnswer(Wire, frozen=True):
    """The feature tree, or a part of it."""

    files: int
    groups: int
    nodes: tuple[FeatureAnswer, ...]
    unknown: str


# -- workspace/locate


class LocateParams(Wire, frozen=True):
    """An issue. One of title, description and code snippet must say something."""

    title: str = ""
    description: str = ""
    category: str = ""
    code_snippet: str = ""
    goal: Literal["find-location", "analyze-impact", "find-duplicates", "verify-fix"] = "find-location"
    max_results: Annotated[int, msgspec.Meta(ge=1)] | None = None
    debug: bool = False


class LocationAnswer(Wire, frozen=True):
    """A place that the issue is about."""

    uri: str
    range: Range
    symbol: SymbolAnswer | None
    reason: str
    score: float


class TriedAnswer(Wire, frozen=True):
    """What became of one tool."""

    strategy: str
    tool: str
    outcome: str
    detail: str


class LocateAnswer(Wire, frozen=True):
    """What was decided, and the places, best first."""

    primary: str
    fallback: str
    confidence: int
    reasoning: str
    search_patterns: tuple[str, ...]
    locations: tuple[LocationAnswer, ...]
    left_out: int
    tool_used: str
    strategy_used: str
    fallback_chain: tuple[TriedAnswer, ...]
    scores: dict[str, int]
    fused: bool
    alerts: tuple[str, ...]
    transcript: tuple[str, ...]
