"""Pasted errors are recognised, and their fixed words are kept without what the program filled in."""

import pytest

from lurcher_index.query.error_text import fixed_phrases, is_error_text

TRACEBACK = """Traceback (most recent call last):
  File "/home/me/app/server.py", line 12, in serve
    connect(host)
ConnectionError: could not reach 10.0.0.7:5432 after 3 attempts
"""


@pytest.mark.parametrize(
    "text",
    [
        TRACEBACK,
        "AttributeError: 'NoneType' object has no attribute 'split'",
        "java.lang.NullPointerException: Cannot invoke method",
        "    at com.example.App.run(App.java:12)",
        "2024-01-02 10:11:12 ERROR worker 12 failed to connect",
        "[ERROR] cannot open the store",
        "error[E0308]: mismatched types",
        "src/main.c:12:3: error: expected ';'",
        "thread 'main' panicked at src/main.rs:4:5",
        "panic: runtime error: index out of range [5] with length 3",
        "Error: Cannot find module 'left-pad'",
        "ls: /nope: No such file or directory",
        "foo.bar is not a function",
        "Segmentation fault (core dumped)",
        "Failed to open '/tmp/x'",
    ],
)
def test_errors(text: str) -> None:
    assert is_error_text(text)


@pytest.mark.parametrize(
    "text",
    [
        "error handling middleware",
        "how errors are turned into responses",
        "HTTPException",
        "where is ValueError raised",
        "error types and error enrichment",
        "failed to connect",
        "look at the warning",
        "what is a segmentation",
        "",
    ],
)
def test_questions_about_errors_are_not_errors(text: str) -> None:
    assert not is_error_text(text)


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ("AttributeError: 'NoneType' object has no attribute 'split'", ("object has no attribute",)),
        (TRACEBACK, ("could not reach",)),
        ("2024-01-02 10:11:12 ERROR retrying request 17 in 3.5 s to /api/v1/users", ("retrying request",)),
        ("Error: cannot map region at 0x7ffe12 of size 4096 into space", ("cannot map region at", "into space")),
        ("error[E0308]: mismatched types", ("mismatched types",)),
        ("KeyError: 'x'", ()),
    ],
)
def test_fixed_phrases(text: str, phrases: tuple[str, ...]) -> None:
    kept = fixed_phrases(text)
    assert set(phrases) <= set(kept)
    joined = " ".join(kept)
    assert not any(char.isdigit() or char in "/'\"" for char in joined)
    assert bool(kept) == bool(phrases)
