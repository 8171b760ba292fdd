"""A search elsewhere, joined with what is true here: real repositories, real indexes on both sides."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from tests.history.repositories import Repository, needs_git
from tests.remote.joining.shops import NAME, Shop, paths

from lurcher_index import Engine
from lurcher_index.asking import Ask
from lurcher_index.errors import RemoteDenied, RemoteUnreachable
from lurcher_index.joining import knowing
from lurcher_index.remote.interface import RemoteFound, RemoteHit, Wanted
from lurcher_index.remote.states import RemoteState, RepositoryState

pytestmark = needs_git


def test_nothing_is_indexed_here_and_the_answer_comes_all_the_same(shop: Shop) -> None:
    shop.use()
    answer = shop.ask("add an item to the shopping cart")
    assert answer.strategy == "codeSearch"
    assert paths(answer)[0] == "shop/cart.py"
    assert answer.complete, answer.alerts
    assert answer.chunks[0].trace.remote_rank == 1
    assert "cart.add(item)" in answer.chunks[0].text
    (part,) = answer.remote
    assert (part.repository, part.commit, part.changed, part.possibly_outdated) == (NAME, shop.first, 0, False)


def test_the_ranking_is_that_of_a_whole_index_on_this_machine(shop: Shop) -> None:
    shop.use()
    for question in ("round a price to cents", "mail a receipt", "checkPassword", "how do I add to the cart"):
        elsewhere = shop.ask(question)
        with Engine.open([shop.folder], store=":memory:") as whole:
            whole.build_all()
            here = asyncio.run(whole.ask(Ask(text=question, max_results=8, strategies=("embeddings",))))
        assert paths(elsewhere)[0] == paths(here)[0], question


def test_an_index_of_ours_leads_to_files_and_its_order_counts_no_second_time(shop: Shop) -> None:
    shop.use()
    before = shop.ask("how do I add to the cart")
    shop.mirror.bend = lambda found: msgspec.structs.replace(
        found, words=tuple(reversed(found.words)), meaning=tuple(reversed(found.meaning))
    )
    after = shop.ask("how do I add to the cart")
    assert paths(before) == paths(after)
    assert [chunk.score for chunk in before.chunks] == [chunk.score for chunk in after.chunks]


def test_what_differs_takes_no_places_of_others(shop: Shop) -> None:
    """Renamed, changed, deleted and unsaved: what is said about them elsewhere would be thrown away."""
    shop.use()
    (shop.folder / "shop/cart.py").rename(shop.folder / "shop/basket.py")
    (shop.folder / "shop/mail.py").unlink()
    (shop.folder / "docs/guide.md").write_text("# Another guide\n")
    shop.engine.show(shop.folder / "web/login.ts", "export const unsaved = 1\n", 1)
    shop.ask("add an item to the cart")
    accepts = shop.mirror.asked[-1].accepts
    differing = ("shop/cart.py", "shop/mail.py", "docs/guide.md", "web/login.ts")
    assert [path for path in (*differing, "shop/money.py") if accepts(path, "")] == ["shop/money.py"]


def test_only_what_was_named_is_read_here(shop: Shop) -> None:
    shop.use()
    shop.mirror.bend = lambda found: msgspec.structs.replace(found, words=found.words[:1], meaning=())
    assert paths(shop.ask("round a price")) == ["shop/money.py"]
    assert [row.path for row in shop.engine.workspace.catalog.all_files()] == ["shop/money.py"]


def test_what_is_sent_are_words_terms_and_a_vector_but_no_text(shop: Shop) -> None:
    shop.use()
    shop.ask("where do we round a price?")
    (wanted,) = shop.mirror.asked
    assert set(wanted.words) == {"round", "price"}
    assert wanted.vector is not None
    assert isinstance(wanted, Wanted)


def test_changed_deleted_renamed_new_and_unsaved_files(shop: Shop) -> None:
    shop.use()
    (shop.folder / "shop/money.py").write_text("def round_price(price):\n    '''Use banknotes only.'''\n    return 5\n")
    (shop.folder / "shop/mail.py").unlink()
    (shop.folder / "shop/cart.py").rename(shop.folder / "shop/basket.py")
    (shop.folder / "shop/bank.py").write_text("def pay_by_card(card):\n    '''Charge a credit card.'''\n    return 1\n")
    shop.engine.show(shop.folder / "web/login.ts", "export function greetWizard() { return 'wand' }\n", 3)

    assert "banknotes" in shop.ask("round_price").chunks[0].raw_text
    assert "shop/mail.py" not in paths(shop.ask("send_receipt"))
    answer = shop.ask("add_to_cart")
    assert paths(answer)[0] == "shop/basket.py"
    assert "shop/cart.py" not in paths(answer)
    assert paths(shop.ask("charge a credit card"))[0] == "shop/bank.py"
    wizard = shop.ask("greetWizard").chunks[0]
    assert (wizard.path, wizard.version) == ("web/login.ts", 3)
    assert all("checkPassword" not in chunk.raw_text for chunk in shop.ask("checkPassword").chunks)
    assert answer.remote[0].changed == 4  # money, basket, bank, and login that is not saved; what is gone is not read
    assert answer.complete, answer.alerts


def test_a_commit_further_than_the_one_that_is_indexed(shop: Shop) -> None:
    shop.repository.commit("second", {"shop/tax.py": "def value_added_tax(price):\n    return price * 0.19\n"})
    shop.use()
    answer = shop.ask("value_added_tax")
    assert paths(answer)[0] == "shop/tax.py"
    assert (answer.remote[0].commit, answer.remote[0].changed) == (shop.first, 1)


def test_a_file_that_changes_between_two_questions(shop: Shop) -> None:
    shop.use()
    assert "cents" in shop.ask("round_price").chunks[0].raw_text
    place = shop.folder / "shop/money.py"
    place.write_text("def round_price(price):\n    '''In thalers.'''\n    return price\n")
    shop.engine.update([place])
    assert "thalers" in shop.ask("round_price").chunks[0].raw_text


def test_filters_hold_for_what_was_named(shop: Shop) -> None:
    shop.use()
    filters = shop.engine.filters(languages=["markdown"])
    answer = asyncio.run(shop.engine.ask(Ask(text="add an item to the cart", max_results=5, filters=filters)))
    assert paths(answer) == ["docs/guide.md"]
    filters = shop.engine.filters(exclude=["shop/**"])
    answer = asyncio.run(shop.engine.ask(Ask(text="add an item to the cart", max_results=5, filters=filters)))
    assert answer.chunks
    assert not [path for path in paths(answer) if path.startswith("shop/")]
    answer = asyncio.run(shop.engine.ask(Ask(text="round a price", max_results=5, scopes=("shop",))))
    assert paths(answer)[0] == "shop/money.py"
    assert set(paths(answer)) <= {"shop/money.py", "shop/cart.py", "shop/mail.py"}


def test_what_this_machine_ignores_is_never_in_an_answer(shop: Shop) -> None:
    shop.use()
    (shop.folder / ".lurcherignore").write_text("shop/cart.py\n")
    assert "shop/cart.py" not in paths(shop.ask("add an item to the shopping cart"))


@pytest.mark.parametrize(
    "path", ["../outside.py", "/etc/passwd", "shop/../../outside.py", "nothing/here.py", "C:\\x.py", ""]
)
def test_a_remote_that_names_what_is_not_ours(shop: Shop, path: str) -> None:
    (shop.folder.parent / "outside.py").write_text("password = 'open sesame'\n")
    shop.use()
    shop.mirror.bend = lambda _found: RemoteFound((RemoteHit(path, 1, 3, 9.0, "python"),))
    answer = shop.ask("round a price to cents")
    assert "sesame" not in "".join(chunk.raw_text for chunk in answer.chunks)
    assert not [row for row in shop.engine.workspace.catalog.all_files() if row.path == path]


def test_a_remote_that_names_only_strange_files_fails_and_this_machine_answers(shop: Shop) -> None:
    shop.engine.build_all()
    shop.use()
    other = b"x" * 16
    shop.mirror.commits = (msgspec.structs.replace(shop.mirror.commits[0], commit="d" * 40),)
    shop.mirror.bend = lambda found: RemoteFound(
        tuple(msgspec.structs.replace(hit, content=other) for hit in found.words)
    )
    answer = shop.ask("round a price to cents", strategies=("codeSearch", "tfidf"))
    assert answer.strategy == "tfidf"
    (attempt, _) = answer.attempts
    assert "none of which is here as it was indexed there" in attempt.detail


@pytest.mark.parametrize("error", [RemoteUnreachable("nobody answers"), RemoteDenied("sign in"), ValueError("oops")])
def test_a_remote_that_fails(shop: Shop, error: Exception) -> None:
    shop.engine.build_all()
    shop.use()

    def fail(_found: RemoteFound) -> RemoteFound:
        raise error

    shop.mirror.bend = fail
    answer = shop.ask("round a price to cents")
    assert (answer.strategy, paths(answer)[0]) == ("embeddings", "shop/money.py")
    failed = next(row for row in answer.attempts if row.strategy == "codeSearch")
    assert (failed.outcome, str(error) in failed.detail) == ("failed", True)


def test_a_remote_that_failed_is_looked_at_again_in_the_background(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    shop.engine.build_all()
    shop.use()
    question = "round a price to cents"

    def fail(_found: RemoteFound) -> RemoteFound:
        raise RemoteUnreachable("nobody answers")

    shop.mirror.bend = fail
    assert shop.ask(question).strategy == "embeddings"
    asked = len(shop.mirror.asked)
    answer = shop.ask(question)
    assert (answer.strategy, len(shop.mirror.asked), len(shop.mirror.checks)) == ("embeddings", asked, 1)
    (attempt,) = (row for row in answer.attempts if row.strategy == "codeSearch")
    assert (attempt.outcome, "nobody answers" in attempt.detail) == ("cannot search", True)
    (repository,) = shop.engine.remote_status().repositories
    assert (repository.state, repository.detail) == (RepositoryState.COULD_NOT_CHECK, "nobody answers")
    shop.mirror.straighten()
    remote = shop.engine._remoting  # pyright: ignore[reportPrivateUsage]
    assert remote is not None and remote.search is not None
    monkeypatch.setattr(remote.search._knowing, "_due", 0.0)  # pyright: ignore[reportPrivateUsage]
    assert shop.ask(question).strategy == "embeddings", "nobody waits for the look"
    _until(lambda: shop.engine.remote_status().repositories[0].state is RepositoryState.READY)
    assert shop.ask(question).strategy == "codeSearch"


def test_an_index_that_is_complete_here_is_not_asked_for_elsewhere(shop: Shop) -> None:
    shop.use("auto")
    assert shop.ask("round a price").strategy == "codeSearch"
    shop.engine.build_all()
    answer = shop.ask("round a price")
    assert answer.strategy == "embeddings"
    assert len(shop.mirror.asked) == 1
    assert "has every file" in next(row.detail for row in answer.attempts if row.strategy == "codeSearch")


def test_a_question_about_uses_is_asked_elsewhere_while_nothing_is_indexed_here(shop: Shop) -> None:
    question = "who calls round_price"
    assert shop.ask(question).strategy == "callGraph"
    shop.use("auto")
    answer = shop.ask(question)
    assert (answer.strategy, paths(answer)[0]) == ("codeSearch", "shop/money.py")
    assert any("only a part of the workspace is indexed here" in alert for alert in answer.alerts)
    shop.engine.build_all()
    assert shop.ask(question).strategy == "callGraph"


def test_too_many_changes_leave_the_unchanged_files(shop: Shop) -> None:
    shop.use()
    for at in range(12):
        (shop.folder / f"filler/part{at}.py").write_text(f"def changed_{at}():\n    return {at}\n")
    (shop.folder / "web/login.ts").unlink()
    answer = shop.ask("round a price to cents")
    assert (answer.strategy, paths(answer)[0]) == ("codeSearch", "shop/money.py")
    assert not answer.complete
    assert any("12 files differ from the 17" in alert for alert in answer.alerts)
    assert not [path for path in paths(answer) if path.startswith("filler/")]


def test_an_unknown_commit_is_said_and_files_are_compared_one_by_one(shop: Shop) -> None:
    shop.use()
    shop.mirror.commits = (msgspec.structs.replace(shop.mirror.commits[0], commit="d" * 40),)
    (shop.folder / "shop/mail.py").write_text("def nothing():\n    return 1\n")
    answer = shop.ask("round a price to cents")
    assert paths(answer)[0] == "shop/money.py"
    assert "shop/mail.py" not in paths(shop.ask("mail the receipt to a customer"))
    assert not answer.complete
    assert answer.remote[0].possibly_outdated


def test_another_model_there_means_words_alone_there(shop: Shop) -> None:
    shop.use()
    shop.mirror.commits = (msgspec.structs.replace(shop.mirror.commits[0], model="another-1"),)
    answer = shop.ask("round a price")
    assert paths(answer)[0] == "shop/money.py"
    assert shop.mirror.asked[0].vector is None
    assert any("published with vectors of another-1" in alert for alert in answer.alerts)


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (RepositoryState.NOT_YET_INDEXED, "not indexed there"),
        (RepositoryState.NOT_AUTHORIZED, "not open to this token"),
        (RepositoryState.COULD_NOT_CHECK, "not to be reached"),
        (RepositoryState.NOT_INDEXABLE, "not to be indexed there"),
    ],
)
def test_states_in_which_nobody_is_asked(shop: Shop, state: RepositoryState, words: str) -> None:
    shop.engine.build_all()
    shop.use()
    shop.mirror.state = state
    answer = shop.ask("round a price")
    assert answer.strategy == "embeddings"
    attempt = next(row for row in answer.attempts if row.strategy == "codeSearch")
    assert (attempt.outcome, words in attempt.detail, NAME in attempt.detail) == ("cannot search", True, True)
    assert not shop.mirror.asked
    status = shop.engine.remote_status()
    assert status.state is RemoteState.LOADED
    assert [each.state for each in status.repositories] == [state]


def test_a_folder_that_is_no_repository(tmp_path: Path, shop: Shop) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    (plain / "a.py").write_text("def lonely():\n    return 1\n")
    with Engine.open([plain], store=":memory:") as engine:
        engine.build_all()
        shop.engine.close()
        shop.engine = engine
        shop.use()
        answer = shop.ask("lonely")
    assert paths(answer) == ["a.py"]
    assert next(row.outcome for row in answer.attempts if row.strategy == "codeSearch") == "cannot search"
    assert not shop.mirror.checks


def test_a_repository_inside_that_nobody_knows_is_searched_as_far_as_it_is_indexed_here(shop: Shop) -> None:
    inner = Repository(shop.folder / "tools")
    inner.commit("first", {"hammer.py": "def swing_hammer(nail):\n    return nail\n"})
    inner.git("remote", "add", "origin", "https://code.example.org/team/tools.git")
    shop.use()
    answer = shop.ask("swing_hammer")
    assert "tools/hammer.py" not in paths(answer)
    assert not answer.complete
    assert any("not known elsewhere are searched as far as they are indexed here" in each for each in answer.alerts)
    assert paths(shop.ask("round a price"))[0] == "shop/money.py"
    shop.engine.update([shop.folder / "tools/hammer.py"])
    assert paths(shop.ask("swing_hammer"))[0] == "tools/hammer.py"


def test_an_index_that_is_begun_at_the_first_search(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lurcher_index.joining.searching.INSTANT_POLL_SECONDS", 0.01)
    shop.use()
    shop.mirror.state = RepositoryState.NOT_YET_INDEXED
    shop.mirror.can_begin = True

    def ready_at_the_third_look() -> None:
        if len(shop.mirror.checks) == 3:
            shop.mirror.state = RepositoryState.READY

    shop.mirror.on_check = ready_at_the_third_look
    answer = shop.ask("round a price")
    assert answer.strategy == "codeSearch"
    assert shop.mirror.begun == [NAME]


def test_what_is_being_indexed_is_looked_at_again_by_itself(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knowing, "POLL_SECONDS", 0.01)
    shop.use()
    shop.mirror.state = RepositoryState.BUILDING
    shop.engine.check_remote()
    shop.mirror.state = RepositoryState.READY
    _until(lambda: shop.engine.remote_status().repositories[0].state is RepositoryState.READY)


def test_closing_ends_the_looking(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(knowing, "POLL_SECONDS", 0.01)
    shop.use()
    shop.mirror.state = RepositoryState.BUILDING
    shop.engine.check_remote()
    shop.engine.set_remote(None)
    assert shop.mirror.closed
    looked = len(shop.mirror.checks)
    shop.engine.check_remote()
    assert len(shop.mirror.checks) == looked


def _until(holds: Callable[[], bool]) -> None:
    import time

    end = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)
