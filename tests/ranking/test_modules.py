"""The modules that a question is about."""

from lurcher_index.ranking.modules import INSIDE, Module, asked_about, score


def module(name: str, purpose: str = "", exports: str = "", path: str = "") -> Module:
    return Module(name, *(frozenset(words.split()) for words in (name, purpose, exports, path)))


def test_seed_b_what_each_place_is_worth() -> None:
    assert score(module("cart"), ["cart"]) == 3
    assert score(module("x", purpose="cart"), ["cart"]) == 2
    assert score(module("x", exports="cart"), ["cart"]) == 2
    assert score(module("x", path="cart"), ["cart"]) == 1
    assert score(module("cart", "cart", "cart", "cart"), ["cart"]) == 8
    assert score(module("cart", exports="price"), ["cart", "price", "tax"]) == 5
    assert INSIDE == 1.3


def test_seed_b_the_best_three_from_two_points_on() -> None:
    found = asked_about(
        [
            module("a", path="cart"),
            module("b", exports="cart"),
            module("cart"),
            module("d", purpose="cart"),
            module("e", exports="cart"),
            module("f"),
        ],
        ["cart"],
    )
    assert found == ["cart", "b", "d"], "one point is too little, and of equals the first are taken"


def test_a_question_about_nothing_in_particular() -> None:
    assert asked_about([module("cart")], ["weather"]) == []
    assert asked_about([], ["cart"]) == []
