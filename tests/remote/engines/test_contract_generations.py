"""What every engine must do: generations are whole, and survive whatever happens to a publish."""

import subprocess
import sys

import pytest
from tests.remote.engines.pieces import (
    DIMENSION,
    HOME,
    OTHER,
    asking,
    file,
    found,
    publication,
    publish,
    unit,
    version,
)
from tests.remote.engines.stores import Store

from lurcher_index.errors import RemoteBusy, RemoteUnknown
from lurcher_index.remote.engines.interface import SharedIndex, Where

ONE = file("src/one.py", "alpha shared", vectors=unit(1))
ONE_LATER = file("src/one.py", "beta shared", vectors=unit(0, 1))
TWO = file("src/two.py", "gamma shared", "delta", vectors=None)
THREE = file("lib/three.go", "epsilon shared", language="go")


def test_an_unprepared_engine_knows_nothing(empty_store: Store) -> None:
    index = empty_store.open()
    assert index.publications(HOME) == []
    assert index.repositories() == []
    assert index.last_generation(HOME) == 0
    assert list(index.open_versions(HOME)) == []
    assert not index.is_claimed(HOME)
    with pytest.raises(RemoteUnknown):
        index.by_words(Where(HOME, 1), asking("alpha"))
    index.close()


def test_a_publish_shows_all_of_a_generation(shared_index: SharedIndex) -> None:
    publish(shared_index, 1, [ONE, TWO])
    assert shared_index.publications(HOME) == [publication(1, files=2)]
    assert shared_index.repositories() == [HOME]
    assert shared_index.last_generation(HOME) == 1
    assert found(shared_index, 1, "shared") == {"src/one.py", "src/two.py"}


def test_a_hit_names_its_place(shared_index: SharedIndex) -> None:
    publish(shared_index, 1, [TWO])
    (hit,) = shared_index.by_words(Where(HOME, 1), asking("delta"))
    assert (hit.path, hit.first_line, hit.last_line) == ("src/two.py", 11, 20)
    assert (hit.language, hit.content, hit.digest) == ("python", TWO.content, TWO.chunks[1].digest)
    assert hit.score > 0


def test_generations_are_kept_apart(shared_index: SharedIndex) -> None:
    publish(shared_index, 1, [ONE, TWO])
    publish(shared_index, 2, [ONE_LATER, THREE], [version(ONE), version(TWO)])
    assert [each.generation for each in shared_index.publications(HOME)] == [2, 1]
    assert found(shared_index, 1, "shared") == {"src/one.py", "src/two.py"}
    assert found(shared_index, 2, "shared") == {"src/one.py", "lib/three.go"}
    assert found(shared_index, 1, "alpha") == {"src/one.py"}
    assert found(shared_index, 2, "alpha") == set()
    assert found(shared_index, 1, "beta") == set()


def test_a_half_finished_publish_is_invisible(shared_index: SharedIndex) -> None:
    publish(shared_index, 1, [ONE, TWO])
    with shared_index.claim(HOME, "test"):
        shared_index.insert(HOME, 2, [ONE_LATER, THREE])
        shared_index.end(HOME, 2, [version(ONE), version(TWO)])
    assert [each.generation for each in shared_index.publications(HOME)] == [1]
    assert found(shared_index, 1, "shared") == {"src/one.py", "src/two.py"}
    assert found(shared_index, 1, "beta", "epsilon") == set()
    with pytest.raises(RemoteUnknown):
        found(shared_index, 2, "shared")


def test_the_first_publish_of_a_repository_that_died_shows_nothing(shared_index: SharedIndex) -> None:
    with shared_index.claim(HOME, "test"):
        shared_index.insert(HOME, 1, [ONE])
    assert shared_index.publications(HOME) == []
    assert shared_index.repositories() == []
    assert shared_index.last_generation(HOME) == 1
    assert list(shared_index.open_versions(HOME)) == [version(ONE, 1)]


def test_a_publish_that_died_is_taken_over(shared_index: SharedIndex) -> None:
    publish(shared_index, 1, [ONE, TWO])
    with shared_index.claim(HOME, "died"):
        shared_index.insert(HOME, 2, [ONE_LATER])
        shared_index.end(HOME, 2, [version(ONE), version(TWO)])
    # The next publish wants what generation 1 had, and THREE: what died wanted ONE_LATER instead.
    with shared_index.claim(HOME, "next"):
        generation = shared_index.last_generation(HOME) + 1
        assert generation == 3
        there = {(each.path, each.content): each for each in shared_index.open_versions(HOME)}
        assert there.keys() == {(ONE_LATER.path, ONE_LATER.content)}
        wanted = {(each.path, each.content) for each in (ONE, TWO, THREE)}
        assert shared_index.reopen(HOME, generation, wanted) == wanted - {(THREE.path, THREE.content)}
        shared_index.insert(HOME, generation, [THREE])
        shared_index.end(HOME, generation, list(there.values()))
        shared_index.show(publication(generation))
    assert found(shared_index, 3, "shared") == {"src/one.py", "src/two.py", "lib/three.go"}
    assert found(shared_index, 3, "beta") == set()
    assert found(shared_index, 1, "shared") == {"src/one.py", "src/two.py"}


def test_to_insert_twice_is_harmless(shared_index: SharedIndex) -> None:
    with shared_index.claim(HOME, "test"):
        assert shared_index.insert(HOME, 1, [ONE, TWO]) > 0
        shared_index.insert(HOME, 1, [ONE, TWO])
        shared_index.show(publication(1))
        shared_index.show(publication(1))
    hits = shared_index.by_words(Where(HOME, 1), asking("shared"))
    assert sorted((hit.path, hit.first_line) for hit in hits) == [("src/one.py", 1), ("src/two.py", 1)]
    assert shared_index.statistics(Where(HOME, 1), ["shared"]).chunks == 3
    assert len(shared_index.publications(HOME)) == 1


def test_to_end_twice_is_harmless(shared_index: SharedIndex) -> None:
    publish(shared_index, 1, [ONE, TWO])
    with shared_index.claim(HOME, "test"):
        shared_index.end(HOME, 2, [version(ONE)])
        shared_index.end(HOME, 2, [version(ONE)])
        shared_index.show(publication(2))
    assert found(shared_index, 1, "shared") == {"src/one.py", "src/two.py"}
    assert found(shared_index, 2, "shared") == {"src/two.py"}


def test_an_ended_version_is_reopened_without_sending_it(shared_index: SharedIndex) -> None:
    publish(shared_index, 1, [ONE])
    publish(shared_index, 2, [TWO], [version(ONE)])
    with shared_index.claim(HOME, "test"):
        wanted = {(ONE.path, ONE.content), ("src/never.py", b"x" * 32)}
        assert shared_index.reopen(HOME, 3, wanted) == {(ONE.path, ONE.content)}
        assert shared_index.reopen(HOME, 3, wanted) == {(ONE.path, ONE.content)}
        shared_index.show(publication(3))
    assert [found(shared_index, generation, "alpha") for generation in (1, 2, 3)] == [
        {"src/one.py"},
        set(),
        {"src/one.py"},
    ]
    assert version(ONE, 3) in list(shared_index.open_versions(HOME))
    assert len(shared_index.by_words(Where(HOME, 3), asking("alpha"))) == 1


def test_the_same_commit_shown_again_replaces_its_entry(shared_index: SharedIndex) -> None:
    publish(shared_index, 1, [ONE], commit="a" * 40)
    publish(shared_index, 2, [TWO], commit="b" * 40)
    publish(shared_index, 3, [THREE], commit="a" * 40)
    assert [(each.generation, each.commit[0]) for each in shared_index.publications(HOME)] == [(3, "a"), (2, "b")]


def test_collecting_forgets_what_no_generation_needs(shared_index: SharedIndex) -> None:
    publish(shared_index, 1, [ONE, TWO])
    publish(shared_index, 2, [ONE_LATER], [version(ONE)])
    publish(shared_index, 3, [THREE], [version(TWO), version(ONE_LATER, 2)])
    with shared_index.claim(HOME, "test"):
        assert shared_index.collect(HOME, [1]) == (1, 1)
        assert shared_index.collect(HOME, [1]) == (0, 0)
    assert [each.generation for each in shared_index.publications(HOME)] == [3, 2]
    assert found(shared_index, 2, "shared") == {"src/one.py", "src/two.py"}
    with pytest.raises(RemoteUnknown):
        found(shared_index, 1, "shared")
    with shared_index.claim(HOME, "test"):
        assert shared_index.collect(HOME, [2]) == (2, 3)
        assert shared_index.reopen(HOME, 4, [(TWO.path, TWO.content)]) == set()
    assert found(shared_index, 3, "shared") == {"lib/three.go"}


def test_collecting_leaves_a_publish_that_died_to_be_taken_over(shared_index: SharedIndex) -> None:
    publish(shared_index, 1, [ONE])
    with shared_index.claim(HOME, "died"):
        shared_index.insert(HOME, 2, [TWO])
    with shared_index.claim(HOME, "test"):
        assert shared_index.collect(HOME, []) == (0, 0)
    assert {each.path for each in shared_index.open_versions(HOME)} == {"src/one.py", "src/two.py"}


def test_what_a_dead_publish_wrote_goes_once_it_is_ended(shared_index: SharedIndex) -> None:
    publish(shared_index, 1, [ONE])
    with shared_index.claim(HOME, "died"):
        shared_index.insert(HOME, 2, [TWO])
    publish(shared_index, 3, [THREE], [version(TWO, 2)])
    with shared_index.claim(HOME, "test"):
        assert shared_index.collect(HOME, []) == (1, 2)
    assert found(shared_index, 3, "shared") == {"src/one.py", "lib/three.go"}


def test_forgetting_a_repository_leaves_the_others(shared_index: SharedIndex) -> None:
    publish(shared_index, 1, [ONE])
    publish(shared_index, 1, [TWO], repository=OTHER)
    with shared_index.claim(HOME, "test"):
        shared_index.forget(HOME)
        shared_index.forget(HOME)
    assert shared_index.repositories() == [OTHER]
    assert shared_index.publications(HOME) == []
    assert list(shared_index.open_versions(HOME)) == []
    assert found(shared_index, 1, "shared", repository=OTHER) == {"src/two.py"}
    publish(shared_index, 1, [ONE])
    assert found(shared_index, 1, "shared") == {"src/one.py"}


def test_repositories_do_not_see_each_other(shared_index: SharedIndex) -> None:
    publish(shared_index, 1, [ONE])
    publish(shared_index, 1, [TWO, ONE_LATER], repository=OTHER)
    publish(shared_index, 2, [THREE], repository=OTHER)
    assert found(shared_index, 1, "shared") == {"src/one.py"}
    assert found(shared_index, 1, "beta", "gamma") == set()
    assert shared_index.last_generation(HOME) == 1
    assert shared_index.statistics(Where(HOME, 1), ["shared"]).holding == {"shared": 1}
    assert [each.repository for each in shared_index.publications(HOME)] == [HOME]


def test_an_empty_repository_is_a_repository(shared_index: SharedIndex) -> None:
    publish(shared_index, 1)
    assert [each.generation for each in shared_index.publications(HOME)] == [1]
    assert found(shared_index, 1, "shared") == set()
    assert shared_index.statistics(Where(HOME, 1), ["shared"]).holding == {"shared": 0}


def test_to_prepare_again_keeps_what_is_there(shared_index: SharedIndex) -> None:
    publish(shared_index, 1, [ONE])
    shared_index.prepare(DIMENSION)
    assert found(shared_index, 1, "shared") == {"src/one.py"}


def test_another_handle_sees_the_same(store: Store, shared_index: SharedIndex) -> None:
    other = store.open()
    publish(shared_index, 1, [ONE])
    assert found(other, 1, "shared") == {"src/one.py"}
    publish(other, 2, [TWO])
    assert found(shared_index, 2, "shared") == {"src/one.py", "src/two.py"}
    other.close()


def test_one_publishes_at_a_time(store: Store, shared_index: SharedIndex) -> None:
    other = store.open()
    assert not other.is_claimed(HOME)
    with shared_index.claim(HOME, "first"):
        assert other.is_claimed(HOME)
        assert not other.is_claimed(OTHER)
        with pytest.raises(RemoteBusy), other.claim(HOME, "second"):
            pass
        with other.claim(OTHER, "second"):
            pass
    assert not other.is_claimed(HOME)
    with other.claim(HOME, "second"):
        pass
    other.close()


def test_a_claim_ends_with_an_error_in_it(shared_index: SharedIndex) -> None:
    with pytest.raises(ZeroDivisionError), shared_index.claim(HOME, "first"):
        raise ZeroDivisionError
    assert not shared_index.is_claimed(HOME)


def test_a_killed_publisher_loses_its_claim(store: Store, shared_index: SharedIndex) -> None:
    script = store.opening() + f"with index.claim({HOME!r}, 'child'):\n    print('claimed', flush=True)\n    input()\n"
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "claimed\n"
        with pytest.raises(RemoteBusy), shared_index.claim(HOME, "second"):
            pass
        child.kill()
        child.wait()
    assert eventually_claims(shared_index)


def eventually_claims(index: SharedIndex) -> bool:
    """Whether a claim succeeds in the time in which a dead owner's must be over."""
    import time

    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            with index.claim(HOME, "second"):
                return True
        except RemoteBusy:
            time.sleep(0.05)
    return False
