"""Worker processes: every job is answered once, whatever happens to the workers."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from tests.engine.trees import strike

from lurcher_index.building import turns
from lurcher_index.building.messages import Job, Setup
from lurcher_index.building.pool import WorkerPool
from lurcher_index.config import FINGERPRINT, Settings
from lurcher_index.errors import LurcherError
from lurcher_index.model import Reason


def pool(count: int = 2, **settings: float) -> WorkerPool:
    return WorkerPool(Setup(Settings(**settings), (), FINGERPRINT), count)  # type: ignore[arg-type]


def jobs_for(folder: Path, texts: dict[str, str]) -> list[Job]:
    for name, text in texts.items():
        (folder / name).write_text(text)
    return [Job(number, str(folder), name) for number, name in enumerate(texts)]


def worker_pids() -> set[int]:
    """Children of this process that are workers."""
    found: set[int] = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(status.read_text().rpartition(")")[2].split()[1])
            command = (status.parent / "cmdline").read_bytes()
        except OSError:
            continue
        if parent == os.getpid() and b"lurcher_index.building.worker" in command:
            found.add(int(status.parent.name))
    return found


def test_answers_come_in_the_order_of_the_jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "LONGEST_WAIT", 60.0)
    workers = pool(3)
    jobs = jobs_for(tmp_path, {f"f{number}.py": f"def f{number}(): pass\n" * (number % 7) for number in range(120)})
    answers = list(workers.run(jobs))
    workers.close()
    assert [answer.number for answer in answers] == list(range(120))


def test_every_job_is_answered_once(tmp_path: Path) -> None:
    workers = pool()
    jobs = jobs_for(tmp_path, {f"f{number}.py": f"def f{number}():\n    pass\n" for number in range(100)})
    answers = list(workers.run(jobs))
    workers.close()
    assert sorted(answer.number for answer in answers) == list(range(100))
    assert all(answer.content is not None and answer.content.language == "python" for answer in answers)


def test_a_file_that_is_not_there_is_gone(tmp_path: Path) -> None:
    workers = pool(1)
    (answer,) = workers.run([Job(0, str(tmp_path), "nothing.py")])
    workers.close()
    assert answer.gone


def test_an_unchanged_file_costs_no_parse(tmp_path: Path) -> None:
    workers = pool(1)
    (job,) = jobs_for(tmp_path, {"a.py": "x = 1\n"})
    (first,) = workers.run([job])
    assert first.content is not None
    (second,) = workers.run([Job(0, str(tmp_path), "a.py", first.content.hash)])
    workers.close()
    assert second.unchanged
    assert second.content is None


@pytest.mark.skipif(sys.platform != "linux", reason="finds its workers in /proc, and asks for their turns")
@pytest.mark.parametrize("niceness", [0, 7])
def test_workers_that_nobody_waits_for_step_back(tmp_path: Path, niceness: int) -> None:
    """Those of a build do; one that reads what somebody is typing does not."""
    ours, others = (os.nice(0), os.sched_getscheduler(0)), worker_pids()
    workers = WorkerPool(Setup(Settings(), (), FINGERPRINT, niceness), 1)
    try:
        list(workers.run(jobs_for(tmp_path, {"a.py": "x = 1\n"})))
        (worker,) = worker_pids() - others
        found = os.getpriority(os.PRIO_PROCESS, worker), os.sched_getscheduler(worker)
    finally:
        workers.close()
    assert found == (min(19, ours[0] + niceness), os.SCHED_BATCH if niceness else ours[1])


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds its workers in /proc")
def test_a_run_may_do_with_fewer_workers(tmp_path: Path) -> None:
    others, workers = worker_pids(), pool(2)
    jobs = jobs_for(tmp_path, {f"f{number}.py": "x = 1\n" for number in range(100)})
    try:
        assert len(list(workers.run(jobs, workers=1))) == 100
        assert len(worker_pids() - others) == 1
        assert len(list(workers.run(jobs))) == 100
        assert len(worker_pids() - others) == 2
    finally:
        workers.close()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds its workers in /proc")
def test_killed_workers_lose_nothing(tmp_path: Path) -> None:
    workers = pool()
    jobs = jobs_for(tmp_path, {f"f{number}.py": f"def f{number}():\n    pass\n" * 50 for number in range(200)})
    numbers: list[int] = []
    for answer in workers.run(jobs):
        numbers.append(answer.number)
        if len(numbers) in (20, 90, 150):
            for pid in worker_pids():
                strike(pid)
    workers.close()
    assert sorted(numbers) == list(range(200))


def test_a_file_that_takes_too_long_is_put_aside_and_the_others_are_not(tmp_path: Path) -> None:
    workers = pool(1, file_seconds=0.01, parse_seconds=60.0)
    texts = {f"f{number}.txt": "x" for number in range(10)}
    # Far more than a hundredth of a second to parse on any machine, and still below the size limit.
    texts["slow.py"] = "x = [(a, b), {c: d}]\n" * 60_000
    answers = {answer.number: answer for answer in workers.run(jobs_for(tmp_path, texts))}
    workers.close()
    slow = answers.pop(10)
    assert slow.skip is not None
    assert slow.skip.reason is Reason.QUARANTINED
    assert "twice" in slow.skip.detail
    assert sorted(answers) == list(range(10))


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="the system does not tell who waits for a core")
def test_a_worker_that_gets_no_core_is_waited_for(tmp_path: Path) -> None:
    """Others have the core five sixths of the time, so by the clock it is overdue before it is done."""
    core = min(os.sched_getaffinity(0))
    before = os.sched_getaffinity(0)
    spin = [sys.executable, "-c", "while True: pass"]
    workers = pool(1, file_seconds=1.0, parse_seconds=60.0)
    os.sched_setaffinity(0, {core})
    rivals = [subprocess.Popen(spin) for _ in range(5)]
    try:
        # Some tenths of a second of work, which are some seconds here.
        jobs = jobs_for(tmp_path, {"slow.py": "x = [(a, b), {c: d}]\n" * 12_000})
        (answer,) = workers.run(jobs)
    finally:
        for rival in rivals:
            rival.kill()
            rival.wait()
        os.sched_setaffinity(0, before)
        workers.close()
    assert answer.skip is None


def test_cancelling_ends_the_run_and_the_pool_can_go_on(tmp_path: Path) -> None:
    workers = pool()
    jobs = jobs_for(tmp_path, {f"f{number}.py": "x = 1\n" * 200 for number in range(150)})
    seen = 0

    def enough() -> bool:
        return seen >= 30

    for _ in workers.run(jobs, enough):
        seen += 1
    assert 30 <= seen < 150
    again = list(workers.run(jobs[:10]))
    workers.close()
    assert len(again) == 10


def test_closing_ends_the_processes(tmp_path: Path) -> None:
    workers = pool()
    list(workers.run(jobs_for(tmp_path, {"a.py": "x"})))
    workers.close()
    deadline = time.monotonic() + 10
    while worker_pids() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not worker_pids()


def test_a_closed_pool_starts_no_process_for_a_run_that_is_under_way(tmp_path: Path) -> None:
    """As when an editor closes a folder while a file in it is being read."""
    workers = pool(1)
    run = workers.run(jobs_for(tmp_path, {f"{number}.py": "def f(): pass\n" * 2_000 for number in range(40)}))
    next(run)
    closing = threading.Thread(target=workers.close)
    closing.start()
    with pytest.raises(LurcherError):
        list(run)
    closing.join(30)
    assert not closing.is_alive()
    assert not worker_pids()
