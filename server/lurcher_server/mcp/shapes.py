"""The structured side of the tools' answers; their schemas are what clients are told."""

from typing import Literal

from pydantic import BaseModel, Field

Outcome = Literal[
    "found",
    "no match",
    "unknown",
    "not indexed yet",
    "no files",
    "everything excluded",
    "already shown",
    "failed",
]


class Result(BaseModel):
    """One result of a search."""

    number: int
    path: str = Field(description="Path in the workspace.")
    first_line: int
    last_line: int
    symbol: str = Field(description="Qualified name of the definition it belongs to; may be empty.")
    kind: str = Field(description="What the definition is: function, class, …; may be empty.")
    match: str = Field(description="How it was found: name, words, meaning.")
    score: float = Field(description="From 0 to 1, comparable within one answer.")
    extent: str = Field(description="How much of it `text` is: whole symbol, with context, full, skeleton, cut.")
    language: str
    node: str = Field(description="Id of that definition for who_calls, explore_graph, fetch_node; may be empty.")
    feature_path: str = Field(description="Where its file is in the feature tree, for searchScopes; may be empty.")
    chunk_id: str = Field(description="Its full text is the resource lurcher://chunk/<chunk_id>.")
    text: str


class Freshness(BaseModel):
    """How much of the workspace an answer could come from."""

    indexed_files: int
    pending_files: int = Field(description="Files that are known but cannot be found yet.")
    complete: bool = Field(description="Whether every file could be searched.")


class Place(BaseModel):
    """Lines of a file, and one of them."""

    path: str
    first_line: int
    last_line: int
    symbol: str = Field(description="Qualified name of what stands there; empty if it has none.")
    excerpt: str = Field(description="The line of it that says most of the question.")


class SearchAnswer(BaseModel):
    """The answer of search_code."""

    project: str
    outcome: Outcome
    message: str = Field(description="What an empty answer means and what to do; empty if something was found.")
    stage: str = Field(description="Which stage of a staged search answered: features or snippets; else empty.")
    results: list[Result]
    already_shown: int = Field(description="Results left out because they were shown before in this conversation.")
    did_not_fit: int = Field(description="Results left out because of the token budget or the limit.")
    nearby: list[Place] = Field(
        description="Weaker places, the nearest first, with a line of each: read them if the results do not answer."
    )
    index: Freshness
    notes: list[str] = Field(description="What is to be known about this answer, such as that it is degraded.")


class Definition(BaseModel):
    """One definition, file or folder."""

    id: str = Field(description="For who_calls, explore_graph and fetch_node.")
    name: str = Field(description="Qualified name.")
    kind: str
    path: str
    first_line: int
    last_line: int


class SymbolAnswer(BaseModel):
    """The answer of find_symbol."""

    project: str
    outcome: Outcome
    message: str
    definitions: list[Definition]
    did_not_fit: int
    index: Freshness


class UseFound(BaseModel):
    """One use of a definition by another."""

    source: Definition = Field(description="Where it is used: the definition, or the file, that holds the use.")
    target: str = Field(description="Id of what is used; empty if it is not defined in the workspace.")
    name: str = Field(description="As it is written there.")
    kind: str = Field(description="call, import or inherit.")
    lines: list[int]
    confidence: float = Field(description="How sure it is that this definition is meant, from 0 to 1.")
    reason: str


class UsesAnswer(BaseModel):
    """The answer of who_calls."""

    project: str
    outcome: Outcome
    message: str
    direction: str
    definitions: list[Definition] = Field(
        description="What the name stands for; several if it is defined several times."
    )
    uses: list[UseFound]
    total: int = Field(description="How many uses there are, shown or not.")
    unsure: int = Field(description="How many more may be meant, too doubtful to be shown.")
    index: Freshness


class GraphLink(BaseModel):
    """One edge."""

    source: str
    target: str
    kind: str
    line: int
    confidence: float


class GraphAnswer(BaseModel):
    """The answer of explore_graph."""

    project: str
    outcome: Outcome
    message: str
    nodes: list[Definition] = Field(description="Nearest first.")
    links: list[GraphLink]
    unknown: list[str] = Field(description="Ids that name nothing.")
    hidden: int = Field(description="Neighbours that were left out.")
    index: Freshness


class NodeFound(BaseModel):
    """One node with its code."""

    node: Definition
    language: str
    container: str = Field(description="Id of what it lies in; may be empty.")
    members: list[str] = Field(description="Ids of what it contains directly.")
    feature_paths: list[str]
    changed: bool = Field(description="The file has just changed, so that no code can be shown.")
    cut: bool = Field(description="Whether `code` is only the beginning.")
    code: str


class NodesAnswer(BaseModel):
    """The answer of fetch_node."""

    project: str
    outcome: Outcome
    message: str
    nodes: list[NodeFound]
    unknown: list[str]
    did_not_fit: list[str] = Field(description="Ids left out because of the token budget.")
    index: Freshness


class PlaceFound(BaseModel):
    """One place that an issue is about."""

    path: str
    first_line: int
    last_line: int
    node: str = Field(description="Id of the definition around it, for fetch_node and who_calls; may be empty.")
    reason: str
    score: float = Field(description="From 0 to 1, comparable within one answer.")


class Tried(BaseModel):
    """One tool that was tried, or why it was not."""

    strategy: str
    tool: str
    outcome: str
    detail: str


class LocateAnswer(BaseModel):
    """The answer of locate_issue."""

    project: str
    outcome: Outcome
    message: str
    primary: str = Field(description="How it was decided to look.")
    fallback: str
    confidence: int = Field(description="How sure that decision is, from 0 to 100.")
    reasoning: str
    search_patterns: list[str]
    locations: list[PlaceFound]
    did_not_fit: int
    fused: bool = Field(description="Whether chunk search had a say in which places there are, and in their order.")
    tool_used: str
    fallback_chain: list[Tried]
    index: Freshness
    notes: list[str]


class StatusAnswer(BaseModel):
    """The answer of index_status."""

    project: str
    folders: list[str]
    state: str = Field(description="starting, updating, ready, requiresIndexing or failed.")
    message: str
    index: Freshness
    chunks: int
    skipped: dict[str, int] = Field(description="Files left out of the index, by reason.")
    vectors_ready: float = Field(description="Share of the code that can be found by meaning, from 0 to 1.")
    model: str = Field(description="The embedding model that answers; empty for none.")
    store: str = Field(description="Where the index is kept.")
    notes: list[str]
