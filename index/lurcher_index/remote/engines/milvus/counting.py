"""How many chunks of a repository hold each term.

Milvus counts rows only by reading them, so we keep counts: every batch of a publish adds a row to each bucket of
numbers it has, and once the generation is shown these are folded into one row a bucket. A folded row stands for
everything up to its generation, so that whoever dies in the middle of it loses and doubles nothing; later rows come on
top. To repeat a batch that was cut off in another composition may count its chunks twice: rarity does not notice.
"""

import threading
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated

import msgspec

from lurcher_index.remote.engines.interface import Where
from lurcher_index.remote.engines.milvus.client import Client, Row, among
from lurcher_index.remote.engines.milvus.keys import note_key, repository_key
from lurcher_index.remote.engines.milvus.layout import COUNTS, checked
from lurcher_index.remote.engines.milvus.limits import BATCH_ROWS
from lurcher_index.remote.engines.milvus.notes import Generation
from lurcher_index.remote.engines.milvus.weighing import NOTHING

BUCKETS = 64
"""Rows over which the numbers of a repository are spread: with 200,000 terms each has 25 KB, and a question of ten
words reads ten to thirty of them."""

REMEMBERED_SECONDS = 600.0
"""How long counts are remembered: they change with a publish only, and little."""

REMEMBERED = 4096
"""Buckets that are remembered, at most 100 MB."""

_FIELDS = ("id", "bucket", "generation", "folded", "counts")
_Number = Annotated[int, msgspec.Meta(ge=0, lt=2**32)]
_Count = Annotated[float, msgspec.Meta(ge=0, le=2**53)]


class CountsRow(msgspec.Struct, frozen=True):
    """The counts of one bucket, of a batch or of everything up to a generation."""

    id: str
    bucket: int
    generation: Generation
    folded: bool
    counts: dict[_Number, _Count]


def bucket_of(number: int) -> int:
    """Where the count of a number is."""
    return number % BUCKETS


def add(client: Client, repository: str, generation: int, batch: str, counts: Mapping[int, int]) -> None:
    """Count a batch, which is named by what is in it."""
    rows = [_row(repository, bucket, generation, False, some, batch) for bucket, some in _by_bucket(counts).items()]
    client.upsert(COUNTS, rows)


def fold(client: Client, repository: str, upto: int, gone: Mapping[int, int] | None = None) -> None:
    """Make one row a bucket of all rows up to a generation that is shown, less what is gone."""
    missing = _by_bucket(gone or {})
    by_bucket: dict[int, list[CountsRow]] = {}
    for page in client.pages(COUNTS, f'repository == "{repository_key(repository)}"', _FIELDS):
        for row in page:
            each = checked(row, CountsRow, client.where)
            if each.generation <= upto:
                by_bucket.setdefault(each.bucket, []).append(each)
    folded: list[Row] = []
    old: list[str] = []
    for bucket, rows in by_bucket.items():
        if len(rows) == 1 and rows[0].folded and bucket not in missing:
            continue
        total = _total(rows, upto)
        total.subtract(missing.get(bucket, {}))
        row = _row(repository, bucket, upto, True, {number: n for number, n in total.items() if n > 0})
        if row["counts"]:
            folded.append(row)
        old.extend(each.id for each in rows if not row["counts"] or each.id != row["id"])
    for start in range(0, len(folded), BATCH_ROWS):
        client.upsert(COUNTS, folded[start : start + BATCH_ROWS])
    client.delete(COUNTS, old)


class Counts:
    """The counts as they are asked for, remembered for a while. Thread-safe."""

    def __init__(self, client: Client) -> None:
        """Nothing remembered."""
        self._client = client
        self._known: dict[tuple[str, int, int], tuple[float, Counter[int]]] = {}
        self._turn = threading.Lock()

    def of(self, where: Where, numbers: Iterable[int], *, strong: bool) -> Counter[int]:
        """How many chunks hold each of some numbers, and under `NOTHING` how many there are at all."""
        wanted = list(numbers)
        buckets = {bucket_of(number) for number in (*wanted, NOTHING)}
        known = self._remembered(where, buckets)
        missing = buckets - known.keys()
        if missing:
            known |= self._fetch(where, missing, strong=strong)
        found = Counter({number: known[bucket_of(number)][number] for number in wanted})
        found[NOTHING] = known[bucket_of(NOTHING)][NOTHING]
        return found

    def forget(self) -> None:
        """Ask again from now on."""
        with self._turn:
            self._known.clear()

    def _remembered(self, where: Where, buckets: set[int]) -> dict[int, Counter[int]]:
        now = time.monotonic()
        with self._turn:
            found = {each: self._known.get((where.repository, where.generation, each)) for each in buckets}
        return {bucket: entry[1] for bucket, entry in found.items() if entry and entry[0] > now}

    def _fetch(self, where: Where, buckets: set[int], *, strong: bool) -> dict[int, Counter[int]]:
        condition = f'repository == "{repository_key(where.repository)}" and {among("bucket", sorted(buckets))}'
        rows: dict[int, list[CountsRow]] = {bucket: [] for bucket in buckets}
        for row in self._client.rows(COUNTS, condition, _FIELDS, strong=strong):
            each = checked(row, CountsRow, self._client.where)
            rows.setdefault(each.bucket, []).append(each)
        found = {bucket: _total(rows[bucket], where.generation) for bucket in buckets}
        until = time.monotonic() + REMEMBERED_SECONDS
        with self._turn:
            if len(self._known) + len(found) > REMEMBERED:
                self._known.clear()
            for bucket, counts in found.items():
                self._known[where.repository, where.generation, bucket] = (until, counts)
        return found


def _total(rows: list[CountsRow], upto: int) -> Counter[int]:
    """The counts of a bucket up to a generation, or a little beyond."""
    start = max((each.generation for each in rows if each.folded), default=-1)
    total: Counter[int] = Counter()
    for each in rows:
        if (each.folded and each.generation == start) or (not each.folded and start < each.generation <= upto):
            for number, count in each.counts.items():
                total[number] += int(count)
    return total


def _by_bucket(counts: Mapping[int, int]) -> dict[int, dict[int, int]]:
    found: dict[int, dict[int, int]] = {}
    for number, count in counts.items():
        found.setdefault(bucket_of(number), {})[number] = count
    return found


def _row(
    repository: str, bucket: int, generation: int, folded: bool, counts: Mapping[int, int], batch: str = ""
) -> Row:
    return {
        "id": note_key("counts", repository, str(bucket), str(generation), batch),
        "repository": repository_key(repository),
        "bucket": bucket,
        "generation": generation,
        "folded": folded,
        "counts": {number: float(count) for number, count in counts.items()},
    }
