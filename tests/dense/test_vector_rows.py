"""Stored vectors: what is missing, what is kept, and blobs that are not what they should be."""

from contextlib import closing
from pathlib import Path

import pytest
from tests.dense.shelf import FUNCTIONS, Shelf

from lurcher_index.dense.hashing import HashingEmbedder
from lurcher_index.store import catalog as catalog_module
from lurcher_index.store import vectors as vectors_module
from lurcher_index.store.database import Database
from lurcher_index.store.vectors import Coverage, VectorRows

DIMENSION = HashingEmbedder().dimension


def blob(shelf: Shelf, content_id: int, value: int = 1) -> bytes:
    return bytes([value]) * shelf.chunks(content_id) * DIMENSION


def test_what_is_written_is_read_in_the_order_of_writing(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors_module, "BATCH_CONTENTS", 2)
    rows = shelf.rows()
    numbers = [shelf.put(f"{n}.py", f"value = {n}\n") for n in range(5)]
    order = [*reversed(numbers)]
    assert rows.write({number: blob(shelf, number, number) for number in order}) == 5
    stored = list(rows.newer(0))
    assert [(each.content_id, each.rows) for each in stored] == [(n, blob(shelf, n, n)) for n in order]
    assert list(rows.newer(stored[2].vector_id)) == stored[3:]
    assert rows.count() == 5


def test_missing_are_the_contents_that_files_have_and_names_one_file(shelf: Shelf) -> None:
    rows = shelf.rows()
    one, two = shelf.put("a.py", "one = 1\n"), shelf.put("b.py", "two = 2\n")
    shelf.put("copy of a.py", "one = 1\n")
    gone = shelf.put("c.py", "three = 3\n")
    shelf.remove("c.py")
    shelf.put("empty.py", "")
    missing = rows.missing(9)
    assert [(each.content_id, each.folder_id, each.path) for each in missing] == [
        (one, shelf.folder_id, "a.py"),
        (two, shelf.folder_id, "b.py"),
    ]
    assert gone not in {each.content_id for each in missing}
    assert missing[0].hash == shelf.catalog.known_files(shelf.folder_id)["a.py"].hash
    assert rows.missing(1) == missing[:1]
    assert rows.missing(9, after=one) == missing[1:]
    rows.write({one: blob(shelf, one)})
    assert rows.missing(9) == missing[1:]
    assert rows.missing_count() == 1


def test_of_copies_the_first_by_path_is_named_whichever_came_first(shelf: Shelf) -> None:
    for path in ("m.py", "z.py", "b.py"):
        shelf.put(path, "one = 1\n")
    assert [each.path for each in shelf.rows().missing(9)] == ["b.py"]


def test_many_contents_can_be_missing(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors_module, "PARAMETERS", 2)
    numbers = [shelf.put(f"{n}.py", f"value = {n}\n") for n in range(5)]
    assert [each.content_id for each in shelf.rows().missing(9)] == numbers


def test_coverage_counts_chunks_and_follows_every_change(shelf: Shelf) -> None:
    rows = shelf.rows()
    assert rows.coverage() == Coverage(0, 0)
    large, small = shelf.put("large.py", FUNCTIONS), shelf.put("small.py", "x = 1\n")
    count = shelf.chunks(large)
    assert count > 3
    assert rows.coverage() == Coverage(0, count + 1)
    rows.write({large: blob(shelf, large)})
    assert rows.coverage() == Coverage(count, count + 1)
    shelf.put("copy.py", FUNCTIONS)
    assert rows.coverage() == Coverage(count, count + 1), "a content counts once"
    shelf.remove("small.py")
    assert rows.coverage() == Coverage(count, count)
    shelf.put("small.py", "x = 1\n")
    rows.write({small: blob(shelf, small)})
    assert rows.coverage() == Coverage(count + 1, count + 1)
    with shelf.database.transaction() as connection:
        connection.execute("DELETE FROM vector WHERE content_id = ?", (large,))
    assert rows.coverage() == Coverage(1, count + 1), "a deletion is noticed"
    assert [each.content_id for each in rows.missing(9)] == [large]


def test_another_process_is_seen(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "tree", tmp_path / "index.sqlite")
    rows = shelf.rows()
    number = shelf.put("a.py", "x = 1\n")
    assert rows.missing_count() == 1
    with closing(shelf.database), closing(Database(tmp_path / "index.sqlite", "test")) as other:
        VectorRows(other, rows.model, rows.dimension).write({number: blob(shelf, number)})
        assert rows.missing_count() == 0
        assert len(list(rows.newer(0))) == 1


@pytest.mark.parametrize("damage", [b"", b"short", bytes(DIMENSION - 1), bytes(3 * DIMENSION), "x" * DIMENSION, 256])
def test_a_blob_of_the_wrong_length_is_as_good_as_none(shelf: Shelf, damage: object) -> None:
    number = shelf.put("a.py", "x = 1\n")
    shelf.damage(number, damage)
    rows = shelf.rows()
    assert list(rows.newer(0)) == []
    assert rows.coverage() == Coverage(0, 1)
    assert [each.content_id for each in rows.missing(9)] == [number]
    assert rows.write({number: blob(shelf, number)}) == 1, "the good one takes its place"
    assert rows.coverage() == Coverage(1, 1)
    assert [each.rows for each in rows.newer(0)] == [blob(shelf, number)]


def test_damaged_blobs_are_deleted_and_good_ones_stay(shelf: Shelf) -> None:
    good, bad = shelf.put("a.py", "x = 1\n"), shelf.put("b.py", "y = 1\n")
    rows = shelf.rows()
    rows.write({good: blob(shelf, good)})
    shelf.damage(bad, b"junk")
    shelf.damage(12345, b"of no content")
    assert rows.forget_damaged() == 2
    assert rows.forget_damaged() == 0
    assert (rows.count(), rows.coverage()) == (1, Coverage(1, 2))


def test_only_what_fits_a_content_is_kept(shelf: Shelf) -> None:
    number = shelf.put("a.py", "x = 1\n")
    rows = shelf.rows()
    assert rows.write({number: b"short", 999: bytes(DIMENSION)}) == 0
    assert rows.write({number: blob(shelf, number, 1)}) == 1
    assert rows.write({number: blob(shelf, number, 2)}) == 0, "two processes may embed the same; the first one counts"
    assert [each.rows for each in rows.newer(0)] == [blob(shelf, number, 1)]


def test_a_failed_write_leaves_nothing(shelf: Shelf) -> None:
    class Breaking(dict[int, bytes]):
        def items(self) -> object:  # type: ignore[override]
            yield from super().items()
            raise RuntimeError

    number = shelf.put("a.py", "x = 1\n")
    with pytest.raises(RuntimeError):
        shelf.rows().write(Breaking({number: blob(shelf, number)}))
    assert shelf.rows().count() == 0


def test_models_are_kept_apart_until_one_is_complete(shelf: Shelf) -> None:
    number = shelf.put("a.py", "x = 1\n")
    old, new = VectorRows(shelf.database, "old", 4), VectorRows(shelf.database, "new", 8)
    old.write({number: bytes(4)})
    assert (old.coverage(), new.coverage()) == (Coverage(1, 1), Coverage(0, 1))
    new.write({number: bytes(8)})
    assert [len(each.rows) for rows in (old, new) for each in rows.newer(0)] == [4, 8]
    new.forget_other_models()
    assert (old.coverage(), new.coverage()) == (Coverage(0, 1), Coverage(1, 1))


def test_dropped_contents_take_their_vectors_along(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog_module, "SPARE_CONTENTS", 1)
    rows = shelf.rows()
    numbers = [shelf.put("a.py", f"x = {n}\n") for n in range(4)]
    rows.write({number: blob(shelf, number) for number in numbers})
    shelf.catalog.drop_spare_contents()
    assert [each.content_id for each in rows.newer(0)] == numbers[-2:], "the one in use and the newest spare one"


def test_words_are_kept_beside_the_vectors_of_their_model(shelf: Shelf) -> None:
    rows = shelf.rows()
    one, two, three = (shelf.put(f"{n}.py", f"value = {n}\n") for n in range(3))
    rows.write({one: blob(shelf, one), two: blob(shelf, two)}, {one: b"words"})
    assert rows.words([one, two, three]) == {one: b"words"}
    assert VectorRows(shelf.database, "other", DIMENSION).words([one]) == {}
    assert rows.words([]) == {}
