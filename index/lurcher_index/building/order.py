"""Which files are indexed first: those a person most likely asks about."""

import re

_PROSE_AND_DATA = frozenset(
    "adoc cfg conf css csv htm html ini json jsonl less lock md org po properties rst scss sql svg toml tsv txt xml "
    "yaml yml".split()
)
"""By the end of the name: this runs for every file before the first one is read."""

_ASIDE = re.compile(
    r"(^|/)(tests?|testing|spec|specs|examples?|samples?|demos?|docs?|fixtures?|testdata|third_?party|vendor|vendored|"
    r"generated|migrations|benchmarks?|locales?|i18n)(/|$)|(^|/)(test_|conftest)|[._-](test|spec)s?\.",
    re.IGNORECASE,
)


def usefulness(path: str) -> tuple[int, int, str]:
    """Sort key: source code before prose and data, a project's own code before its tests, shallow before deep."""
    aside = 1 if _ASIDE.search(path) else 0
    prose = 1 if path.rpartition(".")[2].lower() in _PROSE_AND_DATA else 0
    return aside + prose, path.count("/"), path
