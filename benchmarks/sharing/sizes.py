"""What a shared index takes: bytes a chunk by what they are for, and chunks a line of source."""

import re
from collections.abc import Iterable
from pathlib import Path

import msgspec

from lurcher_index import Engine
from lurcher_index.remote.connection import Connection

_KINDS = (
    ("rows of chunks", r"^chunks_\d+$"),
    ("HNSW index", r"^chunks_\d+_vector_idx$"),
    ("GIN index", r"^chunks_\d+_terms_idx$"),
    ("counts of terms, with their key", r"^terms_"),
    ("keys of chunks", r"^chunks_\d+_pkey$"),
    ("files, with their keys", r"^files_"),
)
"""What the tables and indexes of PostgreSQL are for, by their names."""


class Part(msgspec.Struct, frozen=True):
    """Something that grows with the chunks."""

    what: str
    bytes: int


class Lines(msgspec.Struct, frozen=True):
    """A tree, as an index has it."""

    tree: str
    files: int
    lines: int
    size: int
    chunks: int


def postgres_parts(connection: Connection) -> tuple[int, list[Part]]:
    """Chunks that are stored, and the bytes of everything of ours in PostgreSQL."""
    import psycopg

    with psycopg.connect(connection.url) as database:
        found = database.execute(
            "SELECT c.relname, pg_total_relation_size(c.oid) - pg_indexes_size(c.oid) FROM pg_class c"
            " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'lurcher' AND c.relkind = 'r'"
            " UNION ALL SELECT c.relname, pg_relation_size(c.oid) FROM pg_class c"
            " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'lurcher' AND c.relkind = 'i'"
        ).fetchall()
        total = database.execute("SELECT sum(chunks) FROM lurcher.repositories").fetchone()
    parts = [Part(what, sum(int(size) for name, size in found if re.search(pattern, name))) for what, pattern in _KINDS]
    return int(total[0]) if total and total[0] else 0, parts


def lines_of(trees: Iterable[Path]) -> list[Lines]:
    """How many lines make a chunk, tree by tree; what rules leave out does not count."""
    return [_measured(tree) for tree in trees]


def _measured(tree: Path) -> Lines:
    lines = size = 0
    with Engine.open([tree], store=":memory:", embeddings=False) as engine:
        engine.build()
        for row in engine.workspace.catalog.all_files():
            if row.content_id is not None:
                data = (tree / row.path).read_bytes()
                lines += data.count(b"\n") + (not data.endswith(b"\n") and bool(data))
                size += len(data)
        status = engine.status()
        return Lines(tree.name, status.indexed, lines, size, status.chunks)
