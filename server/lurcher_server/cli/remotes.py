"""Runs `lurcher remote`, and says for a search or an audit what is allowed."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from lurcher_index import Engine, Settings
from lurcher_index.checkout.identity import repositories_of
from lurcher_index.errors import BadFolder, BadSetting, LurcherError
from lurcher_index.files.discovery import discover
from lurcher_index.remote.addresses import checked_connection
from lurcher_index.remote.agreement import Consent, agree
from lurcher_index.remote.connection import Connection
from lurcher_index.remote.consent import Consents, real_path
from lurcher_index.remote.disclosure import disclose
from lurcher_index.remote.sending import described
from lurcher_index.secret import Secret, secret_from
from lurcher_server.cli.disclosed import audit_lines, list_lines, offer_lines, status_lines
from lurcher_server.cli.printing import Printer
from lurcher_server.here import current_folder

NEXT = (
    "`lurcher search` asks there while the index of this machine is not complete, with --remote always;"
    " `lurcher remote status --check` says what is known there"
)
"""What to do after something was allowed."""

EXIT_OK = 0
EXIT_DECLINED = 1


def run_remote(options: argparse.Namespace, printer: Printer) -> int:
    """Run one action; the exit code tells scripts how it went."""
    return {"status": _status, "allow": _allow, "forbid": _forbid, "list": _list}[options.action](options, printer)


def audit_remote(folders: Sequence[str] | None, settings: Settings, printer: Printer) -> int:
    """Show everything that is sent, is not sent, and never is. Nobody elsewhere is asked for that."""
    names = [_folder(each) for each in folders or [str(current_folder())]]
    disclosure = disclose(Consents(), names, lambda folder: _repositories(Path(folder), settings))
    _complain(disclosure.complaint, printer)
    printer.outcome(disclosure, audit_lines(disclosure))
    return EXIT_OK


def set_up_search(engine: Engine, wish: bool | None, printer: Printer) -> bool:
    """Have an engine search elsewhere too, as far as that is allowed and not unwanted; whether it does.

    `wish` is what was typed: True insists, False forbids, None leaves it to what is recorded.
    """
    if wish is False:
        return False
    agreement = agree(Consents(), [str(folder.path) for folder in engine.workspace.folders])
    connection = agreement.allowed
    if connection is None:
        if wish:
            how = "" if agreement.complaint else "; `lurcher remote allow` shows what would be sent, and turns it on"
            raise BadSetting(f"{agreement.detail}{how}")
        if agreement.consent is Consent.MISSING or agreement.complaint:
            printer.note(agreement.detail)
        return False
    try:
        engine.set_remote(connection, _secret(connection, printer), "always" if wish else "auto")
    except LurcherError as error:
        if wish:
            raise
        printer.note(str(error))
        return False
    return True


def _status(options: argparse.Namespace, printer: Printer) -> int:
    folders, consents = _folders(options), Consents()
    disclosure = disclose(consents, folders)
    _complain(disclosure.complaint, printer)
    agreement = agree(consents, folders)
    connection = agreement.allowed
    if not options.check or connection is None:
        printer.outcome(disclosure, status_lines(disclosure))
        if options.check and not disclosure.complaint:
            printer.note(f"nobody was asked: {agreement.detail}")
        return EXIT_OK
    with Engine.open(folders, store=options.store) as engine:
        engine.set_remote(connection, _secret(connection, printer), "always")
        engine.check_remote()
        checked = engine.remote_status()
    whole = msgspec.to_builtins(disclosure) | {"checked": msgspec.to_builtins(checked)}
    printer.outcome(whole, status_lines(disclosure, checked))
    return EXIT_OK


def _allow(options: argparse.Namespace, printer: Printer) -> int:
    folders = _folders(options)
    connection = checked_connection(options.kind, options.url, options.token_variable)
    offered = {"folders": folders, "connection": msgspec.to_builtins(connection), "sends": list(described(connection))}
    if not options.yes:
        if options.json:
            raise BadSetting("there is nobody to ask; read what is sent without --json, and if you agree add --yes")
        printer.outcome(offered, offer_lines(connection, folders))
        if not sys.stdin.isatty():
            raise BadSetting("nothing was allowed, for there is nobody to ask; if you agree to all of this, add --yes")
        if not printer.agrees("Allow this?"):
            printer.note("nothing was allowed, and nothing is sent")
            return EXIT_DECLINED
    consents = Consents()
    when = max(consents.allow(folder, connection).when for folder in folders)
    told = [] if not options.yes else offer_lines(connection, folders)
    printer.outcome(offered | {"allowed": True, "when": when}, [*told, f"allowed for {' and '.join(folders)}", NEXT])
    return EXIT_OK


def _forbid(options: argparse.Namespace, printer: Printer) -> int:
    # A folder may be gone by now; what was allowed for it can be taken back all the same.
    folders = [real_path(folder) for folder in options.workspace or [str(current_folder())]]
    consents = Consents()
    before = consents.recorded()
    _complain(before.complaint, printer)
    was_on = [folder for folder in folders if folder in before.records and before.records[folder].in_force is not None]
    for folder in folders:
        if options.never:
            consents.refuse(folder)
        else:
            consents.forbid(folder)
    after = ", and nobody asks again" if options.never else ""
    lines = [f"remote code search {'is off' if each in was_on else 'was not on'} for {each}{after}" for each in folders]
    printer.outcome({"folders": folders, "was_on": was_on, "never": options.never}, lines)
    return EXIT_OK


def _list(_options: argparse.Namespace, printer: Printer) -> int:
    consents = Consents()
    found = consents.recorded()
    _complain(found.complaint, printer)
    whole = {"file": str(consents.path), "complaint": found.complaint, "folders": found.records}
    printer.outcome(whole, list_lines(found.records, str(consents.path)))
    return EXIT_OK


def _repositories(folder: Path, settings: Settings) -> tuple[str, ...]:
    """Every name of the folder's repositories, under which the other side is asked for them."""
    listed = (found.path for found in discover(folder, settings).files)
    named = repositories_of(folder, listed).named
    return tuple(dict.fromkeys(name for checkout in named for name in checkout.names))


def _folders(options: argparse.Namespace) -> list[str]:
    return [_folder(each) for each in options.workspace or [str(current_folder())]]


def _folder(given: str) -> str:
    folder = real_path(given)
    if not Path(folder).is_dir():
        raise BadFolder(f"{given!r} is not a folder")
    return folder


def _secret(connection: Connection, printer: Printer) -> Secret | None:
    if not connection.token_variable:
        return None
    try:
        return secret_from(connection.token_variable)
    except LurcherError as error:
        printer.note(str(error))
        return None


def _complain(complaint: str, printer: Printer) -> None:
    if complaint:
        printer.note(complaint)
