"""Mining the project's own fixtures gives pairs of every language, without network."""

import io
import json
import tarfile
from pathlib import Path
from random import Random

import pytest
from training.archives import ArchiveError, members
from training.mine import Collector, main
from training.mining import mine_markdown, path_words
from training.packages import Listing, Package, Refused, Unreachable, read_packages

from lurcher_index.chunking.languages import language_of

FIXTURES = Path(__file__).parents[2] / "fixtures" / "languages"
LANGUAGES = tuple(
    """python javascript typescript go rust java kotlin ruby php c cpp csharp swift scala elixir lua bash haskell
    zig""".split()
)


def _tarball(target: Path, files: dict[str, bytes]) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(target, "w:gz") as tar:
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))


def _package(data: Path, name: str, files: dict[str, bytes]) -> None:
    _tarball(data / "archives" / f"{name}.tgz", files)
    Listing(data).take(Package(name, "npm", "1.0", "MIT", "general", (f"archives/{name}.tgz",)))


def _records(data: Path) -> list[dict[str, str]]:
    found = []
    for path in sorted((data / "pairs").glob("pairs.*.jsonl")):
        found += [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_fixture_of_a_language_is_mined(language: str, tmp_path: Path) -> None:
    # Each alone: the fixtures say the same in every language, and no query is written down more than six times.
    files = [path for path in FIXTURES.iterdir() if language_of(path.name, b"") == language]
    _package(tmp_path, "parcels", {f"package/src/{path.name}": path.read_bytes() for path in files})
    assert main(["--data", str(tmp_path), "--processes", "1"]) == 0
    records = _records(tmp_path)
    for record in records:
        assert set(record) == {"package", "language", "kind", "path", "query", "code"}
        assert record["query"].strip() and record["code"].strip()
        assert record["path"].startswith("src/")
        assert record["language"] == language
    documented = [record for record in records if record["kind"] == "doc"]
    assert documented
    # The answer must not hold the question, or there is nothing to learn.
    assert not any(record["query"] in record["code"] for record in documented)
    # A second run finds everything done.
    assert main(["--data", str(tmp_path), "--processes", "1"]) == 0
    assert _records(tmp_path) == records


def test_excluded_packages_paths_and_judged_code_give_nothing(tmp_path: Path) -> None:
    source = (FIXTURES / "parcel.py").read_bytes()
    data = tmp_path / "data"
    data.mkdir()
    _package(data, "flask", {"package/src/parcel.py": source})
    _package(data, "harmless", {"package/vendor/flask/parcel.py": source})
    _package(data, "copied", {"package/src/parcel.py": source})
    judged = tmp_path / "judged"
    judged.mkdir()
    (judged / "parcel.py").write_bytes(source)
    assert main(["--data", str(data), "--processes", "1", "--judged", str(judged)]) == 0
    assert [record for record in _records(data) if record["kind"] != "name" and len(record["code"]) > 200] == []


def test_processes_beside_each_other_find_what_one_finds(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        data = tmp_path / folder
        data.mkdir()
        for name in ("parcel.py", "parcel.go"):
            _package(data, name, {f"package/src/{name}": (FIXTURES / name).read_bytes()})
    assert main(["--data", str(tmp_path / "one"), "--processes", "1"]) == 0
    assert main(["--data", str(tmp_path / "two"), "--processes", "2"]) == 0
    one, two = (sorted(map(json.dumps, _records(tmp_path / folder))) for folder in ("one", "two"))
    assert one and one == two


def test_no_package_is_begun_after_the_time_is_over(tmp_path: Path) -> None:
    _package(tmp_path, "parcels", {"package/src/parcel.py": (FIXTURES / "parcel.py").read_bytes()})
    for processes in ("1", "2"):
        assert main(["--data", str(tmp_path), "--processes", processes, "--minutes", "0"]) == 0
    assert _records(tmp_path) == []
    assert main(["--data", str(tmp_path), "--processes", "1"]) == 0
    assert _records(tmp_path)


def test_a_pair_is_written_once_and_a_query_six_times(tmp_path: Path) -> None:
    collector = Collector(tmp_path)
    record = {"package": "p", "language": "go", "kind": "doc", "path": "a.go", "query": "Returns it"}
    collector.add("p", [{**record, "code": "same"}] * 3 + [{**record, "code": str(number)} for number in range(9)])
    assert collector.total == 6
    assert collector.dropped == {"duplicate": 2, "query repeated": 4}
    again = Collector(tmp_path)
    assert (again.total, again.done) == (6, {"p"})


def test_markdown_gives_sentences_with_their_blocks() -> None:
    code = "client = Client(host)\nclient.connect(timeout=3)\nprint(client.state)"
    text = f"# Usage\n\nConnect to a server with a timeout:\n\n```python\n{code}\n```\n"
    text += "\n```sh\nmake install and more of what nobody searches for\n```\n"
    pairs = list(mine_markdown(text, Random(1)))
    assert [(pair.query, pair.code) for pair in pairs] == [("Connect to a server with a timeout", code)]


def test_path_words() -> None:
    assert path_words("src/main/java/org/shop/orderBook/PriceList.java") == "shop order book price list"


def test_what_could_not_be_reached_is_asked_for_again(tmp_path: Path) -> None:
    listing = Listing(tmp_path)
    listing.refuse("npm", "gone", Unreachable("404"))
    listing.refuse("npm", "closed", Refused("licence 'GPL-3'"))
    listing.take(Package("open", "npm", "1", "MIT", "general", ("a.tgz",), ("x/*",)))
    again = Listing(tmp_path)
    assert [again.knows("npm", name) for name in ("gone", "closed", "open")] == [False, True, True]
    assert read_packages(tmp_path)[0].denied == ("x/*",)


def test_a_damaged_archive_says_so_and_paths_stay_inside(tmp_path: Path) -> None:
    (tmp_path / "damaged.tgz").write_bytes(b"no archive")
    with pytest.raises(ArchiveError):
        list(members(tmp_path / "damaged.tgz"))
    _tarball(tmp_path / "outside.tgz", {"../../etc/a.py": b"x", "/srv/b.py": b"y"})
    assert [member.path for member in members(tmp_path / "outside.tgz")] == ["etc/a.py", "srv/b.py"]
