"""Cancelled, interrupted, killed, closed in the middle: nothing is lost and the next run is clean."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.engine.planted import QUESTIONS, built, check, opened, planted
from tests.engine.trees import PATIENCE, Peer, at_rest, fresh, peer_environment, plant, read_index, strike, until

from lurcher_index import Progress, Settings
from lurcher_index.building.pool import BATCH_JOBS, RESULTS_AHEAD

# -- bad moments


@pytest.mark.parametrize("after", [0, 30])
def test_cancel_and_resume(tmp_path: Path, after: int) -> None:
    planted(tmp_path, 150)
    done = 0

    def report(progress: Progress) -> None:
        nonlocal done
        done = progress.done

    calls = 0

    def cancelled() -> bool:
        nonlocal calls
        calls += 1
        return calls > after

    with opened(tmp_path) as engine:
        assert not engine.build(report, cancelled)
        assert engine.status().indexed == done, "what was finished is kept"
        assert not engine.search("anchor").complete
        check(engine, tmp_path)


def test_ctrl_c_on_the_command_line(tmp_path: Path) -> None:
    tree = planted(tmp_path, 3_000)
    code = "import sys; from lurcher_server.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "index", str(tree), "--store", str(tmp_path / "store"), "--json"]

    def run() -> subprocess.Popen[bytes]:
        # A group of its own: Ctrl-C in a terminal reaches the workers too.
        return subprocess.Popen(
            command, env=peer_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
        )

    process = run()
    # The index appears when the build has begun.
    until(lambda: any((tmp_path / "store").rglob("words-*")))
    time.sleep(0.3)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE)
    # A signal that comes when all is done ends the interpreter itself: to a shell that is 130 too.
    assert process.returncode in (0, 130, -signal.SIGINT), errors.decode()
    assert b"Traceback" not in errors
    again = run()
    _, errors = again.communicate(timeout=PATIENCE)
    assert again.returncode == 0, errors.decode()
    with opened(tmp_path) as engine:
        at_rest(engine)
        assert read_index(engine, QUESTIONS) == fresh([tree], QUESTIONS)


FILES_BEYOND_THE_QUEUE = RESULTS_AHEAD + 160
"""So many that workers still have some to read when the hundredth answer is taken, however quick they are."""


def _worker_processes() -> list[int]:
    found: list[int] = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            is_worker = b"lurcher_index.building.worker" in (entry / "cmdline").read_bytes()
        except (OSError, IndexError):
            continue  # It ended just now.
        if parent == os.getpid() and is_worker:
            found.append(int(entry.name))
    return found


KILLED_AT = (5, 20, 40)
"""The looks for answers before which workers are killed."""

FILES_BEYOND_THE_KILLS = (KILLED_AT[-1] + 4) * BATCH_JOBS + RESULTS_AHEAD
"""So many that some are left at the last of them: each look takes one batch at most, the queue holds so many answers,
and the workers have a few batches more. At the end the file of a killed worker is tried once more, alone, and one that
loses its worker then as well is left out, as it should be."""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds the workers in /proc")
def test_killed_workers_lose_nothing(tmp_path: Path) -> None:
    planted(tmp_path, FILES_BEYOND_THE_KILLS)
    kills = calls = 0

    def kill() -> bool:
        """Asked before every answer is taken, and never cancels."""
        nonlocal kills, calls
        calls += 1
        if calls in KILLED_AT:
            for pid in _worker_processes():
                kills += strike(pid)
        return False

    with opened(tmp_path) as engine:
        assert engine.build(cancelled=kill)
        assert kills >= 1
        assert engine.status().skipped == {}
        check(engine, tmp_path)
        # Those that wait for work can die as well.
        for pid in _worker_processes():
            strike(pid)
        plant(tmp_path / "tree", {"new.py": "def zebra(): pass\n"})
        engine.update([tmp_path / "tree/new.py"])
        assert [hit.path for hit in engine.search("zebra").hits] == ["new.py"]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds the workers in /proc")
def test_workers_that_hang_are_replaced(tmp_path: Path) -> None:
    """No file is slow by nature any more; a worker that is stopped in the middle of one is."""
    planted(tmp_path, FILES_BEYOND_THE_QUEUE)
    stopped: list[int] = []
    calls = 0

    def freeze() -> bool:
        nonlocal calls
        calls += 1
        if calls == 5:
            stopped.extend(_worker_processes())
            for pid in stopped:
                strike(pid, signal.SIGSTOP)
        return False

    with opened(tmp_path, Settings(file_seconds=3.0)) as engine:
        assert engine.build(cancelled=freeze)
        assert stopped
        assert not set(stopped) & set(_worker_processes())
        assert engine.status().skipped == {}, "what they were at was tried once more"
        check(engine, tmp_path)


def test_close_during_a_search_deletes_nothing(tmp_path: Path) -> None:
    planted(tmp_path)
    place = built(tmp_path)
    engine = opened(tmp_path)
    engine.search("anchor")
    engine.close()
    with pytest.raises(Exception, match="closed"):
        engine.search("anchor")
    assert (place / "index.sqlite").exists()
    with opened(tmp_path) as again:
        assert again.search("anchor").complete


def test_two_processes_when_one_finds_damage(tmp_path: Path) -> None:
    tree = planted(tmp_path)
    place = built(tmp_path)
    with Peer(tree, tmp_path / "store") as peer:
        peer.hear()
        assert peer.ask("search", "anchor")["hits"]
        with opened(tmp_path) as engine:
            engine.clear()
            assert engine.build()
            peer.ask("search", "anchor")
            assert peer.ask("build")["complete"]
            assert peer.ask("search", "anchor")["hits"]
            check(engine, tmp_path)
    assert place.exists()
