"""`kill -9` at any moment: the next start is clean, and a build ends equal to a fresh one."""

import random
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.engine.trees import Index, Peer, at_rest, fresh, plant, read_index, until

from lurcher_index import Engine

FILES = 150
QUESTIONS = ["anchor", "even", "odd alpha", "module_7"]


class Kennel:
    """A tree that changes between two states, its index, and what a fresh build of each state gives."""

    def __init__(self, top: Path, seed: int) -> None:
        self.tree = top / "tree"
        self.store = top / "store"
        self.random = random.Random(seed)
        self.kills = 0
        self.states = [_state("even", 0), _state("odd", 3)]
        self.expected: list[Index] = []
        for state in reversed(self.states):
            self._plant(state)
            self.expected.insert(0, fresh([self.tree], QUESTIONS))
        self.state = 0

    def change(self) -> list[str]:
        """Go over to the other state; the paths that are different now."""
        before, self.state = self.states[self.state], 1 - self.state
        after = self.states[self.state]
        self._plant(after)
        return [str(self.tree / path) for path in before.keys() | after.keys() if before.get(path) != after.get(path)]

    def kill_during(self, *orders: tuple[object, ...], share: float, whole: float) -> None:
        """Start a process on the orders and kill it after a share of the time that the whole of them takes."""
        with Peer(self.tree, self.store) as peer:
            peer.hear()
            for order in orders:
                peer.tell(*order)
            time.sleep(share * whole)
            workers = _children(peer.process.pid)
            peer.process.kill()
            peer.process.wait()
            self.kills += 1
        until(lambda: not any(map(_is_alive, workers)), "a worker outlived its owner")
        with Engine.open([self.tree], store=self.store) as engine:
            assert engine.status().alerts == (), "a kill must not damage anything"
            engine.search("anchor")
            assert engine.build()
            at_rest(engine)
            assert read_index(engine, QUESTIONS) == self.expected[self.state]

    def measure(self, *orders: tuple[object, ...]) -> float:
        """Seconds that the orders take when nobody kills."""
        with Peer(self.tree, self.store) as peer:
            peer.hear()
            start = time.monotonic()
            for order in orders:
                peer.ask(*order)
            return time.monotonic() - start

    def moments(self, count: int) -> Iterator[float]:
        """Shares of the whole, one at random in each of `count` equal parts; a little more than all of it."""
        for part in self.random.sample(range(count), count):
            yield (part + self.random.random()) / count * 1.1

    def _plant(self, state: dict[str, str]) -> None:
        shutil.rmtree(self.tree, ignore_errors=True)
        plant(self.tree, state)


def _state(word: str, step: int) -> dict[str, str]:
    """Every third file differs between the states; some exist in one only."""
    files: dict[str, str] = {}
    for number in range(FILES):
        differs = number % 3 == 0
        name = f"{word if number % 24 == 0 else 'pkg'}/module_{number}.py"
        words = f"{word} alpha" if differs else "common"
        files[name] = "".join(
            f"def f{n + (step if differs else 0)}():\n    return anchor + '{words}'\n" for n in range(8)
        )
    return files


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and _stat(int(entry.name))[1:2] == [str(pid)]:
            found.append(int(entry.name))
    return found


def _is_alive(pid: int) -> bool:
    return _stat(pid)[:1] not in ([], ["Z"])


def _stat(pid: int) -> list[str]:
    """State, parent and so on."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def kill_first_builds(kennel: Kennel, count: int) -> None:
    whole = kennel.measure(("build",))
    for share in kennel.moments(count):
        shutil.rmtree(kennel.store)
        kennel.kill_during(("build",), share=share, whole=whole)


def kill_rebuilds(kennel: Kennel, count: int) -> None:
    kennel.measure(("build",))
    kennel.change()
    whole = kennel.measure(("build",))
    for share in kennel.moments(count):
        kennel.change()
        kennel.kill_during(("build",), share=share, whole=whole)


def kill_updates(kennel: Kennel, count: int) -> None:
    """Updates in small steps, which fold now and then, and a build behind them."""
    kennel.measure(("build",))
    paths = kennel.change()
    whole = kennel.measure(("updates", paths, 7), ("fold",), ("build",))
    for share in kennel.moments(count):
        paths = kennel.change()
        kennel.kill_during(("updates", paths, 7), ("fold",), ("build",), share=share, whole=whole)


KILLS = {"first builds": kill_first_builds, "rebuilds": kill_rebuilds, "updates": kill_updates}

needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for workers in /proc")


@needs_proc
@pytest.mark.parametrize("kind", KILLS)
def test_four_kills(tmp_path: Path, kind: str) -> None:
    kennel = Kennel(tmp_path, seed=4)
    KILLS[kind](kennel, 4)
    assert kennel.kills == 4


@needs_proc
@pytest.mark.heavy
@pytest.mark.timeout(1_200)
def test_fifty_kills(tmp_path: Path) -> None:
    kills = 0
    for (name, kill), count in zip(KILLS.items(), (18, 16, 16), strict=True):
        kennel = Kennel(tmp_path / name.replace(" ", "-"), seed=50)
        kill(kennel, count)
        kills += kennel.kills
    assert kills == 50
