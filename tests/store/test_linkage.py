"""Links and names as they are stored: whole, compact, refused when damaged, and found by key."""

import random
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from lurcher_index.chunking.outline import outline
from lurcher_index.errors import StoreDamaged
from lurcher_index.model import EdgeKind, Links, SymbolKind
from lurcher_index.store import catalog as catalog_module
from lurcher_index.store import names as names_module
from lurcher_index.store.catalog import Catalog
from lurcher_index.store.database import Database
from lurcher_index.store.linkage import (
    module_key,
    module_stem,
    name_key,
    pack_defined,
    pack_links,
    pack_used,
    unpack_links,
)
from lurcher_index.store.names import NameTable
from lurcher_index.store.outlines import packed_content

TEXT = b"from .shop import Shop as S\nclass A(S):\n    def f(self):\n        self.g(); g()\n"


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[Catalog]:
    with closing(Database(tmp_path / "index.sqlite", "one")) as database:
        yield Catalog(database)


def put(catalog: Catalog, path: str, text: bytes) -> int:
    folder_id = catalog.folder_ids([Path("f")])[Path("f")]
    with catalog.write() as write:
        number = write.content(packed_content(zlib.crc32(text).to_bytes(16), "utf-8", outline(text, "python")))
        write.file(folder_id, path, (1, 2, 3), number)
    return number


def test_links_come_back_whole() -> None:
    found = outline(TEXT, "python")
    assert unpack_links(pack_links(found)).whole() == Links(found.edges, found.imports, found.hints)
    assert unpack_links(pack_links(outline(b"", "python"))).whole() == Links()


def test_the_uses_of_some_names_are_unpacked_alone() -> None:
    text = b"import g\nclass A(B): pass\ndef f():\n    g(); x.g(1); h(); gg()\n    def k(): g()\n"
    whole, names = outline(text, "python"), {"g", "B", "none"}
    expected = tuple(each for each in whole.edges if each.name in names and each.kind is not EdgeKind.IMPORT)
    assert [(each.kind.value, each.name) for each in expected] == [("inherit", "B"), *[("call", "g")] * 3]
    alone, known = unpack_links(pack_links(whole)), unpack_links(pack_links(whole))
    assert alone.uses_of(names) == expected
    assert known.edges == whole.edges and known.uses_of(names) == expected
    assert alone.uses_of(()) == () and unpack_links(b"").uses_of(names) == ()
    long = "n" * 40
    many = outline(f"def f():\n    {long}()\n    {long}s()\n".encode(), "python")
    assert [each.name for each in unpack_links(pack_links(many)).uses_of({long})] == [long]


@pytest.mark.parametrize(
    "packed",
    [b"x", zlib.compress(b"\xc1"), zlib.compress(b"\x93\x01\x02\x03"), pack_links(outline(TEXT, "python"))[:-3]],
)
def test_damaged_links_are_refused(packed: bytes) -> None:
    with pytest.raises(StoreDamaged):
        unpack_links(packed).whole()


def test_links_that_would_fill_the_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lurcher_index.store.linkage.MAX_LINKS_BYTES", 1_000)
    with pytest.raises(StoreDamaged):
        unpack_links(zlib.compress(b"\0" * 100_000))


@pytest.mark.parametrize(
    ("module", "stem"),
    [("a.b", "b"), (".b", "b"), ("./a/b.js", "b"), ("a::b", "b"), ("x/b.h", "b"), ("a\\b", "b"), (".", "")],
)
def test_the_last_part_of_a_module(module: str, stem: str) -> None:
    assert module_stem(module) == stem


def test_names_are_found_by_key(catalog: Catalog) -> None:
    one, two = put(catalog, "a.py", TEXT), put(catalog, "b.py", b"def g(): pass\n")
    table = catalog.names()
    assert [(each.content_id, each.symbol, each.kind.value) for each in table.defining(name_key("g"))] == [
        (two, 0, "function")
    ]
    (method,) = table.defining(name_key("f"))
    assert (method.content_id, method.symbol, method.container) == (one, 1, name_key("A"))
    assert table.using(name_key("g")) == [one]
    assert table.using(name_key("Shop")) == [one]
    assert table.using(module_key("shop")) == [one]
    assert table.using(name_key("nothing")) == []


def test_new_contents_are_added_to_the_names(catalog: Catalog) -> None:
    put(catalog, "a.py", TEXT)
    assert catalog.names().defining(name_key("late")) == []
    late = put(catalog, "b.py", b"def late(): pass\n")
    assert [each.content_id for each in catalog.names().defining(name_key("late"))] == [late]


def test_definitions_are_chosen_before_they_are_made(catalog: Catalog) -> None:
    number = put(catalog, "a.py", b"class A:\n    def f(self): pass\ndef f(): pass\nf = 1\n")
    found = catalog.names().definitions(name_key("f"))
    assert [(at, kind.value) for _, at, kind, _ in found.rows()] == [(1, "method"), (2, "function"), (3, "variable")]
    assert [at for _, at, _, _ in found.rows(2)] == [1, 2]
    functions = found.of_kinds(frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD}))
    assert [at for _, at, _, _ in functions.rows()] == [1, 2]
    assert found.in_container(name_key("A")).rows() == [(number, 1, SymbolKind.METHOD, name_key("A"))]
    assert len(found) == 3 and not len(catalog.names().definitions(name_key("none")))


def test_files_are_looked_up_or_read_at_once_with_the_same_result(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = put(catalog, "a.py", TEXT), put(catalog, "b.py", b"def g(): pass\n")
    put(catalog, "c.py", TEXT)
    few = catalog.files_of([one, two, 99])
    assert {number: [file[2] for file in files] for number, files in few.items()} == {
        one: ["a.py", "c.py"],
        two: ["b.py"],
    }
    monkeypatch.setattr(catalog_module, "MOST_LOOKED_UP", 0)
    assert catalog.files_of([one, two, 99]) == few
    three = put(catalog, "a.py", b"def h(): pass\n")
    assert [[file[2] for file in files] for files in catalog.files_of([one, three]).values()] == [["c.py"], ["a.py"]]
    catalog.warm()
    assert [file[2] for file in catalog.files_of([three])[three]] == ["a.py"]


def test_a_sorted_part_and_its_tail_say_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names_module, "TAIL", 7)
    chosen = random.Random(5)
    table, told = NameTable(), dict[str, list[int]]()
    for number in range(1, 60):
        names = sorted({chosen.choice("abcdef") for _ in range(3)})
        found = outline("".join(f"def {name}(): pass\n" for name in names).encode(), "python")
        table.add([(number, pack_defined(found), pack_used(found))])
        for name in names:
            told.setdefault(name, []).append(number)
        for name, numbers in told.items():
            assert [each.content_id for each in table.defining(name_key(name))] == numbers


def test_damaged_keys_do_not_shift_what_follows() -> None:
    table = NameTable()
    whole = pack_defined(outline(b"def g(): pass\n", "python"))
    table.add([(1, b"\1\2\3\4\5", b"\1\2\3"), (2, whole, b"")])
    assert [each.content_id for each in table.defining(name_key("g"))] == [2]


def test_links_and_names_go_with_their_content(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog_module, "SPARE_CONTENTS", 0)
    old = [put(catalog, "a.py", b"def f%d(): g()\n" % number) for number in range(5)]
    catalog.drop_spare_contents()
    kept = [number for number in old if catalog.whole_outline(number) is not None]
    fresh = Catalog(catalog._database)  # pyright: ignore[reportPrivateUsage]
    assert old[-1] in kept and len(kept) < 5
    assert fresh.names().using(name_key("g")) == kept
    assert sorted(fresh.links(old)) == kept


def test_an_outline_is_stored_without_its_links(catalog: Catalog) -> None:
    number = put(catalog, "a.py", TEXT)
    held = catalog.contents([number])[number].outline
    assert (held.edges, held.imports, held.hints) == ((), (), ())
    assert catalog.whole_outline(number) == msgspec.structs.replace(outline(TEXT, "python"))
