"""Literal text in an issue: what can be looked for as it stands."""

import re

from lurcher_index.locate.names import strings_of
from lurcher_index.query.code_terms import identifier_of, quoted

LEAST_LITERAL_CHARACTERS = 3
"""Shorter strings (`", "`, `"id"`) stand everywhere."""

_NAME = r"[\w.\"`\[\]]{1,100}"
_SQL = re.compile(
    rf"\b(?:SELECT\s[^;'\"]{{1,200}}?\sFROM\s+{_NAME}|INSERT\s+INTO\s+{_NAME}|DELETE\s+FROM\s+{_NAME}"
    rf"|UPDATE\s+{_NAME}\s+SET)\b",
    re.IGNORECASE,
)
_SQL_VERB = re.compile(r"\b(?:SELECT|INSERT|UPDATE|DELETE|DROP|ALTER|CREATE TABLE|TRUNCATE)\b")
_PLACEHOLDER = re.compile(r"\$\{[^{}\n]{1,100}\}|#\{[^{}\n]{1,100}\}|%\([^()\n]{1,100}\)[a-z]")


def literals_of(prose: str, code: str) -> tuple[str, ...]:
    """Statements of SQL up to the table they name, then other strings of the code, then what prose puts in quotes."""
    found = [" ".join(match[0].split()) for match in _SQL.finditer(f"{code}\n{prose}")]
    for text in strings_of(code):
        if _SQL.search(text) is None:
            found += [piece.strip() for piece in _PLACEHOLDER.split(text)]
    found += [text for text in quoted(prose) if not identifier_of(text)]
    return tuple(dict.fromkeys(text for text in found if len(text) >= LEAST_LITERAL_CHARACTERS))


def placeholders_of(code: str) -> tuple[str, ...]:
    """What is put into strings at run time, as it is written there: `${userId}`."""
    return tuple(dict.fromkeys(match[0] for match in _PLACEHOLDER.finditer(code)))


def has_sql_verb(text: str) -> bool:
    """Whether a text holds a verb of SQL in capitals, as people write it to be recognised."""
    return _SQL_VERB.search(text) is not None
