"""A small tree that bad things happen to, and the one check that it came to no harm."""

from pathlib import Path

from tests.engine.trees import Index, at_rest, fresh, plant, read_index

from lurcher_index import Engine, Settings

QUESTIONS = ["anchor", "alpha", "word_3"]


def planted(top: Path, count: int = 12) -> Path:
    body = "    x = anchor + 'alpha'\n" * 30
    return plant(top / "tree", {f"pkg/module_{n}.py": f"def word_{n}():\n{body}" for n in range(count)})


def opened(top: Path, settings: Settings | None = None) -> Engine:
    return Engine.open([top / "tree"], store=top / "store", settings=settings)


def built(top: Path) -> Path:
    """A good index that nobody has open; the directory it lies in."""
    with opened(top) as engine:
        assert engine.build()
        return Path(engine.status().store)


_expected: dict[bytes, Index] = {}


def expected(tree: Path) -> Index:
    """What a fresh build gives; trees of the same files give the same."""
    files = [(path.relative_to(tree).as_posix(), path) for path in tree.rglob("*") if path.is_file()]
    key = repr([(name, path.is_symlink(), path.read_bytes()) for name, path in sorted(files)]).encode()
    if key not in _expected:
        _expected[key] = fresh([tree], QUESTIONS)
    return _expected[key]


def check(engine: Engine, top: Path, alert: str = "") -> None:
    """After a build the index is as good as new, and whatever happened was said."""
    assert engine.build()
    at_rest(engine)
    assert read_index(engine, QUESTIONS) == expected(top / "tree")
    alerts = engine.search("anchor").alerts
    assert any(alert in each for each in alerts) if alert else alerts == ()
