"""What differs here, between one question and the next."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.history.repositories import needs_git
from tests.remote.joining.shops import Shop, paths

from lurcher_index.building.scan import Folder
from lurcher_index.checkout.choosing import choose
from lurcher_index.checkout.differences import differences
from lurcher_index.checkout.identity import repositories_of
from lurcher_index.checkout.values import Differences
from lurcher_index.config import Settings
from lurcher_index.joining import differing
from lurcher_index.joining.areas import Area, Place
from lurcher_index.joining.differing import Differing

pytestmark = needs_git

TAX = {"shop/tax.py": "def value_added_tax(price):\n    return price * 0.19\n"}


def area_of(shop: Shop) -> Area:
    (checkout,) = repositories_of(shop.folder, ["shop/cart.py"]).checkouts
    return Area(Folder(1, shop.folder), checkout)


def test_a_branch_with_other_files_is_checked_out_between_two_questions(shop: Shop) -> None:
    """Nobody tells of the files one by one: git's own state does."""
    shop.repository.git("checkout", "-q", "-b", "other")
    shop.repository.commit("second", TAX)
    shop.repository.git("checkout", "-q", "-")
    shop.use()
    assert "shop/tax.py" not in paths(shop.ask("value_added_tax"))
    shop.repository.git("checkout", "-q", "other")
    answer = shop.ask("value_added_tax")
    assert (paths(answer)[0], answer.complete) == ("shop/tax.py", True)
    shop.repository.git("checkout", "-q", "-")
    assert "shop/tax.py" not in paths(shop.ask("value_added_tax"))


def test_rules_that_change_between_two_questions(shop: Shop) -> None:
    shop.use()
    question = "add an item to the shopping cart"
    assert paths(shop.ask(question))[0] == "shop/cart.py"
    (shop.folder / ".lurcherignore").write_text("shop/cart.py\n")
    shop.engine.update([shop.folder / ".lurcherignore"], may_build=False)
    assert "shop/cart.py" not in paths(shop.ask(question))


def test_a_remote_that_names_only_what_is_ignored_here_has_not_failed(shop: Shop) -> None:
    (shop.folder / ".lurcherignore").write_text("shop/cart.py\n.lurcherignore\n")
    shop.use()
    shop.mirror.bend = lambda found: type(found)(tuple(hit for hit in found.words if hit.path == "shop/cart.py"))
    answer = shop.ask("add_to_cart")
    assert (answer.strategy, paths(answer)) == ("codeSearch", [])


def test_files_told_of_are_not_remembered_without_end(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(differing, "MOST_TOUCHED", 10)
    area, known = area_of(shop), Differing(Settings())
    known.of(area, shop.first, lambda: False)
    for at in range(100):
        (shop.folder / f"new{at}.py").write_text("x = 1\n")
        known.touch([Place(area.folder, f"new{at}.py")])
    assert len(known.touched(area)) <= 10
    found = known.of(area, shop.first, lambda: False)
    assert isinstance(found, Differences)
    assert len(found.changed) == 100


class Counted:
    """Does what a function does, and counts."""

    def __init__(self, real: Callable[..., object]) -> None:
        self.calls = 0
        self._real = real

    def __call__(self, *arguments: object, **more: object) -> object:
        self.calls += 1
        return self._real(*arguments, **more)


def test_many_who_ask_at_once_have_it_compared_once(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    area, known = area_of(shop), Differing(Settings())
    comparing, together = Counted(differences), threading.Barrier(4)

    def ask(_: int) -> object:
        together.wait(60)
        return known.of(area, shop.first, lambda: False)

    monkeypatch.setattr(differing, "differences", comparing)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(ask, range(4)))
    assert (comparing.calls, len(set(map(id, found)))) == (1, 1)


def test_which_commit_to_search_is_asked_once(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    area, known = area_of(shop), Differing(Settings())
    choosing = Counted(choose)
    monkeypatch.setattr(differing, "choose", choosing)
    for _ in range(3):
        chosen = known.chosen(area, shop.mirror.commits)
        assert chosen is not None
        assert chosen.commit == shop.first
    assert choosing.calls == 1
    shop.repository.commit("second", TAX)
    known.chosen(area, shop.mirror.commits)
    assert choosing.calls == 2
