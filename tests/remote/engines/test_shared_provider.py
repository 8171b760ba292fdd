"""A shared index as a provider, while others publish and collect."""

import msgspec
import pytest
from tests.remote.engines.pieces import HOME, asking, file, paths, publication, publish, unit, version

from lurcher_index.errors import RemoteUnknown
from lurcher_index.remote.engines.interface import SharedIndex
from lurcher_index.remote.providers.shared import SharedProvider

ONE = file("src/one.py", "alpha", vectors=unit(1))
TWO = file("src/two.py", "alpha", vectors=unit(1))
WANTED = msgspec.structs.replace(asking("alpha"), vector=unit(1))
COMMIT = "c" * 40


def test_a_commit_that_was_published_again_is_found_all_the_same(shared_index: SharedIndex) -> None:
    publish(shared_index, 1, [ONE], commit=COMMIT)
    provider = SharedProvider(shared_index)
    (known,) = provider.check(HOME).commits
    publish(shared_index, 2, [TWO], [version(ONE)], commit=COMMIT)
    found = provider.search(HOME, known, WANTED)
    assert (paths(found.words), paths(found.meaning), found.alerts) == (["src/two.py"], ["src/two.py"], ())


def test_a_commit_of_another_model_is_not_taken_for_it(shared_index: SharedIndex) -> None:
    """The question's vector is of the model that was known."""
    publish(shared_index, 1, [ONE], commit=COMMIT)
    provider = SharedProvider(shared_index)
    (known,) = provider.check(HOME).commits
    with shared_index.claim(HOME, "test"):
        shared_index.show(msgspec.structs.replace(publication(2, commit=COMMIT), model="other"))
    with pytest.raises(RemoteUnknown):
        provider.search(HOME, known, WANTED)


def test_a_commit_that_was_forgotten_is_said_to_be_gone(shared_index: SharedIndex) -> None:
    publish(shared_index, 1, [ONE], commit=COMMIT)
    provider = SharedProvider(shared_index)
    (known,) = provider.check(HOME).commits
    publish(shared_index, 2, [TWO], [version(ONE)])
    with shared_index.claim(HOME, "test"):
        shared_index.collect(HOME, [1])
    with pytest.raises(RemoteUnknown):
        provider.search(HOME, known, WANTED)
