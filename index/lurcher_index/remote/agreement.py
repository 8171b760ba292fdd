"""Whether remote code search is on for a workspace: a function of what its folders allow and what the settings wish."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from shlex import quote

import msgspec

from lurcher_index.remote.addresses import host_of
from lurcher_index.remote.connection import Connection
from lurcher_index.remote.consent import Consents, Record, real_path


class Consent(StrEnum):
    """How it stands; the names are those of the wire."""

    NONE = "none"
    """Nobody wishes anything, and nothing is allowed."""
    MISSING = "missing"
    """Somebody wishes for it, or it is allowed for other folders; it is not allowed for all of these."""
    NEVER = "never"
    """The person said that nothing is to be sent from one of the folders, and that nobody asks again."""
    ALLOWED = "allowed"


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """What is agreed for the folders of a workspace."""

    consent: Consent = Consent.NONE
    connection: Connection | None = None
    """What is allowed or, if that is missing, what would have to be."""
    lacking: tuple[str, ...] = ()
    """Real paths of the folders that do not allow it."""
    since: float | None = None
    """When the last of the folders allowed it, in seconds since 1970."""
    complaint: str = ""
    """Why the answers cannot be believed; then nothing is allowed."""

    @property
    def allowed(self) -> Connection | None:
        """The connection that may be used; None if none may."""
        return self.connection if self.consent is Consent.ALLOWED else None

    @property
    def detail(self) -> str:
        """How it stands, and what to do, in words."""
        if self.complaint:
            return self.complaint
        where = f"{self.connection.kind} at {host_of(self.connection)}" if self.connection else ""
        match self.consent:
            case Consent.NONE:
                return "remote code search is off; nothing is sent"
            case Consent.NEVER:
                return "remote code search is off for good, as you answered; `lurcher remote allow` takes that back"
            case Consent.ALLOWED:
                return f"remote code search is on: {where}"
            case Consent.MISSING:
                return f"remote code search ({where}) is not allowed for {' and '.join(self.lacking)}; nothing is sent"

    @property
    def commands(self) -> tuple[str, ...]:
        """What to type to allow what is missing, one command for each folder."""
        if self.consent is not Consent.MISSING or self.connection is None:
            return ()
        return tuple(allowing(self.connection, folder) for folder in self.lacking)


def agree(consents: Consents, folders: Sequence[str], wish: Connection | None = None) -> Agreement:
    """How it stands with some folders. A workspace is searched as a whole, so that all of them must allow the same.

    With a wish, as settings express it, only that counts. Without one, what is allowed is what is wished for.
    """
    names = list(dict.fromkeys(real_path(folder) for folder in folders))
    found = consents.about(names)
    agreement = _agreed(names, found.records, wish) if names else Agreement()
    return msgspec.structs.replace(agreement, complaint=found.complaint) if found.complaint else agreement


def allowing(connection: Connection, folder: str) -> str:
    """The command that allows a connection for a folder, as it can be typed."""
    variable = f" --token-variable {connection.token_variable}" if connection.token_variable else ""
    return f"lurcher remote allow {connection.kind} {quote(connection.url)}{variable} -w {quote(folder)}"


def _agreed(names: Sequence[str], records: Mapping[str, Record], wish: Connection | None) -> Agreement:
    held = {name: found for name, record in records.items() if (found := record.in_force) is not None}
    wished = wish or next((held[name] for name in names if name in held), None)
    if wished is None:
        # It was allowed by another version, which sent less.
        lapsed = (record.connection for record in records.values() if record.connection is not None)
        wished = next(lapsed, None)
    is_refused = any(record.answer == "never" for record in records.values())
    if wished is None:
        return Agreement(consent=Consent.NEVER if is_refused else Consent.NONE)
    if not wished.token_variable:
        # Whose token is sent is part of what was agreed to; a wish that names none takes that one.
        kept = next((each.token_variable for each in held.values() if _is_same_place(each, wished)), "")
        wished = msgspec.structs.replace(wished, token_variable=kept)
    lacking = tuple(name for name in names if held.get(name) != wished)
    if not lacking:
        since = max(records[name].when for name in names)
        return Agreement(consent=Consent.ALLOWED, connection=wished, since=since)
    consent = Consent.NEVER if is_refused else Consent.MISSING
    return Agreement(consent=consent, connection=wished, lacking=lacking)


def _is_same_place(one: Connection, other: Connection) -> bool:
    return (one.kind, one.url) == (other.kind, other.url)
