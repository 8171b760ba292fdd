"""`file:` URIs of both kinds of machines."""

import pytest

from lurcher_server.lsp.uris import path_text, uri_text

PAIRS = [
    ("file:///home/a%20b/x.py", "/home/a b/x.py"),
    ("file:///home/%C3%BC/%E4%BD%A0.py", "/home/ü/你.py"),
    ("file:///a/100%25.py", "/a/100%.py"),
    ("file:///a/b%3Bc%3Fd%23e.py", "/a/b;c?d#e.py"),
    ("file:///a/%5Bb%5D%7Bc%7D.py", "/a/[b]{c}.py"),
]


@pytest.mark.parametrize(("uri", "path"), PAIRS)
def test_posix_both_ways(uri: str, path: str) -> None:
    assert path_text(uri, windows=False) == path
    assert uri_text(path, windows=False) == uri


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///c%3A/Projects/a%20b/x.py", "C:\\Projects\\a b\\x.py"),
        ("file:///C:/x.py", "C:\\x.py"),
        ("file:///c|/x.py", "C:\\x.py"),
        ("file://server/share/x.py", "\\\\server\\share\\x.py"),
        ("file://localhost/C:/x.py", "C:\\x.py"),
    ],
)
def test_windows_paths(uri: str, path: str) -> None:
    assert path_text(uri, windows=True) == path


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("C:\\Projects\\a b\\x.py", "file:///C%3A/Projects/a%20b/x.py"),
        ("\\\\server\\share\\x.py", "file://server/share/x.py"),
    ],
)
def test_windows_uris(path: str, uri: str) -> None:
    assert uri_text(path, windows=True) == uri
    assert path_text(uri, windows=True) == path


@pytest.mark.parametrize(
    "uri", ["", "untitled:Untitled-1", "http://a/b", "file:", "file://other/x", "file:///a%00b", "//[", "x"]
)
def test_what_is_no_file_here(uri: str) -> None:
    assert path_text(uri, windows=False) is None


@pytest.mark.parametrize("uri", ["FILE:///a/b.py", "file://localhost/a/b.py", "file:/a/b.py"])
def test_other_ways_to_write_it(uri: str) -> None:
    assert path_text(uri, windows=False) == "/a/b.py"


def test_an_unquoted_question_mark_or_hash_is_part_of_the_name() -> None:
    assert path_text("file:///a/what?.py", windows=False) == "/a/what?.py"
    assert path_text("file:///a/c#.py", windows=False) == "/a/c#.py"


def test_a_name_that_is_no_utf8_survives() -> None:
    assert uri_text(path_text("file:///a/%FF.py", windows=False) or "", windows=False) == "file:///a/%FF.py"
