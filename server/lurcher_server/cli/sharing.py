"""`lurcher publish` and `lurcher collect`: from what was typed to a shared index, and back to words."""

import argparse
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from lurcher_index.config import WORKERS, Settings, split_model
from lurcher_index.errors import BadFolder, BadSetting, RemoteError
from lurcher_index.publishing.collecting import collect as collect_repository
from lurcher_index.publishing.naming import checked_name, name_of
from lurcher_index.publishing.patience import Patience
from lurcher_index.publishing.publisher import Publisher
from lurcher_index.publishing.source import find_commit
from lurcher_index.publishing.values import Collected, Progress, Report, Step
from lurcher_index.remote.connection import Connection, Kind
from lurcher_index.remote.engines.interface import SharedIndex
from lurcher_index.remote.engines.opening import kind_of, open_index
from lurcher_index.secret import secret_from
from lurcher_server.cli.printing import Printer
from lurcher_server.cli.shared import collected_lines, preview_lines, published_lines
from lurcher_server.here import current_folder

PARSE_SECONDS = 10.0
FILE_SECONDS = 60.0
"""Longer than where somebody waits for an answer: on a build server that is busy with everything else a file would be
cut by lines that is cut at syntax elsewhere, for the whole team."""


def publish(options: argparse.Namespace, printer: Printer, cancelled: Callable[[], bool]) -> None:
    """Publish a commit, or say what that would do. That somebody gave the command is their consent."""
    settings = _settings(options)
    folder = Path(options.path or current_folder()).expanduser().resolve()
    if not folder.is_dir():
        raise BadFolder(f"{str(folder)!r} is not a folder; name a folder of a checkout, or a bare repository")
    source = find_commit(folder, options.commit, options.branch)
    repository = checked_name(options.repository) if options.repository else name_of(source)
    with _opened(options) as index, _progress(printer) as report:
        publisher = Publisher(index, repository, source, settings)
        preview = publisher.preview(report, cancelled, options.patience)
        if options.dry_run:
            printer.outcome(preview, list(preview_lines(preview)))
            return
        if not preview.is_published:
            for line in preview_lines(preview):
                printer.note(line)
        done = publisher.publish(report, cancelled, options.patience)
    printer.outcome(done, list(published_lines(done)))


def collect(options: argparse.Namespace, printer: Printer, cancelled: Callable[[], bool]) -> None:
    """Forget old commits of one repository or of all."""
    patience = Patience(options.patience, cancelled)
    with _opened(options) as index:

        def forget(name: str) -> Collected:
            return collect_repository(index, name, options.keep, options.older_than, options.dry_run)

        def waiting(error: RemoteError) -> None:
            printer.note(f"{error}; trying again")

        names = patience.attempt(index.repositories, waiting) if options.all else [checked_name(options.repository)]
        done = [patience.attempt(partial(forget, name), waiting) for name in names]
    printer.outcome({"dry_run": options.dry_run, "repositories": done}, list(collected_lines(done, options.dry_run)))


@contextmanager
def _opened(options: argparse.Namespace) -> Generator[SharedIndex]:
    kind = Kind(options.kind) if options.kind else kind_of(options.to)
    secret = secret_from(options.token_variable) if options.token_variable else None
    index = open_index(Connection(kind=kind, url=options.to, token_variable=options.token_variable), secret)
    try:
        yield index
    finally:
        index.close()


@contextmanager
def _progress(printer: Printer) -> Generator[Report]:
    with printer.counting(Step.SENDING.value, Step.COMPARING.value) as told:

        def report(now: Progress) -> None:
            if now.step is Step.WAITING:
                printer.note(f"{now.detail}; trying again")
            elif now.step is Step.SENDING:
                told(now.done, now.total)

        yield report


def _settings(options: argparse.Namespace) -> Settings:
    try:
        kind, _ = split_model(options.model)
    except ValueError as error:
        raise BadSetting(str(error)) from None
    if kind == "endpoint":
        raise BadSetting("a model behind an address is not offered here: source text would be sent to it")
    return Settings(
        workers=options.workers or WORKERS,
        model=options.model,
        parse_seconds=PARSE_SECONDS,
        file_seconds=FILE_SECONDS,
    )
