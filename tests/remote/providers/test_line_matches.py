"""Matches of lines become hits; words become patterns in which nothing is an operator."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as some
from tests.remote.standins.corpus import NotUnderstood, Query, Repository

from lurcher_index.chunking.languages import LANGUAGES
from lurcher_index.errors import RemoteUnreachable
from lurcher_index.remote.interface import Wanted
from lurcher_index.remote.providers.phrasing import below_folder, exactly, in_languages, literal, phrased
from lurcher_index.remote.providers.places import LAST_LINE, FoundFile, Portion, Span, enough, hits_of


def lines(*files: FoundFile, limit: int = 100) -> list[tuple[str, int, int]]:
    return [(hit.path, hit.first_line, hit.last_line) for hit in hits_of(files, limit)]


def test_neighbouring_lines_are_one_hit() -> None:
    spans = (Span(9, 9), Span(5, 5), Span(14, 15), Span(5, 6), Span(100, 100))
    assert lines(FoundFile("a", spans)) == [("a", 5, 9), ("a", 14, 15), ("a", 100, 100)]


def test_files_stay_in_order_and_their_best_lines_come_first() -> None:
    first = FoundFile("a", (Span(1, 1, 1.0), Span(50, 50, 3.0), Span(52, 52, 2.0)))
    assert lines(first, FoundFile("b")) == [("a", 50, 52), ("a", 1, 1), ("b", 1, LAST_LINE)]


def test_one_file_does_not_take_all_the_room() -> None:
    greedy = FoundFile("a", tuple(Span(at, at) for at in range(1, 1_000, 10)))
    found = lines(greedy, FoundFile("b", (Span(3, 3),)), FoundFile("c", (Span(4, 4),)), limit=5)
    assert [path for path, _, _ in found] == ["a", "a", "a", "b", "c"]
    assert lines(limit=5) == []


def test_scores_follow_the_order_where_none_are_told() -> None:
    scores = [hit.score for hit in hits_of([FoundFile("a"), FoundFile("b"), FoundFile("c", score=7.5)], 9)]
    assert scores == [1.0, 0.5, 7.5]


def test_lines_that_no_file_has() -> None:
    assert lines(FoundFile("a", (Span(-5, -9), Span(10**30, 7)))) == [("a", 1, 1), ("a", LAST_LINE, LAST_LINE)]


def test_more_is_asked_for_until_enough_pass() -> None:
    asked: list[int] = []

    def ask(count: int) -> Portion:
        asked.append(count)
        return Portion(
            tuple(FoundFile(f"{at}.py" if at % 4 == 0 else f"{at}.go") for at in range(min(count, 60))), count >= 60
        )

    wanted = Wanted(words=("x",), terms={}, limit=10, accepts=lambda path, _language: path.endswith(".py"))
    assert len(enough(wanted, ask).files) == 10
    assert asked == [10, 40]
    asked.clear()
    nothing = Wanted(words=("x",), terms={}, limit=1, accepts=lambda _path, _language: False)
    assert enough(nothing, ask).files == ()
    assert asked == [1, 4, 16], "not for ever"


def test_what_was_told_before_a_failure_is_kept() -> None:
    def ask(count: int) -> Portion:
        if count > 10:
            raise RemoteUnreachable("it is too large")
        return Portion((FoundFile("a.py"),), False, ("cut short",))

    wanted = Wanted(words=("x",), terms={}, limit=10)
    assert enough(wanted, ask).alerts == ("cut short", "it is too large; further results are left out")
    with pytest.raises(RemoteUnreachable):
        enough(Wanted(words=("x",), terms={}, limit=11), ask)


# -- words


def test_words_that_are_sent() -> None:
    assert phrased(["parse", "a", "of", "parse", " \n", "", "x\0y", "数据"]).words == ("parse", "x y", "数据")
    assert phrased(["a", "of"]).words == ("a", "of"), "if there is nothing longer"
    assert phrased(["half\ud83d"]).words == ("half",)
    assert phrased([]).words == ()


def test_a_long_question_is_cut_and_that_is_said() -> None:
    said = phrased(["parse", "数" * 700, "read"])
    assert said.words == ("parse",) and "too long" in said.alerts[0]


HOSTILE = [
    "or", "OR", "and", "not", "-x", "(", ")", '"', "\\", '\\"', "repo:evil", "-repo:evil", "file:.*", ".*", "a|b",
    "a b", '") or (repo:"evil', "count:all", "\\Q", "[a", "select:repo", "/x/", "{}", "$", "^", "é", "数据",
]  # fmt: skip


@pytest.mark.parametrize("has_strings", [True, False])
@pytest.mark.parametrize("word", HOSTILE)
def test_a_hostile_word_is_only_a_word(word: str, has_strings: bool) -> None:
    _only_itself(word, has_strings)


@given(some.text(min_size=1, max_size=20), some.booleans())
def test_any_word_is_only_a_word(word: str, has_strings: bool) -> None:
    for cleaned in phrased([word]).words:
        _only_itself(cleaned, has_strings)


def _only_itself(word: str, has_strings: bool) -> None:
    from lurcher_index.remote.interface import IndexedCommit
    from lurcher_index.remote.providers import sourcegraph, zoekt

    make = zoekt._query if has_strings else sourcegraph._query
    query = make("h/o/n", IndexedCommit(""), (word, "other"), Wanted(words=(), terms={}))
    parsed = Query(query, has_strings=has_strings)
    holding = Repository("h/o/n", files={"a": f"before {word} after", "b": "nothing", "evil": "text"})
    evil = Repository("evil", files={"a": f"{word} other"})
    found = [match.path for match in parsed.search(holding)]
    assert "a" in found
    assert [path for path in found if path != "a"] == [
        path for path in ("b", "evil") if word.lower() in f"{path}\0{holding.files[path]}".lower()
    ]
    assert parsed.search(evil) == []
    assert parsed.fields["repo"] == ["^h/o/n$" if has_strings else "^h/o/n$@HEAD"]


def test_the_parser_of_the_tests_knows_operators() -> None:
    """Else the tests above could not fail."""
    repository = Repository("h/o/n", files={"a": "one", "b": "two"})
    assert [each.path for each in Query("one or two", has_strings=True).search(repository)] == ["a", "b"]
    assert [each.path for each in Query("-one", has_strings=True).search(repository)] == ["b"]
    assert [each.path for each in Query("repo:evil", has_strings=True).search(repository)] == []
    assert [each.path for each in Query('"on" ("x" or "e")', has_strings=True).search(repository)] == ["a"]
    for wrong in ("(one", "one)", "or", '"one', "[a"):
        with pytest.raises(NotUnderstood):
            Query(wrong, has_strings=True).search(repository)


# -- filters


def _python(pattern: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\x\{(\w+)\}", lambda match: re.escape(chr(int(match[1], 16))), pattern))


def test_one_repository_and_no_other() -> None:
    pattern = _python(exactly("github.com/owner/na-me.x"))
    assert pattern.search("github.com/owner/na-me.x")
    for other in ("githubxcom/owner/na-me.x", "github.com/owner/na-me.xy", "a/github.com/owner/na-me.x"):
        assert not pattern.search(other)


def test_folders() -> None:
    pattern = _python(below_folder("src/a (b)/"))
    assert pattern.search("src/a (b)/c.py")
    assert not pattern.search("x/src/a (b)/c.py") and not pattern.search("src/a (b)c.py")
    assert " " not in below_folder("src/a (b)/")


def test_languages_by_our_own_table() -> None:
    python = _python(in_languages(["python"]))
    assert python.search("a/b.py") and python.search("c.pyi") and python.search("x/sconstruct")
    assert not python.search("a.pyc") and not python.search("a.go") and not python.search("xsconstruct")
    assert _python(in_languages(["c"])).search("a.h") and _python(in_languages(["go", "cpp"])).search("b.go")
    assert in_languages([]) == "" and in_languages(["python", "unheard of"]) == ""
    assert all(in_languages([row.id]) for row in LANGUAGES)


def test_a_pattern_has_nothing_that_a_query_language_is_made_of() -> None:
    assert re.fullmatch(r"[\w\\{}]*", literal("".join(map(chr, range(32, 1_000)))))
