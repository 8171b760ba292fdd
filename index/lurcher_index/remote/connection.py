"""Where remote code search happens, as a person set it. The token is named, never held."""

from enum import StrEnum

import msgspec


class Kind(StrEnum):
    """Who can be asked."""

    POSTGRES = "postgres"
    """A shared index of ours in PostgreSQL with pgvector."""
    MILVUS = "milvus"
    """A shared index of ours in Milvus."""
    ZOEKT = "zoekt"
    SOURCEGRAPH = "sourcegraph"
    GITHUB = "github"

    @property
    def is_shared_index(self) -> bool:
        """Whether it holds an index of ours, to which commits can be published."""
        return self in (Kind.POSTGRES, Kind.MILVUS)


class Connection(msgspec.Struct, frozen=True, kw_only=True):
    """One remote search."""

    kind: Kind
    url: str
    """`postgresql://user@host/database`, `https://host:19530` and so on; without a password."""
    token_variable: str = ""
    """Environment variable that holds the token or password; empty for none."""
