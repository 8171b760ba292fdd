"""Random tests try the same examples in every run, so that a failure is somebody's change and not bad luck.

`HYPOTHESIS_PROFILE=searching` looks for new ones; worth an evening now and then.
"""

import os

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True)
settings.register_profile("searching", derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))
