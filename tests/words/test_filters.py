"""Globs, prefixes and languages: the same answer from Python's expressions and inside the postings."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from lurcher_index.errors import BadQuery
from lurcher_index.words.candidates import Candidate, Terms, WordFile
from lurcher_index.words.delta import Delta
from lurcher_index.words.filters import Filters
from lurcher_index.words.postings import Postings
from lurcher_index.words.query import understand


def check(filters: Filters, *, accepts: str = "", refuses: str = "", language: str = "python") -> None:
    for path in accepts.split():
        assert filters.accepts(f"1/{path}", language), f"{path} should pass {filters}"
    for path in refuses.split():
        assert not filters.accepts(f"1/{path}", language), f"{path} should not pass {filters}"


@pytest.mark.parametrize(
    ("glob", "accepts", "refuses"),
    [
        ("*.ts", "a.ts src/b.ts src/deep/c.ts", "a.tsx ts a.ts.map"),
        ("src/**", "src/a src/b/c", "lib/src/a srcs/a"),
        ("src/*.py", "src/a.py", "src/b/a.py a.py"),
        ("**/test_*", "test_a a/test_b a/b/test_c.py test_dir/x", "a/testing"),
        ("{lib,app}/**/*.rb", "lib/a.rb app/b/c.rb", "spec/a.rb libs/a.rb"),
        ("docs", "docs docs/a.md x/docs/b", "docs2 mydocs/a"),
        ("docs/", "docs/a.md", "docs2/a"),
        ("file[0-9].c", "file1.c a/file2.c", "filex.c file12.c"),
        ("file[!0-9].c", "filex.c", "file1.c"),
        ("a?c", "abc x/a.c", "ac abbc a/c"),
        ("./src/x.py", "src/x.py", "x.py lib/src/x.py"),
        ("a+b(1).py", "a+b(1).py", "aab1.py"),
        ("[abc", "[abc", "a"),
        ("{a", "{a", "a"),
    ],
)
def test_globs(glob: str, accepts: str, refuses: str) -> None:
    check(Filters(include=(glob,)), accepts=accepts, refuses=refuses)
    check(Filters(exclude=(glob,)), accepts=refuses, refuses=accepts)


def test_exclude_wins_over_include() -> None:
    check(Filters(include=("src/**",), exclude=("*.min.js",)), accepts="src/a.js", refuses="src/a.min.js lib/a.js")


def test_path_prefixes_are_whole_segments() -> None:
    check(Filters(paths=("src/db",)), accepts="src/db src/db/a.py", refuses="src/db_utils/a.py src/database.py")
    check(Filters(paths=("./src/db/", "lib")), accepts="src/db/a lib/x", refuses="src/x")
    check(Filters(paths=("",)), accepts="anything at/all")


def test_languages_are_any_of() -> None:
    check(Filters(languages=("go", "python")), accepts="a.py")
    check(Filters(languages=("go",)), refuses="a.py")


def test_a_name_with_a_line_end_is_matched() -> None:
    assert Filters(include=("*.py",)).accepts("1/odd\nname.py", "python")


_GLOB = st.text(alphabet="ab/*?[]!{},.-\\", min_size=1, max_size=8)
_PATH = st.lists(st.text(alphabet="ab.-[{", min_size=1, max_size=3), min_size=1, max_size=3).map("/".join)


@hypothesis_settings(max_examples=150, deadline=None)
@given(st.lists(_GLOB, max_size=2), st.lists(_GLOB, max_size=2), st.lists(_PATH, min_size=1, max_size=6, unique=True))
def test_postings_and_memory_agree_on_any_glob(include: list[str], exclude: list[str], paths: list[str]) -> None:
    filters = Filters(include=tuple(include), exclude=tuple(exclude))
    files = [WordFile(n, n, f"3/{path}", "", "text", (Terms("word", ""),)) for n, path in enumerate(paths, 1)]
    postings = Postings(None)
    for file in files:
        postings.replace(file)
    postings.commit()
    query = understand("word")
    stored = _found(lambda: postings.searcher().search(query, filters, 100))
    assert stored == _found(lambda: Delta().with_changes(files, ()).search(query, filters, 0, lambda _field, _term: 0))
    postings.release()


def _found(search: Callable[[], Iterable[Candidate]]) -> set[int] | str:
    try:
        return {hit.file_id for hit in search()}
    except BadQuery:
        return "refused"


def test_postings_reopen_on_disk(tmp_path: Path) -> None:
    postings = Postings(tmp_path / "words")
    assert postings.is_new
    postings.replace(WordFile(7, 9, "1/a.py", "a py", "python", (Terms("alpha beta", "gamma"),)))
    postings.commit()
    postings.release()
    again = Postings(tmp_path / "words")
    assert not again.is_new
    (hit,) = again.searcher().search(understand("gamma"), Filters(), 10)
    assert (hit.file_id, hit.content_id, hit.ordinal, hit.first) == (7, 9, 0, True)


@pytest.mark.parametrize(
    "globs", [("{*,*}" * 8,), ("*a" * 20,), ("x" * 2_000,), tuple(f"{number}.py" for number in range(300))]
)
def test_filters_that_would_keep_a_search_busy_are_refused(globs: tuple[str, ...]) -> None:
    with pytest.raises(BadQuery, match="filter"):
        Filters(include=globs)
