"""Related terms: from the table, from a model, from the workspace's names; few, and none for names of code."""

from collections.abc import Sequence

import pytest

from lurcher_index.query.expansion import MAX_TERMS, Related, expand
from lurcher_index.query.parsed import Source
from lurcher_index.query.parser import parse
from lurcher_index.query.vocabulary import MAX_PAIRS, MIN_TOGETHER, Vocabulary


def terms(question: str, related: Related | None = None, vocabulary: Vocabulary | None = None) -> list[str]:
    return [each.term for each in expand(parse(question), related, vocabulary).expanded]


def vocabulary(*names: str) -> Vocabulary:
    """Of names that each occur often enough to count."""
    made = Vocabulary()
    for _ in range(MIN_TOGETHER):
        made.add(names)
    made.settle()
    return made


def near(word: str) -> Sequence[tuple[str, float]]:
    table = {"kettle": [("teapot", 0.9), ("boiler", 0.8), ("pot", 0.7), ("river", 0.1)], "river": [("stream", 0.3)]}
    return table.get(word, [])


@pytest.mark.parametrize(
    ("word", "row"),
    [
        ("auth", ["authentication", "authenticate", "login", "session"]),
        ("handler", ["handler", "Handler", "http.Handler", "HandlerFunc"]),
        ("error", ["error", "err", "Error", "exception", "panic"]),
        ("config", ["config", "configuration", "settings", "options"]),
    ],
)
def test_the_four_printed_rows_expand_as_printed(word: str, row: list[str]) -> None:
    assert terms(word) == row
    assert terms(f"where is the {word}") == row
    assert terms(f"{word}s of the server")[: len(row)] == row


def test_authentication_brings_auth_login_and_session() -> None:
    assert {"auth", "login", "session"} <= set(terms("how does authentication work"))


def test_only_whole_words_are_expanded() -> None:
    assert terms("author handlers2 terrors reconfigured") == []


def test_names_of_code_and_pasted_errors_mean_what_they_say() -> None:
    assert terms("error_handler config.auth()") == []
    assert terms("KeyError: 'config'") == []
    assert terms("`auth` in `Config`") == []


def test_each_term_says_where_it_comes_from() -> None:
    expanded = expand(parse("auth of the kettle"), near, vocabulary("kettle_lid")).expanded
    assert [(each.term, each.word, each.source) for each in expanded if each.word == "kettle"] == [
        ("teapot", "kettle", Source.MODEL),
        ("boiler", "kettle", Source.MODEL),
    ]
    assert all(0.0 < each.weight <= 1.0 for each in expanded)


def test_a_model_is_used_only_where_it_is_sure_and_that_is_told() -> None:
    assert terms("kettle", near) == ["teapot", "boiler"]
    assert terms("river", near) == []
    assert expand(parse("kettle"), near).used_model
    assert not expand(parse("river"), near).used_model


def test_learned_terms_are_few() -> None:
    def many(word: str) -> Sequence[tuple[str, float]]:
        return [(f"{word}{letter}", 0.9) for letter in "abcdefgh"]

    assert len(terms("one two three four five six seven eight", many)) == MAX_TERMS
    assert len(terms("error handler", many)) == 9, "printed rows are whole, and leave no room"


def test_a_term_that_is_asked_for_is_no_expansion() -> None:
    assert terms("kettle teapots", near) == ["boiler"]


def test_the_beginning_of_a_word_is_completed_from_the_workspace() -> None:
    names = vocabulary("negotiateTerms", "negotiator", "negotiator_pool", "negative")
    assert terms("nego", vocabulary=names) == ["negotiator", "negotiate"]
    assert terms("ne", vocabulary=names) == []


def test_a_form_of_the_word_is_no_completion() -> None:
    assert vocabulary("caches", "cached", "caching", "cache").completions("cache") == []


def test_words_that_go_together_in_names_belong_together() -> None:
    names = vocabulary("kettle_lid", "kettleLid", "open_window", "openDoor", "close_door")
    assert terms("kettle", vocabulary=names) == ["lid"]
    assert dict(names.companions("kettle")) == {"lid": 1.0}
    assert dict(names.companions("open")) == pytest.approx({"window": 2**-0.5, "door": 0.5})


def test_words_that_met_by_chance_do_not_belong_together() -> None:
    names = Vocabulary()
    names.add(["kettle_lid"] * (MIN_TOGETHER - 1))
    names.settle()
    assert names.companions("kettle") == ()
    assert terms("kettle", vocabulary=names) == []


def test_a_vocabulary_is_bounded_and_forgets_what_is_rare() -> None:
    names = Vocabulary()
    names.add(["kettle_lid"] * 10)
    letters = "abcdefghijklmnopqrstuvwxyz"
    rare = [f"x{a}{b}_y{c}{d}" for a in letters for b in letters for c in letters for d in letters[:9]]
    assert 2 * len(rare) > MAX_PAIRS
    names.add(rare)
    names.settle()
    assert names.pair_count <= MAX_PAIRS
    assert dict(names.companions("kettle")) == {"lid": 1.0}


def test_the_same_question_gets_the_same_terms() -> None:
    names = vocabulary("kettle_lid", "kettle_spout", "kettle_handle")
    assert terms("kettle of auth", near, names) == terms("kettle of auth", near, names)
