"""Random tests try the same examples in every run, so that a failure is somebody's change and not bad luck.

`HYPOTHESIS_PROFILE=searching` looks for new ones; worth an evening now and then.
"""

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

# How long an example takes says how busy the machine is.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("searching", derandomize=False, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


@pytest.fixture(scope="session", autouse=True)
def configuration_of_nobody(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What whoever runs the tests has allowed is neither read nor changed, nor by processes that tests start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LURCHER_CONFIG", str(tmp_path_factory.mktemp("configuration")))
        yield
