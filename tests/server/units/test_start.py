"""What is loaded before `initialize` is answered."""

import subprocess
import sys

HEAVY = ("lsprotocol", "pygls", "numpy", "faiss", "tantivy", "tree_sitter", "rich", "sqlite3", "lurcher_index.engine")


def test_the_server_starts_without_anything_heavy() -> None:
    code = (
        "import sys, lurcher_server.cli.main, lurcher_server.lsp.app;"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"
