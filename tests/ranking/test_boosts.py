"""The factors of the rule-based ranker."""

import pytest

from lurcher_index.query.parsed import Task
from lurcher_index.ranking.boosts import DAY_SECONDS, Seen, boosts

PLAIN = Seen(
    documented=False,
    complete=False,
    defines=False,
    public=False,
    is_test_or_example=False,
    data=b"x = 1\n",
    age_seconds=None,
)


@pytest.mark.parametrize("task", [task.value for task in Task])
def test_a_plain_chunk_is_lifted_by_no_task(task: str) -> None:
    assert boosts(task, PLAIN) == {}


def test_complete_and_documented_code_is_lifted_whatever_is_asked() -> None:
    assert boosts("general", PLAIN._replace(complete=True)) == {"complete": 1.1}
    assert boosts("general", PLAIN._replace(documented=True)) == {"documented": 1.1}


@pytest.mark.parametrize(
    ("task", "seen", "expected"),
    [
        ("documentation", PLAIN._replace(documented=True), {"documented": 1.1, "asksForDocumentation": 1.2}),
        ("examples", PLAIN._replace(is_test_or_example=True), {"asksForExamples": 1.25}),
        ("implementation", PLAIN._replace(defines=True), {"asksForImplementation": 1.15}),
        ("debug", PLAIN._replace(data=b"try:\n    run()\n"), {"asksForErrors": 1.25}),
        ("refactor", PLAIN._replace(public=True), {"asksForInterfaces": 1.3}),
    ],
)
def test_seed_002_each_task_lifts_what_it_needs_and_no_other_task_does(
    task: str, seen: Seen, expected: dict[str, float]
) -> None:
    assert boosts(task, seen) == expected
    for other in Task:
        if other != task:
            assert not any(name.startswith("asksFor") for name in boosts(other, seen))


@pytest.mark.parametrize(
    ("data", "handles"),
    [
        (b"except KeyError:", True),
        (b"} catch (e) {", True),
        (b"if err != nil {", True),
        (b"class ParseError: pass", True),
        (b"fn run() -> Result<()>", True),
        (b"entry = country", False),
        (b"failure_rate = mirror", False),
    ],
)
def test_the_handling_of_errors_is_told_by_whole_words(data: bytes, handles: bool) -> None:
    assert ("asksForErrors" in boosts("debug", PLAIN._replace(data=data))) is handles


@pytest.mark.parametrize(
    ("age", "factor"),
    [
        (0.0, 1.2),
        (DAY_SECONDS - 1, 1.2),
        (DAY_SECONDS, 1.1),
        (7 * DAY_SECONDS - 1, 1.1),
        (7 * DAY_SECONDS, None),
        (-1.0, None),
        (None, None),
    ],
)
def test_what_was_changed_today_or_this_week_is_recent(age: float | None, factor: float | None) -> None:
    """A change in the future is a wrong clock."""
    assert boosts("general", PLAIN._replace(age_seconds=age)).get("recent") == factor
