"""A question from beginning to end: one view, one race, the stages after it, and an honest account."""

import asyncio
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, ParamSpec

import msgspec

from lurcher_index.accounting import account
from lurcher_index.answers import Answer, AnswerChunk, Dropped, Empty
from lurcher_index.asking import Ask, Mode, narrowed, unseen_note, widened_note
from lurcher_index.dense.embedder import Vectors
from lurcher_index.errors import BadQuery, EmbedderError, LurcherError, StoreDamaged, StoreError
from lurcher_index.featuring import Featuring
from lurcher_index.finishing import Finished, Finisher
from lurcher_index.graph.keeping import Graphs
from lurcher_index.judging import Judge
from lurcher_index.meaning import Meaning
from lurcher_index.models import Serving
from lurcher_index.pinpointing import PLACE, pinpoint
from lurcher_index.query.expansion import expand
from lurcher_index.query.frames import Frame, only_place
from lurcher_index.query.parsed import ParsedQuery
from lurcher_index.query.parser import parse
from lurcher_index.query.vocabulary import Vocabulary
from lurcher_index.race import Attempt, Outcome, Raced
from lurcher_index.relating import CALL_GRAPH, relate
from lurcher_index.scoping import scope_of
from lurcher_index.searched import Searched
from lurcher_index.staging import staged, suffices, with_names
from lurcher_index.strategies.code_search import asks_far
from lurcher_index.strategies.context import Context, Run
from lurcher_index.strategies.features import Features
from lurcher_index.strategies.interface import MEANING, WORDS, Ranking, Retrieved, Strategy
from lurcher_index.strategies.registry import chosen
from lurcher_index.strategies.running import run_race
from lurcher_index.strategies.tfidf import Tfidf, within_spread
from lurcher_index.whole import is_seen_whole, whole_chunks
from lurcher_index.wording import Wording
from lurcher_index.words.query import WordQuery, understand
from lurcher_index.words.weights import RELATED_WEIGHT
from lurcher_index.workspace import Workspace

ROUNDS = 3
"""Searches made for one answer when files turn out to have changed; after that, changed ones are left out."""

MAX_QUERY_BYTES = 26_000
"""What is embedded of a question: about 8,192 tokens, the dense side's limit in the specification."""

GRAPH_OF_A_PART = (
    "only a part of the workspace is indexed here, and no use is known in it; this is a search for the words"
)

P = ParamSpec("P")
Partial = Callable[[Answer], object]


WIDENED_AFTER = frozenset({Empty.NO_MATCH, Empty.BELOW_SPREAD, Empty.ALL_EXCLUDED, Empty.NOT_INDEXED})
"""Kinds of empty answers that a language out of the question's words may be the reason for."""


class Question(NamedTuple):
    """A question as it is searched for."""

    ask: Ask
    """Its text is what is left for retrieval, and its filters have the languages that the words ask for."""
    parsed: ParsedQuery
    query: WordQuery
    run_quick: Run = asyncio.to_thread
    """Where work of some milliseconds is done."""


class Told(NamedTuple):
    """What one round of searching came to."""

    answer: Answer
    changed: list[Path]
    """Files that are not what they were when they were indexed."""


class Answerer:
    """Answers questions about one workspace."""

    def __init__(
        self,
        workspace: Workspace,
        strategies: Sequence[Strategy],
        serving: Callable[[], Serving],
        judge: Judge | None,
        alerts: Sequence[str] = (),
        featuring: Featuring | None = None,
        graphs: Graphs | None = None,
    ) -> None:
        """`serving` says which model answers now, and may block; `alerts` are what every answer has to say, such as
        that the index is kept in memory."""
        self.workspace = workspace
        self._strategies = strategies
        self._serving = serving
        self._judge = judge
        self._alerts = alerts
        self._wording = Wording(workspace.catalog)
        self._featuring = featuring or Featuring(workspace)
        self._graphs = graphs or Graphs()

    async def answer(self, ask: Ask, partial: Partial | None = None, run_quick: Run | None = None) -> Answer:
        """The answer; `partial` gets what the words alone found, as soon as they have. Work of milliseconds is done
        by `run_quick`, in threads if nothing is said."""
        with self.workspace.courtesy.serving():
            return await self._answer(ask, partial, run_quick or asyncio.to_thread)

    async def _answer(self, ask: Ask, partial: Partial | None, run_quick: Run) -> Answer:
        began = time.perf_counter()
        strategies = chosen(self._strategies, ask.strategies, others=(CALL_GRAPH, PLACE))
        ask, alerts = _embeddable(ask, self._alerts)
        question = (await self._understood(ask))._replace(run_quick=run_quick)
        told = await self._staged(question, strategies, alerts, partial)
        left = ask.deadline_seconds - (time.perf_counter() - began)
        is_narrowed = question.ask.filters != ask.filters
        if is_narrowed and told.answer.empty in WIDENED_AFTER and left > 0:
            wider = msgspec.structs.replace(question.ask, filters=ask.filters, deadline_seconds=left)
            wide, notes = question._replace(ask=wider), (*alerts, widened_note(question.parsed))
            found = await self._staged(wide, strategies, notes, partial)
            # What comes near in the language that was asked for is nearer than what comes near in others.
            if found.answer.chunks or told.answer.empty is not Empty.BELOW_SPREAD:
                question, told, alerts = wide, found, notes
        for _ in range(ROUNDS - 1):
            left = ask.deadline_seconds - (time.perf_counter() - began)
            if not told.changed or left <= 0:
                break
            # What was indexed is no longer what is on disk: never shown, but followed and searched again.
            problem = await asyncio.to_thread(_correct, self.workspace, told.changed)
            if problem:
                told = Told(msgspec.structs.replace(told.answer, alerts=(*told.answer.alerts, problem)), [])
                break
            again = msgspec.structs.replace(question.ask, deadline_seconds=left)
            told = await self._staged(question._replace(ask=again), strategies, alerts, None)
        total = _milliseconds(total=time.perf_counter() - began)
        return msgspec.structs.replace(told.answer, timings=told.answer.timings | total)

    async def _understood(self, ask: Ask) -> Question:
        vocabulary = self._wording.vocabulary if ask.expand else None
        if ask.expand:
            # What is new in the workspace helps the next question; this one does not wait.
            asyncio.get_running_loop().run_in_executor(None, self._wording.catch_up)
        # A usual question is understood in less time than a thread needs to begin.
        if ask.is_usual:
            return _understood(ask, vocabulary)
        return await asyncio.to_thread(_understood, ask, vocabulary)

    async def elsewhere(self, work: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
        """Have something done that blocks, in a thread."""
        await asyncio.to_thread(work, *args, **kwargs)

    async def _staged(
        self,
        question: Question,
        strategies: Sequence[Strategy],
        alerts: Sequence[str],
        partial: Partial | None,
    ) -> Told:
        """The answer of one stage or, if the mode asks for that and the first one does not suffice, of two."""
        mode = question.ask.mode
        if mode is Mode.SNIPPETS:
            return await self._search(question, strategies, alerts, partial)
        began = time.perf_counter()
        told = await self._search(question, (Features(),), alerts, None)
        left = question.ask.deadline_seconds - (time.perf_counter() - began)
        if told.answer.strategy in (CALL_GRAPH, PLACE):
            return told
        if mode is Mode.FEATURES or told.changed or suffices(told.answer) or left <= 0:
            return told._replace(answer=staged(told.answer, None))
        ask = msgspec.structs.replace(question.ask, deadline_seconds=left)
        again = question._replace(ask=ask, query=with_names(question.query, told.answer))
        second = await self._search(again, strategies, alerts, partial)
        return second._replace(answer=staged(told.answer, second.answer))

    async def _search(
        self,
        question: Question,
        strategies: Sequence[Strategy],
        alerts: Sequence[str],
        partial: Partial | None,
    ) -> Told:
        clock = _Clock()
        ask_ids = question.ask.strategies
        serving, searched, question, unknown = await question.run_quick(self._prepared, question)
        alerts = (*alerts, *unknown, *serving.alerts)
        clock.note("prepare")
        place = only_place(question.parsed.text) if not ask_ids or PLACE in ask_ids else None
        if place is not None:
            told = await asyncio.to_thread(self._pinpointed, question, place, searched, alerts, clock)
            if told is not None:
                return told
        if question.parsed.cross_reference is not None and (not ask_ids or CALL_GRAPH in ask_ids):
            related = await asyncio.to_thread(self._related, question, searched, alerts, clock)
            if isinstance(related, Told) and (related.answer.chunks or searched.is_filled or not asks_far(strategies)):
                return related
            # Uses that are not indexed here may be found by their words elsewhere.
            alerts = (*alerts, GRAPH_OF_A_PART if isinstance(related, Told) else related)
        embedder = searched.meaning.embedder if searched.meaning else None
        if embedder is not None and not embedder.is_quick:
            # A chunk without a vector may have to be embedded before the answer is complete.
            question = question._replace(run_quick=asyncio.to_thread)
        context = Context(question.ask, question.query, searched, embedder, run_quick=question.run_quick)
        early = asyncio.create_task(self._early(question, context, searched, partial)) if partial else None
        try:
            raced = await run_race(context, strategies)
            clock.note("race")
            strategy, retrieved = _best_so_far(raced, context)
            vector = context.vector_so_far() if any(row.retriever != WORDS for row in retrieved.rankings) else None
            found = Found(strategy, retrieved, raced, vector, (*alerts, *retrieved.alerts))
            if isinstance(retrieved.view, Searched):
                searched = retrieved.view
            return await question.run_quick(self._conclude, question, searched, found, clock)
        except BaseException:
            if early is not None:
                early.cancel()
            raise
        finally:
            if early is not None:
                # The words' answer is wanted even if the final one follows at once; but nobody waits for the words.
                if context.words_so_far() is None:
                    early.cancel()
                await asyncio.gather(early, return_exceptions=True)
            await context.close()

    def _prepared(self, question: Question) -> tuple[Serving, Searched, Question, tuple[str, ...]]:
        """In a thread: which model answers, the state that is searched, where in it, and scopes that are nowhere."""
        serving = self._serving()
        problems = self.workspace.require_folders()
        searched = Searched(self.workspace, serving.meaning)
        if not question.ask.scopes:
            return serving, searched, question, problems
        scoped = scope_of(searched.view, self._featuring, question.ask.scopes)
        filters = msgspec.structs.replace(question.ask.filters, scope=scoped.scope)
        asked = question._replace(ask=msgspec.structs.replace(question.ask, filters=filters))
        return serving, searched, asked, (*problems, *scoped.alerts)

    def _related(self, question: Question, searched: Searched, alerts: Sequence[str], clock: "_Clock") -> Told | str:
        """In a thread: the answer of the call graph or, if the name means nothing to it, what to say about that."""
        asked = question.parsed.cross_reference
        assert asked is not None, "only questions about a name come here"
        related = relate(searched.view, self._graphs.of(searched.view), question.ask, asked, question.query)
        if related is None:
            return f"nothing here is called {asked.name!r}; this is a search for the question's words"
        told = self._told_alone(CALL_GRAPH, question, searched, related.finished, alerts, clock)
        answer = msgspec.structs.replace(told.answer, cross_reference=related.reference)
        if answer.empty is Empty.NO_MATCH:
            answer = msgspec.structs.replace(answer, empty=Empty.NO_USES)
        return told._replace(answer=answer)

    def _pinpointed(
        self, question: Question, place: Frame, searched: Searched, alerts: Sequence[str], clock: "_Clock"
    ) -> Told | None:
        """In a thread: the chunks at a place that is all there is to a question; None if there is no such place."""
        finished = pinpoint(searched.view, question.ask, place, question.query)
        return None if finished is None else self._told_alone(PLACE, question, searched, finished, alerts, clock)

    def _told_alone(
        self,
        strategy: str,
        question: Question,
        searched: Searched,
        finished: Finished,
        alerts: Sequence[str],
        clock: "_Clock",
    ) -> Told:
        """The answer of one that no other had to race against."""
        clock.note(strategy)
        attempt = Attempt(strategy, Outcome.WON, "", 0.0, clock.noted[strategy])
        raced = Raced(strategy, Retrieved(), (attempt,), deadline_hit=False)
        return self._told(
            question, searched, Found(strategy, Retrieved(), raced, None, tuple(alerts)), finished, "", clock
        )

    async def _early(self, question: Question, context: Context, searched: Searched, partial: Partial) -> None:
        """Tell what the words found, while others are still searching."""
        try:
            words = Retrieved((Ranking(WORDS, within_spread(await context.words())),))
            found = Found(Tfidf.id, words, Raced(None, None, (), False), None, ())
            told = await question.run_quick(self._conclude, question, searched, found, _Clock())
        except LurcherError:
            return  # The race will say what is wrong.
        if told.answer.chunks:
            # More is on its way.
            partial(msgspec.structs.replace(told.answer, complete=False))

    def _conclude(self, question: Question, searched: Searched, found: "Found", clock: "_Clock") -> Told:
        """In a thread: the stages after retrieval, and the account."""
        finished, model = self._finish(question, searched, found)
        clock.note("finish")
        return self._told(question, searched, found, finished, model, clock)

    def _told(
        self,
        question: Question,
        searched: Searched,
        found: "Found",
        finished: Finished,
        model: str,
        clock: "_Clock",
    ) -> Told:
        answer = account(
            question.ask,
            searched.view,
            question.parsed,
            question.query,
            found.raced,
            found.strategy,
            finished,
            found.alerts,
            searched.vectors_ready,
            clock.noted,
        )
        answer = msgspec.structs.replace(answer, model=model, chunks=self._with_features(searched, answer.chunks))
        return Told(answer, finished.changed)

    def _with_features(self, searched: Searched, chunks: tuple[AnswerChunk, ...]) -> tuple[AnswerChunk, ...]:
        """The chunks with their feature paths, as far as they are known; what is new is told by the next answer."""
        view = searched.view
        tree = self._featuring.tree_now
        self._featuring.refresh_behind(view)
        if tree is None:
            return chunks
        numbers = {str(folder.path): folder.folder_id for folder in view.workspace.folders}
        return tuple(
            msgspec.structs.replace(chunk, feature_path=tree.path_of(f"{numbers.get(chunk.folder, -1)}/{chunk.path}"))
            for chunk in chunks
        )

    def _finish(self, question: Question, searched: Searched, found: "Found") -> tuple[Finished, str]:
        """The chunks of the answer, and the model that had a part in their order."""
        files = found.retrieved.files
        if files is not None:
            chunks = whole_chunks(files, found.strategy)
            unseen = tuple(chunk for chunk in chunks if not is_seen_whole(chunk, question.ask.seen))
            return Finished(unseen, Dropped(seen=len(chunks) - len(unseen)), (), _tokens(unseen), []), ""
        rankings, strategy = found.retrieved.rankings, found.strategy
        if found.vector is not None:
            try:
                finisher = self._finisher(question, searched, searched.meaning)
                return finisher.finish(rankings, strategy, found.vector), found.retrieved.model
            except EmbedderError as error:
                # The question was embedded, and then the model failed over a chunk that has no vector yet.
                rankings = tuple(each for each in rankings if each.retriever != MEANING)
                finished = self._finisher(question, searched, None).finish(rankings, strategy, None)
                return finished._replace(alerts=(*finished.alerts, f"ordered by words only: {error}")), ""
        return self._finisher(question, searched, None).finish(rankings, strategy, None), ""

    def _finisher(self, question: Question, searched: Searched, meaning: Meaning | None) -> Finisher:
        modules = self._featuring.modules_now
        return Finisher(searched.view, question.ask, question.parsed, question.query, meaning, self._judge, modules)


class Found(NamedTuple):
    """What the race came to."""

    strategy: str
    retrieved: Retrieved
    raced: Raced[Retrieved]
    vector: Vectors | None
    alerts: tuple[str, ...]


class _Clock:
    """Notes how long each stage took, in milliseconds."""

    def __init__(self) -> None:
        self.noted: dict[str, float] = {}
        self._last = time.perf_counter()

    def note(self, stage: str) -> None:
        now = time.perf_counter()
        self.noted |= _milliseconds(**{stage: now - self._last})
        self._last = now


def _understood(ask: Ask, vocabulary: Vocabulary | None) -> Question:
    parsed = expand(parse(ask.text), vocabulary=vocabulary)
    filters = narrowed(ask.filters, parsed)
    related = [(each.term, RELATED_WEIGHT * each.weight) for each in parsed.expanded] if ask.expand else []
    query = understand(" ".join((parsed.text, *ask.keywords)), related)
    return Question(msgspec.structs.replace(ask, text=parsed.text, filters=filters), parsed, query)


def _best_so_far(raced: Raced[Retrieved], context: Context) -> tuple[str, Retrieved]:
    """The winner's result or, if the time ran out, what the words have found by now."""
    if raced.winner is not None and raced.value is not None:
        return raced.winner, raced.value
    words = context.words_so_far() if raced.deadline_hit else None
    if words is None:
        return "", Retrieved()
    return Tfidf.id, Retrieved((Ranking(WORDS, within_spread(words)),))


def _correct(workspace: Workspace, changed: Sequence[Path]) -> str:
    """Follow changes that a search came across; what is wrong, if that cannot be done."""
    try:
        unknown = len(workspace.correct(changed).unknown)
    except StoreDamaged:
        raise
    except StoreError as error:
        # A full disk, say: what did not change can be found all the same.
        return f"{len(changed)} changed files are left out: {error}"
    # If others have changed, the next round finds them.
    return unseen_note(unknown) if unknown == len(changed) else ""


def _embeddable(ask: Ask, alerts: Sequence[str]) -> tuple[Ask, tuple[str, ...]]:
    """The question, cut at a character's end if it is longer than what can be embedded."""
    encoded = ask.text.encode("utf-8", "replace")
    if sum(map(len, ask.keywords)) > MAX_QUERY_BYTES:
        raise BadQuery(f"the keywords are longer than {MAX_QUERY_BYTES:,} characters")
    if len(encoded) <= MAX_QUERY_BYTES:
        return ask, tuple(alerts)
    text = encoded[:MAX_QUERY_BYTES].decode("utf-8", "ignore")
    note = f"the question is longer than {MAX_QUERY_BYTES:,} bytes; the rest was not searched for"
    return msgspec.structs.replace(ask, text=text), (*alerts, note)


def _tokens(chunks: Sequence[AnswerChunk]) -> int:
    return sum(chunk.tokens for chunk in chunks)


def _milliseconds(**seconds: float) -> dict[str, float]:
    return {stage: round(value * 1000.0, 2) for stage, value in seconds.items()}
