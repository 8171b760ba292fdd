"""Code, documents or configuration alone: every language is of one kind, and the choice acts inside the search."""

import pytest

from lurcher_index.chunking.languages import LANGUAGES
from lurcher_index.words.candidates import Terms, WordFile
from lurcher_index.words.contents import CONFIGURATION_LANGUAGES, DOCUMENT_LANGUAGES, Content
from lurcher_index.words.delta import Delta
from lurcher_index.words.filters import Filters
from lurcher_index.words.postings import Postings
from lurcher_index.words.query import understand

KINDS = (Content.CODE, Content.DOCS, Content.CONFIG)
OF_A_KIND = {
    Content.CODE: {"python", "go", "html", "bash", "a language of tomorrow", ""},
    Content.DOCS: {"markdown", "restructuredtext", "text"},
    Content.CONFIG: {"json", "toml", "yaml", "dockerfile"},
}
FILES = [
    WordFile(1, 11, "1/a.py", "", "python", (Terms("marmot", ""),)),
    WordFile(2, 12, "1/b.md", "", "markdown", (Terms("marmot", ""),)),
    WordFile(3, 13, "1/c.toml", "", "toml", (Terms("marmot", ""),)),
    WordFile(4, 14, "1/d.rs", "", "rust", (Terms("marmot", ""),)),
]
FOUND = {Content.ALL: {1, 2, 3, 4}, Content.CODE: {1, 4}, Content.DOCS: {2}, Content.CONFIG: {3}}


@pytest.mark.parametrize("language", sorted({row.id for row in LANGUAGES}))
def test_every_language_is_of_exactly_one_kind(language: str) -> None:
    assert Content.ALL.holds(language)
    assert [kind.holds(language) for kind in KINDS].count(True) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_of_which_kind(kind: Content) -> None:
    for other, languages in OF_A_KIND.items():
        assert {kind.holds(language) for language in languages} == {kind is other}


def test_the_lists_name_languages_that_there_are() -> None:
    known = {row.id for row in LANGUAGES} | {"text"}
    assert known >= DOCUMENT_LANGUAGES
    assert known >= CONFIGURATION_LANGUAGES
    assert not DOCUMENT_LANGUAGES & CONFIGURATION_LANGUAGES


@pytest.mark.parametrize("content", list(Content))
def test_a_kind_of_content_is_a_filter(content: Content) -> None:
    filters = Filters(content=content)
    assert filters.is_empty is (content is Content.ALL)
    assert {file.file_id for file in FILES if filters.accepts(file.key, file.language)} == FOUND[content]


def test_a_kind_of_content_and_other_filters_hold_together() -> None:
    filters = Filters(content=Content.CODE, languages=("python", "markdown"), exclude=("old/**",))
    assert filters.accepts("1/a.py", "python")
    assert not filters.accepts("1/b.md", "markdown")
    assert not filters.accepts("1/d.rs", "rust")
    assert not filters.accepts("1/old/a.py", "python")


@pytest.mark.parametrize("content", list(Content))
def test_postings_and_memory_find_one_kind(content: Content) -> None:
    query, filters = understand("marmot"), Filters(content=content)
    postings = Postings(None)
    for file in FILES:
        postings.replace(file)
    postings.commit()
    stored = {hit.file_id for hit in postings.searcher().search(query, filters, 10)}
    postings.release()
    unfolded = Delta().with_changes(FILES, ()).search(query, filters, 0, lambda _field, _term: 0)
    assert stored == {hit.file_id for hit in unfolded} == FOUND[content]


def test_one_kind_is_found_behind_any_number_of_others() -> None:
    """A filter over what was found would come too late: the best ten are all code."""
    postings = Postings(None)
    for number in range(1, 201):
        postings.replace(WordFile(number, number, f"1/{number}.py", "", "python", (Terms("marmot marmot", ""),)))
    postings.replace(WordFile(500, 500, "1/b.md", "", "markdown", (Terms("one marmot in many words of a text", ""),)))
    postings.commit()
    query = understand("marmot")
    everything = {hit.file_id for hit in postings.searcher().search(query, Filters(), 10)}
    documents = {hit.file_id for hit in postings.searcher().search(query, Filters(content=Content.DOCS), 10)}
    postings.release()
    assert 500 not in everything
    assert documents == {500}
