"""What is said about remote code search, as lines for people."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from lurcher_index.remote.connection import Connection
from lurcher_index.remote.consent import Record
from lurcher_index.remote.disclosure import Disclosure, FolderDisclosure
from lurcher_index.remote.sending import described, what_is_never_sent, what_is_published
from lurcher_index.remote.states import RemoteStatus

NOTHING = "nothing: remote code search is off here"


def offer_lines(connection: Connection, folders: Sequence[str]) -> list[str]:
    """What a person has to know before agreeing."""
    return [
        f"Remote code search for {' and '.join(folders)}",
        f"would ask {connection.kind} at {connection.url}",
        *_listed("Sent there with every search:", described(connection)),
        *_listed("Sent by `lurcher publish`, which runs only when somebody types it:", _published(connection)),
        *_listed("Never sent:", what_is_never_sent(connection.kind)),
        "The text of what is found is read from this machine. `lurcher remote forbid` turns it off again.",
    ]


def status_lines(disclosure: Disclosure, checked: RemoteStatus | None = None) -> list[str]:
    """Whether it is on, in short; `checked` is what the other side says, if it was asked."""
    lines = [line for row in disclosure.folders for line in _head(row)]
    if checked is None:
        return [*lines, "`lurcher audit --remote` shows what is sent."]
    if checked.detail:
        lines.append(checked.detail)
    for each in checked.repositories:
        commit = f" at {each.commit[:12]}" if each.commit else ""
        lines.append(f"  {each.name}: {each.state.value}{commit}" + (f" ({each.detail})" if each.detail else ""))
    return lines if checked.repositories else [*lines, "the other side told of no repository"]


def audit_lines(disclosure: Disclosure) -> list[str]:
    """All of it, folder by folder."""
    lines: list[str] = []
    for row in disclosure.folders:
        lines += _head(row)
        lines += _listed("sent with every search:", row.sends or (NOTHING,))
        if row.on:
            lines += _listed("sent by `lurcher publish`, when somebody types it:", row.publishes or ("nothing",))
        lines += _listed("never sent:", row.never)
        concerned = "its repositories:" if row.on else "its repositories, which nobody is told of:"
        lines += _listed(concerned, row.repositories or ("none that has a name elsewhere",))
    return [*lines, f"answers are kept in {disclosure.file}"]


def list_lines(records: Mapping[str, Record], file: str) -> list[str]:
    """Every answer."""
    if not records:
        return ["Remote code search is allowed for no folder; nothing is sent.", f"answers are kept in {file}"]
    rows: list[str] = []
    for folder, record in sorted(records.items()):
        what = f"{record.connection.kind} at {record.connection.url}" if record.connection else record.answer
        lapsed = "" if record.answer == "never" or record.in_force else " (has to be allowed again)"
        rows.append(f"{folder}: {what}, since {day(record.when)}{lapsed}")
    return [*rows, f"answers are kept in {file}"]


def day(seconds: float) -> str:
    """A moment as the person's calendar and clock say it."""
    return datetime.fromtimestamp(seconds).astimezone().strftime("%Y-%m-%d %H:%M")


def _head(row: FolderDisclosure) -> list[str]:
    since = f" since {day(row.when)}" if row.when is not None else ""
    if row.on and row.connection is not None:
        variable = row.connection.token_variable
        token = f", signing in with what is in {variable}" if variable else ""
        head = f"{row.folder}: on{since}, {row.connection.kind} at {row.connection.url}{token}"
    elif row.answer == "never":
        head = f"{row.folder}: off, and nobody asks{since}"
    else:
        head = f"{row.folder}: off; `lurcher remote allow` turns it on"
    return [head, *([f"  {row.note}"] if row.note else [])]


def _published(connection: Connection) -> Sequence[str]:
    return what_is_published(connection.kind) or ("nothing: there is nothing to publish to",)


def _listed(title: str, lines: Iterable[str]) -> list[str]:
    return [f"  {title}", *(f"    - {line}" for line in lines)]
