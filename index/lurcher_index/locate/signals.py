"""What an issue tells about how to look for it: the signals that the score table weighs."""

import re

import msgspec

from lurcher_index.locate.issue import Goal, Issue
from lurcher_index.locate.literals import has_sql_verb, literals_of, placeholders_of
from lurcher_index.locate.names import called_names, snippet_names, spoken_names, without_strings

EXACT_CODE_CHARACTERS = 20
"""A snippet longer than this is code that can be looked for as it stands; the rule's figure."""

_STRUCTURE = re.compile(
    r"\b(?:anti-?patterns?|patterns?|structur(?:e|es|al)|missing|empty|nested|complex|complexity|duplicate[sd]?)\b",
    re.IGNORECASE,
)
_SQL_INJECTION = re.compile(r"\bsql[\s_-]{0,3}injections?\b", re.IGNORECASE)
_HARDCODED = re.compile(r"\bhard[\s-]?coded\b", re.IGNORECASE)
_SECRET = re.compile(
    r"\b(?:secrets?|passwords?|passphrases?|credentials?|tokens?|(?:api|private|access|secret)[\s_-]?keys?)\b",
    re.IGNORECASE,
)
_NO_VALIDATION = re.compile(
    r"\b(?:missing|no|lacks?|lacking|without)\s+(?:\w{1,30}\s+){0,2}(?:validations?|sanitization|bounds?[\s-]checks?)\b"
    r"|\b(?:unvalidated|not\s+validated|unsanitized|not\s+sanitized|unchecked\s+input)\b",
    re.IGNORECASE,
)
_PERFORMANCE = re.compile(
    r"\b(?:performance|slow|slowness|inefficient|inefficiency|bottleneck|quadratic|n\+1)(?!\w)", re.IGNORECASE
)
_CONTROL_FLOW = re.compile(
    r"\b(?:if|else|elif|elsif|unless|for|foreach|while|until|loop|switch|case|match|try|catch|except|rescue|finally)\b"
)


class Signals(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that was found in an issue; what is not a name or a text is a yes or a no."""

    literals: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()
    symbols: tuple[str, ...] = ()
    """Names that the prose gives, functions first."""
    snippet_names: tuple[str, ...] = ()
    snippet_functions: tuple[str, ...] = ()
    placeholders: tuple[str, ...] = ()
    literal_string: bool = False
    exact_code: bool = False
    structural: bool = False
    sql_injection: bool = False
    hardcoded_secret: bool = False
    missing_validation: bool = False
    control_flow: bool = False
    performance: bool = False
    goal: Goal = Goal.FIND_LOCATION


def signals_of(issue: Issue) -> Signals:
    """Read an issue; pure, and in time that grows with the length of the texts."""
    prose, told, code = issue.prose, issue.told, issue.snippet
    functions, variables, symbols = spoken_names(prose)
    literals = literals_of(prose, code)
    return Signals(
        literals=literals,
        functions=functions,
        variables=variables,
        symbols=symbols,
        snippet_names=snippet_names(code),
        snippet_functions=called_names(code),
        placeholders=placeholders_of(code),
        literal_string=bool(literals) or has_sql_verb(f"{prose}\n{code}"),
        exact_code=len(code) > EXACT_CODE_CHARACTERS,
        structural=_STRUCTURE.search(told) is not None,
        sql_injection=_SQL_INJECTION.search(told) is not None,
        hardcoded_secret=_HARDCODED.search(told) is not None and _SECRET.search(told) is not None,
        missing_validation=_NO_VALIDATION.search(told) is not None,
        control_flow=_CONTROL_FLOW.search(without_strings(code)) is not None,
        performance=_PERFORMANCE.search(told) is not None,
        goal=issue.goal,
    )
