"""Labelled questions over whole corpora, with every chunk cut as the engine cuts it.

`python -m training.labelled WORK --questions DIR --question-trees DIR [--data DIR --trees DIR]` (see
`benchmarks/quality` for the folders) writes the chunks of each corpus, once; any table is then measured within seconds.
Our own questions go to `asked/`, those of the field's benchmark to `labelled/`; `judged.txt` lists the folders that are
asked about, of which nothing may be learned.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import msgspec
import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.quality import Corpus, Target, fetch_corpora, read_questions, read_span_questions
from benchmarks.quality.labels import Span
from benchmarks.quality.scoring import DEPTH, Place, ndcg

from lurcher_index.dense.static.paths import path_words
from lurcher_index.dense.static.pooling import Bags, bags
from lurcher_index.dense.static.tokens import Tokens
from training.measure import embedded_queries, embedded_texts, unit
from training.network import Floats, Parameters
from training.ranker.labels import PATIENT

Line = tuple[str, int, int]
"""Path and lines of a chunk."""


class Asked(msgspec.Struct, frozen=True):
    """One labelled question."""

    category: str
    text: str
    targets: list[tuple[str, int, int]]


class Labelled(msgspec.Struct, frozen=True):
    """One corpus with its questions."""

    name: str
    language: str
    lines: list[Line]
    texts: list[str]
    questions: list[Asked]


@dataclass(frozen=True)
class Scores:
    """NDCG@10 of every question: over chunks as they are ranked, and over the best chunk of each file."""

    raw: list[float]
    by_file: list[float]
    categories: list[str]
    languages: list[str]

    def line(self) -> str:
        """All in one line."""
        groups = " ".join(f"{name} {value:.3f}" for name, value in self.groups(self.categories).items())
        return f"NDCG@10 {fmean(self.raw):.4f}, best chunk of a file {fmean(self.by_file):.4f} ({groups})"

    def groups(self, names: Sequence[str]) -> dict[str, float]:
        """The mean raw score of each group of questions."""
        found: dict[str, list[float]] = defaultdict(list)
        for name, score in zip(names, self.raw, strict=True):
            found[name].append(score)
        return {name: fmean(scores) for name, scores in sorted(found.items())}


@dataclass(frozen=True)
class Hits:
    """For every question the place of the first chunk that is one of its spans, from 1; 0 if there is no such chunk."""

    ranks: list[int]
    categories: list[str]

    def line(self) -> str:
        """All in one line."""
        groups = " ".join(f"{name} {found['in_five']:.3f}" for name, found in self.groups().items())
        found = self.figures()
        return (
            f"right chunk in five {found['in_five']:.4f}, in ten {found['in_ten']:.4f},"
            f" reciprocal rank {found['mrr']:.4f} ({groups})"
        )

    def figures(self, category: str = "") -> dict[str, float]:
        """Share found among five and ten and mean reciprocal rank, of all questions or of those of a category."""
        ranks = [rank for rank, of in zip(self.ranks, self.categories, strict=True) if category in ("", of)]
        return {
            "in_five": fmean(0 < rank <= 5 for rank in ranks),
            "in_ten": fmean(0 < rank <= 10 for rank in ranks),
            "mrr": fmean(1 / rank if rank else 0.0 for rank in ranks),
            "questions": len(ranks),
        }

    def groups(self) -> dict[str, dict[str, float]]:
        """The figures of each category."""
        return {category: self.figures(category) for category in sorted(set(self.categories))}


@dataclass(frozen=True)
class _Counted:
    corpus: Labelled
    contents: sp.csr_array
    paths: sp.csr_array
    queries: sp.csr_array
    targets: list[list[Target]]


class Questions:
    """All corpora as word numbers of one vocabulary."""

    def __init__(self, corpora: Sequence[Labelled], vocabulary: Sequence[str]) -> None:
        tokens = Tokens(vocabulary)
        self._counted = [_counted(corpus, tokens, len(vocabulary)) for corpus in corpora]

    def score(self, parameters: Parameters, path_weight: float) -> Scores:
        """Rank all chunks of its corpus for every question."""
        scores = Scores([], [], [], [])
        for counted, cosines in self.cosines(parameters, path_weight):
            for asked, targets, row in zip(counted.corpus.questions, counted.targets, cosines, strict=True):
                order = np.argsort(-row, kind="stable")
                ranked = [Place(*counted.corpus.lines[at]) for at in order[:DEPTH]]
                scores.raw.append(ndcg(targets, ranked))
                scores.by_file.append(ndcg(targets, _best_of_files(counted.corpus.lines, order)))
                scores.categories.append(asked.category)
                scores.languages.append(counted.corpus.language)
        return scores

    def hits(self, parameters: Parameters, path_weight: float) -> Hits:
        """Where the first right chunk stands, if the targets are spans."""
        hits = Hits([], [])
        for counted, cosines in self.cosines(parameters, path_weight):
            for asked, row in zip(counted.corpus.questions, cosines, strict=True):
                spans = [Span(*target) for target in asked.targets]
                right = [at for at, line in enumerate(counted.corpus.lines) if any(s.is_hit(*line) for s in spans)]
                hits.ranks.append(1 + int((row > row[right].max()).sum()) if right else 0)
                hits.categories.append(asked.category)
        return hits

    def cosines(self, parameters: Parameters, path_weight: float) -> Iterator[tuple[_Counted, Floats]]:
        """For every corpus the similarity of each question to each chunk."""
        for counted in self._counted:
            contents = embedded_texts(counted.contents, parameters)
            paths = embedded_texts(counted.paths, parameters)
            chunks = unit(contents + path_weight * paths)
            yield counted, embedded_queries(counted.queries, parameters) @ chunks.T


def read_labelled(folder: Path, vocabulary: Sequence[str]) -> Questions:
    """The corpora written before."""
    files = sorted(folder.glob("*.json"))
    return Questions([msgspec.json.decode(file.read_bytes(), type=Labelled) for file in files], vocabulary)


def cut(corpus: Corpus, asked: list[Asked]) -> Labelled:
    """The chunks of a corpus as the engine makes and embeds them."""
    from lurcher_index import Engine
    from lurcher_index.dense.embedding_pass import document_text
    from lurcher_index.engine import MEMORY

    inside = corpus.root.relative_to(corpus.repository)
    lines: list[Line] = []
    texts: list[str] = []
    with Engine.open([corpus.root], store=MEMORY, settings=PATIENT) as engine:
        engine.build()
        catalog = engine.workspace.catalog
        rows = [row for row in catalog.all_files() if row.content_id is not None]
        contents = catalog.contents(row.content_id for row in rows if row.content_id is not None)
        for row in rows:
            data = (corpus.root / row.path).read_bytes()
            for chunk in contents[row.content_id or 0].outline.chunks:
                lines.append(((inside / row.path).as_posix(), chunk.first_line, chunk.last_line))
                texts.append(document_text(row.path, data[chunk.start : chunk.end]))
    return Labelled(corpus.name, corpus.language, lines, texts, asked)


def _counted(corpus: Labelled, tokens: Tokens, size: int) -> _Counted:
    cut_texts = [text.encode("utf-8", "replace").partition(b"\n") for text in corpus.texts]
    contents = bags([tokens.packed(content) for _, _, content in cut_texts])
    paths = bags([tokens.packed(path_words(path)) for path, _, _ in cut_texts])
    queries = bags([tokens.packed(asked.text.encode()) for asked in corpus.questions])
    targets = [[Target(*target) for target in asked.targets] for asked in corpus.questions]
    return _Counted(corpus, _matrix(contents, size), _matrix(paths, size), _matrix(queries, size), targets)


def _matrix(found: Bags, size: int) -> sp.csr_array:
    roots = np.sqrt(found.counts, dtype=np.float32)
    starts = np.concatenate([[0], found.ends])
    return sp.csr_array((roots, found.words, starts), (len(found.ends), size))


def _best_of_files(lines: Sequence[Line], order: NDArray[np.int64]) -> list[Place]:
    best: dict[str, Place] = {}
    for at in order:
        best.setdefault(lines[at][0], Place(*lines[at]))
        if len(best) == DEPTH:
            break
    return list(best.values())


def asked_of_files(data: Path, corpus: Corpus) -> list[Asked]:
    """The benchmark's questions about a corpus, which files answer."""
    questions, _, _ = read_questions(data, corpus)
    return [Asked(q.category, q.text, [(t.path, t.first, t.last) for t in q.targets]) for q in questions]


def asked_of_spans(data: Path, corpus: Corpus) -> list[Asked]:
    """Our own questions about a corpus that spans of lines answer; those without an answer have no rank."""
    return [
        Asked(q.category, q.text, [(s.path, s.first_line, s.last_line) for s in (*q.answers, *q.alternatives)])
        for q in read_span_questions(data, corpus)
        if q.answers
    ]


def main() -> None:
    """Cut all corpora that can be had."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("work", type=Path)
    parser.add_argument("--questions", type=Path, help="our questions")
    parser.add_argument("--question-trees", type=Path, help="folder for their sources")
    parser.add_argument("--data", type=Path, help="labels of the field's benchmark")
    parser.add_argument("--trees", type=Path, help="folder for its sources")
    options = parser.parse_args()
    judged: list[Path] = []
    for name, data, trees, read in (
        ("asked", options.questions, options.question_trees, asked_of_spans),
        ("labelled", options.data, options.trees, asked_of_files),
    ):
        if data is None or trees is None:
            continue
        folder = options.work / name
        folder.mkdir(parents=True, exist_ok=True)
        for corpus in fetch_corpora(data, trees.resolve(), []):
            # Not the repository: questions about ExUnit are no reason to leave out all of Elixir.
            judged.append(corpus.root)
            labelled = cut(corpus, read(data, corpus))
            (folder / f"{corpus.name}.json").write_bytes(msgspec.json.encode(labelled))
            print(f"{corpus.name}: {len(labelled.texts):,} chunks, {len(labelled.questions)} questions", flush=True)
    (options.work / "judged.txt").write_text("".join(f"{folder}\n" for folder in judged), encoding="utf-8")


if __name__ == "__main__":
    main()
