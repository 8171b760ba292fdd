"""The mined pairs: a question, and the code that answers it."""

import gzip
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

import msgspec

from training.exclusions import excluded_pair

HELD_OUT_PERCENT = 3
"""Packages whose pairs no model is trained on; about 30,000 of a million pairs."""


class Pair(msgspec.Struct, frozen=True):
    """One line of the mined files."""

    package: str
    language: str
    kind: str
    path: str
    query: str
    code: str


def read_pairs(folder: Path) -> Iterator[Pair]:
    """All pairs below a folder that may be learned from, in the order of the files' names."""
    decoder = msgspec.json.Decoder(Pair)
    for file in sorted([*folder.glob("*.jsonl"), *folder.glob("*.jsonl.gz")]):
        with gzip.open(file, "rb") if file.suffix == ".gz" else file.open("rb") as lines:
            # The last line of a file that is still written may be cut.
            pairs = (decoder.decode(line) for line in lines if line.endswith(b"\n"))
            yield from (pair for pair in pairs if not excluded_pair(pair.package, pair.path))


def is_held_out(package: str) -> bool:
    """Whether a package is for measuring only; the same in every run."""
    return stable_hash(package) % 100 < HELD_OUT_PERCENT


def stable_hash(text: str) -> int:
    """63 bits that are the same in every process."""
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "little") >> 1
