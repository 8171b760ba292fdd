"""How quickly a question is understood: `python benchmarks/understanding.py`.

Parses and expands short questions of all kinds, then the longest texts that are looked at, ordinary and hostile ones.
No files, no index: pure functions only, in CPU time, since a millisecond is soon lost to others on a busy machine.
The vocabulary is made of this repository's own names.
"""

import re
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "index"))

from lurcher_index.query.expansion import expand
from lurcher_index.query.parser import parse
from lurcher_index.query.tokens import tokens
from lurcher_index.query.vocabulary import Vocabulary

ROOT = Path(__file__).resolve().parents[1]
REPEATS = 50
LONGEST = 26_000
"""Bytes of a question that are looked at."""

QUESTIONS = (
    "find authentication handler in golang",
    "how does the worker pool restart a process that died",
    "gzip response compression middleware",
    "why does Session.close() hang when the socket is gone",
    "who calls parse_header",
    "JsonSerializer",
    "rust code for parsing headers",
    "AttributeError: 'NoneType' object has no attribute 'split'",
    "2026-11-16 10:11:12 ERROR worker 12 failed to connect to 10.0.0.1:5432",
    "what is in src/auth/login.py:12",
    "認証はどこで行われますか",
    "error handling and config of the auth handler",
)
LONG = {
    "a page of prose": "where is the retry policy of the client set and who reads it ",
    "a traceback": '  File "/srv/app/server.py", line 12, in serve\n    connect(host)\n',
    "one word": "x",
    "dots": "a.",
    "slashes": "a/",
    "quotes": "'",
    "blanks": " ",
    "brackets": "[(",
    "language phrases": "in go ",
}


def main() -> int:
    """Measure and print."""
    vocabulary = Vocabulary()
    begin = time.process_time()
    for source in sorted((ROOT / "index").rglob("*.py")):
        vocabulary.add(re.findall(r"(?:def|class) (\w+)", source.read_text("utf-8")))
    vocabulary.settle()
    print(f"a vocabulary of this repository's names: {1000 * (time.process_time() - begin):.0f} ms")
    every: list[float] = []
    for question in QUESTIONS:
        taken = [_microseconds(question, vocabulary) for _ in range(REPEATS)]
        every += taken
        print(f"{statistics.median(taken):8.0f} µs  {question}")
    every.sort()
    print(f"all: p50 {statistics.median(every):.0f} µs, p95 {every[int(len(every) * 0.95)]:.0f} µs")
    for name, piece in LONG.items():
        text = (piece * (LONGEST // len(piece) + 1))[:LONGEST]
        taken = [_microseconds(text, vocabulary) for _ in range(5)]
        print(f"{statistics.median(taken) / 1000:8.1f} ms  {LONGEST:,} characters: {name}")
    return 0


def _microseconds(text: str, vocabulary: Vocabulary) -> float:
    tokens.cache_clear()
    begin = time.process_time()
    expand(parse(text), None, vocabulary)
    return (time.process_time() - begin) * 1e6


if __name__ == "__main__":
    sys.exit(main())
