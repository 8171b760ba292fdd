"""How a shared index tells contents apart: by the file's bytes and by what was made of them.

The same bytes give other chunks after a change of the chunker, and other vectors with another model. If engines
compared the bytes alone, a publish after such a change would keep what the former one left. So the key of a content is
the hash of its bytes, and behind it some bytes that stand for the rest.
"""

from hashlib import blake2b

HASH_BYTES = 16
"""Length of `Document.content_hash`."""

MARK_BYTES = 4
"""Enough to tell the few makings apart that meet in one repository; one in four thousand million looks like another."""


def mark_of(fingerprint: str, chunk_tokens: int, model: str) -> bytes:
    """What stands for a way to make chunks, terms and vectors."""
    return blake2b(f"{fingerprint}\0{chunk_tokens}\0{model}".encode(), digest_size=MARK_BYTES).digest()


def marked(content_hash: bytes, mark: bytes) -> bytes:
    """The key of a content in a shared index."""
    return content_hash + mark


def content_hash_of(key: bytes) -> bytes:
    """`Document.content_hash`, out of a key."""
    return key[:HASH_BYTES]
