"""Calibrates the token estimate against real vocabularies.

Run `python benchmarks/tokens.py --trees DIR --tokenizer DIR`: the first is where `trees.py` put its trees,
the second where `npm install --ignore-scripts gpt-tokenizer` was run (it ships cl100k_base and o200k_base).

Real tokens are the mean of the two vocabularies. Samples are whole lines with at least 800 non-blank bytes,
about 250 tokens. Every count is additive over lines. Each kind of text is judged by a fit on the other kinds.

    now     0.308 * solid bytes                                                       3 ns a byte
    quick   0.223 * solid bytes + 1.97 * line ends + 1.08 * digits                    5 ns a byte
    better  0.161 * solid bytes + 1.11 * line ends + 0.84 * digits
            + 0.82 * punctuation runs + 0.40 * three-byte characters                 12 ns a byte

    mean absolute error in tokens per 250 tokens (bias)
    kind        bytes a token             now           quick          better
    Python       3.20  3.18       28.7 ( +3.9)    22.4 ( +8.1)    17.8 ( +5.5)
    JavaScript   3.41  3.38       53.6 (+29.5)    46.9 (+34.0)    36.8 (+21.2)
    TypeScript   2.83  2.81       35.1 (-28.3)    25.8 (-16.4)    14.9 ( -3.6)
    C            2.65  2.63       46.3 (-40.8)    26.0 ( -9.8)    21.0 ( +5.9)
    C++          3.25  3.25       21.5 ( +4.7)    15.7 ( +1.6)    15.3 ( +2.9)
    C#           3.63  3.58       48.9 (+38.2)    36.5 (+34.8)    16.3 ( +9.0)
    Go           2.42  2.42       57.8 (-55.2)    33.5 (-25.2)    29.3 (-25.6)
    Rust         2.71  2.71       41.4 (-37.5)    30.2 (-24.8)    17.8 ( -8.9)
    Java         3.58  3.52       45.4 (+34.5)    35.1 (+25.3)    26.4 (+12.7)
    Ruby         3.12  3.09       24.8 ( -6.4)    20.5 ( -4.9)    17.9 ( -0.5)
    PHP          2.80  2.93       51.3 ( -9.5)    46.2 (-11.1)    31.2 ( -3.5)
    YAML, JSON   2.52  2.51       54.5 (-52.8)    17.6 ( -8.0)    22.2 (-18.7)
    prose        3.37  3.37       35.4 (+18.1)    27.3 (+14.3)    27.3 (-16.3)
    Chinese      2.63  3.34       25.8 (-20.2)    42.2 (-38.5)    19.5 ( -5.1)
    Japanese     2.81  3.52       19.2 ( -7.3)    46.8 (-46.8)    18.0 ( +8.5)
    Korean       2.54  3.36       29.0 (-25.4)    52.1 (-51.8)    16.6 (-12.4)
    Russian      3.35  4.16       64.1 (+50.1)    33.5 (+15.9)    21.3 (-14.6)
    code            41.4            30.8            22.2
    all             40.2            32.9            21.7
"""

import argparse
import json
import operator
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from statistics import fmean

Row = tuple[float, ...]

SAMPLE_BYTES = 800
"""Non-blank bytes after which a sample is cut at the next line end: about 250 tokens of code."""

SAMPLES = 600
"""Samples per kind of text; the translations have fewer."""

KINDS: dict[str, tuple[str, ...]] = {
    "Python": ("django/django/**/*.py",),
    "JavaScript": ("eslint/**/*.js",),
    "TypeScript": ("effect/**/*.ts",),
    "C": ("linux/drivers/**/*.c", "linux/include/**/*.h"),
    "C++": ("rocksdb/**/*.cc", "rocksdb/**/*.h"),
    "C#": ("newtonsoft-json/**/*.cs",),
    "Go": ("go/**/*.go",),
    "Rust": ("rust/**/*.rs",),
    "Java": ("guava/**/*.java",),
    "Ruby": ("rails/**/*.rb",),
    "PHP": ("symfony/**/*.php",),
    "YAML, JSON": ("linux/Documentation/**/*.yaml", "symfony/**/*.yml", "symfony/**/*.json", "go/**/*.json"),
    "prose": ("*/**/*.md", "linux/Documentation/*/*.rst", "django/docs/**/*.txt"),
    "Chinese": ("linux/Documentation/translations/zh_*/**/*.rst", "django/**/zh_Hans/**/*.po"),
    "Japanese": ("linux/Documentation/translations/ja_JP/**/*.*", "django/**/ja/**/*.po"),
    "Korean": ("linux/Documentation/translations/ko_KR/**/*.*", "django/**/ko/**/*.po"),
    "Russian": ("django/**/ru/**/*.po",),
}
"""Patterns below the folder of the trees for each kind of text; the first eleven are code."""

CODE = tuple(KINDS)[:11]

_COUNTER = """
const { createInterface } = require("node:readline");
const both = ["cl100k_base", "o200k_base"].map((name) => require("gpt-tokenizer/cjs/encoding/" + name));
createInterface({ input: process.stdin }).on("line", (line) => {
  const text = JSON.parse(line);
  console.log(JSON.stringify(both.map((one) => one.encode(text, { allowedSpecial: "all" }).length)));
});
"""

_BLANK = b" \t\r\n\x0b\x0c"
_NOT_DIGIT = bytes(value for value in range(256) if not 48 <= value < 58)
_NOT_LEAD = bytes(value for value in range(256) if not 0xE0 <= value < 0xF0)
_PUNCTUATION_ONLY = bytes(value if 33 <= value < 127 and not chr(value).isalnum() else 32 for value in range(256))


def now(data: bytes) -> tuple[int, ...]:
    """What the estimate counts at present: non-blank bytes."""
    return (len(data.translate(None, _BLANK)),)


def quick(data: bytes) -> tuple[int, ...]:
    """Non-blank bytes, lines, digits."""
    return (len(data.translate(None, _BLANK)), data.count(b"\n"), len(data.translate(None, _NOT_DIGIT)))


def better(data: bytes) -> tuple[int, ...]:
    """The same, runs of punctuation, and lead bytes of three-byte characters (CJK)."""
    runs = len(data.translate(_PUNCTUATION_ONLY).split())
    return (*quick(data), runs, len(data.translate(None, _NOT_LEAD)))


Formula = Callable[[bytes], tuple[int, ...]]
FORMULAS: dict[str, Formula] = {"now": now, "quick": quick, "better": better}


def samples(trees: Path, patterns: tuple[str, ...]) -> list[str]:
    """Random pieces of the files that match, whole lines, about a chunk long; always the same."""
    files = sorted(path for pattern in patterns for path in trees.glob(pattern) if path.is_file())
    random.Random(1).shuffle(files)
    found: list[str] = []
    for path in files:
        if path.stat().st_size > 1_000_000:
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        if path.suffix == ".po":  # only the translations, not the English originals
            text = "\n".join(line for line in text.split("\n") if not line.isascii())
        pieces = list(_pieces(text))
        found += random.Random(2).sample(pieces, min(4, len(pieces)))
        if len(found) >= SAMPLES:
            break
    return found[:SAMPLES]


def _pieces(text: str) -> Iterator[str]:
    piece: list[str] = []
    size = 0
    for line in text.splitlines(keepends=True):
        piece.append(line)
        size += len("".join(line.split()).encode())
        if size >= SAMPLE_BYTES:
            if size < 2 * SAMPLE_BYTES:  # a longer one is a line of data, not text
                yield "".join(piece)
            piece, size = [], 0


def count_real(texts: list[str], tokenizer: Path) -> list[tuple[int, int]]:
    """Tokens of every text in cl100k_base and in o200k_base."""
    lines = "\n".join(json.dumps(text) for text in texts) + "\n"
    command = ["node", "-e", _COUNTER]
    done = subprocess.run(command, cwd=tokenizer, input=lines, capture_output=True, text=True, check=True)
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


def fit(rows: list[Row], real: list[float], weights: list[float]) -> Row:
    """Coefficients with the least mean relative error: least squares, re-weighted until it is absolute."""
    relative = [tuple(count / tokens for count in row) for row, tokens in zip(rows, real, strict=True)]
    pulls = weights
    solution: Row = ()
    for _ in range(12):
        solution = _least_squares(relative, pulls)
        misses = [abs(sum(map(operator.mul, row, solution)) - 1) for row in relative]
        pulls = [weight / max(miss, 0.01) for weight, miss in zip(weights, misses, strict=True)]
    return solution


def _least_squares(rows: list[Row], weights: list[float]) -> Row:
    """The solution nearest to `row @ solution == 1` for every row, by the normal equations."""
    size = len(rows[0])
    columns = list(zip(*rows, strict=True))
    weighted = [list(map(operator.mul, column, weights)) for column in columns]
    matrix = [[*(sum(map(operator.mul, a, b)) for b in columns), sum(a)] for a in weighted]
    for pivot in range(size):
        matrix[pivot] = [value / matrix[pivot][pivot] for value in matrix[pivot]]
        for other in range(size):
            if other != pivot:
                factor = matrix[other][pivot]
                matrix[other] = [a - factor * b for a, b in zip(matrix[other], matrix[pivot], strict=True)]
    return tuple(row[-1] for row in matrix)


@dataclass(frozen=True, slots=True)
class Sample:
    """A piece of text and what the vocabularies make of it."""

    kind: str
    data: bytes
    tokens: tuple[int, int]
    weight: float
    """Every kind counts the same, however many samples it has; what is not code counts half."""


def collect(trees: Path, tokenizer: Path) -> list[Sample]:
    """All samples of all kinds, counted."""
    texts = [(kind, text) for kind, patterns in KINDS.items() for text in samples(trees, patterns)]
    sizes = Counter(kind for kind, _ in texts)
    real = count_real([text for _, text in texts], tokenizer)
    return [
        Sample(kind, text.encode(), tokens, (1.0 if kind in CODE else 0.5) / sizes[kind])
        for (kind, text), tokens in zip(texts, real, strict=True)
    ]


def judge(counter: Formula, everything: list[Sample]) -> tuple[Row, dict[str, list[float]], float]:
    """Coefficients, errors per kind in tokens per 250 (by a fit on the other kinds), nanoseconds a byte."""
    begin = time.perf_counter()
    rows: list[Row] = [counter(sample.data) for sample in everything]
    cost = (time.perf_counter() - begin) * 1e9 / sum(len(sample.data) for sample in everything)
    real = [fmean(sample.tokens) for sample in everything]
    weights = [sample.weight for sample in everything]
    errors: dict[str, list[float]] = {}
    for kind in KINDS:
        other = [sample.kind != kind for sample in everything]
        solution = fit(list(compress(rows, other)), list(compress(real, other)), list(compress(weights, other)))
        errors[kind] = [
            (sum(map(operator.mul, row, solution)) / tokens - 1) * 250
            for row, tokens, left_in in zip(rows, real, other, strict=True)
            if not left_in
        ]
    return fit(rows, real, weights), errors, cost


def main() -> int:
    """Print each formula's coefficients and cost, then its error for every kind of text."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--trees", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True)
    options = parser.parse_args()
    everything = collect(options.trees, options.tokenizer)
    errors: dict[str, dict[str, list[float]]] = {}
    for name, counter in FORMULAS.items():
        coefficients, errors[name], cost = judge(counter, everything)
        print(f"{name:8}{[round(value, 3) for value in coefficients]}  {cost:.0f} ns a byte")
    print("\nkind        samples  bytes a token    mean absolute error per 250 tokens (bias)")
    print(" " * 20 + "cl100k o200k   " + "".join(f"{name:>16}" for name in errors))
    for kind in KINDS:
        here = [sample for sample in everything if sample.kind == kind]
        solid = sum(now(sample.data)[0] for sample in here)
        first, second = (solid / sum(sample.tokens[column] for sample in here) for column in (0, 1))
        cells = "".join(f"{_mean(e[kind]):8.1f} ({fmean(e[kind]):+5.1f})" for e in errors.values())
        print(f"{kind:12}{len(here):7}  {first:5.2f} {second:5.2f}   {cells}")
    for title, group in (("code", CODE), ("all", tuple(KINDS))):
        means = [fmean(_mean(e[kind]) for kind in group) for e in errors.values()]
        print(f"{title:36}" + "".join(f"{mean:8.1f}        " for mean in means))
    return 0


def _mean(errors: list[float]) -> float:
    return fmean(map(abs, errors))


if __name__ == "__main__":
    sys.exit(main())
