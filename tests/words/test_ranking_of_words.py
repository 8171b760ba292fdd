"""What the two term indexes find, and that they agree: postings on disk and changes in memory."""

from collections.abc import Callable

import pytest

from lurcher_index.text.terms import terms
from lurcher_index.words.candidates import Candidate, Terms, WordFile
from lurcher_index.words.delta import Delta
from lurcher_index.words.filters import Filters
from lurcher_index.words.postings import Postings
from lurcher_index.words.query import understand

Search = Callable[[str], list[Candidate]]

FILLER = [f"filler{number} common words of other files" for number in range(40)]


def files(*texts: str, names: str = "", path: str = "") -> list[WordFile]:
    """One file of one chunk for each text; the first is number 1."""
    return [
        WordFile(number, number, f"1/f{number}", terms(path.encode()), "text", (Terms(terms(text.encode()), names),))
        for number, text in enumerate(texts, 1)
    ]


def in_postings(given: list[WordFile]) -> Search:
    postings = Postings(None)
    for file in given:
        postings.replace(file)
    postings.commit()
    view = postings.searcher()
    postings.release()
    return lambda text: view.search(understand(text), Filters(), 50)


def in_memory(given: list[WordFile]) -> Search:
    delta = Delta().with_changes(given, ())

    def search(text: str) -> list[Candidate]:
        found = delta.search(understand(text), Filters(), 0, lambda _field, _term: 0)
        return sorted(found, key=lambda hit: (not hit.first, -hit.score))

    return search


@pytest.fixture(params=[in_postings, in_memory], ids=["postings", "memory"])
def index(request: pytest.FixtureRequest) -> Callable[[list[WordFile]], Search]:
    chosen: Callable[[list[WordFile]], Search] = request.param
    return chosen


Index = Callable[[list[WordFile]], Search]


def check(index: Index, query: str, *texts: str, best: list[int]) -> None:
    found = index(files(*texts, *FILLER))(query)
    assert [hit.file_id for hit in found][: len(best)] == best


def test_rare_words_count_more_than_common_ones(index: Index) -> None:
    check(index, "common zebra", "zebra alone here", "common common common", best=[1])


def test_short_chunks_win_over_long_ones_with_the_same_word(index: Index) -> None:
    check(index, "zebra", "zebra " + "noise " * 200, "zebra here", best=[2, 1])


def test_all_words_of_a_short_question_come_first_whatever_the_score(index: Index) -> None:
    check(index, "zebra lion", "zebra zebra zebra zebra", "zebra lion " + "noise " * 100, best=[2, 1])


def test_a_long_question_goes_by_the_score(index: Index) -> None:
    search = index(files("zebra lion tiger bear", *FILLER))
    assert [hit.first for hit in search("zebra lion tiger bear")] == [False]


def test_an_identifier_is_all_there_by_its_parts_or_as_a_whole(index: Index) -> None:
    search = index(files("parse the http header", "parseHTTPHeader()", "parse nothing", *FILLER))
    found = {hit.file_id: hit.first for hit in search("parseHTTPHeader")}
    assert found == {1: True, 2: True, 3: False}


def test_an_unfinished_last_word_is_completed(index: Index) -> None:
    check(index, "zeb", "zebras everywhere", best=[1])
    assert index(files("zebras everywhere", *FILLER))("zeb everywhere?")[0].file_id == 1


def test_forms_of_a_word_find_each_other(index: Index) -> None:
    check(index, "caching entries", "the cache holds an entry", best=[1])


def test_chinese_is_found_by_a_substring(index: Index) -> None:
    check(index, "测试", "这是测试文件", best=[1])


def test_punctuation_finds_nothing(index: Index) -> None:
    assert index(files("zebra"))("->") == []


def test_names_and_paths_are_searched(index: Index) -> None:
    assert [hit.file_id for hit in index(files("body", names="zebra"))("zebra")] == [1]
    assert [hit.file_id for hit in index(files("body", path="src/zebra.py"))("zebra")] == [1]


def test_memory_scores_like_the_postings() -> None:
    """A few changed files among many of the usual size: what they score must not depend on where they are kept."""
    usual = " ".join(f"q{one}{other}q" for one in "abcde" for other in "abcdefghijklmnopqrstuvwxy")
    many = files(
        "zebra lion lion " + usual, "zebra " * 5 + usual, "lion tiger " + usual, *[f"{usual} x{n}" for n in range(300)]
    )
    stored = {hit.file_id: hit.score for hit in in_postings(many)("zebra lion tiger bear")}
    postings = Postings(None)
    for file in many[3:]:
        postings.replace(file)
    postings.commit()
    view = postings.searcher()
    postings.release()
    delta = Delta().with_changes(many[:3], ())
    query = understand("zebra lion tiger bear")
    recent = delta.search(query, Filters(), view.chunk_count, view.document_frequency)
    assert {hit.file_id for hit in recent} == stored.keys() == {1, 2, 3}
    for hit in recent:
        # The postings know how long their chunks are on average, which is not told, so scores agree only nearly.
        assert hit.score == pytest.approx(stored[hit.file_id], rel=0.15)


def test_a_part_of_what_is_counted_scores_like_the_postings() -> None:
    """Who knows how common terms are in the whole, and how long its chunks are, scores a few of its files alike."""
    texts = [" ".join(["zebra", "lion", *(f"x{at}" for at in range(length))]) for length in range(1, 400, 10)]
    many = files(*texts, names="zebra crossing")
    stored = {hit.file_id: hit.score for hit in in_postings(many)("zebra lion crossing tiger")}
    every = Delta().with_changes(many, ()).files.values()
    lengths = {
        field: sum(each.totals[field] for each in every) / len(many) for field in ("body", "names", "path_terms")
    }

    def frequency(field: str, term: str) -> int:
        return sum(len(each.holding(field, term)) for each in every)

    few = Delta().with_changes(many[::5], ())
    query = understand("zebra lion crossing tiger")
    found = few.search(query, Filters(), len(many), frequency, are_counted=True, lengths=lengths)
    assert len(found) == len(many[::5])
    for hit in found:
        assert hit.score == pytest.approx(stored[hit.file_id], rel=1e-5)


def test_a_completion_is_as_common_as_the_word_it_completes() -> None:
    """Counts of an unfinished word are known; those of words that it may become are only known of a few files."""
    few = Delta().with_changes(files("zeb zebra", "zeb zebra", "zeb lion"), ())

    def scores(known: dict[str, int]) -> dict[int, float]:
        query = understand("lion zeb")
        found = few.search(query, Filters(), 1000, lambda _field, term: known.get(term, 0), are_counted=True)
        return {hit.file_id: hit.score for hit in found}

    assert scores({"zeb": 300}) == pytest.approx(scores({"zeb": 300, "zebra": 200}))


def test_a_file_that_is_replaced_or_removed_is_no_longer_found() -> None:
    postings = Postings(None)
    one, two = files("zebra", "zebra lion")
    postings.replace(one)
    postings.replace(two)
    postings.commit()
    (changed,) = files("tiger")
    postings.replace(changed)
    postings.remove(2)
    before = postings.searcher()
    postings.commit()
    after = postings.searcher()
    postings.release()
    query = understand("zebra tiger")
    assert {hit.file_id for hit in before.search(query, Filters(), 9)} == {1, 2}
    assert {(hit.file_id, hit.first) for hit in after.search(query, Filters(), 9)} == {(1, False)}


def test_hidden_files_are_left_out_inside_the_search() -> None:
    postings = Postings(None)
    for file in files(*["zebra"] * 20):
        postings.replace(file)
    postings.commit()
    found = postings.searcher().search(understand("zebra"), Filters(), 5, hidden=range(1, 18))
    postings.release()
    assert {hit.file_id for hit in found} == {18, 19, 20}


def test_a_delta_is_not_changed_by_later_changes() -> None:
    one, two = files("zebra", "lion")
    before = Delta().with_changes([one], ())
    after = before.with_changes([two], [1])
    assert set(before.files) == {1}
    assert set(after.files) == {2}
    assert set(after.hidden()) == {1, 2}


def test_related_terms_bring_chunks_in_behind_those_that_were_asked_for() -> None:
    """In the postings and in memory alike, and never as words of the question."""
    given = files("zebra in the sun", "lion in the sun", *FILLER)
    query = understand("zebra", [("lions", 0.2)])
    postings = Postings(None)
    for file in given:
        postings.replace(file)
    postings.commit()
    stored = postings.searcher().search(query, Filters(), 9)
    postings.release()
    recent = Delta().with_changes(given, ()).search(query, Filters(), 0, lambda _field, _term: 0)
    for found in (stored, sorted(recent, key=lambda hit: -hit.score)):
        assert [(hit.file_id, hit.first) for hit in found] == [(1, True), (2, False)]
        assert found[0].score > 4 * found[1].score
