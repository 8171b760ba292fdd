"""Pictures are drawn of what a run has numbers for, and of nothing else."""

from pathlib import Path

import pytest
from benchmarks.quality.plots import draw
from benchmarks.quality.results import Asked, Outcome, Run
from benchmarks.quality.summary import tell


def run(configuration: str, answerability: float | None = None, relative: float | None = None) -> Run:
    """One question with an answer and one without, in one configuration."""
    asked = [
        Asked(
            id=category,
            labels="spans",
            corpus="corpus",
            language="go",
            category=category,
            query="a question",
            outcomes={
                configuration: Outcome(
                    returned=3, seconds=0.01, rank=rank, answerability=answerability, relative=relative
                )
            },
        )
        for category, rank in (("where", 1), ("none", None))
    ]
    told = tell(asked, [configuration])
    return Run(made="now", model="m", results=50, left_out=(), configurations=told, questions=tuple(asked))


@pytest.mark.parametrize(
    ("drawn", "pictures"),
    [
        (run("rules"), ["configurations", "categories"]),
        (run("learned", answerability=0.5), ["configurations", "categories", "answerability"]),
        (run("learned-all", relative=0.7), ["configurations", "categories", "relative"]),
        (run("rules", relative=0.7), ["configurations", "categories"]),
    ],
    ids=["ranks", "answerability", "relative", "filtered"],
)
def test_draw(drawn: Run, pictures: list[str], tmp_path: Path) -> None:
    written = draw(drawn, tmp_path)
    assert [path.stem for path in written] == pictures
    assert sorted(written) == sorted(tmp_path.iterdir())
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in written)
