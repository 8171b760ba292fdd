"""Areas, categories and subcategories: where they come from, that they stay, and that only what changed is redone."""

import gc
from collections.abc import Sequence

import pytest
from tests.features.grown import SHOP, files_of, flat_package, grown, labels

from lurcher_index.features import growing
from lurcher_index.features.growing import LEVELS, Grower
from lurcher_index.features.likeness import ties
from lurcher_index.features.values import FeatureTree, Group, TreeFile, subtree


def test_wrappers_and_the_only_package_are_no_areas() -> None:
    found = labels(grown(SHOP))
    assert set(found) == {"db", "db utils", "web", "tests", "project files"}
    assert found["db"] == ["src/shop/db/query.py", "src/shop/db/store.py"]
    assert found["project files"] == ["README.md", "pyproject.toml"]


def test_chains_of_single_folders_are_merged() -> None:
    texts = {
        f"src/main/java/org/example/app/{name}/{part}.java": f"class {part.title()} {{}}\n"
        for name in ("cart", "price")
        for part in ("one", "two")
    }
    assert set(labels(grown(texts))) == {"cart", "price"}


def test_no_more_than_three_levels_however_deep_the_folders() -> None:
    texts = {f"{'/'.join('abcdefgh'[:depth])}/f{at}.py": "x = 1\n" for depth in range(1, 9) for at in range(2)}
    texts |= {f"z/f{at}.py": "x = 1\n" for at in range(2)}
    tree = grown(texts)
    assert max(group.level for group in tree.groups.values()) == LEVELS
    assert sorted(tree.group_of) == sorted(f"1/{path}" for path in texts)


def test_a_flat_folder_is_divided_by_what_its_files_import_and_share() -> None:
    tree = grown(flat_package())
    divided = [group for group in tree.groups.values() if group.below is None and group.label != "project files"]
    topics = [{key.rpartition("/")[2] for key in group.files} for group in divided]
    assert {"invoice.py", "tax.py", "ledger.py"} <= topics[0]
    assert {"robot.py", "arm.py", "camera.py"} <= topics[1]
    assert len(topics) == 2
    assert ["invoice" in divided[0].label, "robot" in divided[1].label] == [True, True]


def test_every_file_is_in_the_tree_once() -> None:
    for texts in (SHOP, flat_package()):
        tree = grown(texts)
        held = [key for group in tree.groups.values() for key in group.files] + list(tree.files)
        assert sorted(held) == sorted(f"1/{path}" for path in texts)
        assert sum(tree.groups[area].size for area in tree.areas) + len(tree.files) == len(texts)


def test_a_tree_that_nobody_holds_is_freed_at_once() -> None:
    """Left to the garbage collector, trees of many files would stop everything for 20 ms and more."""
    files = files_of(flat_package())
    Grower().grown(files, {1: ""})
    gc.collect()
    gc.disable()
    try:
        Grower().grown(files, {1: ""})
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_the_same_files_give_the_same_tree_and_ids_outlive_a_restart() -> None:
    for texts in (SHOP, flat_package()):
        assert grown(texts) == grown(dict(reversed(texts.items())))


def test_ids_stay_when_a_file_is_edited_or_added() -> None:
    before = flat_package()
    edited = before | {"lib/tax.py": before["lib/tax.py"] + "\ndef round_tax(amount): ...\n"}
    added = before | {"lib/wrist.py": "from .robot import Robot\n\nclass RobotWrist: ...\n"}
    ids = set(grown(before).groups)
    assert set(grown(edited).groups) == ids
    assert set(grown(added).groups) == ids


def test_an_edit_gives_the_tree_that_a_restart_would() -> None:
    grower = Grower()
    texts = SHOP | {f"src/shop/{path}": text for path, text in flat_package().items()}
    grown(texts, grower)
    for path, text in (
        ("src/shop/lib/arm.py", "class Arm: ...\n"),
        ("src/shop/db/new.py", "class New: ...\n"),
        ("src/shop/web/session.py", "def vanished(): ...\n"),
    ):
        texts = texts | {path: text}
        assert grown(texts, grower) == grown(texts)
    del texts["src/shop/db/new.py"]
    assert grown(texts, grower) == grown(texts)


def test_only_the_folder_that_changed_is_divided_again(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {f"{name}/{path}": text for name in ("one", "two") for path, text in flat_package().items()}
    divided: list[str] = []

    def watched(files: Sequence[TreeFile]) -> list[dict[int, float]]:
        divided.append(files[0].path.partition("/")[0])
        return ties(files)

    monkeypatch.setattr(growing, "ties", watched)
    grower = Grower()
    grown(texts, grower)
    assert sorted(divided) == ["one", "two"]
    divided.clear()
    grown(texts | {"two/lib/arm.py": "class Arm: ...\n"}, grower)
    assert divided == ["two"]


def test_labels_of_neighbours_differ_and_hold_no_slash() -> None:
    texts = {
        f"{above}/server/{part}.go": f"package server\n\nfunc {part.title()}() {{}}\n"
        for above in ("packages/a", "packages/b")
        for part in ("run", "stop")
    } | {f"packages/{name}/x.go": "package x\n" for name in "ab"}
    for source in (texts, flat_package(), SHOP):
        tree = grown(source)
        every = [group.path for group in tree.groups.values()]
        assert len(set(every)) == len(every)
        assert not any("/" in group.label for group in tree.groups.values())


def test_several_workspace_folders_are_areas_of_their_own() -> None:
    files = files_of(SHOP, 1) + files_of(SHOP, 2)
    tree = Grower().grown(files, {1: "shop", 2: "shop-2"})
    assert [tree.groups[area].label for area in tree.areas] == ["shop", "shop-2"]
    assert tree.path_of("2/src/shop/db/query.py") == "shop-2/db"
    assert max(group.level for group in tree.groups.values()) <= LEVELS


def test_an_empty_workspace_has_an_empty_tree() -> None:
    assert Grower().grown([], {1: ""}) == FeatureTree()


def test_a_tree_that_runs_in_a_circle_ends() -> None:
    def group(number: str, *below: str) -> Group:
        return Group(number, number, number, (), 1, 1, 1, None, (f"1/{number}.py",), below)

    tree = FeatureTree(("a",), (), {"a": group("a", "b", "c"), "b": group("b", "a"), "c": group("c", "c", "gone")}, {})
    assert [each.id for each in subtree(tree, "a")] == ["a", "b", "c"]
    assert subtree(tree, "gone") == []


def test_code_at_the_top_of_a_project_has_a_feature_path_too() -> None:
    texts = {
        "mux.go": "package mux\n\ntype Mux struct{}\n",
        "tree.go": "package mux\n\ntype Tree struct{}\n",
        "README.md": "# Notes\n",
        "middleware/a.go": "package middleware\n",
        "middleware/b.go": "package middleware\n",
        "render/a.go": "package render\n",
        "render/b.go": "package render\n",
    }
    tree = grown(texts)
    assert tree.path_of("1/mux.go") == tree.path_of("1/tree.go") == "mux and tree"
    assert tree.path_of("1/README.md") == ""
    assert tree.path_of("1/gone.go") is None
