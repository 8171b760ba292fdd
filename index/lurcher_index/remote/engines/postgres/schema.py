"""The tables, and whether those that are there are ours.

Everything but the list of publications is partitioned by repository, so that a large installation is many small indexes
and one repository's search or deletion stays in one of each.
"""

from typing import Any, LiteralString, TypeVar

import msgspec
from psycopg import sql

from lurcher_index.errors import RemoteError
from lurcher_index.remote.engines.postgres.connecting import Database

T = TypeVar("T", bound=msgspec.Struct)

SCHEMA_VERSION = 2
"""Raised whenever tables, or the meaning of what is in them, change."""

PARTITIONS = 16
"""A repository of a million chunks fills one by itself; among 10,000 repositories each has some 600."""

MOST_NUMBERS = 4000
"""In a vector: what pgvector's index over half-precision vectors takes."""

MOST_TERMS = 1_000_000_000
"""Dimensions of a sparse vector: pgvector's largest. Terms are numbered up to here by a hash."""

_PREPARING = 0x6C757263686572
"""Number of the lock that keeps two from creating the tables at once."""

_STATEMENTS = (
    "CREATE EXTENSION IF NOT EXISTS vector",
    "CREATE SCHEMA IF NOT EXISTS lurcher",
    "CREATE TABLE lurcher.about (version int NOT NULL, dimension int NOT NULL)",
    # `measured` are the chunks that were ever sent, and behind them the terms in their fields: for averages.
    """CREATE TABLE lurcher.repositories (
        number int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text COLLATE "C" NOT NULL UNIQUE,
        last_generation int NOT NULL DEFAULT 0, chunks bigint NOT NULL DEFAULT 0, measured bigint NOT NULL DEFAULT 0,
        body bigint NOT NULL DEFAULT 0, names bigint NOT NULL DEFAULT 0, path_terms bigint NOT NULL DEFAULT 0)""",
    """CREATE TABLE lurcher.publications (
        repository int NOT NULL REFERENCES lurcher.repositories ON DELETE CASCADE, generation int NOT NULL,
        commit text NOT NULL, branch text NOT NULL, model text NOT NULL, shape text NOT NULL, files int NOT NULL,
        chunks int NOT NULL, published double precision NOT NULL, PRIMARY KEY (repository, generation))""",
    "CREATE SEQUENCE lurcher.file_numbers",
)

_PARTITIONED: dict[str, LiteralString] = {
    # `generations` are all in which this version of the file is there: [1,4) and from 6 on, for example.
    "files": """
        repository int NOT NULL, number bigint NOT NULL, key bytea NOT NULL, path bytea NOT NULL,
        content bytea NOT NULL, language text COLLATE "C" NOT NULL, chunks int NOT NULL,
        generations int4multirange NOT NULL,
        PRIMARY KEY (repository, number), UNIQUE (repository, key)""",
    # `words` has what BM25 makes of each term's count, `terms` the same terms for the index.
    "chunks": """
        repository int NOT NULL, file bigint NOT NULL, ordinal int NOT NULL, first_line int NOT NULL,
        last_line int NOT NULL, digest bytea NOT NULL, terms int[] NOT NULL, words sparsevec NOT NULL,
        PRIMARY KEY (repository, file, ordinal)""",
    # How many chunks hold a term in a field.
    "terms": "repository int NOT NULL, term int NOT NULL, chunks int NOT NULL, PRIMARY KEY (repository, term)",
}

_STORED: dict[str, LiteralString] = {
    # A chunk's row stays in one piece: what is read of it is nearly all of it.
    "chunks": "toast_tuple_target = 8160",
    # Counts change with every batch: there is room to do that in place.
    "terms": "fillfactor = 70",
    "files": "fillfactor = 90",
}

INDEXES: dict[str, LiteralString] = {
    "chunks_terms": "CREATE INDEX chunks_terms ON lurcher.chunks USING gin (terms)",
    "chunks_vector": "CREATE INDEX chunks_vector ON lurcher.chunks USING hnsw (vector halfvec_ip_ops)",
}
"""What makes searching quick and writing slow. Whoever fills an empty server with thousands of repositories may drop
them before and create them afterwards; until then nothing is lost, but every search reads all of its repository."""


class About(msgspec.Struct, frozen=True):
    """What the tables say of themselves."""

    version: int
    dimension: int


def prepare(database: Database, dimension: int, where: str) -> None:
    """Create what is missing."""
    if not 0 <= dimension <= MOST_NUMBERS:
        raise RemoteError(f"{where} can hold vectors of up to {MOST_NUMBERS} numbers; choose another embedding model")
    with database.transaction():
        database.execute("SELECT pg_advisory_xact_lock(%s)", (_PREPARING,))
        if database.execute("SELECT to_regclass('lurcher.about')").fetchone() == (None,):
            _create(database)
        about = read_about(database, where)
        if dimension and about.dimension and about.dimension != dimension:
            raise RemoteError(
                f"{where} holds vectors of {about.dimension} numbers, and this embedding model makes {dimension};"
                " publish with the model of the others, or into another database"
            )
        if dimension and not about.dimension:
            _add_vectors(database, dimension)


def read_about(database: Database, where: str) -> About:
    """What is there. Tables of another version are refused."""
    row = database.execute("SELECT version, dimension FROM lurcher.about LIMIT 1").fetchone()
    about = checked(row, About, where)
    if about.version != SCHEMA_VERSION:
        newer = about.version > SCHEMA_VERSION
        raise RemoteError(
            f"the shared index in {where} has format {about.version}, this Lurcher knows {SCHEMA_VERSION}; "
            + ("update Lurcher here" if newer else "drop its schema `lurcher` and publish anew")
        )
    return about


def checked(row: Any, kind: type[T], where: str) -> T:
    """What came back as a value of ours; a server may answer anything."""
    try:
        return msgspec.convert(
            dict(zip(kind.__struct_fields__, row, strict=True)) if row is not None else None, kind, strict=True
        )
    except (msgspec.ValidationError, ValueError):
        raise RemoteError(f"{where} answered with something that no shared index holds; publish anew") from None


def _create(database: Database) -> None:
    for statement in _STATEMENTS:
        database.execute(statement)
    for table, columns in _PARTITIONED.items():
        name = sql.Identifier("lurcher", table)
        database.execute(sql.SQL("CREATE TABLE {} ({}) PARTITION BY HASH (repository)").format(name, sql.SQL(columns)))
        for part in range(PARTITIONS):
            database.execute(
                sql.SQL("CREATE TABLE {} PARTITION OF {} FOR VALUES WITH (MODULUS {}, REMAINDER {}) WITH ({})").format(
                    partition(table, part), name, PARTITIONS, part, sql.SQL(_STORED[table])
                )
            )
    for column in ("terms", "words"):
        # Nobody plans by statistics of arrays and sparse vectors, and to gather them takes long.
        database.execute(sql.SQL("ALTER TABLE lurcher.chunks ALTER {} SET STATISTICS 0").format(sql.Identifier(column)))
    database.execute(INDEXES["chunks_terms"])
    database.execute("INSERT INTO lurcher.about VALUES (%s, 0)", (SCHEMA_VERSION,))


def _add_vectors(database: Database, dimension: int) -> None:
    database.execute(sql.SQL("ALTER TABLE lurcher.chunks ADD vector halfvec({})").format(dimension))
    database.execute("ALTER TABLE lurcher.chunks ALTER vector SET STATISTICS 0")
    database.execute(INDEXES["chunks_vector"])
    database.execute("UPDATE lurcher.about SET dimension = %s", (dimension,))


def partition(table: str, part: int) -> sql.Identifier:
    """One part of a partitioned table."""
    return sql.Identifier("lurcher", f"{table}_{part}")
