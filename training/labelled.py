"""Labelled questions over whole corpora, with every chunk cut as the engine cuts it.

`python -m training.labelled --data DIR --trees DIR WORK` (see `benchmarks/quality/` for the two folders) writes the
chunks of each corpus to `labelled/`, once; any table is then measured within seconds.
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

from benchmarks.quality import Corpus, Question, Target, fetch_corpora, read_questions
from benchmarks.quality.scoring import DEPTH, Place, ndcg

from lurcher_index.dense.static.paths import path_words
from lurcher_index.dense.static.pooling import Bags, bags
from lurcher_index.dense.static.tokens import Tokens
from training.measure import embedded_queries, embedded_texts, unit
from training.network import Floats, Parameters

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
                lines = counted.corpus.lines
                scores.raw.append(ndcg(targets, [Place(*lines[at]) for at in order[:DEPTH]]))
                scores.by_file.append(ndcg(targets, _best_of_files(lines, order)))
                scores.categories.append(asked.category)
                scores.languages.append(counted.corpus.language)
        return scores

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


def cut(corpus: Corpus, questions: Sequence[Question]) -> Labelled:
    """The chunks of a corpus as the engine makes and embeds them."""
    from lurcher_index import Engine
    from lurcher_index.dense.embedding_pass import document_text
    from lurcher_index.engine import MEMORY

    inside = corpus.root.relative_to(corpus.repository)
    lines: list[Line] = []
    texts: list[str] = []
    with Engine.open([corpus.root], store=MEMORY) as engine:
        engine.build()
        catalog = engine.workspace.catalog
        rows = [row for row in catalog.all_files() if row.content_id is not None]
        contents = catalog.contents(row.content_id for row in rows if row.content_id is not None)
        for row in rows:
            data = (corpus.root / row.path).read_bytes()
            for chunk in contents[row.content_id or 0].outline.chunks:
                lines.append(((inside / row.path).as_posix(), chunk.first_line, chunk.last_line))
                texts.append(document_text(row.path, data[chunk.start : chunk.end]))
    asked = [Asked(q.category, q.text, [(t.path, t.first, t.last) for t in q.targets]) for q in questions]
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


def main() -> None:
    """Cut all corpora that can be had."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--trees", type=Path, required=True)
    parser.add_argument("work", type=Path)
    options = parser.parse_args()
    folder = options.work / "labelled"
    folder.mkdir(parents=True, exist_ok=True)
    for corpus in fetch_corpora(options.data, options.trees.resolve(), []):
        questions, _, _ = read_questions(options.data, corpus)
        labelled = cut(corpus, questions)
        (folder / f"{corpus.name}.json").write_bytes(msgspec.json.encode(labelled))
        print(f"{corpus.name}: {len(labelled.texts):,} chunks, {len(questions)} questions", flush=True)


if __name__ == "__main__":
    main()
