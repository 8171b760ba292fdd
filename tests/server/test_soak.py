"""What a soak takes for a leak."""

import pytest
from benchmarks.soak import SPARE_FILES, SPARE_THREADS, Look, leaks


def looked(files: list[int], threads: list[int] | None = None) -> list[Look]:
    return [Look(at, 1.0, 1.0, each, (threads or [9] * len(files))[at], 2) for at, each in enumerate(files)]


@pytest.mark.parametrize("files", [[30], [30, 31], [30, 47, 63, 83, 45, 81, 69, 51, 49, 77, 67]])
def test_worker_processes_that_come_and_go_are_no_leak(files: list[int]) -> None:
    assert leaks(looked(files)) == []


def test_what_grows_with_the_requests_is_a_leak() -> None:
    step = 2 * SPARE_FILES // 5
    grown = leaks(looked([30 + step * at + (16 if at % 3 else 0) for at in range(11)]))
    assert len(grown) == 1 and grown[0].startswith("open files grew")
    threads = [9 + SPARE_THREADS // 3 * at for at in range(11)]
    assert leaks(looked([30] * 11, threads)) == [f"threads grew from {threads[1]} to {threads[6]}"]
