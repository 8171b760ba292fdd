"""What has to be done, by comparing stamps."""

from pathlib import Path

import pytest

from lurcher_index.building.order import usefulness
from lurcher_index.building.scan import Folder, Lost, Plan, Unseen, make_plan
from lurcher_index.files.listing import BAD_NAME, Listing
from lurcher_index.model import Found, Reason, Skip
from lurcher_index.store.catalog import Known

FOLDER = Folder(1, Path("/w"))
READ = 10_000_000_000
KNOWN = Known(7, size=5, mtime_ns=READ - 5_000_000_001, read_ns=READ, folded=True, hash=b"h")


def plan(known: dict[str, Known], files: list[Found], skipped: dict[str, Skip] | None = None) -> Plan:
    return make_plan([(FOLDER, known, Listing(files, skipped or {}, "walker"))])


@pytest.mark.parametrize(
    ("known", "read"),
    [
        (KNOWN, False),
        (None, True),
        (KNOWN._replace(size=6), True),
        (KNOWN._replace(mtime_ns=1), True),
        (KNOWN._replace(folded=False), True),
    ],
)
def test_a_file_is_read_only_if_its_stamp_or_the_postings_say_so(known: Known | None, read: bool) -> None:
    found = plan({"a": known} if known else {}, [Found("a", 5, KNOWN.mtime_ns)])
    assert bool(found.tasks) == read
    assert found.unchanged == (not read)


@pytest.mark.parametrize(
    ("mtime_ns", "racy"),
    [
        (READ - 1_000_001, True),
        (READ - 50_000_001, False),
        # Whole seconds: a coarse clock, which may stand still for two of them.
        (READ - 1_000_000_000, True),
        (READ - 3_000_000_000, False),
    ],
)
def test_a_file_changed_just_before_it_was_read_is_read_again(mtime_ns: int, racy: bool) -> None:
    known = KNOWN._replace(mtime_ns=mtime_ns)
    assert bool(plan({"a": known}, [Found("a", 5, mtime_ns)]).tasks) == racy


def test_section_6_no_number_of_files_is_too_large() -> None:
    found = plan({}, [Found(f"f{number}.py", 5, 1) for number in range(120_000)])
    assert len(found.tasks) == 120_000


def test_what_is_not_listed_any_more_is_gone() -> None:
    assert plan({"a": KNOWN}, []).gone == (Lost(FOLDER, "a", READ),)


def test_what_cannot_be_looked_at_is_kept_with_its_reason_and_not_gone() -> None:
    skip = Skip(Reason.UNREADABLE, "denied")
    assert plan({}, [], {"d": skip}).unreadable == (Unseen(FOLDER, "d", skip, None),)
    noted = KNOWN._replace(size=0, mtime_ns=0, read_ns=0)
    assert plan({"d": noted}, [], {"d": skip}).is_empty
    once = Unseen(FOLDER, "d", skip, READ)
    assert plan({"d": KNOWN}, [], {"d": skip}).unreadable == (once,), "it was a file once"


def test_what_lies_below_a_folder_that_cannot_be_opened_is_kept() -> None:
    known = {"d/a": KNOWN, "d/new": KNOWN._replace(folded=False), "d/left_out": KNOWN._replace(hash=b""), "dd": KNOWN}
    found = plan(known, [], {"d": Skip(Reason.UNREADABLE, "denied")})
    assert (found.gone, found.kept) == ((Lost(FOLDER, "dd", READ),), 1), "what is not folded is pending by itself"
    assert plan({"d/a": KNOWN}, [], {"d": BAD_NAME}).gone == (Lost(FOLDER, "d/a", READ),), (
        "a name is no reason to shut a folder"
    )


def test_of_a_folder_without_a_listing_everything_is_kept() -> None:
    found = make_plan([(FOLDER, {"a": KNOWN, "b": KNOWN}, None)])
    assert found.is_empty and found.kept == 2


def test_a_file_in_a_nested_folder_belongs_to_that_folder_only() -> None:
    outer, inner = Folder(1, Path("/w")), Folder(2, Path("/w/sub"))
    found = make_plan(
        [
            (outer, {}, Listing([Found("a", 1, 1), Found("sub/b", 1, 1), Found("subway", 1, 1)], {}, "walker")),
            (inner, {}, Listing([Found("b", 1, 1)], {}, "walker")),
        ]
    )
    assert {(task.folder.folder_id, task.found.path) for task in found.tasks} == {(1, "a"), (1, "subway"), (2, "b")}


def test_own_code_comes_before_tests_and_data() -> None:
    paths = ["docs/guide.md", "tests/test_app.py", "package.json", "deep/er/core.py", "app.py"]
    assert sorted(paths, key=usefulness) == [
        "app.py",
        "deep/er/core.py",
        "package.json",
        "tests/test_app.py",
        "docs/guide.md",
    ]


def test_section_8_folders_are_indexed_in_turn() -> None:
    """Fair shares: a small folder is searchable long before a large one is done."""
    large = Listing([Found(f"f{number:03}.py", 1, 1) for number in range(100)], {}, "walker")
    small = Listing([Found("test_a.py", 1, 1), Found("b.py", 1, 1)], {}, "walker")
    tasks = make_plan([(FOLDER, {}, large), (Folder(2, Path("/v")), {}, small)]).tasks
    assert [task.found.path for task in tasks[:5]] == ["f000.py", "b.py", "f001.py", "test_a.py", "f002.py"]
    assert len(tasks) == 102
