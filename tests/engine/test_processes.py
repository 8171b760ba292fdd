"""Several processes and threads on one workspace at the same time."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import msgspec
import pytest
from tests.engine.trees import PATIENCE, Peer, at_rest, fresh, plant, read_index

from lurcher_index import Engine, Phase, Progress, Settings
from lurcher_index.building import builder
from lurcher_index.building.messages import Job, Parsed, Setup
from lurcher_index.building.recording import record
from lurcher_index.building.scan import Folder, Plan, Task, Unseen, make_plan
from lurcher_index.building.worker import Worker
from lurcher_index.model import Found, Reason, Skip
from lurcher_index.store.catalog import Catalog, Known
from lurcher_index.store.database import Database
from lurcher_index.store.outlines import Content
from lurcher_index.workspace import DELTA_FILES

BREATH = 0.002
"""How long a build is held up by each file, so that others come in between: it reads hundreds in 0.1 seconds."""

QUESTIONS = ["anchor", "alpha", "omega", "alpha anchor"]


def planted(top: Path, count: int, word: str = "alpha") -> Path:
    text = "".join(f"def f{n}():\n    return anchor + '{word}'\n\n\n" for n in range(6))
    return plant(top / "tree", {f"pkg{n % 7}/module_{n}.py": f"# {n}\n{text}" for n in range(count)})


@contextmanager
def in_thread(work: Callable[[], object]) -> Iterator[threading.Thread]:
    """Run beside the test; what it raises, the test raises."""
    failures: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - raised again below
            failures.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield thread
    finally:
        thread.join(PATIENCE)
    assert not thread.is_alive()
    if failures:
        raise failures[0]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


def test_many_processes_open_an_empty_store_at_once(tmp_path: Path, store: Path) -> None:
    tree = planted(tmp_path, 3)
    with ExitStack() as stack:
        peers = [stack.enter_context(Peer(tree, store)) for _ in range(4)]
        for peer in peers:
            peer.hear()
        assert [peer.ask("alerts") for peer in peers] == [[]] * 4
        assert len({peer.ask("store") for peer in peers}) == 1


def test_two_builds_at_once(tmp_path: Path, store: Path) -> None:
    tree = planted(tmp_path, 150)
    with Peer(tree, store) as one, Peer(tree, store) as two:
        for peer in (one, two):
            peer.hear()
        # Each goes on when it is told to: so the first is at work when the second comes, however quick it is.
        assert one.ask("build", "SCANNING") == "SCANNING"
        assert two.ask("build", "WAITING") == "WAITING"
        for peer in (one, two):
            peer.tell("go on")
        first, second = one.hear(), two.hear()
        assert first["complete"] and first["read"] == 150 and "WAITING" not in first["phases"]
        assert second["complete"] and second["read"] == 0, "the second has nothing left to do"
    with Engine.open([tree], store=store) as engine:
        at_rest(engine)
        assert read_index(engine, QUESTIONS) == fresh([tree], QUESTIONS)


def test_one_builds_while_the_other_searches(tmp_path: Path, store: Path) -> None:
    tree = planted(tmp_path, 150, "alpha")
    with Engine.open([tree], store=store) as engine, Peer(tree, store) as peer:
        peer.hear()
        assert engine.build()
        planted(tmp_path, 150, "omega")
        peer.tell("build")
        with in_thread(peer.hear) as building:
            while building.is_alive():
                for question in ("anchor", "alpha", "omega"):
                    result = engine.search(question, max_results=50)
                    assert all("'omega'" in hit.text for hit in result.hits), "only what is on disk now is shown"
        assert engine.build()
        assert read_index(engine, QUESTIONS) == fresh([tree], QUESTIONS)


def test_a_first_build_can_be_searched_from_another_process(tmp_path: Path, store: Path) -> None:
    tree = planted(tmp_path, 400)
    with Engine.open([tree], store=store) as engine, Peer(tree, store) as peer:
        peer.hear()
        peer.tell("build")
        with in_thread(peer.hear) as building:
            while building.is_alive():
                result = engine.search("anchor", max_results=5)
                assert result.hits or not result.complete
        result = engine.search("anchor", max_results=5)
        assert result.complete
        assert len(result.hits) == 5


def test_an_update_is_seen_by_the_other_without_a_build(tmp_path: Path, store: Path) -> None:
    tree = planted(tmp_path, 5)
    with Engine.open([tree], store=store) as engine, Peer(tree, store) as peer:
        peer.hear()
        assert engine.build()
        assert not peer.ask("search", "zebra")["hits"]
        (tree / "new.py").write_text("def zebra(): pass\n")
        (tree / "pkg0/module_0.py").write_text("def zebra_crossing(): pass\n")
        (tree / "pkg1/module_1.py").unlink()
        changed = [tree / "new.py", tree / "pkg0/module_0.py", tree / "pkg1/module_1.py"]
        engine.update(changed)
        assert sorted(path for path, _ in peer.ask("search", "zebra")["hits"]) == ["new.py", "pkg0/module_0.py"]
        assert "pkg1/module_1.py" not in [path for path, _ in peer.ask("search", "anchor")["hits"]]
        # And back: what the other is told, this one sees.
        (tree / "new.py").write_text("def giraffe(): pass\n")
        peer.ask("update", [str(tree / "new.py")])
        assert [hit.path for hit in engine.search("giraffe").hits] == ["new.py"]


def test_a_fold_is_seen_by_the_other(tmp_path: Path, store: Path) -> None:
    tree = planted(tmp_path, 5)
    with Engine.open([tree], store=store) as engine, Peer(tree, store) as peer:
        peer.hear()
        assert engine.build()
        (tree / "new.py").write_text("def zebra(): pass\n")
        engine.update([tree / "new.py"])
        before = peer.ask("search", "zebra")["hits"]
        assert peer.ask("delta") == 1
        assert engine.workspace.fold()
        assert peer.ask("delta") == 0
        assert peer.ask("search", "zebra")["hits"] == before != []


def test_updates_during_a_build_are_searchable_at_once_and_are_not_lost(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The build has more files under way than fit into memory, and has read some of them before they change."""
    monkeypatch.setattr(builder, "REPORT_SECONDS", 0.0)
    tree = planted(tmp_path, 3 * DELTA_FILES)
    files = sorted(tree.rglob("*.py"))
    told = dict(zip((f"zebra{letter}" for letter in "abcdefghijkl"), files[:: len(files) // 12], strict=False))
    begun = threading.Event()

    def report(progress: Progress) -> None:
        if progress.phase is Phase.INDEXING and progress.done > DELTA_FILES:
            begun.set()
            time.sleep(BREATH)

    with Engine.open([tree], store=store) as engine:
        with in_thread(lambda: engine.build(report)) as building:
            assert begun.wait(PATIENCE)
            for word, path in told.items():
                path.write_text(f"def {word}(): pass\n")
                engine.update([path])
                hits = engine.search(word).hits
                assert [hit.text for hit in hits] == [f"def {word}(): pass"], building.is_alive()
        for word, path in told.items():
            assert [hit.path for hit in engine.search(word).hits] == [path.relative_to(tree).as_posix()]
        assert engine.build()
        at_rest(engine)
        assert read_index(engine, QUESTIONS) == fresh([tree], QUESTIONS)


@contextmanager
def between_listing_and_build(monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[Plan], Plan]) -> Iterator[None]:
    """What happens after a build has listed the folders and before it writes; it goes on with the plan returned."""
    with monkeypatch.context() as patch:
        patch.setattr("lurcher_index.workspace.make_plan", lambda folders: meanwhile(make_plan(folders)))
        yield


def test_a_file_that_comes_back_during_a_build_stays(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a checkout or a careful save leaves it: away when the build lists, back and searchable a moment later."""
    tree = planted(tmp_path, 3)
    back, ignored, lost = (tree / name for name in ("back.py", "ignored.py", "lost.py"))
    for path in (back, ignored, lost):
        path.write_text("def zebra(): pass\n")

    def found(engine: Engine) -> list[str]:
        return sorted(hit.path for hit in engine.search("zebra").hits)

    with Engine.open([tree], store=store) as server, Engine.open([tree], store=store) as background:
        assert server.build()
        assert found(server) == ["back.py", "ignored.py", "lost.py"]
        server.update([ignored])  # With the rules as they are now, which it keeps until it hears of others.
        for path in (back, lost):
            path.unlink()
        (tree / ".gitignore").write_text("ignored.py\n")

        def meanwhile(plan: Plan) -> Plan:
            assert {each.path for each in plan.gone} == {"back.py", "ignored.py", "lost.py"}
            for path in (back, ignored, lost):
                path.write_text("def zebra(crossing): pass\n")
            server.update([back, ignored, lost])
            assert found(server) == ["back.py", "ignored.py", "lost.py"]
            lost.unlink()
            return plan

        with between_listing_and_build(monkeypatch, meanwhile):
            assert background.build()
        assert found(server) == found(background) == ["back.py"]
        assert server.status().complete
    with Engine.open([tree], store=store) as engine:
        assert engine.build()
        assert read_index(engine, [*QUESTIONS, "zebra"]) == fresh([tree], [*QUESTIONS, "zebra"])


def test_a_file_that_is_read_after_a_build_could_not_look_at_it_stays(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = planted(tmp_path, 3)
    path = tree / "turns.py"
    path.write_text("def zebra(): pass\n")
    with Engine.open([tree], store=store) as engine:
        assert engine.build()
        folder = engine.workspace.folders[0]
        known = engine.workspace.catalog.known_file(folder.folder_id, "turns.py")
        assert known is not None
        unseen = Unseen(folder, "turns.py", Skip(Reason.UNREADABLE, "denied"), known.read_ns)

        def meanwhile(plan: Plan) -> Plan:
            path.write_text("def zebra_crossing(): pass\n")
            engine.update([path])
            return msgspec.structs.replace(plan, tasks=(), unreadable=(unseen,))

        with between_listing_and_build(monkeypatch, meanwhile):
            assert engine.build()
        assert [hit.path for hit in engine.search("crossing").hits] == ["turns.py"]
        assert engine.status().skipped == {}


def test_search_while_another_thread_builds(tmp_path: Path, store: Path) -> None:
    tree = planted(tmp_path, 300)
    with Engine.open([tree], store=store) as engine:
        with in_thread(engine.build) as building:
            while building.is_alive():
                result = engine.search("alpha", max_results=3)
                assert all("'alpha'" in hit.text for hit in result.hits)
        assert engine.search("alpha").complete
        at_rest(engine)


def test_every_thread_sees_the_newest_state(tmp_path: Path, store: Path) -> None:
    """SQLite counts changes per connection; threads that came at different times must not compare their counts."""
    tree = planted(tmp_path, 2)
    seen: list[int] = []
    with Engine.open([tree], store=store) as engine, Peer(tree, store) as peer:
        peer.hear()
        assert engine.build()
        for turn in range(1, 6):
            (tree / f"new{turn}.py").write_text("def zebra(): pass\n")
            peer.ask("update", [str(tree / f"new{turn}.py")])
            # A new thread each time: its connection has seen as few changes as that of the one before.
            with in_thread(lambda: seen.append(len(engine.search("zebra").hits))):
                pass
            assert seen[-1] == turn
        assert len(engine.search("zebra").hits) == 5


def test_cancelled_while_waiting_for_the_other(tmp_path: Path, store: Path) -> None:
    tree = planted(tmp_path, 150)
    waiting = threading.Event()

    def report(progress: Progress) -> None:
        if progress.phase is Phase.WAITING:
            waiting.set()

    with Engine.open([tree], store=store) as engine, Engine.open([tree], store=store) as other:
        with other.workspace._writing(report, lambda: False), pytest.raises(Exception, match="cancelled while"):
            engine.build(report, waiting.is_set)
        assert engine.build()


def test_update_of_a_file_that_a_search_finds_changed_at_the_same_time(tmp_path: Path, store: Path) -> None:
    tree = planted(tmp_path, 20)
    with Engine.open([tree], store=store, settings=Settings(workers=1)) as engine:
        assert engine.build()
        stop = threading.Event()

        def search() -> None:
            while not stop.is_set():
                for hit in engine.search("alpha anchor", max_results=100).hits:
                    assert "anchor" in hit.text

        with in_thread(search), in_thread(search):
            for turn in range(30):
                path = tree / f"pkg{turn % 7}/module_{turn % 20}.py"
                if path.exists():
                    path.write_text(f"def anchor_{turn}(): return 'alpha'\n")
                    engine.update([path])
            stop.set()
        assert read_index(engine, QUESTIONS) == fresh([tree], QUESTIONS)


def test_an_older_answer_never_replaces_a_newer_one(tmp_path: Path) -> None:
    """A build has read a file, or is about to write what it read, when an update of the same file comes in between."""
    catalog = Catalog(Database(None, "any"))
    folder = Folder(catalog.folder_ids([tmp_path])[tmp_path], tmp_path)

    def content(text: bytes) -> Content:
        return Content(text.ljust(16), "python", "utf-8", 0, b"")

    def check(parsed: Parsed, known: Known | None, expected: bytes) -> None:
        with catalog.write() as write:
            record(write, Task(folder, Found("a.py", 1, 1), known), parsed)
        now = catalog.known_file(folder.folder_id, "a.py")
        assert now is not None
        assert now.hash.rstrip() == expected

    def known() -> Known | None:
        return catalog.known_file(folder.folder_id, "a.py")

    check(Parsed(0, (1, 1, 100), content(b"first")), None, b"first")
    planned = known()
    check(Parsed(0, (1, 2, 300), content(b"update")), planned, b"update")
    check(Parsed(0, (1, 1, 200), content(b"build")), planned, b"update")
    check(Parsed(0, (1, 1, 200), gone=True), planned, b"update")
    check(Parsed(0, (1, 1, 200), skip=Skip(Reason.BINARY, "")), planned, b"update")
    check(Parsed(0, (9, 9, 400), unchanged=True), planned, b"update")
    now = known()
    assert now is not None
    assert (now.size, now.mtime_ns) == (1, 2), "what was unchanged was the content before"
    missing = Worker(Setup(Settings(), (), "any")).run(Job(0, str(tmp_path), "a.py"))
    assert missing.gone
    assert missing.stamp[2] > 0, "that a file is gone is also known only as of some moment"
    # Without anybody in between, a clock that was set back changes nothing.
    check(Parsed(0, (1, 3, 50), content(b"after the clock")), now, b"after the clock")
