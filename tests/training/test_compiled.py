"""Word vectors are read out of a library without loading it, and anything else is refused."""

import struct
from pathlib import Path

import numpy as np
import pytest
from training.compiled import CompiledError, compiled_vectors
from training.initial import looked_up

WORDS = ("idle", "sleep", "socket")
VECTORS = np.arange(12, dtype=np.int8).reshape(3, 4)


def library(path: Path, words: tuple[str, ...] = WORDS, symbol: bytes = b"FCE_PRETRAINED_VECTOR_BLOB") -> Path:
    """A small ELF file with a symbol, an array and a table of pointers; addresses are offsets plus 0x1000."""
    texts = b"".join(word.encode() + b"\0" for word in words)
    blob = struct.pack("<II", *VECTORS.shape) + VECTORS.tobytes()
    body, places = b"\x7fELF\x02\x01".ljust(0x40, b"\0"), dict[str, tuple[int, int]]()

    def place(name: str, content: bytes) -> int:
        nonlocal body
        places[name] = (len(body), len(content))
        body += content
        return places[name][0] + 0x1000

    at = place(".rodata", blob + texts) + len(blob)
    starts = [at + len("".join(words[:number])) + number for number in range(len(words))]
    table = place(".data.rel.ro", bytes(8 * (len(words) + 1)))
    relocations = [(table, 8, at), *((table + 8 * n, 8, start) for n, start in enumerate(starts, 1))]
    # The loader does not care for the order of relocations.
    place(".rela.dyn", b"".join(struct.pack("<QQq", *each) for each in reversed(relocations)))
    place(".dynstr", b"\0" + symbol + b"\0")
    place(".dynsym", bytes(24) + struct.pack("<IIQQ", 1, 0, places[".rodata"][0] + 0x1000, 0))
    names = b"\0" + b"\0".join(name.encode() for name in (*places, ".shstrtab")) + b"\0"
    place(".shstrtab", names)
    headers = b"".join(
        struct.pack("<IIQQQQ", names.index(name.encode() + b"\0"), 1, 0, offset + 0x1000, offset, size).ljust(64, b"\0")
        for name, (offset, size) in places.items()
    )
    start = struct.pack("<Q", len(body))
    counts = struct.pack("<HHH", 64, len(places), len(places) - 1)
    path.write_bytes(body[:0x28] + start + body[0x30:0x3A] + counts + body[0x40:] + headers)
    return path


def test_words_and_vectors_are_read(tmp_path: Path) -> None:
    words, vectors = compiled_vectors(library(tmp_path / "a.so"))
    assert tuple(words) == WORDS
    assert (vectors == VECTORS).all()


@pytest.mark.parametrize("words", [("b", "a", "c"), ("a",)])
def test_another_table_is_refused(tmp_path: Path, words: tuple[str, ...]) -> None:
    with pytest.raises(CompiledError, match="no table"):
        compiled_vectors(library(tmp_path / "a.so", words))


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CompiledError, match="no symbol"):
        compiled_vectors(library(tmp_path / "a.so", symbol=b"SOMETHING_ELSE"))
    (tmp_path / "b.so").write_bytes(b"MZ" * 100)
    with pytest.raises(CompiledError, match="64 bits"):
        compiled_vectors(tmp_path / "b.so")


def test_unknown_words_are_put_together() -> None:
    vectors = np.eye(3, dtype=np.float32)
    found = looked_up(["idle", "##sleep", "sleepsocket", "zz"], WORDS, vectors)
    centred = vectors - 1 / 3
    directed = centred / np.linalg.norm(centred, axis=1, keepdims=True)
    assert found[:2] == pytest.approx(np.stack([4 * directed[0], 5 * directed[1]]))
    assert found[2] == pytest.approx(5 * directed[1] + 6 * directed[2])
    assert not found[3].any()
