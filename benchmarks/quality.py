"""Retrieval quality on labelled queries: `python benchmarks/quality.py --data DIR --trees DIR`.

`--data` holds `corpora.json` (where each repository's sources come from) and `queries/NAME.json` (questions
with the files that answer them); neither is part of this repository. The sources are fetched from package
registries into `--trees` and indexed; every question is searched, and NDCG@10 is printed: over all questions,
per category, per language and per repository. `--json FILE` keeps the score of every question, and
`--against FILE` compares with such a file by a paired bootstrap over the questions.
"""

import argparse
import asyncio
import json
import math
import random
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.registries import FetchError, fetch, unpack

if TYPE_CHECKING:
    from lurcher_index import Hit
    from lurcher_index.answers import AnswerChunk

DEPTH = 10
"""Ranks that count in NDCG@10."""

RESULTS = 50
"""Results asked for: more than count, so that the engine ranks as for a chat, not for a short list."""

RESAMPLES = 10_000
"""Bootstrap samples of a comparison."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """A repository: what it is, and where in the fetched tree the part to index lies."""

    name: str
    language: str
    repository: Path
    root: Path


@dataclass(frozen=True, slots=True)
class Target:
    """A file that answers a question, or some of its lines; `last` 0 is the whole file."""

    path: str
    first: int = 0
    last: int = 0

    def holds(self, path: str, first: int, last: int) -> bool:
        """Whether a chunk is an answer: the same file (either path may start deeper), touching lines."""
        same = path == self.path or path.endswith("/" + self.path) or self.path.endswith("/" + path)
        return same and (not self.last or (first <= self.last and last >= self.first))


@dataclass(frozen=True, slots=True)
class Question:
    """A labelled query."""

    corpus: str
    language: str
    category: str
    text: str
    targets: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """What one question came to."""

    question: Question
    ndcg: float
    seconds: float


def ndcg(targets: Iterable[Target], chunks: list[tuple[str, int, int]]) -> float:
    """NDCG@10 with every target relevant alike; a target counts at its first chunk, a rank counts once."""
    targets = list(targets)
    ranks = set()
    for target in targets:
        rank = next((rank for rank, chunk in enumerate(chunks[:DEPTH], 1) if target.holds(*chunk)), 0)
        ranks.add(rank)
    gained = sum(1 / math.log2(rank + 1) for rank in ranks if rank)
    return gained / sum(1 / math.log2(rank + 1) for rank in range(1, min(DEPTH, len(targets)) + 1))


def fetch_corpora(data: Path, trees: Path, only: list[str]) -> Iterator[Corpus]:
    """The corpora, fetched unless they are there; one that cannot be had is reported and left out."""
    for entry in json.loads((data / "corpora.json").read_text(encoding="utf-8")):
        name = entry["name"]
        if only and name not in only:
            continue
        repository = trees / name
        if not repository.exists():
            partial = trees / f".{name}.partial"
            try:
                archives = fetch(entry["registry"], entry["package"], entry["version"], trees / ".downloads")
                unpack(archives, entry["packagePrefix"], partial / entry["repositoryPrefix"])
            except FetchError as error:
                print(f"{name}: left out: {error}", file=sys.stderr)
                continue
            partial.rename(repository)
        root = repository / entry["indexRoot"]
        if not root.is_dir():
            print(f"{name}: left out: no folder {entry['indexRoot']!r} in it", file=sys.stderr)
            continue
        yield Corpus(name, entry["language"], repository, root)


def read_questions(data: Path, corpus: Corpus) -> tuple[list[Question], int, int]:
    """The questions that can be answered, and how many targets and whole questions were left out."""
    files = [path.relative_to(corpus.repository).as_posix() for path in corpus.root.rglob("*") if path.is_file()]
    questions: list[Question] = []
    missing = unanswerable = 0
    for entry in json.loads((data / "queries" / f"{corpus.name}.json").read_text(encoding="utf-8")):
        named = [_target(target) for target in (*entry["relevant"], *entry["secondary"])]
        targets = tuple(t for t in named if any(Target(t.path).holds(file, 1, 1) for file in files))
        missing += len(named) - len(targets)
        if targets:
            questions.append(Question(corpus.name, corpus.language, entry["category"], entry["query"], targets))
        else:
            unanswerable += 1
    return questions, missing, unanswerable


def _target(value: str | dict[str, Any]) -> Target:
    if isinstance(value, str):
        return Target(value)
    return Target(value["path"], int(value["start_line"]), int(value["end_line"]))


def run_corpus(corpus: Corpus, questions: list[Question], store: Path, by_words: bool) -> list[Score]:
    """Index one corpus and ask its questions, as the language server does or by words alone."""
    from lurcher_index import Engine
    from lurcher_index.asking import Ask

    inside = corpus.root.relative_to(corpus.repository)
    scores = []
    with Engine.open([corpus.root], store=store) as engine:
        engine.build_all()
        for question in questions:
            begin = time.perf_counter()
            found: Sequence[Hit | AnswerChunk]
            if by_words:
                found = engine.search(question.text, max_results=RESULTS).hits
            else:
                found = asyncio.run(engine.ask(Ask(text=question.text, max_results=RESULTS))).chunks
            seconds = time.perf_counter() - begin
            chunks = [((inside / hit.path).as_posix(), hit.first_line, hit.last_line) for hit in found]
            scores.append(Score(question, ndcg(question.targets, chunks), seconds))
    return scores


def report(scores: list[Score]) -> Iterator[str]:
    """The lines of the report."""
    yield f"NDCG@{DEPTH} {fmean(score.ndcg for score in scores):.4f} over {len(scores)} questions"
    yield f"search p50 {median(score.seconds for score in scores) * 1000:.1f} ms"
    for title in ("category", "language", "corpus"):
        groups: dict[str, list[float]] = defaultdict(list)
        for score in scores:
            groups[getattr(score.question, title)].append(score.ndcg)
        yield f"\nper {title}"
        for name, values in sorted(groups.items(), key=lambda item: -fmean(item[1])):
            yield f"  {name:18} {fmean(values):.3f}  ({len(values)})"


def compare(scores: list[Score], before: list[dict[str, Any]]) -> str:
    """The mean difference to an earlier run with its 95 % interval; only questions of both runs count."""
    earlier = {(row["corpus"], row["query"]): float(row["ndcg"]) for row in before}
    pairs = [(score.question.corpus, score.question.text) for score in scores]
    changes = [s.ndcg - earlier[pair] for s, pair in zip(scores, pairs, strict=True) if pair in earlier]
    if not changes:
        return "nothing to compare: no question is in both runs"
    draw = random.Random(7)
    means = sorted(fmean(draw.choices(changes, k=len(changes))) for _ in range(RESAMPLES))
    low, high = means[int(RESAMPLES * 0.025)], means[int(RESAMPLES * 0.975)]
    better, worse = sum(change > 0 for change in changes), sum(change < 0 for change in changes)
    return (
        f"against the earlier run: {fmean(changes):+.4f} (95 % {low:+.4f} to {high:+.4f}), "
        f"{better} better, {worse} worse of {len(changes)}"
    )


@contextmanager
def _stores(folder: Path | None) -> Iterator[Path]:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="lurcher-quality-") as temporary:
        yield Path(temporary)


def main() -> int:
    """Fetch, index, ask, score, report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with corpora.json and queries/")
    parser.add_argument("--trees", type=Path, required=True, help="folder for the fetched sources")
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME", help="corpora to use (default: all)")
    parser.add_argument("--fetch", action="store_true", help="fetch and check the corpora, then leave")
    parser.add_argument("--store", type=Path, help="folder to keep the indexes in (default: none are kept)")
    parser.add_argument("--words", action="store_true", help="search by words alone, without the race")
    parser.add_argument("--json", type=Path, help="file for the score of every question")
    parser.add_argument("--against", type=Path, help="such a file of an earlier run, to compare with")
    options = parser.parse_args()
    options.trees.mkdir(parents=True, exist_ok=True)
    scores: list[Score] = []
    missing = unanswerable = 0
    with _stores(options.store) as stores:
        for corpus in fetch_corpora(options.data, options.trees.resolve(), options.only):
            questions, no_target, no_answer = read_questions(options.data, corpus)
            missing += no_target
            unanswerable += no_answer
            if options.fetch:
                print(f"{corpus.name:18} {len(questions):4} questions, {no_target} targets missing")
                continue
            begin = time.perf_counter()
            found = run_corpus(corpus, questions, stores / corpus.name, options.words)
            mean = fmean(score.ndcg for score in found) if found else math.nan
            print(f"{corpus.name:18} {mean:.3f}  {time.perf_counter() - begin:5.1f} s", file=sys.stderr)
            scores += found
    print(f"left out because the fetched version lacks the file: {missing} targets, {unanswerable} questions")
    if not scores:
        return 0
    print("\n".join(report(scores)))
    if options.json:
        rows = [
            {
                "corpus": s.question.corpus,
                "category": s.question.category,
                "query": s.question.text,
                "ndcg": s.ndcg,
            }
            for s in scores
        ]
        options.json.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    if options.against:
        print(compare(scores, json.loads(options.against.read_text(encoding="utf-8"))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
