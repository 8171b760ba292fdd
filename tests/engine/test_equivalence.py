"""However the tree changed and however the index followed, it ends equal to one that is built from scratch."""

import os
import shutil
import tempfile
import time
from pathlib import Path

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from tests.engine.trees import at_rest, fresh, in_tree_order, read_index

from lurcher_index import Engine, Settings

SMALL = Settings(max_file_bytes=2_000, chunk_tokens=24, workers=1)
"""Small chunks, so that small files have several; a small limit, so that a file can outgrow it."""

FOLDERS = ["", "a/", "a/b/", "lib/", "x.py/"]
NAMES = ["x.py", "y.py", "z.md", "w.json", "u.js", "t.txt", ".env", "k.pem"]
WORDS = ["parse", "token", "cache", "user", "HTTPServer", "load_file"]
RULES = ["*.md", "b/", "a", "x.py", "!x.py", "lib/*", "!lib/u.js", "/a/b", "t.*"]
QUESTIONS = ["anchor", "parse", "token cache", "HTTPServer user", "load_file anchor", "python", "cac"]

paths = st.builds(str.__add__, st.sampled_from(FOLDERS), st.sampled_from(NAMES))
places = st.one_of(paths, st.sampled_from(["a", "a/b", "lib", "x.py"]))
# Few words and few shapes: equal contents at several paths and equal sizes of different contents are common.
texts = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(WORDS)), min_size=0, max_size=5)
odd = st.sampled_from([b"\0\1\2\0binary", b"anchor parse\n" * 200, b"", b"  \n", b"caf\xe9 anchor token\n"])


def text_for(path: str, pairs: list[tuple[str, str]]) -> bytes:
    name = path.rpartition("/")[2]
    if name.endswith(".py"):
        return "\n\n".join(f"def {a}_{b}():\n    return anchor({a})" for a, b in pairs).encode()
    if name.endswith(".md"):
        return "\n".join(f"# {a}\n\nanchor {b}\n" for a, b in pairs).encode()
    if name.endswith(".json"):
        return ("{" + ",\n".join(f'"{a}": "anchor {b}"' for a, b in pairs) + "}").encode()
    return "\n".join(f"function {a}() {{ return {b}.anchor }}" for a, b in pairs).encode()


class Life(RuleBasedStateMachine):
    """A tree, an index of it that stays open, and what the index has not been told yet."""

    def __init__(self) -> None:
        super().__init__()
        self.top = Path(tempfile.mkdtemp(prefix="lurcher-life-"))
        self.tree = self.top / "tree"
        self.tree.mkdir()
        self.untold: set[Path] = set()
        self.unannounced = False
        self.engine = Engine.open([self.tree], settings=SMALL, store=self.top / "store")

    @initialize(start=st.dictionaries(paths, texts, max_size=6), ignored=st.lists(st.sampled_from(RULES), max_size=1))
    def begin(self, start: dict[str, list[tuple[str, str]]], ignored: list[str]) -> None:
        for path, pairs in start.items():
            self.put(path, text_for(path, pairs))
        if ignored:
            self.put(".gitignore", "\n".join(ignored).encode())
        self.build()

    # -- changes of the tree

    @rule(path=paths, pairs=texts)
    def write(self, path: str, pairs: list[tuple[str, str]]) -> None:
        self.put(path, text_for(path, pairs))

    @rule(path=paths, data=odd)
    def write_odd(self, path: str, data: bytes) -> None:
        self.put(path, data)

    @rule(path=places)
    def delete(self, path: str) -> None:
        self.clear(self.tree / path)

    @rule(source=places, goal=places)
    def rename(self, source: str, goal: str) -> None:
        old, new = self.tree / source, self.tree / goal
        if not old.exists() or old == new or new.is_relative_to(old) or old.is_relative_to(new):
            return
        self.clear(new)
        if self.make_room(new):
            old.rename(new)
            self.untold |= {old, new}

    @rule(path=paths)
    def touch(self, path: str) -> None:
        if (self.tree / path).is_file():
            os.utime(self.tree / path)
            self.untold.add(self.tree / path)

    @rule(path=paths, told=st.booleans())
    def edit_within_a_tick(self, path: str, told: bool) -> None:
        """Read by the index, then changed at once: same size, same stamp, and a stamp that proves nothing."""
        self.put(path, text_for(path, [("parse", "token")]))
        stamp = time.time_ns() + 60_000_000_000
        os.utime(self.tree / path, ns=(stamp, stamp))
        self.tell()
        self.put(path, text_for(path, [("token", "parse")]))
        os.utime(self.tree / path, ns=(stamp, stamp))
        if not told:
            self.untold.discard(self.tree / path)
            self.unannounced = True

    @rule(
        folder=st.sampled_from(["", "a/", "lib/"]),
        name=st.sampled_from([".gitignore", ".lurcherignore"]),
        lines=st.lists(st.sampled_from(RULES), max_size=2),
    )
    def write_rules(self, folder: str, name: str, lines: list[str]) -> None:
        self.put(folder + name, "\n".join(lines).encode())

    @rule(folder=st.sampled_from(["", "a/", "lib/"]), name=st.sampled_from([".gitignore", ".lurcherignore"]))
    def remove_rules(self, folder: str, name: str) -> None:
        self.clear(self.tree / (folder + name))

    @rule(path=st.sampled_from(["a", "lib", "x.py", "a/b"]), pairs=texts)
    def swap_folder_and_file(self, path: str, pairs: list[tuple[str, str]]) -> None:
        if (self.tree / path).is_dir():
            self.put(path, text_for(path, pairs))
        else:
            self.put(f"{path}/y.py", text_for("y.py", pairs))

    @rule(goal=st.sampled_from(["a", "lib"]), path=st.sampled_from(["lib", "x.py", "a/b"]))
    def link(self, goal: str, path: str) -> None:
        """A link in the place of something else; what lies behind it is told of as well, as watchers do."""
        if path == goal or not (self.tree / goal).is_dir():
            return
        self.clear(self.tree / path)
        if self.make_room(self.tree / path):
            (self.tree / path).symlink_to(self.tree / goal)
            self.untold |= {self.tree / path, self.tree / path / "y.py", self.tree / path / "x.py"}

    # -- what the index is told

    @rule()
    def say_nothing(self) -> None:
        self.unannounced |= bool(self.untold)
        self.untold.clear()

    @rule()
    def tell(self) -> None:
        self.engine.update(sorted(self.untold))
        self.untold.clear()

    @rule()
    def build(self) -> None:
        assert self.engine.build()
        self.untold.clear()
        self.unannounced = False
        at_rest(self.engine)

    @precondition(lambda self: not self.untold and not self.unannounced)
    @rule(question=st.sampled_from(QUESTIONS))
    def fold(self, question: str) -> None:
        before = read_index(self.engine, [question])
        assert self.engine.workspace.fold()
        assert not self.engine.workspace.snapshot().delta.hidden()
        assert read_index(self.engine, [question]) == before

    @rule()
    def reopen(self) -> None:
        self.engine.close()
        self.engine = Engine.open([self.tree], settings=SMALL, store=self.top / "store")
        assert self.engine.status().alerts == ()

    def teardown(self) -> None:
        try:
            expected = fresh([self.tree], QUESTIONS, SMALL)
            if not self.unannounced:
                self.tell()
                assert read_index(self.engine, QUESTIONS) == expected
                in_tree_order(self.engine, QUESTIONS)
            self.build()
            assert read_index(self.engine, QUESTIONS) == expected
            in_tree_order(self.engine, QUESTIONS)
        finally:
            self.engine.close()
            shutil.rmtree(self.top)

    # -- parts

    def put(self, path: str, data: bytes) -> None:
        target = self.tree / path
        if target.is_dir() or target.is_symlink():
            self.clear(target)
        if self.make_room(target):
            target.write_bytes(data)
            self.untold.add(target)

    def clear(self, target: Path) -> None:
        if target.is_dir() and not target.is_symlink():
            shutil.rmtree(target)
        elif os.path.lexists(target):
            target.unlink()
        else:
            return
        self.untold.add(target)

    def make_room(self, target: Path) -> bool:
        """The folders above a path; a file or link in the place of one goes."""
        for parent in reversed(target.relative_to(self.tree).parents):
            above = self.tree / parent
            if above.is_symlink() or (above.exists() and not above.is_dir()):
                self.clear(above)
            above.mkdir(exist_ok=True)
        return True


Life.TestCase.settings = settings(
    max_examples=20,
    stateful_step_count=18,
    deadline=None,
    derandomize=True,
    database=None,
    # Each step touches the disk and worker processes: shrinking would take longer than reading the 18 steps.
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
test_any_life_ends_equal_to_a_fresh_build = Life.TestCase
