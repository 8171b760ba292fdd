"""Paths that others name, and where they lead here."""

from pathlib import Path

import pytest

from lurcher_index.building.scan import Folder
from lurcher_index.checkout.values import Checkout
from lurcher_index.joining.areas import Area, Place, is_plain, uncovered


def checkout(root: str, prefix: str = "", inside: str = "", nested: tuple[str, ...] = ()) -> Checkout:
    return Checkout(Path(root), prefix, inside, nested, ("example.org/a/b",), "c" * 40, "main", None, False)


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/etc/passwd",
        "../secret",
        "a/../../secret",
        "a/./b",
        "a//b",
        "a/",
        "..",
        ".",
        "a\\..\\b",
        "C:/windows",
        "a\0b",
        "a/\udcff",
        "x" * 5_000,
    ],
)
def test_a_path_that_is_no_plain_path_of_the_repository_leads_nowhere(path: str) -> None:
    folder = Folder(1, Path("/work/project"))
    assert not is_plain(path)
    assert Area(folder, checkout("/work/project")).place(path, [folder]) is None


def test_a_folder_that_is_the_repository() -> None:
    folder = Folder(1, Path("/work/project"))
    area = Area(folder, checkout("/work/project"))
    assert area.place("src/a b.py", [folder]) == Place(folder, "src/a b.py")
    assert (area.below, area.root.key) == ((), "1")


def test_a_folder_inside_of_the_repository_sees_its_own_files_only() -> None:
    folder = Folder(1, Path("/work/project/src"))
    area = Area(folder, checkout("/work/project", prefix="src/"))
    assert area.place("src/a.py", [folder]) == Place(folder, "a.py")
    assert area.place("docs/a.md", [folder]) is None
    assert area.below == ("src",)


def test_files_of_a_repository_inside_belong_to_that_one() -> None:
    folder = Folder(1, Path("/work/project"))
    outer = Area(folder, checkout("/work/project", nested=("vendor/lib/",)))
    inner = Area(folder, checkout("/work/project/vendor/lib", inside="vendor/lib/"))
    assert outer.place("vendor/lib/x.c", [folder]) is None
    assert inner.place("x.c", [folder]) == Place(folder, "vendor/lib/x.c")
    assert inner.root.key == "1/vendor/lib"


def test_of_folders_in_each_other_the_innermost_has_the_file() -> None:
    outer, inner = Folder(1, Path("/work/project")), Folder(2, Path("/work/project/src"))
    wide = Area(outer, checkout("/work/project"))
    narrow = Area(inner, checkout("/work/project", prefix="src/"))
    assert wide.place("src/a.py", [outer, inner]) is None
    assert narrow.place("src/a.py", [outer, inner]) == Place(inner, "a.py")
    assert wide.place("a.py", [outer, inner]) == Place(outer, "a.py")


def test_what_nobody_else_knows_is_uncovered() -> None:
    first, second = Folder(1, Path("/work/one")), Folder(2, Path("/work/two"))
    one = Area(first, checkout("/work/one", nested=("lib/",)))
    lib = Area(first, checkout("/work/one/lib", inside="lib/"))
    assert uncovered([first, second], [one, lib], [one, lib]) == ("2",)
    assert uncovered([first, second], [one, lib], [one]) == ("2", "1/lib")
    assert uncovered([first, second], [one, lib], [lib]) == ("1", "2")
