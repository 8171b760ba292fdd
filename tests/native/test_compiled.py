"""Whether the compiled part is there, and that everything works without it."""

import os
import shutil
import subprocess
import sys

import pytest

from lurcher_index.native import EDITION, compiled

PURE = "from lurcher_index.native import compiled; from lurcher_index.chunking.outline import outline; "


@pytest.mark.skipif(bool(os.environ.get("LURCHER_PURE")), reason="LURCHER_PURE is set")
@pytest.mark.skipif(not (shutil.which("cc") or shutil.which("gcc")), reason="there is no compiler")
def test_where_there_is_a_compiler_it_was_compiled() -> None:
    assert compiled, "make setup compiles it; `pip install -v -e .` says why it did not"
    assert compiled.EDITION == EDITION


def test_it_can_be_left_out() -> None:
    code = PURE + "print(compiled, len(outline(b'def f(): g()', 'python').symbols))"
    environment = {**os.environ, "LURCHER_PURE": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["None", "1"]
