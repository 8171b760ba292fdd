"""Asks an index of the past what the commits that came next were about."""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

from lurcher_index.asking import Ask
from lurcher_index.building.progress import Cancelled, never
from lurcher_index.config import Settings
from lurcher_index.engine import Engine
from lurcher_index.errors import Cancelled as CancelledError
from lurcher_index.errors import TooFewCommits
from lurcher_index.evaluation.intervals import figures
from lurcher_index.evaluation.measures import MEASURES, measure, ranks_of
from lurcher_index.evaluation.report import Asked, Evaluation, Seconds, StrategyFigures
from lurcher_index.history.mining import Choice, Mined, mine
from lurcher_index.history.replay import Case, replay
from lurcher_index.history.wording import LeftOut, names_a_file
from lurcher_index.strategies.registry import chosen, default_strategies
from lurcher_index.strategies.tfidf import Tfidf

RACE = "race"
"""Name for all strategies together, as an editor asks them."""

STRATEGIES = ("tfidf", "tfidfSemantic", "embeddings", RACE)
"""What is evaluated unless something else is asked for."""

RESULTS = 50
"""Results asked for with each question: as in `benchmarks/quality`, more than count, as an assistant does."""

MIN_QUESTIONS = 10
"""Fewer questions say nothing: with ten, the interval of NDCG@10 is still about ±0.2."""

SEED = 7
"""Seed of the bootstrap unless another one is given."""

Told = Callable[[int, int], object]
"""Hears how many commits were dealt with, of how many."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be evaluated, and how."""

    choice: Choice
    strategies: tuple[str, ...] = STRATEGIES
    seed: int = SEED


async def evaluate(
    folder: Path, wish: Wish, settings: Settings, told: Told, cancelled: Cancelled = never
) -> Evaluation:
    """Ask the messages of a folder's newest commits, each of the tree before it, and say what was found.

    The index is a temporary one. If it is stopped midway, it tells of the commits that it got to.
    """
    chosen(default_strategies(), [name for name in wish.strategies if name != RACE])
    began = time.perf_counter()
    mined = mine(folder, wish.choice, cancelled)
    mining = time.perf_counter() - began
    _refuse_too_few(mined, len(mined.commits), mined.left_out, cancelled)
    with TemporaryDirectory(prefix="lurcher-evaluate-") as temporary:
        tree, store = Path(temporary).resolve() / "tree", Path(temporary).resolve() / "store"
        tree.mkdir()
        with Engine.open([tree], settings=settings, store=store) as engine:
            run = _Run(engine, wish.strategies)
            for number, case in enumerate(replay(mined, tree, settings.max_file_bytes)):
                told(number, len(mined.commits))
                if cancelled() or not run.follow(case, cancelled):
                    break
                await run.ask(case)
    left_out = mined.left_out + run.left_out
    _refuse_too_few(mined, len(run.asked), left_out, cancelled)
    moving = time.perf_counter() - began - mining - run.asking
    seconds = Seconds(round(mining, 2), round(moving, 2), round(run.asking, 2))
    return _evaluation(folder, wish, mined, run, left_out, seconds)


class _Run:
    """What has been asked so far."""

    def __init__(self, engine: Engine, strategies: Sequence[str]) -> None:
        self.asked: list[Asked] = []
        self.left_out: Counter[LeftOut] = Counter()
        self.failed: Counter[str] = Counter()
        self.asking = 0.0
        self.not_indexed = 0
        self.added = 0
        self._engine = engine
        self._strategies = strategies
        self._needs_vectors = set(strategies) != {Tfidf.id}

    def follow(self, case: Case, cancelled: Cancelled) -> bool:
        """Bring the index to the tree of a case; False if that was cancelled."""
        if self._engine.is_complete:
            self._engine.update(case.moved)
        elif not self._engine.build(cancelled=cancelled):
            return False
        return not self._needs_vectors or self._engine.embed(cancelled=cancelled)

    async def ask(self, case: Case) -> None:
        """Ask every strategy, if there is anything to be found."""
        targets = tuple(path for path in case.targets if self._engine.explain(case.folder / path).indexed)
        if not targets:
            self.left_out[LeftOut.NOT_INDEXED] += 1
            return
        self.not_indexed += len(case.targets) - len(targets)
        self.added += case.commit.added
        ranks: dict[str, tuple[int | None, ...]] = {}
        began = time.perf_counter()
        for name in self._strategies:
            only = () if name == RACE else (name,)
            # The order is judged, not what the spread and the cut of unlikely answers leave of it.
            answer = await self._engine.ask(
                Ask(text=case.question, max_results=RESULTS, strategies=only, unfiltered=True)
            )
            ranks[name] = ranks_of(targets, [chunk.path for chunk in answer.chunks])
            self.failed[name] += not answer.strategy
        self.asking += time.perf_counter() - began
        self.asked.append(Asked(case.commit.name, case.question, targets, names_a_file(case.question, targets), ranks))


def _refuse_too_few(mined: Mined, usable: int, left_out: Counter[LeftOut], cancelled: Cancelled) -> None:
    if usable >= MIN_QUESTIONS:
        return
    if cancelled():
        raise CancelledError(f"stopped after {usable} commits, too few to say anything")
    reasons = ", ".join(f"{count} {reason.value}" for reason, count in left_out.most_common())
    advice = "ask for more with --commits, an earlier --since, or a larger --max-files"
    if mined.shallow:
        advice = "this is a shallow clone: fetch the rest with `git fetch --unshallow`"
    raise TooFewCommits(
        f"{usable} of {mined.looked_at} commits can be asked about, and {MIN_QUESTIONS} are needed"
        f"{f' (left out: {reasons})' if reasons else ''}; {advice}"
    )


def _evaluation(
    folder: Path, wish: Wish, mined: Mined, run: _Run, left_out: Counter[LeftOut], seconds: Seconds
) -> Evaluation:
    asked = run.asked
    return Evaluation(
        folder=str(folder),
        strategies=tuple(_figures(name, asked, run.failed[name], wish.seed) for name in wish.strategies),
        questions=tuple(asked),
        results=RESULTS,
        wanted=wish.choice.commits,
        looked_at=mined.looked_at,
        left_out={reason.value: count for reason, count in left_out.most_common()},
        targets=sum(len(each.targets) for each in asked),
        targets_not_indexed=run.not_indexed,
        files_added=run.added,
        naming=round(fmean(each.names_a_target for each in asked), 4),
        shallow=mined.shallow,
        stopped=len(asked) + run.left_out.total() < len(mined.commits),
        seconds=seconds,
        seed=wish.seed,
    )


def _figures(name: str, asked: Sequence[Asked], failed: int, seed: int) -> StrategyFigures:
    columns = figures([measure(each.ranks[name]) for each in asked], seed)
    return StrategyFigures(name, dict(zip(MEASURES, columns, strict=True)), failed)
