"""Texts that what is compiled and its twin in Python are both given."""

from functools import cache
from pathlib import Path

from hypothesis import strategies as st

ROOT = Path(__file__).parents[2]

CODE = st.lists(
    st.one_of(
        st.from_regex(r"[A-Za-z_][A-Za-z0-9_-]{0,20}", fullmatch=True),
        st.sampled_from(["IPv4Address", "OAuthor", "iOSApp", "macOSX", "HTTPServer2", "MAX_FILE_BYTES", "tree-sitter"]),
        st.sampled_from(
            ["entries", "classes", "boxes", "running", "embedded", "needed", "something", "caches", "utf8"]
        ),
        st.sampled_from(
            [" ", "\n", "\r\n", "\r", "\t", "\f", "(", "[", "{", "}", "]", ")", "--", "__", "0", "中文", "é"]
        ),
    ),
    max_size=40,
).map(lambda words: "".join(words).encode())

TEXTS = st.one_of(st.binary(max_size=300), st.text(max_size=200).map(str.encode), CODE)


@cache
def real_texts() -> list[bytes]:
    """This repository's sources and the fixtures, which hold much that is hardly text."""
    folders = ("index", "server", "tests", "docs", "fixtures")
    files = [path for folder in folders for path in sorted((ROOT / folder).rglob("*")) if path.is_file()]
    return [path.read_bytes() for path in files if "__pycache__" not in path.parts and path.stat().st_size < 1_000_000]
