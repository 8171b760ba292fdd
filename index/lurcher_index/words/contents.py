"""Code, documents and configuration, told apart by language."""

from enum import StrEnum

DOCUMENT_LANGUAGES = frozenset({"asciidoc", "latex", "markdown", "org", "restructuredtext", "text"})
"""Written for people to read."""

CONFIGURATION_LANGUAGES = frozenset(
    {
        "cmake",
        "csv",
        "diff",
        "dockerfile",
        "dotenv",
        "gomod",
        "ini",
        "json",
        "just",
        "makefile",
        "meson",
        "nix",
        "requirements",
        "starlark",
        "terraform",
        "toml",
        "xml",
        "yaml",
    }
)
"""Settings, builds and data."""


class Content(StrEnum):
    """What kind of content to search."""

    ALL = "all"
    CODE = "code"
    DOCS = "docs"
    CONFIG = "config"

    def holds(self, language: str) -> bool:
        """Whether files of a language are of this kind. Every language is of exactly one kind besides all."""
        if self is Content.ALL:
            return True
        if language in DOCUMENT_LANGUAGES:
            return self is Content.DOCS
        return self is (Content.CONFIG if language in CONFIGURATION_LANGUAGES else Content.CODE)
