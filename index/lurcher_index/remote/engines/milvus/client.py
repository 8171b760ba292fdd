"""Calls to a Milvus server, with an end and errors of ours.

Only calls and options are used that milvus-lite, a single server and a cluster share.
"""

import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from lurcher_index.errors import RemoteError
from lurcher_index.remote.engines.milvus.address import Address
from lurcher_index.remote.engines.milvus.connecting import Connecting, load_pymilvus
from lurcher_index.remote.engines.milvus.failures import NotLoaded
from lurcher_index.remote.engines.milvus.limits import BATCH_ROWS, Limits, Token

Row = dict[str, Any]


class Client:
    """Connects when it is first needed, and again after a failure. Thread-safe."""

    def __init__(self, address: Address, token: Token | None, limits: Limits) -> None:
        """Nothing is connected yet."""
        self.where = address.shown
        self.limits = limits
        self.before_writing: Callable[[], object] = lambda: None
        """Called before every write of those who publish; raises if they must not."""
        self._database = address.database
        self._connecting = Connecting(address, token, limits)
        # milvus-lite cannot take two writes of one collection at once.
        self._write_turn = threading.Lock()

    def exists(self, collection: str) -> bool:
        """Whether there is a collection."""
        return bool(self._call("has_collection", collection, timeout=self.limits.search))

    def create(
        self, collection: str, fields: Sequence[Mapping[str, Any]], indexes: Sequence[Mapping[str, Any]]
    ) -> None:
        """Make a collection that can be searched at once. `type` of a field is a name of pymilvus' `DataType`."""
        milvus = load_pymilvus()
        schema = milvus.MilvusClient.create_schema(auto_id=False, enable_dynamic_field=False)
        for field in fields:
            rest = {key: value for key, value in field.items() if key not in ("name", "type")}
            schema.add_field(field["name"], getattr(milvus.DataType, field["type"]), **rest)
        params = milvus.MilvusClient.prepare_index_params()
        for index in indexes:
            params.add_index(**index)
        self._call(
            "create_collection",
            collection,
            schema=schema,
            index_params=params,
            consistency_level="Strong",
            timeout=self.limits.write,
        )

    def drop(self, collection: str) -> None:
        """Delete a collection with all that is in it."""
        self._call("drop_collection", collection, timeout=self.limits.write)

    def make_database(self) -> None:
        """Create the database that the address names, if it is not there."""
        if self._has_database():
            return
        try:
            self._call("create_database", self._database, timeout=self.limits.write)
        except RemoteError:
            # Another may have been quicker.
            if not self._has_database():
                raise

    def upsert(self, collection: str, rows: Sequence[Row], *, partial: bool = False, claimed: bool = True) -> None:
        """Write rows, in place of those with the same key; `partial` rows change some fields of what is there.

        What is not `claimed` is written without a look whether that is allowed: claims themselves.
        """
        if rows:
            options = {"partial_update": True} if partial else {}
            with self._writing(claimed):
                self._call("upsert", collection, list(rows), timeout=self.limits.write, **options)

    def delete(self, collection: str, keys: Iterable[str], *, claimed: bool = True) -> None:
        """Delete rows by their keys, which need no quoting."""
        for some in batches(list(keys)):
            with self._writing(claimed):
                self._call("delete", collection, filter=among("id", some), timeout=self.limits.write)

    def delete_where(self, collection: str, condition: str) -> None:
        """Delete all rows that meet a condition."""
        with self._writing():
            self._call("delete", collection, filter=condition, timeout=self.limits.write)

    def flush(self, collection: str) -> None:
        """Have the server put away what was written, so that searches are quick."""
        with self._writing():
            self._call("flush", collection, timeout=self.limits.write)

    def rows(
        self, collection: str, condition: str, fields: Sequence[str], *, strong: bool = True, limit: int = 0
    ) -> list[Row]:
        """Few rows that meet a condition, as they are now; all of them without a limit."""
        most = {"limit": limit} if limit else {}
        found = self._call(
            "query",
            collection,
            filter=condition,
            output_fields=list(fields),
            timeout=self.limits.search,
            consistency_level="Strong" if strong else "Bounded",
            **most,
        )
        return [dict(each) for each in found]

    def pages(self, collection: str, condition: str, fields: Sequence[str]) -> Iterator[list[Row]]:
        """Many rows that meet a condition, some at a time."""
        # An iterator stays with the connection that it began on.
        with self._connecting.lent():
            walk = self._call(
                "query_iterator",
                collection,
                batch_size=BATCH_ROWS,
                filter=condition,
                output_fields=list(fields),
                timeout=self.limits.write,
                consistency_level="Strong",
            )
            try:
                while page := self._connecting.asked(lambda _: walk.next()):
                    yield [dict(each) for each in page]
            finally:
                walk.close()

    def by_key(self, collection: str, keys: Sequence[str], fields: Sequence[str]) -> Iterator[list[Row]]:
        """The rows with some keys, as they are now, some at a time and in no order."""
        for some in batches(keys):
            yield self.rows(collection, among("id", some), fields)

    def search(
        self,
        collection: str,
        field: str,
        vector: Any,
        condition: str,
        fields: Sequence[str],
        limit: int,
        options: Mapping[str, Any],
        *,
        strong: bool,
        seconds: float | None = None,
    ) -> list[Row]:
        """The rows whose vectors have the largest inner product with one, with that under `distance`."""
        found = self._call(
            "search",
            collection,
            data=[vector],
            anns_field=field,
            filter=condition,
            limit=limit,
            output_fields=list(fields),
            search_params={"metric_type": "IP", "params": dict(options)},
            timeout=self.limits.search if seconds is None else seconds,
            consistency_level="Strong" if strong else "Bounded",
        )
        return [{**each.get("entity", {}), "distance": each.get("distance")} for hits in found for each in hits]

    def close(self) -> None:
        """Disconnect for good."""
        self._connecting.close()

    def _has_database(self) -> bool:
        return not self._database or self._database in self._call("list_databases", timeout=self.limits.search)

    @contextmanager
    def _writing(self, claimed: bool = True) -> Generator[None]:
        with self._write_turn:
            if claimed:
                self.before_writing()
            yield

    def _call(self, method: str, *arguments: Any, **options: Any) -> Any:
        def work(client: Any) -> Any:
            return getattr(client, method)(*arguments, **options)

        try:
            return self._connecting.asked(work)
        except NotLoaded:
            self._connecting.asked(lambda client: client.load_collection(arguments[0], timeout=self.limits.search))
            return self._connecting.asked(work)


def batches(keys: Sequence[str]) -> Iterator[Sequence[str]]:
    """As many as may be named at once."""
    for start in range(0, len(keys), BATCH_ROWS):
        yield keys[start : start + BATCH_ROWS]


def among(field: str, values: Iterable[str | int]) -> str:
    """A condition: a field has one of some values, which are numbers, or texts made of letters and digits only."""
    return f"{field} in [{', '.join(str(each) if isinstance(each, int) else _plain(each) for each in values)}]"


def _plain(text: str) -> str:
    assert text.isalnum() and text.isascii(), "only keys of ours are named without quoting"
    return f'"{text}"'
