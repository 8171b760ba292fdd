"""Remote searches that misbehave, and workspaces that change under them: what is shown stays true."""

import msgspec
import pytest
from tests.history.repositories import needs_git
from tests.remote.joining.shops import Shop, paths

from lurcher_index.errors import EmbedderError
from lurcher_index.remote.interface import RemoteFound, RemoteHit, Statistics

pytestmark = needs_git


def test_no_more_hits_are_looked_at_than_were_asked_for(shop: Shop) -> None:
    shop.use()
    many = tuple(RemoteHit(f"filler/part{at % 12}.py", at, at, 1.0, "python") for at in range(1_000))
    late = RemoteHit("shop/money.py", 1, 3, 1.0, "python")
    shop.mirror.bend = lambda _found: RemoteFound((*many, late), (*many, late))
    shop.ask("round a price")
    assert "shop/money.py" not in [row.path for row in shop.engine.workspace.catalog.all_files()]


@pytest.mark.parametrize("lines", [(-5, -1), (0, 0), (3, 1), (2**70, 2**70), (-(2**70), 2**70)])
def test_absurd_lines_and_figures(shop: Shop, lines: tuple[int, int]) -> None:
    shop.use()
    shop.mirror.bend = lambda found: RemoteFound(
        (RemoteHit("shop/money.py", *lines, float("nan"), "python"),),
        (),
        Statistics(-3, dict.fromkeys(found.statistics.holding if found.statistics else (), 10**30)),
    )
    answer = shop.ask("round a price")
    assert (answer.strategy, paths(answer)) == ("codeSearch", ["shop/money.py"])


def test_a_repository_inside_that_git_does_not_open_is_not_covered(shop: Shop) -> None:
    """As after a submodule was moved: its files belong to nobody, so nobody else has searched them."""
    (shop.folder / "shop/.git").write_text("gitdir: ../.git/modules/moved\n")
    shop.use()
    answer = shop.ask("round a price")
    assert not answer.complete
    assert any("not known elsewhere" in alert for alert in answer.alerts)


def test_an_index_that_is_cleared_and_filled_anew(shop: Shop) -> None:
    """Numbers begin anew: what was remembered of a file must not count for another one."""
    shop.use()
    shop.mirror.bend = lambda found: msgspec.structs.replace(found, meaning=())

    def first_by_words(text: str) -> tuple[str, int | None]:
        shop.ask(text)
        shop.engine.workspace.fold()  # What is in memory anyway is not remembered.
        chunk = shop.ask(text).chunks[0]
        return chunk.path, chunk.trace.keyword_rank

    assert first_by_words("checkPassword") == ("web/login.ts", 1)
    shop.engine.clear()
    assert first_by_words("round_price") == ("shop/money.py", 1)


def test_an_embedder_that_fails_for_the_files_leaves_their_words(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise EmbedderError("the model sleeps")

    shop.use()
    monkeypatch.setattr(type(shop.engine.meaning), "embed_some", fail)
    answer = shop.ask("round_price")
    assert (answer.strategy, paths(answer)[0]) == ("codeSearch", "shop/money.py")
    assert "some files were searched by words only: the model sleeps" in answer.alerts
