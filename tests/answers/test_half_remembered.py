"""Names as people type them: as they are written, in another style, half remembered."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.answers.asked import ask, opened, paths

from lurcher_index import Engine
from lurcher_index.judging import AS_WRITTEN
from lurcher_index.words.candidates import Candidate
from lurcher_index.words.postings import PostingsView

FILES = {
    "clock.py": "def is_timestamp_within_timeline(stamp):\n    return stamp < 9\n",
    # All parts of the name that is asked for stand here, none of them in a name.
    "noise.py": "# Is a timestamp in any timeline? Nobody knows.\nx = 1\n",
    "pack.py": "class Restic:\n    def pack_size(self):\n        return 4\n",
    "options.sh": 'echo "set RESTIC_PACK_SIZE to something else"\n',
    "agent.ts": "export function browserVersion() { return 7 }\n",
    "wire.ts": 'send({ "browser_version": agent() })\n',
    "both.ts": "/* The browser and its version. */\nexport const both = 1\n",
    **{
        f"filler{n}.py": f"def part_{n}(value):\n    '''Part {n} of the machine.'''\n    return {n}\n" for n in range(9)
    },
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with opened(tmp_path_factory.mktemp("names"), FILES) as found:
        yield found


def test_a_half_remembered_name_is_not_hidden_by_where_its_parts_stand(engine: Engine) -> None:
    answer = ask(engine, "isTimestampInTimeline")
    assert paths(answer)[0] == "clock.py"


def test_where_a_name_stands_as_it_is_written_comes_first(engine: Engine) -> None:
    answer = ask(engine, "RESTIC_PACK_SIZE")
    assert paths(answer)[0] == "options.sh"
    assert "noise.py" not in paths(answer)


def test_what_is_called_so_in_another_style_is_meant_too(engine: Engine) -> None:
    answer = ask(engine, "browser_version", explain=True)
    assert set(paths(answer)[:2]) == {"agent.ts", "wire.ts"}
    assert "both.ts" not in paths(answer)
    # All that is left holds it, so that nothing sets one apart from another.
    assert all("as_written" not in chunk.trace.clues for chunk in answer.chunks)


def test_the_lift_is_explained(engine: Engine) -> None:
    clues = {chunk.path: chunk.trace.clues for chunk in ask(engine, "RESTIC_PACK_SIZE", explain=True).chunks}
    assert 0 < clues["options.sh"]["as_written"] < AS_WRITTEN


def test_words_alone_rank_what_is_written_first_too(engine: Engine) -> None:
    assert [hit.path for hit in engine.search("RESTIC_PACK_SIZE").hits][:1] == ["options.sh"]
    assert [hit.path for hit in engine.search("isTimestampWithinTimeline").hits][:1] == ["clock.py"]


def test_a_filter_that_leaves_only_its_parts_leaves_those(engine: Engine) -> None:
    assert [hit.path for hit in engine.search("RESTIC_PACK_SIZE", include=["*.py"]).hits][:1] == ["pack.py"]


@pytest.mark.parametrize(
    ("name", "most"), [("isTimestampInTimeline", 1), ("browserVersionz", 1), ("browser_version", 1), ("restic", 0)]
)
def test_words_are_compared_with_all_terms_once_at_most(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, name: str, most: int
) -> None:
    compared: list[object] = []
    holding_parts = PostingsView.holding_parts

    def counting(*args: Any) -> list[Candidate]:
        compared.append(args)
        return holding_parts(*args)

    monkeypatch.setattr(PostingsView, "holding_parts", counting)
    assert engine.search(name).hits
    assert len(compared) <= most


def test_a_name_that_stands_only_in_an_unsaved_document_comes_first(tmp_path: Path) -> None:
    files = {f"noise{n}.py": f"# The queue will drain slowly.\nx = {n}\n" for n in range(9)}
    with opened(tmp_path / "tree", files, embeddings=False) as engine:
        path = engine.workspace.folders[0].path / "fresh.py"
        assert engine.show(path, "def drain_queue_slowly():\n    pass\n", 1)
        assert [hit.path for hit in engine.search("drain_queue_slowly").hits][:1] == ["fresh.py"]


def saved(engine: Engine, path: Path, text: str) -> None:
    path.write_text(text)
    engine.update([path])


def saved_while_nobody_looked(engine: Engine, path: Path, text: str) -> None:
    path.write_text(text)
    assert engine.build()


def shown(engine: Engine, path: Path, text: str) -> None:
    assert engine.show(path, text, 1)


@pytest.mark.parametrize("changed", [saved, saved_while_nobody_looked, shown])
def test_an_old_name_does_not_hide_what_it_is_called_now(
    tmp_path: Path, changed: Callable[[Engine, Path, str], None]
) -> None:
    """The postings count what is deleted or hidden until they are merged: the old name stands nowhere any more."""
    files = {
        **{f"noise{n}.py": f"# The timeout that we compute has a backoff.\nx = {n}\n" for n in range(12)},
        **{f"filler{n}.py": f"def other_{n}(value):\n    return {n}\n" for n in range(20)},
        "retry.py": "def compute_timeout_backoff(n):\n    return 2 ** n\n",
    }
    with opened(tmp_path / "tree", files, embeddings=False) as engine:
        path = engine.workspace.folders[0].path / "retry.py"
        assert paths(ask(engine, "compute_timeout_backoff")) == ["retry.py"]
        assert engine.workspace.snapshot().holds("compute_timeout_backoff")
        changed(engine, path, "def compute_retry_backoff(n):\n    return 2 ** n\n")
        assert not engine.workspace.snapshot().holds("compute_timeout_backoff")
        assert "retry.py" in paths(ask(engine, "compute_timeout_backoff", unfiltered=True, max_results=100))


def test_a_word_that_is_gone_is_looked_for_in_others(tmp_path: Path) -> None:
    files = {"a.py": "fish = 1\n", "b.py": "goldfish = 2\n"}
    with opened(tmp_path / "tree", files, embeddings=False) as engine:
        assert [hit.path for hit in engine.search("fish").hits] == ["a.py"]
        saved(engine, engine.workspace.folders[0].path / "a.py", "gnu = 1\n")
        assert [hit.path for hit in engine.search("fish").hits] == ["b.py"]
