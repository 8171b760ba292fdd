"""The pass that embeds what is missing: only that, once, and what is done stays done."""

from collections.abc import Sequence

import pytest
from tests.dense.shelf import FUNCTIONS, Recorder, Shelf

from lurcher_index.dense import embedding_pass
from lurcher_index.dense.embedder import Vectors
from lurcher_index.dense.embedding_pass import EmbeddingResult, document_text
from lurcher_index.dense.hashing import HashingEmbedder
from lurcher_index.dense.vectors import quantise
from lurcher_index.store.vectors import Coverage


def test_every_chunk_is_embedded_with_its_path_and_its_own_text(shelf: Shelf) -> None:
    number = shelf.put("functions.py", FUNCTIONS)
    embedder = Recorder()
    assert shelf.embed(embedder) == EmbeddingResult(1, 0, True)
    chunks = shelf.catalog.contents([number])[number].outline.chunks
    texts = [f"functions.py\n{FUNCTIONS[chunk.start : chunk.end]}" for chunk in chunks]
    assert embedder.texts == texts
    (stored,) = shelf.rows().newer(0)
    assert stored.rows == quantise(HashingEmbedder().embed_documents(texts)).tobytes()


def test_batches_go_across_files_and_large_files_are_split(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding_pass, "QUICK_CHUNKS", 3)
    monkeypatch.setattr(embedding_pass, "BATCH_CONTENTS", 2)
    numbers = [shelf.put(f"{n}.py", f"value = {n}\n") for n in range(4)]
    numbers.append(shelf.put("large.py", FUNCTIONS))
    embedder, reports = Recorder(), list[tuple[int, int]]()
    shelf.embed(embedder, report=lambda done, total: reports.append((done, total)))
    assert embedder.calls == 1 + -(-(1 + shelf.chunks(numbers[-1])) // 3)
    assert reports == [(0, 5), (3, 5), (5, 5), (5, 5)]
    for stored in shelf.rows().newer(0):
        own = Recorder().embed_documents([text for text in embedder.texts if _of(text, shelf, stored.content_id)])
        assert stored.rows == quantise(own).tobytes()


def test_a_second_pass_has_nothing_to_do(shelf: Shelf) -> None:
    shelf.put("a.py", "x = 1\n")
    shelf.put("empty.py", "")
    assert shelf.embed() == EmbeddingResult(1, 0, True)
    embedder = Recorder()
    assert shelf.embed(embedder) == EmbeddingResult(0, 0, True)
    assert embedder.calls == 0


def test_a_rename_and_a_copy_cost_nothing(shelf: Shelf) -> None:
    shelf.put("a.py", "x = 1\n")
    shelf.embed()
    shelf.rename("a.py", "b.py")
    shelf.put("c.py", "x = 1\n")
    embedder = Recorder()
    assert shelf.embed(embedder) == EmbeddingResult(0, 0, True)
    assert embedder.texts == []


def test_an_edit_embeds_only_what_was_edited(shelf: Shelf) -> None:
    for name in ("a.py", "b.py", "c.py"):
        shelf.put(name, f"name = '{name}'\n")
    shelf.embed()
    shelf.put("b.py", "name = 'other'\n")
    embedder = Recorder()
    assert shelf.embed(embedder) == EmbeddingResult(1, 0, True)
    assert embedder.paths == {"b.py"}
    shelf.put("b.py", "name = 'b.py'\n")
    assert shelf.embed(embedder) == EmbeddingResult(0, 0, True), "undone: the old vectors are still there"


def test_a_file_that_changed_since_it_was_recorded_is_left_for_later(shelf: Shelf) -> None:
    shelf.put("a.py", "x = 1\n")
    shelf.put("b.py", "y = 1\n")
    (shelf.folder / "a.py").write_text("x = 2  # not recorded yet\n")
    assert shelf.embed() == EmbeddingResult(1, 0, False)
    shelf.put("a.py", "x = 2  # not recorded yet\n")
    assert shelf.embed() == EmbeddingResult(1, 0, True)


def test_a_file_that_cannot_be_read_is_counted_and_tried_once(shelf: Shelf) -> None:
    shelf.put("a.py", "x = 1\n")
    shelf.put("b.py", "y = 1\n")
    (shelf.folder / "a.py").unlink()
    assert shelf.embed() == EmbeddingResult(1, 1, False)
    assert shelf.rows().coverage() == Coverage(1, 2)


def test_a_cancelled_pass_keeps_what_is_done_and_the_next_goes_on(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding_pass, "QUICK_CHUNKS", 2)
    for n in range(9):
        shelf.put(f"{n}.py", f"value = {n}\n")
    first, second = Recorder(), Recorder()
    assert shelf.embed(first, cancelled=lambda: first.calls == 2) == EmbeddingResult(4, 0, False)
    assert shelf.rows().coverage() == Coverage(4, 9)
    assert shelf.embed(second) == EmbeddingResult(5, 0, True)
    assert first.paths.isdisjoint(second.paths)


def test_a_large_file_can_be_cancelled_half_way(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding_pass, "QUICK_CHUNKS", 1)
    shelf.put("large.py", FUNCTIONS)
    embedder = Recorder()
    assert shelf.embed(embedder, cancelled=lambda: embedder.calls == 2) == EmbeddingResult(0, 0, False)
    assert embedder.calls == 2
    assert shelf.rows().count() == 0


def test_an_error_of_the_embedder_is_raised_and_what_was_done_is_kept(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding_pass, "QUICK_CHUNKS", 2)
    for n in range(6):
        shelf.put(f"{n}.py", f"value = {n}\n")
    with pytest.raises(RuntimeError, match="out of luck"):
        shelf.embed(Recorder(fails_at=3))
    assert shelf.rows().coverage() == Coverage(4, 6)


def test_section_10_a_wrong_count_or_dimension_of_vectors_is_refused(shelf: Shelf) -> None:
    class Short(HashingEmbedder):
        def embed_documents(self, texts: Sequence[str]) -> Vectors:
            return super().embed_documents(texts[:1])

    shelf.put("large.py", FUNCTIONS)
    with pytest.raises(ValueError, match=r"\(1, 256\)"):
        shelf.embed(Short())
    assert shelf.rows().count() == 0


def test_wrong_blobs_are_replaced_by_the_next_pass(shelf: Shelf) -> None:
    number = shelf.put("a.py", "x = 1\n")
    shelf.embed()
    (good,) = shelf.rows().newer(0)
    shelf.damage(number, b"junk")
    assert shelf.embed() == EmbeddingResult(1, 0, True)
    assert [each.rows for each in shelf.rows().newer(0)] == [good.rows]


def test_wrong_blobs_go_even_if_there_is_nothing_to_put_in_their_place(shelf: Shelf) -> None:
    number = shelf.put("a.py", "x = 1\n")
    shelf.remove("a.py")
    shelf.damage(number, b"junk")
    assert shelf.embed() == EmbeddingResult(0, 0, True)
    assert shelf.rows().count() == 0


def test_secrets_are_masked_before_they_are_embedded(shelf: Shelf) -> None:
    key = "AKIA" + "QWERTYUIOPASDFGH"
    shelf.put("a.py", f"aws_key = '{key}'\n")
    embedder = Recorder()
    shelf.embed(embedder)
    assert embedder.texts
    assert not any(key in text for text in embedder.texts)


def test_bytes_that_are_no_text_do_not_stop_it() -> None:
    assert document_text("a.py", b"caf\xe9 \xf0\x9f\x90") == "a.py\ncaf\ufffd \ufffd"


def _of(text: str, shelf: Shelf, content_id: int) -> bool:
    row = shelf.catalog.file_at(shelf.folder_id, text.partition("\n")[0])
    return row is not None and row.content_id == content_id
