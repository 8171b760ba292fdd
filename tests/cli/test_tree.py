"""`lurcher tree`, and scopes on the command line."""

import json
from pathlib import Path

from tests.cli.test_cli import run
from tests.features.grown import SHOP
from tests.files.trees import plant


def test_the_tree_is_printed_with_what_each_part_is_for(tmp_path: Path) -> None:
    shop, store = plant(tmp_path / "shop", SHOP), tmp_path / "store"
    whole = run("tree", store=store, cwd=shop)
    assert whole.returncode == 0, whole.stderr
    lines = whole.stdout.splitlines()
    assert [line.split("  ")[0] for line in lines[:-1]] == ["db", "db utils", "project files", "tests", "web"]
    assert lines[-1] == "11 files in 5 groups"
    part = run("tree", "src/shop/web/", store=store, cwd=shop)
    assert "\n  cookies.py  provide cookies\n" in part.stdout
    file = run("tree", "./src/shop/web/cookies.py", store=store, cwd=shop)
    assert "\n  CookieJar  represent cookie jar\n    set_cookie  set cookie\n" in file.stdout


def test_the_tree_as_json_and_a_name_that_is_nowhere(tmp_path: Path) -> None:
    shop, store = plant(tmp_path / "shop", SHOP), tmp_path / "store"
    listed = json.loads(run("tree", "db", "--depth", "1", "--json", store=store, cwd=shop).stdout)
    (group,) = listed["nodes"]
    assert (group["kind"], group["feature_path"], group["files"]) == ("area", "db", 2)
    assert [child["id"] for child in group["children"]] == ["src/shop/db/query.py", "src/shop/db/store.py"]
    nowhere = run("tree", "nowhere", store=store, cwd=shop)
    assert nowhere.returncode == 1
    assert "no such file, folder or feature: nowhere" in nowhere.stdout


def test_scopes_narrow_a_search(tmp_path: Path) -> None:
    shop, store = plant(tmp_path / "shop", SHOP), tmp_path / "store"
    for scope in ("src/shop/db", "db", "src/shop/db/store.py:Store.save"):
        done = run("search", "save row name", "--scope", scope, store=store, cwd=shop)
        assert "src/shop/db/store.py" in done.stdout, done.stderr
        assert "db_utils" not in done.stdout
    unknown = run("search", "save row name", "--scope", "nowhere", store=store, cwd=shop)
    assert unknown.returncode == 1
    assert "unknown search scope 'nowhere'" in unknown.stderr
