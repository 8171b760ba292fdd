"""The compiled part may be missing; these tests are about nothing else."""

import pytest

from lurcher_index.native import compiled

needs_compiled = pytest.mark.skipif(not compiled, reason="the package was installed without its compiled part")
