"""Which licences a package may have to be learned from. What is not known to be permissive is not taken."""

import re
from dataclasses import dataclass

PERMISSIVE = re.compile(
    r"""
    ( ( expat|mit|mit-0|x11|isc|zlib|libpng|unlicen[cs]e|wtfpl|psf|python|postgresql|
      curl|ncsa|boost|bsl|cc0|0bsd|beerware|ntp|hpnd|upl|blueoak)
    | (apache|asl)(?=$|[-\s]?v?(ersion\s)?[12]|-license|\slicense|\ssoftware)
    | bsd
    | artistic-?2
    | (the\s)?(mit|isc|apache|bsd)\slicen[cs]e
    | public[-\s]domain
    | php(-3|$|\slicense)
    | ruby$
    | (new|modified|simplified|revised)\sbsd
    | (python\ssoftware\sfoundation)
    )
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""Beginnings of the names of permissive licences, in SPDX, in Debian's short names and as people write them."""

RESTRICTIVE = re.compile(
    r"\b[al]?gpl|gnu\b|general public|mozilla|\bmpl|\bepl|eclipse|\bcddl|\bcpl\b|\beupl|\bosl|\bsspl|"
    r"\bbusl|\bbsl-?1\.1|"
    r"commons clause|non-?commercial|\bcc[- ]by|proprietary|\bcecill|\bqpl|\bofl\b|\bgfdl|elastic|see licen[cs]e|"
    r"unlicensed|lgpl|patent|advertising|4-clause|bsd-?4",
    re.IGNORECASE,
)
"""Words that end the matter, whatever else the name says."""

COPYLEFT_TEXT = re.compile(
    r"general public licen[cs]e|\b[al]?gpl\b|/common-licenses/(l?gpl|gfdl|mpl)|mozilla public|eclipse public|"
    r"common development and distribution|cc[- ]by[- ]",
    re.IGNORECASE,
)
"""A copyright file in free form that mentions one of these is not taken, even if it only says that it is not meant."""

PERMISSIVE_TEXT = re.compile(
    r"permission is hereby granted, free of charge|redistribution and use in source and binary forms|"
    r"permission to use, copy, modify,? and(/or)? distribute|apache license,?\s+version 2|"
    r"/common-licenses/(apache|bsd)|"
    r"\bexpat licen[cs]e|\bmit licen[cs]e|\bisc licen[cs]e|boost software license|\bzlib licen[cs]e",
    re.IGNORECASE,
)
"""How permissive licences begin, or how a copyright file in free form calls them."""

HEADER = re.compile(r"^(format|format-specification)\s*:", re.IGNORECASE | re.MULTILINE)
FIELD = re.compile(r"^([A-Za-z-]+):[ \t]*(.*(?:\n[ \t].*)*)", re.MULTILINE)
NAME_LENGTH = 120
"""Characters of a licence's name that are looked at and written down."""


FREE_TEXT = "free text: "
"""How a verdict begins that quotes a copyright file in free form, since that gives the licence no name."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a package's licence allows: its name, and patterns of files under licences that are not permissive."""

    licence: str
    denied: tuple[str, ...] = ()


def permissive(expression: str) -> bool:
    """Say whether a licence expression gives a way to use the code under a permissive licence alone."""
    expression = expression.strip().strip("()").lower()[:NAME_LENGTH]
    expression = re.sub(r",\s+(?=version|v\.?\s?\d)", " ", expression)
    choices = re.split(r"\s+or\s+|\s*\|\|?\s*", expression)
    return any(all(_is_permissive(part) for part in re.split(r"\s+and\s+|\s*[,&+]\s+", choice)) for choice in choices)


def acceptable(licence: str) -> bool:
    """Say whether a licence that was written down for a package is permissive by today's rules."""
    if licence.startswith(FREE_TEXT):
        return PERMISSIVE_TEXT.match(licence.removeprefix(FREE_TEXT)) is not None
    return permissive(licence)


def debian_verdict(text: str) -> Verdict | None:
    """What a `debian/copyright` file says; None if the package is not permissively licensed as a whole."""
    if not HEADER.search(text[:2_000]):
        found = PERMISSIVE_TEXT.search(text)
        return Verdict(FREE_TEXT + " ".join(found.group().split())) if found and not _copyleft(text) else None
    main = ""
    denied: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text):
        fields = {name.lower(): value for name, value in FIELD.findall(paragraph)}
        if "files" not in fields or "license" not in fields:
            continue
        patterns = fields["files"].split()
        licence = fields["license"].split("\n", 1)[0].strip()[:NAME_LENGTH]
        packaging = all(pattern.startswith("debian/") for pattern in patterns)
        if "*" in patterns:
            if not permissive(licence):
                return None
            main = licence
        elif not packaging and not permissive(licence):
            denied += patterns
    return Verdict(main, tuple(denied)) if main else None


def _copyleft(text: str) -> bool:
    # The packaging alone may be under another licence; people say so in one of two ways.
    body = re.split(r"(?i)the debian packaging|on debian systems", text, maxsplit=1)[0]
    return COPYLEFT_TEXT.search(body) is not None


def _is_permissive(name: str) -> bool:
    name = name.strip().strip("()")
    return PERMISSIVE.match(name) is not None and RESTRICTIVE.search(name) is None
