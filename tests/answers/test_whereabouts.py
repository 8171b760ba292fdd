"""Which files a path means: of several folders, of many files of one name, of folders that differ by a number."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.answers.asked import ask, opened, paths
from tests.files.trees import plant

from lurcher_index import MEMORY, Engine
from lurcher_index.locate.issue import Issue
from lurcher_index.view import View
from lurcher_index.whereabouts import files_meant
from lurcher_server.names import Names

CODE = "def total(cart):\n    return sum(cart)\n"
MANY = 1_100


@contextmanager
def of_folders(place: Path, *names: str) -> Generator[Engine]:
    """An engine over folders of the same files, that lie in folders of their own."""
    planted = [plant(place / str(at) / name, {"app/cart.py": CODE}) for at, name in enumerate(names)]
    with Engine.open(planted, store=MEMORY, embeddings=False) as engine:
        assert engine.build()
        yield engine


def told(engine: Engine, path: str) -> list[str]:
    """The files that a path means, as answers write them."""
    view = View(engine.workspace)
    names = Names([str(folder.path) for folder in engine.workspace.folders])
    return [names.shown(str(view.folder_of(row)), row.path) for row in files_meant(view, path).rows]


def test_a_path_that_several_folders_have_means_all_of_them(tmp_path: Path) -> None:
    with of_folders(tmp_path, "shop", "store") as engine:
        both = ["shop/app/cart.py", "store/app/cart.py"]
        assert told(engine, "app/cart.py") == told(engine, "cart.py") == told(engine, "/srv/app/cart.py") == both
        assert told(engine, "store/app/cart.py") == told(engine, "/home/me/store/app/cart.py") == both[1:]
        answer = ask(engine, "app/cart.py:2")
        assert [Path(chunk.folder).name for chunk in answer.chunks] == ["shop", "store"]
        (only,) = ask(engine, "app/cart.py:2", paths=[str(engine.workspace.folders[1].path)]).chunks
        assert Path(only.folder).name == "store"
        trace = 'Traceback (most recent call last):\n  File "app/cart.py", line 2, in total\nTypeError: no len()'
        located = engine.locate(Issue(description=trace)).locations
        assert [(Path(each.folder).name, each.path) for each in located] == [
            ("shop", "app/cart.py"),
            ("store", "app/cart.py"),
        ]


def test_folders_of_one_name_go_by_the_names_that_answers_give_them(tmp_path: Path) -> None:
    with of_folders(tmp_path, "site", "site", "site-2") as engine:
        every = told(engine, "cart.py")
        assert len(set(every)) == 3
        for each in every:
            assert told(engine, each) == [each]


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    files = {f"packages/p{at:04}/src/index.js": f"exports.a = {at};\n" for at in range(MANY)}
    with opened(tmp_path_factory.mktemp("crowd") / "mono", files, embeddings=False) as engine:
        yield engine


@pytest.mark.parametrize("before", ["", "/home/me/mono/", "C:\\work\\mono\\", "mono/"])
@pytest.mark.parametrize("package", ["p0003", f"p{MANY - 1}"])
def test_of_many_files_of_one_name_the_one_at_the_path_is_meant(crowd: Engine, before: str, package: str) -> None:
    assert told(crowd, f"{before}packages/{package}/src/index.js") == [f"packages/{package}/src/index.js"]


def test_where_many_are_alike_all_are_meant(crowd: Engine) -> None:
    assert len(told(crowd, "src/index.js")) == MANY


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("/srv/api-v2/handler.go", ["api-v2/handler.go"]),
        ("/srv/api-v1/handler.go", ["api-v1/handler.go"]),
        ("/srv/api-v3/handler.go", ["api-v1/handler.go", "api-v2/handler.go"]),
        ("/srv/api/handler.go", ["api-v1/handler.go", "api-v2/handler.go"]),
        ("/pkg/mod/x/client@v1.9.0/dial.go", ["client-1.8/dial.go"]),
        ("/ci/lib-1/api-v2/deep/io.go", ["lib-1/api-v1/deep/io.go"]),
    ],
)
def test_a_number_tells_folders_apart_where_one_of_them_has_it(tmp_path: Path, path: str, meant: list[str]) -> None:
    known = ["api-v1/handler.go", "api-v2/handler.go", "web/handler.go", "client-1.8/dial.go"]
    files = [*known, "lib-1/api-v1/deep/io.go", "lib-2/api-v1/deep/io.go"]
    with opened(tmp_path / "tree", dict.fromkeys(files, "package a\n"), embeddings=False) as engine:
        assert told(engine, path) == meant
        assert set(meant) >= set(paths(ask(engine, f"{path}:1"))) != set()
