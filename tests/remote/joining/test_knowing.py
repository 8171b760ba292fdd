"""What is asked about repositories, how often, and under which names."""

import threading
import time
from pathlib import Path

import pytest
from tests.history.repositories import needs_git
from tests.remote.joining.shops import NAME, Shop

from lurcher_index.building.scan import Folder
from lurcher_index.errors import Cancelled, RemoteBusy, RemoteUnreachable
from lurcher_index.joining.knowing import AGAIN_SECONDS, MOST_NAMES, Knowing
from lurcher_index.remote.states import RepositoryState

pytestmark = needs_git

PATIENCE = 30.0
"""Seconds after which a test gives up."""


class Looked:
    """A shop that is looked at by a clock of our own."""

    def __init__(self, shop: Shop) -> None:
        self.mirror = shop.mirror
        self.folders = [Folder(1, shop.folder)]
        self.now = 1_000.0
        self.knowing = Knowing(
            shop.mirror, lambda: self.folders, lambda _: ["shop/cart.py"], lambda: None, lambda: self.now
        )

    def looks_after(self, seconds: float) -> bool:
        before = len(self.mirror.checks)
        self.now += seconds
        self.knowing.look()
        end = time.monotonic() + PATIENCE
        # Whoever failed is looked at in the background, so that nobody waits for it.
        while _is_looking() and len(self.mirror.checks) == before and time.monotonic() < end:
            time.sleep(0.01)
        return len(self.mirror.checks) > before


def _is_looking() -> bool:
    return any(thread.name == "lurcher-remote" for thread in threading.enumerate())


def test_a_time_that_a_server_names_is_kept_though_it_fails_otherwise_under_another_name(shop: Shop) -> None:
    shop.repository.git("remote", "add", "upstream", "https://code.example.org/others/shop.git")

    def fail() -> None:
        if shop.mirror.checks[-1] == NAME:
            raise RemoteBusy("too many requests", 300.0)
        raise RemoteUnreachable("nobody answers")

    shop.mirror.on_check = fail
    looked = Looked(shop)
    looked.knowing.look()
    assert not looked.looks_after(299)
    assert looked.looks_after(2)


def test_what_could_not_be_looked_at_is_tried_sooner_than_what_was_seen(shop: Shop) -> None:
    """Also if it was seen a moment before, and is looked at on a person's wish."""
    looked = Looked(shop)
    looked.knowing.look()
    shop.mirror.state = RepositoryState.COULD_NOT_CHECK
    looked.knowing.look(anew=True)
    assert not looked.looks_after(AGAIN_SECONDS - 1)
    assert looked.looks_after(2)


def test_another_number_for_a_folder_is_noticed_at_once(shop: Shop) -> None:
    """As after a damaged index was replaced."""
    looked = Looked(shop)
    looked.knowing.look()
    looked.folders = [Folder(7, shop.folder)]
    looked.knowing.look()
    assert [each.area.folder.folder_id for each in looked.knowing.known] == [7]


def test_a_configuration_with_very_many_remotes_asks_for_a_few(shop: Shop) -> None:
    place = Path(shop.folder / ".git/config")
    remotes = "".join(f'[remote "r{at}"]\n\turl = https://code.example.org/r/{at}.git\n' for at in range(500))
    place.write_text(place.read_text().replace("team", "nobody") + remotes)
    looked = Looked(shop)
    looked.knowing.look()
    assert len(shop.mirror.checks) == MOST_NAMES


def test_nobody_is_asked_after_it_was_closed(shop: Shop) -> None:
    shop.repository.git("remote", "add", "upstream", "https://code.example.org/others/shop.git")
    looked = Looked(shop)
    shop.mirror.state = RepositoryState.NOT_YET_INDEXED
    shop.mirror.on_check = looked.knowing.close
    with pytest.raises(Cancelled, match="switched off"):
        looked.knowing.look()
    assert shop.mirror.checks == [NAME]
