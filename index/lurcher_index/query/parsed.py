"""What was understood of a question, as one frozen value."""

import re
from enum import StrEnum

import msgspec


class Intent(StrEnum):
    """What kind of answer is wanted; the four of seed 003."""

    NAVIGATIONAL = "navigational"
    FACTUAL = "factual"
    EXPLORATORY = "exploratory"
    ANALYTICAL = "analytical"


class Task(StrEnum):
    """What somebody is about to do with the answer; the intents of seed 002."""

    DOCUMENTATION = "documentation"
    EXAMPLES = "examples"
    IMPLEMENTATION = "implementation"
    DEBUG = "debug"
    REFACTOR = "refactor"
    GENERAL = "general"


class Relation(StrEnum):
    """Which side of a name is asked for."""

    CALLERS = "callers"
    CALLEES = "callees"
    REFERENCES = "references"
    """Every use, calls among them."""


class CrossReference(msgspec.Struct, frozen=True):
    """A question that the references answer better than a search: "who calls X"."""

    relation: Relation
    name: str
    """As it was written: names keep their case."""


class Source(StrEnum):
    """Where a related term comes from."""

    SYNONYM = "synonym"
    """The table of synonyms."""
    MODEL = "model"
    """Words that the embedding model learned to be near."""
    WORKSPACE = "workspace"
    """Names of this workspace."""


class Expansion(msgspec.Struct, frozen=True):
    """A term that was not asked for but belongs to one that was."""

    term: str
    word: str
    """The word of the question it belongs to."""
    source: Source
    weight: float
    """How closely, from 0 to 1."""


class LooksLike(msgspec.Struct, frozen=True, kw_only=True):
    """What a question looks like, for whoever ranks the answers. Several may hold, or none."""

    is_symbol: bool = False
    """The whole question is one identifier or qualified name."""
    is_question: bool = False
    """It begins with how, where, what, why, which, who or when."""
    asks_for_tests: bool = False
    asks_for_config: bool = False
    asks_for_docs: bool = False
    asks_for_examples: bool = False
    is_error_text: bool = False
    """A pasted exception, line of a traceback or log, or error message."""
    mentions_path: bool = False
    """It names a file or a folder."""


class ParsedQuery(msgspec.Struct, frozen=True, kw_only=True):
    """One question, understood. The same text always gives the same value."""

    original: str
    text: str
    """What is searched for: the question without what became a filter."""
    intent: Intent
    task: Task
    keywords: tuple[str, ...]
    """Its words without those that only ask, each once, as written."""
    code_terms: tuple[str, ...]
    """Identifiers, qualified names, paths, quoted text and error codes: whole, in their case, in order."""
    expanded: tuple[Expansion, ...] = ()
    languages: tuple[str, ...] = ()
    """Ids of the languages that a phrase such as "in golang" asks for."""
    phrases: tuple[str, ...] = ()
    """The fixed parts of an error text: what stands in the source whatever the numbers, addresses and paths are."""
    cross_reference: CrossReference | None = None
    looks_like: LooksLike = LooksLike()
    confidence: float
    """How sure the intent is, from 0 to 1."""
    used_model: bool = False
    """Whether a model took part, and not rules alone."""

    @property
    def identifiers(self) -> tuple[str, ...]:
        """The names of code that are asked for, without what qualifies them. An everyday word is none, though something
        may be called so: `run` and `task` are defined nearly everywhere."""
        # Alone, even a word in lower case may be the name of something; nothing is lost if it is not.
        names = self.code_terms or ((self.text.strip(),) if self.looks_like.is_symbol else ())
        last = [_QUALIFIER.split(name.rstrip("()"))[-1] for name in names]
        # PHP defines `name` and says `$name`, Ruby `@name`; in JavaScript a `$` belongs to the name.
        return tuple(dict.fromkeys(form for name in last for form in (name, name.lstrip("$@")) if form or not name))


_QUALIFIER = re.compile(r"::|->|[.#/:\\]")
