"""The committed list of mined packages holds nothing that the rules forbid, and is made of what was mined."""

from pathlib import Path

import training
from training.exclusions import excluded_package
from training.licences import acceptable
from training.mine import Collector, key_of
from training.mined import COLUMNS, table, used_packages
from training.packages import Listing, Package

LIST = Path(training.__file__).parent / "mined.tsv"


def test_the_list_names_permissive_packages_that_are_not_excluded() -> None:
    heading, *rows = [tuple(line.split("\t")) for line in LIST.read_text(encoding="utf-8").splitlines()]
    assert heading == COLUMNS
    assert rows
    assert [row for row in rows if len(row) != len(COLUMNS) or not all(row)] == []
    assert [row for row in rows if excluded_package(row[0]) or not acceptable(row[3])] == []


def test_packages_that_gave_pairs_and_are_still_allowed_are_listed(tmp_path: Path) -> None:
    listing = Listing(tmp_path)
    collector = Collector(tmp_path / "pairs")
    pair = {"language": "go", "kind": "doc", "path": "a.go", "query": "Returns it"}
    for name, licence in {"used": "MIT", "empty": "MIT", "flask": "MIT", "four": "BSD-4"}.items():
        package = Package(name, "npm", "1.0", licence, "general", ())
        listing.take(package)
        collector.add(key_of(package), [] if name == "empty" else [{**pair, "package": name, "code": name}])
    listing.take(Package("later", "npm", "1.0", "MIT", "general", ()))
    with (tmp_path / "pairs" / "pairs.000.jsonl").open("a") as file:
        file.write('{"package": "la')
    assert table(used_packages(tmp_path)) == ["package\tregistry\tversion\tlicence\n", "used\tnpm\t1.0\tMIT\n"]
