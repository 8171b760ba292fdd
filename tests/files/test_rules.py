"""Ignore rules: the two listers, `IgnoreRules.check` and, where it can know, git say the same."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.files.trees import git_listed, listed, plant

from lurcher_index.config import Settings
from lurcher_index.files.globs import BadGlob, translate
from lurcher_index.files.patterns import RuleSet, split_lines
from lurcher_index.files.rules import IgnoreRules, is_rule_file
from lurcher_index.model import Reason

TREE = [
    "a.txt",
    "b.py",
    "sub/a.txt",
    "sub/b.py",
    "sub/deep/a.txt",
    "sub/deep/c.js",
    "other/sub/a.txt",
    "[x]",
    "#h",
    "!b",
]


def check(tmp_path: Path, rules: str, gone: set[str], tree: list[str] | None = None) -> None:
    """`rules` as the top .gitignore hides exactly `gone`; both listers, the rules and git agree."""
    files = tree or TREE
    plant(tmp_path, {**dict.fromkeys(files, "text"), ".gitignore": rules})
    expected = sorted({*files, ".gitignore"} - gone)
    assert listed(tmp_path) == expected
    assert git_listed(tmp_path) == expected
    assert listed(tmp_path) == expected  # now as a repository


@pytest.mark.parametrize(
    ("rules", "gone"),
    [
        ("", set()),
        ("# a.txt\n", set()),
        ("a.txt\n", {"a.txt", "sub/a.txt", "sub/deep/a.txt", "other/sub/a.txt"}),
        ("/a.txt\n", {"a.txt"}),
        ("sub/a.txt\n", {"sub/a.txt"}),
        ("sub/\n", {"sub/a.txt", "sub/b.py", "sub/deep/a.txt", "sub/deep/c.js", "other/sub/a.txt"}),
        ("/sub\n!sub/a.txt\n", {"sub/a.txt", "sub/b.py", "sub/deep/a.txt", "sub/deep/c.js"}),
        ("/sub/*\n!sub/a.txt\n", {"sub/b.py", "sub/deep/a.txt", "sub/deep/c.js"}),
        ("a.txt/\n", set()),
        ("**/a.txt\n", {"a.txt", "sub/a.txt", "sub/deep/a.txt", "other/sub/a.txt"}),
        ("sub/**\n", {"sub/a.txt", "sub/b.py", "sub/deep/a.txt", "sub/deep/c.js"}),
        ("sub/**/a.txt\n", {"sub/a.txt", "sub/deep/a.txt"}),
        ("**/deep/\n", {"sub/deep/a.txt", "sub/deep/c.js"}),
        ("*.[pj][ys]\n", {"b.py", "sub/b.py", "sub/deep/c.js"}),
        ("[!ab].*\n", {"sub/deep/c.js"}),
        ("?.py\n", {"b.py", "sub/b.py"}),
        ("\\#h\n", {"#h"}),
        ("\\!b\n", {"!b"}),
        ("\\[x\\]\n", {"[x]"}),
        ("b.py   \n", {"b.py", "sub/b.py"}),
        ("b.py\\ \n", set()),
        ("b.py\r\nc.js\r\n", {"b.py", "sub/b.py", "sub/deep/c.js"}),
        ("\ufeffb.py\n", {"b.py", "sub/b.py"}),
        ("*.py\n!sub/*.py\n", {"b.py"}),
        ("*.py\n!b.py\nb.py", {"b.py", "sub/b.py"}),
        ("*\n!*/\n!*.js\n!.gitignore\n", set(TREE) - {"sub/deep/c.js"}),
        ("b.py\\\n[\n[z-a]\n/\n//\n", set()),
        ("s*b/d*p/*\n", {"sub/deep/a.txt", "sub/deep/c.js"}),
    ],
)
def test_one_gitignore(tmp_path: Path, rules: str, gone: set[str]) -> None:
    check(tmp_path, rules, gone)


def test_nested_files_the_nearest_wins(tmp_path: Path) -> None:
    plant(tmp_path, {".gitignore": "*.txt\n", "sub/.gitignore": "!a.txt\n", **dict.fromkeys(TREE, "")})
    assert [path for path in listed(tmp_path) if path.endswith(".txt")] == ["sub/a.txt", "sub/deep/a.txt"]
    assert git_listed(tmp_path) == listed(tmp_path)


def test_kinds_of_files_and_their_order(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {
            ".gitignore": "g\nboth\n!x.log\n",
            ".ignore": "!both\ni\n",
            ".rgignore": "!i2\nr\n",
            "sub/.ignore": "i2\n",
            ".git/info/exclude": "e\nboth\n",
            ".lurcherignore": "l*\n!lx\n",
            **dict.fromkeys(["g", "both", "i", "i2", "r", "e", "l", "lx", "x.log", "y.log", "k", "sub/i2"], ""),
        },
    )
    rule_files = [".gitignore", ".ignore", ".lurcherignore", ".rgignore"]
    assert listed(tmp_path) == sorted([*rule_files, "both", "i2", "k", "lx", "sub/.ignore", "sub/i2", "x.log"])


def test_own_file_takes_away_only(tmp_path: Path) -> None:
    plant(tmp_path, {".gitignore": "a\n.lurcherignore\n", ".lurcherignore": "!a\nsub/*\n!sub/keep\n"})
    plant(
        tmp_path,
        {"a": "", "sub/x": "", "sub/keep": "", "sub/.lurcherignore": "", "two/.lurcherignore": "z", "two/z": ""},
    )
    assert listed(tmp_path) == [".gitignore", "sub/keep"]


def test_parents_count_inside_a_repository_only(tmp_path: Path) -> None:
    plant(tmp_path, {".gitignore": "*.txt\n/repo/ws/b\n", "repo/.gitignore": "c\n/ws/d\n", "repo/.ignore": "ws/i\n"})
    folder = plant(tmp_path / "repo" / "ws", dict.fromkeys(["a.txt", "b", "c", "d", "i", "sub/d", "l", "sub/l"], ""))
    plant(tmp_path, {"repo/.lurcherignore": "/ws/l\n", "repo/.git/info/exclude": "ws/sub/d\n"})
    assert listed(folder) == ["a.txt", "b", "sub/l"]
    (tmp_path / "repo" / ".git").rename(tmp_path / "no-git")
    assert listed(folder) == ["a.txt", "b", "c", "d", "i", "l", "sub/d", "sub/l"]


def test_nested_repository_has_its_own_rules(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {".git/HEAD": "", ".gitignore": "*.txt\n", "in/.git/HEAD": "", "in/a.txt": "", "a.txt": "", "in/b": ""},
    )
    assert listed(tmp_path) == [".gitignore", "in/a.txt", "in/b"]


def test_worktree_uses_the_common_exclude_file(tmp_path: Path) -> None:
    main = plant(tmp_path / "main", {".git/info/exclude": "x\n", ".git/worktrees/w/commondir": "../..\n"})
    tree = plant(tmp_path / "w", {".git": f"gitdir: {main}/.git/worktrees/w\n", "x": "", "y": ""})
    assert listed(tree) == ["y"]


def test_workspace_under_a_folder_called_dist_is_not_empty(tmp_path: Path) -> None:
    folder = plant(tmp_path / "dist" / "node_modules", {"a.py": "", "dist/b.py": "", "node_modules/c.js": ""})
    assert listed(folder) == ["a.py"]
    plant(tmp_path, {".git/HEAD": "", ".gitignore": "dist/\n"})
    assert listed(folder) == ["a.py"]


def test_setting_exclude(tmp_path: Path) -> None:
    plant(tmp_path, dict.fromkeys(TREE, ""))
    assert listed(tmp_path, Settings(exclude=("sub/", "/a.txt", "[[]x]", "\\#h", "!!b"))) == ["!b", "b.py"]
    assert listed(tmp_path, Settings(exclude=("sub", "*.txt"))) == ["!b", "#h", "[x]", "b.py"]
    assert listed(tmp_path, Settings(exclude=("*.txt", "!a.txt", "#h"))) == sorted(TREE)


def test_setting_include_ignored(tmp_path: Path) -> None:
    tree = [
        "gen/a.py",
        "gen/in/b.py",
        "gen/in/c.png",
        "gen/in/.gitignore",
        "node_modules/own/x.js",
        "node_modules/y.js",
    ]
    plant(tmp_path, {**dict.fromkeys(tree, "*\n"), ".gitignore": "gen/\n", "gen/in/.lurcherignore": "secret\n"})
    plant(tmp_path, {"gen/in/secret": "", "gen/in/ex": "", "gen/in/.git/HEAD": ""})
    chosen = Settings(include_ignored=("./gen/in/", "node_modules/own", "../up", "absent"), exclude=("ex",))
    expected = [".gitignore", "gen/in/.gitignore", "gen/in/.lurcherignore", "gen/in/b.py", "node_modules/own/x.js"]
    assert listed(tmp_path, chosen) == expected


def test_reason_names_rule_and_file(tmp_path: Path) -> None:
    plant(tmp_path, {".gitignore": "# c\n\n*.txt\n", "sub/.gitignore": "/x\n", "sub/.lurcherignore": "own\n"})
    rules = IgnoreRules(tmp_path, Settings(exclude=("ex/",)))
    said = {
        path: rules.check(path) for path in ("a.txt", "sub/x/y", "sub/own", "node_modules/a/b", "ex/a", ".git/HEAD")
    }
    details = {path: skip.detail for path, skip in said.items() if skip}
    assert details == {
        "a.txt": ".gitignore:3: *.txt",
        "sub/x/y": "sub/.gitignore:1: /x",
        "sub/own": "sub/.lurcherignore:1: own",
        "node_modules/a/b": "built-in rule: node_modules/",
        "ex/a": "setting exclude: ex/",
        ".git/HEAD": "built-in rule: .git",
    }
    excluded = said["ex/a"]
    assert excluded and excluded.reason is Reason.EXCLUDED
    assert rules.check("sub/fine") is None
    assert rules.check("a/" * 2000 + "b") is None


def test_rule_files_are_known() -> None:
    for path in (
        ".gitignore",
        "a/.ignore",
        "a/b/.lurcherignore",
        ".git/info/exclude",
        "x/.git/info/exclude",
        ".rgignore",
    ):
        assert is_rule_file(path)
    for path in ("gitignore", "a/.gitignore/b", "info/exclude", ".gitignore.txt"):
        assert not is_rule_file(path)


def test_no_pattern_is_slow() -> None:
    hostile = ["*a" * 60 + "b", "**/a/" * 40 + "b", "a*" * 100, "[!b]*" * 60, "{a,b}" * 7, "{" * 500, "{a,b}" * 40]
    rules = RuleSet("x", hostile)
    assert rules.match("a" * 255, False) is not None
    rules.match("/".join(["a"] * 1500), False)
    with pytest.raises(BadGlob):
        translate("{a,b}" * 40, True)


def test_rules_behind_a_line_that_is_not_utf8_are_left_out(tmp_path: Path) -> None:
    assert split_lines(b"a\nb\n\xff\nc\n") == ["a", "b", ""]
    plant(tmp_path, {".gitignore": b"a\n\xff\nb\n", "a": "", "b": ""})
    assert listed(tmp_path) == [".gitignore", "b"]


NAMES = st.sampled_from(
    ["a", "b", "ab", "a.b", "b.a", "[a]", "{a}", "a b", "-a", "!a", "#a", "ä", "a\nb", "dist", ".a"]
)
PIECES = st.sampled_from(
    ["a", "b", ".", "*", "**", "?", "/", "[ab]", "[!a]", "[^b]", "\\", "!", "#", " ", "{a,b}", "[", "ä"]
)
PATTERNS = st.one_of(st.lists(PIECES, min_size=1, max_size=6).map("".join), NAMES.filter(lambda name: "\n" not in name))
LINES = st.lists(st.tuples(st.sampled_from(["", "", "!", "/"]), PATTERNS, st.sampled_from(["", "", "/"])), max_size=5)
FILES = st.lists(st.lists(NAMES, min_size=1, max_size=4).map("/".join), max_size=14)
RULE_FILES = st.dictionaries(
    st.tuples(st.sampled_from(["", "a/", "b/", "a/b/"]), st.sampled_from([".gitignore", ".ignore", ".lurcherignore"])),
    LINES,
    max_size=3,
)


@settings(max_examples=70, deadline=None, suppress_health_check=list(HealthCheck))
@given(files=FILES, rules=RULE_FILES, exclude=LINES, repository=st.booleans())
def test_random_trees(
    files: list[str],
    rules: dict[tuple[str, str], list[tuple[str, str, str]]],
    exclude: list[tuple[str, str, str]],
    repository: bool,
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if repository:
            plant(folder, {".git/HEAD": ""})
        for file in files:
            try:
                plant(folder, {file: ""})
            except OSError:
                continue
        for (place, kind), lines in rules.items():
            if (folder / place).is_dir():
                plant(folder / place, {kind: "\n".join(map("".join, lines))})
        listed(folder, Settings(exclude=tuple(map("".join, exclude))))


PLAIN_PIECES = st.sampled_from(["a", "b", ".", "*", "**", "?", "/", "[ab]", "ä", "\\a"])
PLAIN = st.lists(PLAIN_PIECES, min_size=1, max_size=6).map("".join)
# Two slashes in a row are left out: git, ripgrep and the walker each take them in their own way.
PLAIN_LINES = st.lists(
    st.tuples(st.sampled_from(["", "", "!", "/"]), PLAIN, st.sampled_from(["", "/"])).filter(
        lambda line: "//" not in "".join(line)
    ),
    max_size=5,
)
PLAIN_FILES = st.lists(st.lists(st.sampled_from(["a", "b", "ab", "a.b", "ä"]), min_size=1, max_size=4).map("/".join))


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(files=PLAIN_FILES, top=PLAIN_LINES, nested=PLAIN_LINES)
def test_random_trees_as_git_sees_them(
    files: list[str], top: list[tuple[str, str, str]], nested: list[tuple[str, str, str]]
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in files:
            try:
                plant(folder, {file: ""})
            except OSError:
                continue
        plant(folder, {".gitignore": "\n".join(map("".join, top))})
        if (folder / "a").is_dir():
            plant(folder, {"a/.gitignore": "\n".join(map("".join, nested))})
        assert listed(folder) == git_listed(folder)
