"""Small things that are kept of a repository, as JSON: what is shown of it, who claims it, which numbers are in use."""

import json
from typing import Annotated, TypeVar

import msgspec

from lurcher_index.errors import RemoteError
from lurcher_index.remote.engines.interface import OPEN, Publication
from lurcher_index.remote.engines.milvus.client import Client, Row
from lurcher_index.remote.engines.milvus.keys import note_key, repository_key

T = TypeVar("T")

NOBODY = note_key("nobody")
"""In place of a repository, for what belongs to none."""

Generation = Annotated[int, msgspec.Meta(ge=0, le=OPEN)]


class About(msgspec.Struct, frozen=True):
    """What a shared index says of itself."""

    version: int
    dimension: Annotated[int, msgspec.Meta(ge=0)]
    """Numbers in a vector; 0 if there are none."""


class Numbers(msgspec.Struct, frozen=True):
    """Which numbers of a repository are in use."""

    last_generation: Generation
    forgetting: bool = False
    """Whether everything is being deleted."""


def read_about(client: Client, collection: str) -> About | None:
    """What the index says of itself; None if it does not."""
    found = read(client, collection, f'id == "{note_key("about")}"', About)
    return found[0] if found else None


def write_about(client: Client, collection: str, about: About) -> None:
    """Say it."""
    client.upsert(collection, [note(note_key("about"), NOBODY, "about", about)])


def read_publications(client: Client, collection: str, repository: str) -> list[Publication]:
    """What is shown of a repository, newest first."""
    condition = f'repository == "{repository_key(repository)}" and kind == "publication"'
    found = [each for each in read(client, collection, condition, Publication) if each.repository == repository]
    return sorted(found, key=lambda each: -each.generation)


def publication_note(publication: Publication) -> Row:
    """A publication as it is stored: one for a commit, so that a newer one takes its place in the same moment."""
    key = note_key("publication", publication.repository, publication.commit)
    return note(key, repository_key(publication.repository), "publication", publication)


def read_numbers(client: Client, collection: str, repository: str) -> Numbers | None:
    """The numbers in use; None for an unknown repository."""
    found = read(client, collection, f'id == "{note_key("numbers", repository)}"', Numbers)
    return found[0] if found else None


def write_numbers(client: Client, collection: str, repository: str, numbers: Numbers) -> None:
    """Note which numbers are in use."""
    client.upsert(collection, [note(note_key("numbers", repository), repository_key(repository), "numbers", numbers)])


def use_generation(client: Client, collection: str, repository: str, generation: int) -> None:
    """Note that a number is in use, if that is not known."""
    known = read_numbers(client, collection, repository)
    if known is None or generation > known.last_generation:
        write_numbers(client, collection, repository, Numbers(generation))


def note(key: str, repository: str, kind: str, value: msgspec.Struct) -> Row:
    """A row of notes; `repository` is its key."""
    # Escapes carry whatever a name may hold, halves of characters too.
    body = json.dumps(msgspec.to_builtins(value), ensure_ascii=True)
    return {"id": key, "repository": repository, "kind": kind, "body": body, "vector": [0.0, 0.0]}


def read(client: Client, collection: str, condition: str, kind: type[T]) -> list[T]:
    """All notes that meet a condition, which are of one kind."""
    try:
        return [
            msgspec.convert(json.loads(row["body"]), kind, strict=True)
            for row in client.rows(collection, condition, ["body"])
        ]
    except (msgspec.ValidationError, ValueError, KeyError, TypeError, RecursionError):
        raise RemoteError(f"{client.where} answered with something that no shared index holds; publish anew") from None
