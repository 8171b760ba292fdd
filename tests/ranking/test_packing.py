"""Section 1: the budget is counted in tokens of the final text and never exceeded."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lurcher_index.ranking.packing import Packable, cut_to_tokens, pack
from lurcher_index.text.tokens import estimate_tokens


def count(text: str) -> int:
    """A token a character that is not blank: easy to see in a test."""
    return len("".join(text.split()))


def item(key: str, full: int, short: int | None = None) -> Packable[str]:
    return Packable(key, "f" * full, full, None if short is None else "s" * short, short or 0)


def check(items: list[Packable[str]], budget: int, chosen: list[str], left_out: str = "") -> None:
    """`chosen` are `key form tokens`."""
    found = pack(items, budget, count)
    assert [f"{each.key} {each.form} {each.tokens}" for each in found.chosen] == chosen
    assert "".join(found.left_out) == left_out
    assert found.tokens == sum(count(each.text) for each in found.chosen) <= max(budget, 0)


def test_section_1_whole_chunks_while_they_fit() -> None:
    check([item("a", 4, 1), item("b", 6, 2)], 10, ["a full 4", "b full 6"])
    check([], 10, [])


def test_section_1_what_does_not_fit_is_given_as_a_skeleton() -> None:
    check([item("a", 6, 2), item("b", 6, 2)], 10, ["a full 6", "b skeleton 2"])


def test_section_1_smaller_ones_after_it_may_still_fit_in_the_order_of_rank() -> None:
    check([item("a", 4), item("b", 9, 8), item("c", 5)], 10, ["a full 4", "c full 5"], "b")
    check([item("a", 4), item("b", 9, 2), item("c", 3)], 10, ["a full 4", "b skeleton 2", "c full 3"])


def test_section_1_a_better_one_has_the_first_choice() -> None:
    check([item("a", 6), item("b", 9, 3), item("c", 4)], 10, ["a full 6", "b skeleton 3"], "c")


def test_section_1_the_best_is_shortened_rather_than_left_out() -> None:
    check([item("a", 20, 7), item("b", 3)], 10, ["a skeleton 7", "b full 3"])
    check([item("a", 20, 12), item("b", 3)], 10, ["a cut 10"], "b")
    check([item("a", 20)], 10, ["a cut 10"])


def test_section_1_only_the_best_is_cut() -> None:
    check([item("a", 5), item("b", 20)], 10, ["a full 5"], "b")


@pytest.mark.parametrize("budget", [0, -3])
def test_section_1_no_budget_no_chunks(budget: int) -> None:
    check([item("a", 5, 1), item("b", 1)], budget, [], "ab")


def test_the_beginning_comes_from_the_skeleton_if_there_is_one() -> None:
    found = pack([Packable("a", "def f():\n    one\n    two\n", 11, "def f():\n    …\n", 8)], 7, count)
    assert [(each.form, each.text) for each in found.chosen] == [("cut", "def f():")]


@pytest.mark.parametrize(
    ("text", "budget", "expected"),
    [
        ("one\ntwo\nthree\n", 11, "one\ntwo\nthree\n"),
        ("one\ntwo\nthree\n", 10, "one\ntwo"),
        ("one\ntwo\nthree\n", 5, "one"),
        ("one\r\ntwo\r\nthree", 6, "one\r\ntwo"),
        ("one\n\n\ntwo", 5, "one"),
        ("one two\n", 5, "one tw"),
        ("\n\nonetwo\n", 4, "\n\nonet"),
        ("one\u2028two\nthree", 6, "one\u2028two"),
        ("数据库连接\n", 2, "数据"),
        ("one", 0, ""),
        ("one", -1, ""),
        ("", 3, ""),
    ],
)
def test_a_text_is_cut_at_a_line_end_unless_one_line_is_too_long(text: str, budget: int, expected: str) -> None:
    assert cut_to_tokens(text, budget, count) == expected


def test_a_count_that_is_not_quite_monotone_never_exceeds_the_budget() -> None:
    """Real vocabularies merge across borders: here `ab` is one token, and so is every other letter."""

    def merging(text: str) -> int:
        return len(text.replace("ab", "x"))

    for budget in range(1, 9):
        assert merging(cut_to_tokens("abababaababaab", budget, merging)) <= budget


TEXTS = st.text(alphabet="ab 1(中\U0001f40e\n\r", max_size=60)


@given(TEXTS, st.integers(-1, 30))
def test_a_cut_text_fits_and_is_a_beginning(text: str, budget: int) -> None:
    cut = cut_to_tokens(text, budget, estimate_tokens)
    assert text.startswith(cut)
    assert estimate_tokens(cut) <= max(budget, 0)
    cut.encode()


@given(st.lists(st.tuples(TEXTS, st.none() | TEXTS), max_size=6), st.integers(-1, 60))
def test_section_1_the_budget_is_never_exceeded(texts: list[tuple[str, str | None]], budget: int) -> None:
    items = [
        Packable(key, full, estimate_tokens(full), short, estimate_tokens(short or ""))
        for key, (full, short) in enumerate(texts)
    ]
    found = pack(items, budget, estimate_tokens)
    assert found.tokens == sum(estimate_tokens(each.text) for each in found.chosen) <= max(budget, 0)
    keys = [each.key for each in found.chosen]
    assert keys == sorted(keys)
    assert sorted([*keys, *found.left_out]) == list(range(len(items)))
    if items and budget >= 4 and texts[0][0].strip() and (texts[0][1] is None or texts[0][1].strip()):
        assert keys[0] == 0
