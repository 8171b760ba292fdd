"""The probe of the benchmark tells blocks of our own from stops of the machine."""

from typing import Any

import pytest
from benchmarks.probe import Late, late

BEGAN = 100.0


def seen(*stops: tuple[float, float, float], began: float = BEGAN) -> dict[str, Any]:
    """What a probe writes down: when a late wake-up came, in seconds, how late it was and how long without a core."""
    return {"began": began, "late": [{"atSeconds": at, "ms": ms, "withoutCoreMs": core} for at, ms, core in stops]}


@pytest.mark.parametrize(
    ("ours", "idle", "expected"),
    [
        (seen(), seen(), Late(0.0, 0.0, 0)),
        (seen((1.0, 30.0, 0.0)), seen(), Late(30.0, 30.0, 1)),
        (seen((1.0, 30.0, 25.0)), seen(), Late(30.0, 5.0, 0)),
        (seen((1.0, 30.0, 0.0)), seen((1.0, 30.0, 0.0)), Late(30.0, 0.0, 0)),
        (seen((1.0, 30.0, 0.0)), seen((0.99, 15.0, 0.0)), Late(30.0, 15.0, 1)),
        (seen((1.0, 30.0, 0.0)), seen((2.0, 30.0, 0.0)), Late(30.0, 30.0, 1)),
        (seen((1.0, 30.0, 0.0)), seen((1.0, 30.0, 30.0)), Late(30.0, 30.0, 1)),
        (seen((1.0, 30.0, 22.0)), seen((1.0, 10.0, 0.0)), Late(30.0, 8.0, 0)),
        (seen((1.0, 30.0, 0.0)), seen((11.0, 30.0, 0.0), began=90.0), Late(30.0, 0.0, 0)),
        (seen((1.0, 90.0, 0.0), (2.0, 12.0, 0.0)), seen((0.95, 30.0, 0.0), (1.0, 40.0, 0.0)), Late(90.0, 20.0, 2)),
    ],
    ids=[
        "nothing",
        "our own block",
        "without a core",
        "both stood still",
        "half of it both",
        "at another time",
        "the idle loop had no core",
        "whichever is more",
        "clocks are compared",
        "several stops in one block",
    ],
)
def test_what_stops_an_idle_loop_too_is_not_ours(ours: dict[str, Any], idle: dict[str, Any], expected: Late) -> None:
    assert tuple(late(ours, idle)) == pytest.approx(tuple(expected), abs=1e-6)


def test_what_came_before_is_told_apart() -> None:
    both = seen((1.0, 30.0, 0.0), (3.0, 11.0, 0.0))
    assert late(both, since=2.0) == Late(11.0, 11.0, 1)
    assert late(both, until=2.0) == Late(30.0, 30.0, 1)
