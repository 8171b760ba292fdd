"""The structured side of the tools' answers; their schemas are what clients are told."""

from typing import Literal

from pydantic import BaseModel, Field

Outcome = Literal["found", "no match", "not indexed yet", "no files", "everything excluded", "already shown", "failed"]


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
    chunk_id: str = Field(description="Its full text is the resource lurcher://chunk/<chunk_id>.")
    text: str


class Freshness(BaseModel):
    """How much of the workspace an answer could come from."""

    indexed_files: int
    pending_files: int = Field(description="Files that are known but cannot be found yet.")
    complete: bool = Field(description="Whether every file could be searched.")


class SearchAnswer(BaseModel):
    """The answer of search_code."""

    project: str
    outcome: Outcome
    message: str = Field(description="What an empty answer means and what to do; empty if something was found.")
    results: list[Result]
    already_shown: int = Field(description="Results left out because they were shown before in this conversation.")
    did_not_fit: int = Field(description="Results left out because of the token budget or the limit.")
    index: Freshness
    notes: list[str] = Field(description="What is to be known about this answer, such as that it is degraded.")


class Definition(BaseModel):
    """One definition."""

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
