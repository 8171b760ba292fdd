"""What a build loads, and when it commits."""

import subprocess
import sys
from pathlib import Path

import pytest

from lurcher_index import Engine
from lurcher_index.building import builder
from lurcher_index.words.postings import Postings

UNUSED = ("asyncio", "numpy", "watchfiles", "lurcher_index.search", "lurcher_index.snapshot", "lurcher_index.view")


def test_a_build_loads_nothing_that_only_a_search_needs(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "a.py").write_text("x = 1\n")
    code = (
        "import sys; from lurcher_index import Engine\n"
        "with Engine.open([sys.argv[1]], store=sys.argv[2]) as engine: engine.build()\n"
        f"print([name for name in {UNUSED!r} if name in sys.modules])"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "tree"), str(tmp_path / "store")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(("last", "commits"), [(0.0, 3), (1_000.0, 1)])
def test_no_commit_is_made_near_the_end_but_the_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, last: float, commits: int
) -> None:
    monkeypatch.setattr(builder, "FIRST_COMMIT_SECONDS", 0.0)
    monkeypatch.setattr(builder, "BATCH_FILES", 10)
    monkeypatch.setattr(builder, "BATCH_SECONDS", 1_000.0)
    monkeypatch.setattr(builder, "LAST_SECONDS", last)
    made: list[Postings] = []
    commit = Postings.commit

    def counted(postings: Postings) -> None:
        made.append(postings)
        commit(postings)

    monkeypatch.setattr(Postings, "commit", counted)
    for number in range(25):
        (tmp_path / f"f{number}.py").write_text(f"value{number} = {number}\n")
    with Engine.open([tmp_path], store=":memory:") as engine:
        engine.build()
        assert len(made) == commits
        assert engine.search("value7").hits[0].path == "f7.py"
