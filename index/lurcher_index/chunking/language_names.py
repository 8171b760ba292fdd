"""Which languages a person or a program means by a name: `python`, `golang`, `py`, `.rs`."""

from difflib import get_close_matches

from lurcher_index.chunking.languages import LANGUAGES
from lurcher_index.query.languages import LANGUAGE_IDS

NEAR = 0.7
"""How alike two names have to be for one to be taken for a slip of the other, by difflib's ratio: `pyhton` is 0.83
from `python`, and names of different languages are mostly below."""


def languages_named(name: str) -> tuple[str, ...]:
    """Ids of the languages that are meant by an id, a name as in "in golang" or a file ending; none for others."""
    wanted = name.strip().lower()
    if wanted in _IDS:
        return (wanted,)
    if wanted in LANGUAGE_IDS:
        return LANGUAGE_IDS[wanted]
    ending = wanted.removeprefix(".")
    return (_BY_ENDING[ending],) if ending in _BY_ENDING else ()


def nearest_language(name: str) -> str:
    """The known name that a name nobody knows is most like; empty if it is like none."""
    return next(iter(get_close_matches(name.strip().lower(), _NAMES, 1, NEAR)), "")


_IDS = {"text", *(row.id for row in LANGUAGES)}
"""`text` is what no row of the table claims."""

_BY_ENDING: dict[str, str] = {}
for _row in LANGUAGES:
    for _ending in _row.endings.split():
        _BY_ENDING.setdefault(_ending, _row.id)

_NAMES = sorted({*_IDS, *LANGUAGE_IDS})
