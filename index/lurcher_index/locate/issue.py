"""An issue as a person, a linter or an assistant reports it, checked once, before anything is looked for."""

from enum import StrEnum

import msgspec

from lurcher_index.errors import BadQuery

MAX_TEXT_CHARACTERS = 20_000
"""What is read of a title, a description or a category: ten pages. A pasted log goes on for ever and says no more."""

MAX_SNIPPET_CHARACTERS = 20_000
"""What is read of a snippet: some 500 lines."""


class Goal(StrEnum):
    """What the places are wanted for."""

    FIND_LOCATION = "find-location"
    ANALYZE_IMPACT = "analyze-impact"
    FIND_DUPLICATES = "find-duplicates"
    VERIFY_FIX = "verify-fix"


class Issue(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """What is wrong, or wanted. The description may be empty if there is a title or a snippet."""

    description: str = ""
    title: str = ""
    category: str = ""
    code_snippet: str = ""
    goal: Goal = Goal.FIND_LOCATION

    def __post_init__(self) -> None:
        """Refuse an issue that says nothing."""
        if not (self.description.strip() or self.title.strip() or self.code_snippet.strip()):
            raise BadQuery("an issue needs a description, a title or a code snippet")
        if self.goal not in tuple(Goal):
            raise BadQuery(f"unknown goal {self.goal!r}; there are {', '.join(Goal)}")

    @classmethod
    def from_dict(cls, values: dict[str, object]) -> "Issue":
        """Check values that come from a client."""
        try:
            return msgspec.convert(values, cls, strict=True)
        except msgspec.ValidationError as error:
            raise BadQuery(f"bad issue: {error}") from None

    @property
    def prose(self) -> str:
        """Title and description, as far as they are read."""
        parts = (self.title[:MAX_TEXT_CHARACTERS], self.description[:MAX_TEXT_CHARACTERS])
        return "\n".join(part for part in parts if part.strip())

    @property
    def pasted(self) -> str:
        """All that was written: frames of a stack trace may stand anywhere, and whoever reads them has a bound."""
        return "\n".join((self.title, self.description, self.code_snippet))

    @property
    def told(self) -> str:
        """The prose and the category."""
        return f"{self.prose}\n{self.category[:MAX_TEXT_CHARACTERS]}"

    @property
    def snippet(self) -> str:
        """The code, as far as it is read."""
        return self.code_snippet[:MAX_SNIPPET_CHARACTERS].strip()
