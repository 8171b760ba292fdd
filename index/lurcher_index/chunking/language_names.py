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
    # First what people mean by it: to them TSX is TypeScript, too.
    if meant := LANGUAGE_IDS.get(wanted) or _OF_EDITORS.get(wanted):
        return meant
    if wanted in _IDS:
        return (wanted,)
    ending = wanted.removeprefix(".")
    return _SHARED_ENDINGS.get(ending) or ((_BY_ENDING[ending],) if ending in _BY_ENDING else ())


def nearest_language(name: str) -> str:
    """The known name that a name nobody knows is most like; empty if it is like none."""
    return next(iter(get_close_matches(name.strip().lower(), _NAMES, 1, NEAR)), "")


_OF_EDITORS = {"typescriptreact": ("tsx",), "javascriptreact": ("javascript",), "shellscript": ("bash",)}
"""What VS Code calls a language, where that is nobody else's name for it."""

_SHARED_ENDINGS = {"h": ("c", "cpp")}
"""Endings of more than one language: which one a file is in stands in its text."""

_IDS = {"text", *(row.id for row in LANGUAGES)}
"""`text` is what no row of the table claims."""

_BY_ENDING: dict[str, str] = {}
for _row in LANGUAGES:
    for _ending in _row.endings.split():
        _BY_ENDING.setdefault(_ending, _row.id)

_NAMES = sorted({*_IDS, *LANGUAGE_IDS})
