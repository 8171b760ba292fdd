"""What is asked of a search, checked once, before anything starts."""

from enum import StrEnum
from math import isfinite

import msgspec

from lurcher_index.errors import BadQuery
from lurcher_index.query.parsed import ParsedQuery
from lurcher_index.ranking.fusion import RRF_K
from lurcher_index.words.filters import Filters

TOKENS_PER_RESULT = 250
"""What one result counts of a token budget when the number of results is worked out: the size chunks aim at."""

USUAL_CHARACTERS = 2_000
"""Questions up to this length are understood, and made a vector by our own model, within a millisecond."""

DEADLINE_SECONDS = 20.0
"""How long a whole search may take before the best so far is returned."""


MAX_RESULTS = 1_000
"""Chunks in one answer at most: a quarter of a million tokens. Each is read, compared with all others and sent."""

MAX_DEADLINE_SECONDS = 86_400
"""Longest time a search may be given; a day means that somebody does not care."""

MAX_NUMBER = 2**31 - 1
"""Largest number in a question, LSP's own."""


MAX_SCOPES = 256
MAX_SCOPE_CHARACTERS = 4_096
"""Scopes of one question, as many as filters may be, and their length: that of the longest path."""


MAX_BOOST = 10
"""Largest factor that may be asked for; from there on nothing else would count."""

LEARNED = "learned"
RULES = "rules"
RANKERS = (LEARNED, RULES)
"""Who puts the candidates in order: weights that were learned, or factors that people wrote down."""


class Mode(StrEnum):
    """What a question is compared with (seed 004)."""

    SNIPPETS = "snippets"
    """Everything at once: code, names, documentation, paths, meaning."""
    FEATURES = "features"
    """Names, documentation and paths alone."""
    AUTO = "auto"
    """Features first; snippets only if these do not suffice."""


class Weights(msgspec.Struct, frozen=True):
    """How much each way of searching counts when their rankings are fused."""

    words: float = 0.5
    meaning: float = 0.5

    def __post_init__(self) -> None:
        """Refuse what cannot be a weight."""
        for value in (self.words, self.meaning):
            if not isfinite(value) or value < 0:
                raise BadQuery("weights must be numbers of at least 0")
        if self.words + self.meaning == 0:
            raise BadQuery("at least one weight must be greater than 0")


LINES_OF_SHORT_CHUNK = 8
"""Lines that the caller has are taken for as many chunks of this length: few chunks are shorter."""

MAX_SEEN_OF_FILE, MAX_SEEN = 100, 1_000
"""How far a search looks behind what the caller has, of one file and in all: it must not become slow because of it."""

PRESETS = {"balanced": Weights(0.5, 0.5), "words": Weights(0.7, 0.3), "meaning": Weights(0.3, 0.7)}
"""Weights by name."""


class Seen(msgspec.Struct, frozen=True):
    """Something the caller has already: a chunk by its id, or lines of a file (from 1, inclusive)."""

    chunk_id: str = ""
    path: str = ""
    """Absolute."""
    first_line: int = 1
    last_line: int = 2**31

    @property
    def most_chunks(self) -> int:
        """How many chunks it may be; chunks of few lines are rare, and so are files of very many chunks."""
        lines = self.last_line - self.first_line + 1
        return 1 if self.chunk_id else max(1, min(MAX_SEEN_OF_FILE, lines // LINES_OF_SHORT_CHUNK))


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """One question with everything that shapes its answer."""

    text: str
    keywords: tuple[str, ...] = ()
    """Words the caller thinks worth searching for, besides those of the text."""
    max_results: int | None = None
    token_budget: int | None = None
    filters: Filters = Filters()
    seen: tuple[Seen, ...] = ()
    """What is never returned again."""
    weights: Weights = Weights()
    rrf_k: int = RRF_K
    rerank: bool = True
    ranker: str = LEARNED
    """Who reranks; with weights of the caller's own it is always the rules, which are the ones that use them."""
    explain: bool = False
    """Whether each chunk tells what every clue added to its place."""
    per_file: int | None = None
    """Most chunks of one file; None lets a file have more, after those of other files."""
    unfiltered: bool = False
    """Whether what is far weaker than the best, or seems to be no answer, is given too: for who would rather look
    through too much, and to judge what filters do."""
    deadline_seconds: float = DEADLINE_SECONDS
    strategies: tuple[str, ...] = ()
    """Ids of the strategies that may be used; empty for all."""
    mode: Mode = Mode.SNIPPETS
    module_boost: float = 1.0
    """Where rules rank: what lies in a module that the question is about is worth so much more."""
    scopes: tuple[str, ...] = ()
    """Where alone to search, as people write it: paths, ids of symbols and features, feature paths; empty for all."""
    expand: bool = False
    """Whether terms that are related to those of the question are searched for too, at a low weight."""

    def __post_init__(self) -> None:
        """Refuse questions that cannot be answered, with a message that says what is wrong."""
        if not self.text.strip():
            raise BadQuery("query cannot be empty")
        if self.max_results is None and self.token_budget is None:
            raise BadQuery("give maxResults, tokenBudget or both")
        for name, value in (("maxResults", self.max_results), ("tokenBudget", self.token_budget)):
            _refuse_beyond(name, value)
        _refuse_beyond("rrfK", self.rrf_k)
        _refuse_beyond("maxPerFile", self.per_file)
        if len(self.scopes) > MAX_SCOPES or any(len(scope) > MAX_SCOPE_CHARACTERS for scope in self.scopes):
            raise BadQuery(f"at most {MAX_SCOPES} scopes of {MAX_SCOPE_CHARACTERS:,} characters are allowed")
        if not (isfinite(self.module_boost) and 1 <= self.module_boost <= MAX_BOOST):
            raise BadQuery(f"moduleBoost must be at least 1 and at most {MAX_BOOST}, not {self.module_boost:g}")
        if self.ranker not in RANKERS:
            raise BadQuery(f"unknown ranker {self.ranker!r}; there are {', '.join(RANKERS)}")
        if not 0 < self.deadline_seconds <= MAX_DEADLINE_SECONDS:
            raise BadQuery(f"the deadline must be greater than 0 and at most {MAX_DEADLINE_SECONDS:,} s")

    @property
    def is_usual(self) -> bool:
        """Whether it is as short as nearly all questions are."""
        return len(self.text) + sum(map(len, self.keywords)) < USUAL_CHARACTERS

    @property
    def most_seen(self) -> int:
        """How many chunks the caller may have already."""
        return min(MAX_SEEN, sum(each.most_chunks for each in self.seen))

    @property
    def result_limit(self) -> int:
        """How many chunks to return at most. A budget too small for one chunk still allows one, cut to fit."""
        by_budget = None if self.token_budget is None else max(1, self.token_budget // TOKENS_PER_RESULT)
        limits = [limit for limit in (self.max_results, by_budget) if limit is not None]
        return min(MAX_RESULTS, *limits)


def narrowed(filters: Filters, parsed: ParsedQuery) -> Filters:
    """The filters with the languages that the question's words ask for; languages that are given as a filter win."""
    if filters.languages or not parsed.languages:
        return filters
    return msgspec.structs.replace(filters, languages=parsed.languages)


def widened_note(parsed: ParsedQuery) -> str:
    """What an answer says if the languages that were asked for hold nothing and all were searched."""
    return f"nothing was found in {' or '.join(parsed.languages)}; all languages were searched instead"


def unseen_note(files: int) -> str:
    """What an answer says of files that match and cannot be read, since a folder above them cannot be opened."""
    return f"{files:,} files that match cannot be looked at now and are left out: a folder above them cannot be opened"


def _refuse_beyond(name: str, value: int | None) -> None:
    if value is not None and not 1 <= value <= MAX_NUMBER:
        raise BadQuery(f"{name} must be at least 1 and at most {MAX_NUMBER:,}, not {value}")
