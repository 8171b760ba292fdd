"""Runs a command and turns its outcome into text, JSON and an exit code."""

import argparse
import asyncio
import os
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from msgspec.structs import replace

from lurcher_index import Engine, LurcherError, Settings
from lurcher_index.answers import Empty
from lurcher_index.asking import Ask, Mode
from lurcher_index.config import CHUNK_TOKENS, MAX_FILE_BYTES, WORKERS
from lurcher_index.errors import BadFolder, BadQuery, BadSetting, Cancelled, TooFewCommits, UnknownCommit
from lurcher_index.locate.issue import MAX_SNIPPET_CHARACTERS, Goal, Issue
from lurcher_index.report import lay_out
from lurcher_index.words.query import understand
from lurcher_server.cli.printing import MEND, Printer
from lurcher_server.cli.remotes import audit_remote, run_remote, set_up_search
from lurcher_server.here import current_folder
from lurcher_server.names import Names

RESULT_TOKENS = 625
"""Tokens shown for each result that is wanted: two whole symbols of usual size and skeletons of the rest fit in."""

LEAST_TOKENS = 4_000
"""Tokens that are shown if they are there, however few results are wanted: a screen or two of whole functions."""

EXIT_OK = 0
EXIT_NOTHING_FOUND = 1
EXIT_USAGE = 2
EXIT_FAILED = 3
EXIT_INTERRUPTED = 130


def run(options: argparse.Namespace) -> int:
    """Run one command; the exit code tells scripts how it went."""
    printer = Printer(as_json=options.json)
    stop = _Stop()
    try:
        code = _COMMANDS[options.command](options, printer, stop)
        sys.stdout.flush()
        return EXIT_INTERRUPTED if stop.asked and code == EXIT_OK else code
    except (BadFolder, BadQuery, BadSetting, UnknownCommit) as error:
        printer.error(str(error))
        return EXIT_USAGE
    except TooFewCommits as error:
        printer.error(str(error))
        return EXIT_NOTHING_FOUND
    except Cancelled as error:
        printer.error(str(error))
        return EXIT_INTERRUPTED
    except LurcherError as error:
        printer.error(str(error))
        return EXIT_FAILED
    except KeyboardInterrupt:
        printer.error("stopped; what was done until now is kept")
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # The reader (head, less) has seen enough; nothing may be written any more, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_OK


class _Stop:
    """Ctrl-C: the first lets the work end cleanly, the second interrupts it."""

    def __init__(self) -> None:
        self.event = threading.Event()
        try:
            signal.signal(signal.SIGINT, self._hear)
            signal.signal(signal.SIGTERM, self._hear)
        except ValueError:
            pass  # Not the main thread, as in tests that call `main` themselves.

    @property
    def asked(self) -> bool:
        """Whether somebody asked to stop."""
        return self.event.is_set()

    def _hear(self, _number: int, _frame: FrameType | None) -> None:
        if self.event.is_set():
            raise KeyboardInterrupt
        self.event.set()


def _index(options: argparse.Namespace, printer: Printer, stop: _Stop) -> int:
    with _engine(options, options.folders) as engine:
        if options.rebuild:
            engine.clear()
        complete = _build(engine, printer, stop)
        printer.status(engine.status(), after_build=complete)
    return EXIT_OK if complete else EXIT_INTERRUPTED


def _search(options: argparse.Namespace, printer: Printer, stop: _Stop) -> int:
    with _engine(options, options.workspace, embeddings=not options.words) as engine:
        # Whoever may ask elsewhere does not have to wait for an index; one that is there is soon up to date.
        is_elsewhere = not options.words and set_up_search(engine, options.remote, printer)
        is_first = is_elsewhere and not engine.is_complete
        # A search with an index looks for changes quietly, unless that turns out to be real work.
        if not is_first and not (engine.is_complete and options.no_update):
            _build(engine, printer, stop)
        names = _names(engine, options)
        ask = Ask(
            text=options.query,
            max_results=options.max_results,
            filters=engine.filters(
                include=[names.placed(glob) for glob in options.glob if not glob.startswith("!")],
                exclude=[names.placed(glob[1:]) for glob in options.glob if glob.startswith("!")],
                languages=options.lang,
                paths=[names.placed(path) for path in options.path],
                content=options.content,
            ),
            strategies=("tfidf",) if options.words else (),
            mode=Mode(options.mode),
            scopes=tuple(map(names.real, options.scope)),
            unfiltered=options.weak,
        )
        answer = asyncio.run(engine.ask(ask))
        if (is_first or options.remote) and not answer.remote:
            for attempt in answer.attempts:
                if attempt.strategy == "codeSearch" and attempt.detail:
                    printer.note(f"searched on this machine alone: {attempt.detail}")
        if is_first and not answer.remote:
            # Nothing was looked for on this disk before, and who did not answer is not waited for a second time.
            engine.set_remote(None)
            _build(engine, printer, stop)
            answer = asyncio.run(engine.ask(ask))
        budget = max(LEAST_TOKENS, RESULT_TOKENS * options.max_results)
        entries = lay_out(
            answer.chunks,
            engine.surroundings,
            understand(options.query),
            budget,
            name=lambda chunk: names.shown(chunk.folder, chunk.path),
        )
        printer.answer(answer, options.query, entries, names, _advice(options, engine, answer.empty))
    return EXIT_OK if answer.chunks else EXIT_NOTHING_FOUND


def _advice(options: argparse.Namespace, engine: Engine, empty: Empty | None) -> str:
    """What to do about an empty answer, where that depends on what was asked for, or of whom; empty if it does not."""
    if empty is Empty.NOT_INDEXED and engine.has_unseen():
        return f"Files lie in folders that cannot be opened: {MEND}."
    is_filtered = options.glob or options.lang or options.path or options.scope or options.content != "all"
    if empty is Empty.NO_MATCH and not is_filtered:
        return "Nothing here matches. Try other words."
    if empty is Empty.NO_FILES and options.no_update:
        return "The index has no files. Without --no-update it is brought up to date first."
    return ""


def _locate(options: argparse.Namespace, printer: Printer, stop: _Stop) -> int:
    # Loaded late: who searches does without the tools.
    from lurcher_index.locate.settings import environment_settings

    settings, complaints = environment_settings()
    issue = Issue(
        description=options.description,
        title=options.title,
        category=options.category,
        code_snippet=_snippet(options.snippet),
        goal=Goal(options.goal),
    )
    with _engine(options, options.workspace) as engine:
        if not (engine.is_complete and options.no_update):
            _build(engine, printer, stop)
        located = engine.locate(issue, replace(settings, debug=settings.debug or options.debug), lambda: stop.asked)
        shown = located.locations[: options.max_results]
        located = replace(
            located,
            locations=shown,
            left_out=located.left_out + len(located.locations) - len(shown),
            alerts=(*complaints, *located.alerts),
        )
        printer.located(located, _names(engine, options))
    return EXIT_OK if located.locations else EXIT_NOTHING_FOUND


def _snippet(name: str | None) -> str:
    if name is None:
        return ""
    try:
        with sys.stdin.buffer if name == "-" else Path(name).open("rb") as source:
            # A few bytes per character; what is beyond is not read by anyone.
            return source.read(4 * MAX_SNIPPET_CHARACTERS).decode("utf-8", "replace")
    except OSError as error:
        raise BadQuery(f"the snippet cannot be read: {error}") from None


def _status(options: argparse.Namespace, printer: Printer, _stop: _Stop) -> int:
    with _engine(options, options.workspace) as engine:
        printer.status(engine.status())
    return EXIT_OK


_NOWHERE = ("missing", "outside")
"""What an explanation says of a path with nothing at it; the nearer to a file comes first."""


def _explain(options: argparse.Namespace, printer: Printer, _stop: _Stop) -> int:
    if not options.path:
        # As a path it would be the current folder, which nobody has named.
        raise BadQuery("name the file or folder to explain; an empty name is none")
    with _engine(options, options.workspace) as engine:
        names = _names(engine, options)
        # A path from here, as shells complete it, comes before the name under which a search shows a file.
        readings = [engine.explain(each) for each in (options.path, names.file(options.path))]
        explanation = min(readings, key=lambda each: _NOWHERE.index(each.reason) if each.reason in _NOWHERE else -1)
        printer.explanation(explanation, names)
    return EXIT_OK if explanation.indexed else EXIT_NOTHING_FOUND


def _audit(options: argparse.Namespace, printer: Printer, stop: _Stop) -> int:
    if options.remote:
        return audit_remote(options.workspace, _settings(options), printer)
    with _engine(options, options.workspace) as engine:
        if not engine.is_complete:
            _build(engine, printer, stop)
        printer.audit(engine.audit())
    return EXIT_OK


def _remote(options: argparse.Namespace, printer: Printer, _stop: _Stop) -> int:
    return run_remote(options, printer)


def _clear(options: argparse.Namespace, printer: Printer, _stop: _Stop) -> int:
    try:
        with _engine(options, options.workspace) as engine:
            before = engine.status()
            engine.clear()
            printer.cleared(before.store, before.indexed)
    except BadFolder:
        # A folder that was deleted or moved leaves its index behind, and nothing else would ever remove that.
        gone = Engine.clear_gone(options.workspace or [], settings=_settings(options), store=options.store)
        if gone is None:
            raise
        printer.cleared(str(gone))
    return EXIT_OK


def _watch(options: argparse.Namespace, printer: Printer, stop: _Stop) -> int:
    with _engine(options, options.folders) as engine:
        if _build(engine, printer, stop):
            printer.status(engine.status(), after_build=True)
            printer.note("watching; Ctrl-C ends it")
            engine.follow(stop.event, printer.followed)
    return EXIT_OK


def _tree(options: argparse.Namespace, printer: Printer, stop: _Stop) -> int:
    with _engine(options, options.workspace) as engine:
        if not (engine.is_complete and options.no_update):
            _build(engine, printer, stop)
        listing = engine.tree(_given(options.target), options.depth)
        printer.tree(listing)
    return EXIT_NOTHING_FOUND if listing.unknown else EXIT_OK


def _given(target: str) -> str:
    """A target as the tree names it: a path from here may be written as a shell completes it."""
    return target.removeprefix("./").rstrip("/") if target not in (".", "./") else ""


def _evaluate(options: argparse.Namespace, printer: Printer, stop: _Stop) -> int:
    # Loaded late: numpy and the strategies are not needed to search by words.
    from lurcher_index.evaluation.evaluating import STRATEGIES, Wish, evaluate
    from lurcher_index.history.mining import Choice

    choice = Choice(options.commits, options.since, options.max_files, options.body)
    strategies = tuple(dict.fromkeys(options.strategy)) or STRATEGIES
    wish = Wish(choice, strategies, options.seed)
    folder = Path(options.workspace or current_folder())
    with printer.counting("asking what commits changed") as told:
        evaluation = asyncio.run(evaluate(folder, wish, _settings(options), told, lambda: stop.asked))
    printer.evaluation(evaluation)
    return EXIT_OK


def _publish(options: argparse.Namespace, printer: Printer, stop: _Stop) -> int:
    # Loaded late: nobody else needs it.
    from lurcher_server.cli.sharing import publish

    publish(options, printer, lambda: stop.asked)
    return EXIT_OK


def _collect(options: argparse.Namespace, printer: Printer, stop: _Stop) -> int:
    from lurcher_server.cli.sharing import collect

    collect(options, printer, lambda: stop.asked)
    return EXIT_OK


_COMMANDS = {
    "index": _index,
    "search": _search,
    "locate": _locate,
    "status": _status,
    "explain": _explain,
    "audit": _audit,
    "remote": _remote,
    "clear": _clear,
    "watch": _watch,
    "tree": _tree,
    "evaluate": _evaluate,
    "publish": _publish,
    "collect": _collect,
}


def _engine(options: argparse.Namespace, folders: Sequence[str] | None, embeddings: bool = True) -> Engine:
    settings = _settings(options)
    return Engine.open(folders or [current_folder()], settings=settings, store=options.store, embeddings=embeddings)


def _names(engine: Engine, options: argparse.Namespace) -> Names:
    # The shell says through which links the person has come here; `Names` believes it only if it is true.
    given = options.workspace or [os.environ.get("PWD", "")]
    return Names((str(folder.path) for folder in engine.workspace.folders), given)


def _settings(options: argparse.Namespace) -> Settings:
    return Settings(
        max_file_bytes=options.max_file_bytes or MAX_FILE_BYTES,
        chunk_tokens=CHUNK_TOKENS,
        workers=options.workers or WORKERS,
        exclude=tuple(options.exclude),
        include_ignored=tuple(options.include_ignored),
    )


def _build(engine: Engine, printer: Printer, stop: _Stop) -> bool:
    with printer.progress() as report:
        return engine.build_all(report, lambda: stop.asked)
