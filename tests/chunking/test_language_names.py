"""Names that people use for languages."""

import pytest

from lurcher_index.chunking.language_names import languages_named, nearest_language
from lurcher_index.chunking.languages import LANGUAGES


@pytest.mark.parametrize(
    ("name", "languages"),
    [
        ("js", ("javascript",)),
        ("ts", ("typescript", "tsx")),
        ("typescript", ("typescript", "tsx")),
        ("tsx", ("tsx",)),
        ("typescriptreact", ("tsx",)),
        ("javascriptreact", ("javascript",)),
        ("h", ("c", "cpp")),
        ("rs", ("rust",)),
        ("rb", ("ruby",)),
        ("kt", ("kotlin",)),
        ("cs", ("csharp",)),
        ("C++", ("cpp",)),
        ("c#", ("csharp",)),
        ("shell", ("bash",)),
        ("yml", ("yaml",)),
        ("md", ("markdown",)),
        (" .h++ ", ("cpp",)),
        ("text", ("text",)),
        ("pyhton", ()),
        ("", ()),
        (".", ()),
    ],
)
def test_a_name_is_an_id_an_alias_or_an_ending(name: str, languages: tuple[str, ...]) -> None:
    assert languages_named(name) == languages


def test_an_id_means_itself_whatever_endings_there_are() -> None:
    assert {row.id for row in LANGUAGES if row.id not in languages_named(row.id)} == set()
    assert {row.id for row in LANGUAGES if len(languages_named(row.id)) > 1} == {"typescript"}


@pytest.mark.parametrize(
    ("name", "near"),
    [("pyhton", "python"), ("javscript", "javascript"), ("docker", "dockerfile"), ("klingon", ""), ("", "")],
)
def test_a_slip_is_led_to_the_nearest_name(name: str, near: str) -> None:
    assert nearest_language(name) == near
