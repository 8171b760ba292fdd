"""What the benchmark reads in patches of a distribution."""

import pytest
from benchmarks.locate.patches import Change, is_code, read_patch

DIFF = """\
--- a/src/read.c
+++ b/src/read.c
@@ -10,6 +10,7 @@ static void f(void)
 context
+more
@@ -100 +101,2 @@
 context
--- /dev/null
+++ b/src/new.c
@@ -0,0 +1,2 @@
+x
--- a/tests/test_read.c
+++ b/tests/test_read.c
@@ -1,2 +1,3 @@
 x
"""

DEP3 = f"""\
Description: Fix crash when the header is empty
 The reader took an empty header for a long one
 and read beyond its end.
 .
 Seen with files of old cameras.
Author: Somebody <somebody@example.org>
Bug-Debian: https://bugs.example.org/1
Last-Update: 2024-01-01
---
 src/read.c | 2 +-
{DIFF}"""

GIT = f"""\
From: Somebody <somebody@example.org>
Date: Mon, 1 Jan 2024 00:00:00 +0000
Subject: [PATCH 1/2] Fix crash when the header
 is empty

The reader took an empty header for a long one.

Signed-off-by: Somebody <somebody@example.org>
Submitted-by: Somebody Else
---
 src/read.c | 2 +-

diff --git a/src/read.c b/src/read.c
{DIFF}"""


def test_a_header_of_the_distribution() -> None:
    patch = read_patch(DEP3)
    assert patch.title == "Fix crash when the header is empty"
    assert patch.description.startswith("The reader took an empty header")
    assert patch.description.endswith("Seen with files of old cameras.")
    assert "example.org" not in patch.description
    assert "read.c" not in patch.description
    assert patch.is_fix


def test_a_header_of_git() -> None:
    patch = read_patch(GIT)
    assert patch.title == "Fix crash when the header is empty"
    assert patch.description == "The reader took an empty header for a long one."


def test_changes_are_those_of_files_that_were_there() -> None:
    patch = read_patch(DEP3)
    assert patch.changes == (
        Change("src/read.c", ((10, 15), (100, 100))),
        Change("tests/test_read.c", ((1, 2),)),
    )
    assert [change.path for change in patch.code] == ["src/read.c"]


@pytest.mark.parametrize(
    "title",
    ["Fix spelling in the output", "Fix FTBFS with new compilers", "Fix crash", "Add a colour for the header line"],
)
def test_other_patches_are_no_fixes(title: str) -> None:
    assert not read_patch(f"Description: {title}\n\n{DIFF}").is_fix


@pytest.mark.parametrize(
    ("path", "wanted"), [("a/b.py", True), ("docs/b.py", False), ("setup.py", False), ("b.md", False)]
)
def test_sources(path: str, wanted: bool) -> None:
    assert is_code(path) is wanted


def test_a_path_that_leaves_the_tree_is_none() -> None:
    assert read_patch("Description: x\n\n--- a/../../etc/x.c\n+++ b/../../etc/x.c\n@@ -1 +1 @@\n").changes == ()
