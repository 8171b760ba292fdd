"""What an answer of the graph says in words: why there is nothing, or what to keep in mind."""

import msgspec

from lurcher_index.graph.values import Uses
from lurcher_index.query.parsed import Relation
from lurcher_index.text.numbers import counted

_DOES = {
    Relation.CALLERS: "calls it",
    Relation.CALLEES: "is called in it",
    Relation.REFERENCES: "calls, imports or inherits it",
}


def explain(answer: Uses, is_whole: bool) -> Uses:
    """The answer with its sentence."""
    return msgspec.structs.replace(answer, explanation=_sentence(answer, is_whole))


def _sentence(answer: Uses, is_whole: bool) -> str:
    common = f"{answer.asked} is a common name: not every file that holds it was looked at."
    if answer.total:
        return "" if is_whole else common
    if not is_whole:
        return f"{common} In those that were, nothing {_DOES[answer.relation]} for certain."
    if answer.targets:
        found = f"{answer.asked} is defined in {answer.targets[0].path}, but nothing here {_DOES[answer.relation]}"
        if answer.relation is Relation.CALLEES:
            return f"{answer.asked} is defined in {answer.targets[0].path}, but it calls nothing."
        if answer.unsure:
            return f"{found} for certain; {counted(answer.unsure, 'use')} of that name may mean something else."
        return f"{found}; calls by a name in a text or through a variable are not seen."
    if answer.unsure:
        return f"{answer.asked} is not defined in this workspace; found: {counted(answer.unsure, 'use')} of that name."
    return f"{answer.asked} is not known: nothing in this workspace defines or uses that name (case counts)."
