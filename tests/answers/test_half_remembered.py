"""Names as people type them: as they are written, in another style, half remembered."""

from collections.abc import Iterator

import pytest
from tests.answers.asked import ask, opened, paths

from lurcher_index import Engine
from lurcher_index.judging import AS_WRITTEN

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
