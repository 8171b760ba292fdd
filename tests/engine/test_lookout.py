"""Watching from a process of its own."""

import threading
from functools import partial
from pathlib import Path

import pytest
from tests.engine.trees import plant, strike, until

from lurcher_index import Settings
from lurcher_index.errors import LurcherError
from lurcher_index.lookout import Sighting, look_out


class Listener:
    """Collects what is seen, in a thread."""

    def __init__(self, folder: Path) -> None:
        self.seen: list[Sighting] = []
        self.stop = threading.Event()
        self.failed = ""
        self.thread = threading.Thread(target=self._listen, args=(folder,), daemon=True)
        self.thread.start()

    def _listen(self, folder: Path) -> None:
        try:
            for sighting in look_out([folder], Settings(), self.stop):
                self.seen.append(sighting)
        except LurcherError as error:
            self.failed = str(error)

    def ready(self) -> bool:
        return any(sighting.ready for sighting in self.seen)

    def paths(self) -> set[str]:
        return {path for sighting in self.seen for path in sighting.paths}

    def end(self) -> None:
        self.stop.set()
        self.thread.join(30)
        assert not self.thread.is_alive()


def test_changes_are_seen_and_ignored_files_are_not(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", {".gitignore": "out/\n", "out/x.py": "1\n"}).resolve()
    listener = Listener(tree)
    until(listener.ready)
    plant(tree, {"out/x.py": "2\n", "a.py": "1\n"})
    until(lambda: str(tree / "a.py") in listener.paths())
    assert str(tree / "out/x.py") not in listener.paths()
    listener.end()


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")
def test_a_process_that_dies_is_made_up_for_by_a_scan_and_given_up_in_the_end(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", {"a.py": "1\n"})
    listener = Listener(tree)
    for count in range(1, 4):
        until(partial(lambda count: sum(sighting.ready for sighting in listener.seen) == count, count))
        for task in Path("/proc/self/task").iterdir():
            for child in (task / "children").read_text().split():
                if b"lookout_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                    strike(int(child))
        until(partial(lambda count: sum(sighting.rescan for sighting in listener.seen) >= count, count))
    until(lambda: bool(listener.failed))
    listener.end()
