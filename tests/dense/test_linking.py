"""Shared libraries are linked before the import that needs them."""

import subprocess
import sys
from pathlib import Path

import pytest

from lurcher_index.dense.linking import link_early

LINKED = """
from pathlib import Path
from lurcher_index.dense.linking import link_early

before = "_swigfaiss" in Path("/proc/self/maps").read_text()
link_early("faiss")
print(before, "_swigfaiss" in Path("/proc/self/maps").read_text())
import sys
print("faiss" in sys.modules)
import faiss
print(faiss.IndexFlatIP(4).d)
"""


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="nothing tells here what is linked")
def test_a_library_is_linked_before_its_import() -> None:
    done = subprocess.run([sys.executable, "-c", LINKED], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True", "False", "4"]


def test_what_is_not_there_is_left_to_the_import() -> None:
    link_early("no_such_package_anywhere")
    link_early("")
    link_early("json")
