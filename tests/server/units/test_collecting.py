"""Full collections in steps: nothing is looked through twice, and nothing is lost for ever."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from lurcher_server.lsp.collecting import Collecting


class Knot:
    """Something that holds itself, so that only the collector can free it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def collecting() -> Iterator[Collecting]:
    gc.collect()
    made = Collecting()
    gc.callbacks.append(made.set_aside)
    yield made
    gc.callbacks.remove(made.set_aside)
    gc.unfreeze()


def test_what_survives_is_not_looked_at_again(collecting: Collecting) -> None:
    kept = [Knot() for _ in range(1_000)]
    gc.collect()
    assert gc.get_freeze_count() >= len(kept)
    assert not any(isinstance(each, Knot) for each in gc.get_objects())


def test_young_generations_put_nothing_aside(collecting: Collecting) -> None:
    gc.collect(0)
    gc.collect(1)
    assert gc.get_freeze_count() == 0


def test_cycles_that_came_later_are_found(collecting: Collecting) -> None:
    gc.collect()
    knot = weakref.ref(Knot())
    gc.collect()
    assert knot() is None


def test_cycles_among_what_was_put_aside_are_found_in_idle_times(collecting: Collecting) -> None:
    kept = Knot()
    knot = weakref.ref(kept)
    gc.collect()
    del kept
    gc.collect()
    assert knot() is not None, "it was put aside"
    collecting.collect_all()
    assert knot() is None


def test_without_a_step_nothing_is_looked_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gc, "collect", lambda: pytest.fail("there is nothing to find"))
    Collecting().collect_all()
