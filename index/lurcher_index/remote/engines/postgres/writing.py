"""What a publish writes: each call is one transaction on the connection that holds the claim."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b

import psycopg
from psycopg import sql

from lurcher_index.remote.engines.interface import Publication, SharedFile, Version
from lurcher_index.remote.engines.postgres import rows
from lurcher_index.remote.engines.postgres.connecting import Database
from lurcher_index.remote.engines.postgres.weighing import Numbering, stored_weights
from lurcher_index.remote.engines.weighing import field_lengths


def file_key(path: str, content: bytes) -> bytes:
    """Which version of which file: paths are longer than an index of PostgreSQL takes."""
    return blake2b(stored_path(path) + b"\0" + content, digest_size=16).digest()


def stored_path(path: str) -> bytes:
    """A path as it is stored: bytes take whatever a file system does, in databases of every encoding."""
    return path.encode("utf-8", "surrogatepass")


def number_of(database: Database, repository: str, generation: int) -> int:
    """The number of a repository, which is created if need be; the generation is in use from now on."""
    found = database.execute(
        "INSERT INTO lurcher.repositories (name, last_generation) VALUES (%s, %s) ON CONFLICT (name) DO UPDATE"
        " SET last_generation = GREATEST(repositories.last_generation, excluded.last_generation) RETURNING number",
        (repository, generation),
    ).fetchone()
    assert found is not None
    return int(found[0])


def insert(database: Database, repository: str, generation: int, files: Sequence[SharedFile], dimension: int) -> int:
    """Write versions with all their chunks, but for those that are there; the bytes that were sent."""
    with database.transaction():
        number = number_of(database, repository, generation)
        by_key = {file_key(each.path, each.content): each for each in files}
        reopened = _open_again(database, number, generation, list(by_key))
        new = {key: each for key, each in by_key.items() if key not in reopened}
        if not new:
            return 0
        numbers = _insert_files(database, number, generation, new)
        return _insert_chunks(database, number, [(numbers[key], each) for key, each in new.items()], dimension)


def reopen(
    database: Database, repository: str, generation: int, wanted: Iterable[tuple[str, bytes]]
) -> set[tuple[str, bytes]]:
    """Make stored versions be there again; those that are stored."""
    by_key = {file_key(path, content): (path, content) for path, content in wanted}
    with database.transaction():
        number = number_of(database, repository, generation)
        return {by_key[key] for key in _open_again(database, number, generation, list(by_key))}


def end(database: Database, repository: str, generation: int, versions: Sequence[Version]) -> None:
    """Make open versions end."""
    with database.transaction():
        number = number_of(database, repository, generation)
        database.execute(
            "UPDATE lurcher.files SET generations = generations - int4multirange(int4range(%s, NULL))"
            " WHERE repository = %s AND key = ANY(%s) AND upper_inf(generations)",
            (generation, number, [file_key(each.path, each.content) for each in versions]),
        )


def show(database: Database, publication: Publication) -> None:
    """Make a generation visible, in one statement. What makes searching it quick is done before."""
    number = number_of(database, publication.repository, publication.generation)
    _settle(database, number)
    database.execute(
        "WITH replaced AS (DELETE FROM lurcher.publications WHERE repository = %(repository)s AND commit = %(commit)s"
        " AND generation <> %(generation)s)"
        " INSERT INTO lurcher.publications VALUES (%(repository)s, %(generation)s, %(commit)s, %(branch)s, %(model)s,"
        " %(shape)s, %(files)s, %(chunks)s, %(published)s) ON CONFLICT (repository, generation) DO UPDATE SET"
        " commit = excluded.commit, branch = excluded.branch, model = excluded.model, shape = excluded.shape,"
        " files = excluded.files, chunks = excluded.chunks, published = excluded.published",
        {
            "repository": number,
            "generation": publication.generation,
            "commit": publication.commit,
            "branch": publication.branch,
            "model": publication.model,
            "shape": publication.shape,
            "files": publication.files,
            "chunks": publication.chunks,
            "published": publication.published,
        },
    )


def add_counts(database: Database, number: int, counts: Mapping[int, int], chunks: int) -> None:
    """Change how many chunks hold each term, and how many there are."""
    ordered = sorted(counts.items())
    database.execute(
        "INSERT INTO lurcher.terms SELECT %s, term, more FROM unnest(%s::int[], %s::int[]) AS t(term, more)"
        " ON CONFLICT (repository, term) DO UPDATE SET chunks = terms.chunks + excluded.chunks",
        (number, [term for term, _ in ordered], [count for _, count in ordered]),
    )
    database.execute("UPDATE lurcher.repositories SET chunks = chunks + %s WHERE number = %s", (chunks, number))


def _settle(database: Database, number: int) -> None:
    """Let the server sort in what was inserted, and count rows for its plans: it would do so some time, unasked.

    Until then a search goes through all that waits to be sorted in: 67 ms instead of 7 at 5,000 chunks.
    """
    found = database.execute(
        "SELECT c.relname, i.indexrelid::regclass::text FROM pg_class c JOIN pg_index i ON i.indrelid = c.oid"
        " JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am a ON a.oid = x.relam"
        " WHERE a.amname = 'gin' AND c.oid = (SELECT tableoid FROM lurcher.chunks WHERE repository = %s LIMIT 1)",
        (number,),
    ).fetchone()
    if found is None:
        return
    chunks, index = map(str, found)
    try:
        database.execute("SELECT gin_clean_pending_list(%s::regclass)", (index,))
        for table in (chunks, chunks.replace("chunks", "files")):
            database.execute(sql.SQL("ANALYZE {}").format(sql.Identifier("lurcher", table)))
    except (
        psycopg.errors.InsufficientPrivilege,
        psycopg.errors.QueryCanceled,
        psycopg.errors.LockNotAvailable,
        psycopg.errors.DeadlockDetected,
    ):
        # A publisher that does not own the tables, a busy server, or another who settles the same partition: it comes
        # later by itself.
        pass


def _open_again(database: Database, number: int, generation: int, keys: list[bytes]) -> set[bytes]:
    # Those that are open already are left alone: to do it twice is harmless.
    database.execute(
        "UPDATE lurcher.files SET generations = generations + int4multirange(int4range(%s, NULL))"
        " WHERE repository = %s AND key = ANY(%s) AND upper_inf(generations) IS NOT TRUE",
        (generation, number, keys),
    )
    stored = database.execute("SELECT key FROM lurcher.files WHERE repository = %s AND key = ANY(%s)", (number, keys))
    return {bytes(key) for (key,) in stored}


def _insert_files(database: Database, number: int, generation: int, files: dict[bytes, SharedFile]) -> dict[bytes, int]:
    written = database.execute(
        "INSERT INTO lurcher.files (repository, number, key, path, content, language, chunks, generations)"
        " SELECT %s, nextval('lurcher.file_numbers'), key, path, content, language, chunks,"
        " int4multirange(int4range(%s, NULL))"
        " FROM unnest(%s::bytea[], %s::bytea[], %s::bytea[], %s::text[], %s::int[])"
        " AS f(key, path, content, language, chunks) RETURNING key, number",
        (
            number,
            generation,
            list(files),
            [stored_path(each.path) for each in files.values()],
            [each.content for each in files.values()],
            [each.language for each in files.values()],
            [len(each.chunks) for each in files.values()],
        ),
    )
    return {bytes(key): int(file) for key, file in written}


def _insert_chunks(database: Database, number: int, files: Sequence[tuple[int, SharedFile]], dimension: int) -> int:
    numbering = Numbering(number)
    counts: Counter[int] = Counter()
    sent = chunks = 0
    copying = sql.SQL(
        "COPY lurcher.chunks (repository, file, ordinal, first_line, last_line, digest, terms, words{}) FROM STDIN"
        " (FORMAT binary)"
    ).format(sql.SQL(", vector" if dimension else ""))
    with database.cursor() as cursor, cursor.copy(copying) as copy:
        copy.write(rows.HEADER)
        for file, each in files:
            for ordinal, chunk in enumerate(each.chunks):
                weights = stored_weights(chunk, each.path_terms, numbering)
                counts.update(weights.keys())
                fields: list[bytes | None] = [
                    rows.int4(number),
                    rows.int8(file),
                    rows.int4(ordinal),
                    rows.int4(chunk.first_line),
                    rows.int4(chunk.last_line),
                    chunk.digest,
                    rows.int4_array(weights),
                    rows.sparse(weights),
                ]
                if dimension:
                    fields.append(None if each.vectors is None else rows.half(each.vectors[ordinal]))
                line = rows.row(*fields)
                sent += len(line)
                chunks += 1
                copy.write(line)
        copy.write(rows.TRAILER)
    add_counts(database, number, counts, chunks)
    lengths = field_lengths(each for _, each in files)
    database.execute(
        "UPDATE lurcher.repositories SET measured = measured + %(measured)s, body = body + %(body)s,"
        " names = names + %(names)s, path_terms = path_terms + %(path_terms)s WHERE number = %(number)s",
        lengths | {"measured": chunks, "number": number},
    )
    return sent
