"""What an evaluation found, as values that can be printed or sent."""

import msgspec

from lurcher_index.evaluation.intervals import Figure


class Asked(msgspec.Struct, frozen=True):
    """One question, and where its targets stood."""

    commit: str
    question: str
    targets: tuple[str, ...]
    names_a_target: bool
    ranks: dict[str, tuple[int | None, ...]]
    """By strategy: the rank of each target, None where it was not among the results."""

    @property
    def found(self) -> bool:
        """Whether any strategy found any target."""
        return any(rank is not None for ranks in self.ranks.values() for rank in ranks)


class StrategyFigures(msgspec.Struct, frozen=True):
    """How one strategy did."""

    strategy: str
    figures: dict[str, Figure]
    """By measure."""
    failed: int
    """Questions to which it had no answer at all; they count as not found."""


class Seconds(msgspec.Struct, frozen=True):
    """Where the time went."""

    mining: float
    moving: float
    """Writing trees of the past, and indexing them."""
    asking: float


class Evaluation(msgspec.Struct, frozen=True, kw_only=True):
    """How well the search does on a history."""

    folder: str
    strategies: tuple[StrategyFigures, ...]
    questions: tuple[Asked, ...]
    results: int
    """Results asked for with each question."""
    wanted: int
    """Commits that were asked for; the history may have fewer."""
    looked_at: int
    left_out: dict[str, int]
    """Commits that were not asked about, by reason."""
    targets: int
    targets_not_indexed: int
    """Files that were changed but are in no index, such as lock files; no targets."""
    files_added: int
    """Files that did not exist before their commit; no targets."""
    naming: float
    """Share of the questions that name one of their targets: those are easy."""
    shallow: bool
    stopped: bool
    """Whether it was stopped before all commits were asked about."""
    seconds: Seconds
    seed: int
