"""`python -m training.ranker --questions DIR --question-trees DIR [--earlier DIR] [--data DIR --trees DIR] --work DIR`.

Trains the ranker from our own questions, which lines or files answer, from described definitions of the same sources
and, if its labels are there, from the field's benchmark; writes `ranker.json` and its card into the package.
"""

import argparse
import random
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from lurcher_index.dense.static.embedder import StaticEmbedder
from lurcher_index.dense.static.modelfile import read_model
from training.ranker.card import card
from training.ranker.collect import Group, collect
from training.ranker.described import described_tree
from training.ranker.heads import Lessons
from training.ranker.labels import FOREIGN, Labelled, Tree, asked_in, benchmark_trees, filed_trees, own_trees
from training.ranker.release import release

PACKAGE = Path(__file__).resolve().parents[2] / "index" / "lurcher_index"
FOREIGN_QUESTIONS = 5
"""Questions about other projects that are asked of each tree, to learn what no answer looks like."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Collect, learn, write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--questions", type=Path, required=True, help="our questions")
    parser.add_argument("--question-trees", type=Path, required=True, help="folder for their sources")
    parser.add_argument("--earlier", type=Path, help="our questions as they were: scored apart from what came since")
    parser.add_argument("--data", type=Path, help="labels of the field's benchmark")
    parser.add_argument("--trees", type=Path, help="folder for its sources")
    parser.add_argument("--work", type=Path, required=True, help="folder for indexes and copies")
    parser.add_argument("--model", type=Path, help="embedding model (default: the one in the package)")
    parser.add_argument("--out", type=Path, default=PACKAGE / "ranking", help="folder for the ranker and its card")
    options = parser.parse_args(arguments)
    model = options.model or next((PACKAGE / "dense" / "static").glob("*.safetensors"))
    embedder = StaticEmbedder(read_model(model))
    own = list(own_trees(options.questions, options.question_trees))
    benchmark = list(benchmark_trees(options.data, options.trees)) if options.data else []
    asked = [(tree.name, question) for tree in (*own, *benchmark) for question in tree.questions if question.targets]

    def collected(trees: Sequence[Tree], kind: str) -> list[Group]:
        groups: list[Group] = []
        for tree in trees:
            foreign = _foreign(tree, asked) if kind != "described" else ()
            groups += collect(tree, embedder, options.work / kind / tree.name, foreign)
            print(f"{kind} {tree.name}: {len(tree.questions)} questions", file=sys.stderr)
        return groups

    every = [*collected(benchmark, "benchmark"), *collected(own, "own")]
    # Of each tree the index is there by now, and questions of others were asked.
    filed = list(filed_trees(options.questions, options.question_trees))
    described = [described_tree(tree, options.work / "copies" / tree.name) for tree in (*benchmark, *own)]
    lessons = Lessons(
        [group for group in every if group.targets and not group.exact],
        [group for group in every if group.targets and group.exact],
        collected(described, "described"),
        [group for tree in filed for group in collect(tree, embedder, options.work / "own" / tree.name)],
    )
    earlier = asked_in(options.earlier) if options.earlier else frozenset[tuple[str, str]]()
    released = release(lessons, [group for group in every if not group.targets], embedder.name, earlier)
    (options.out / "ranker.json").write_bytes(msgspec.json.format(msgspec.json.encode(released.data), indent=0))
    (options.out / "RANKER_CARD.md").write_text(card(released, lessons), encoding="utf-8")
    print(msgspec.json.encode(released.scores).decode())
    return 0


def _foreign(tree: Tree, asked: Sequence[tuple[str, Labelled]]) -> tuple[Labelled, ...]:
    others = [question for name, question in asked if name != tree.name]
    draw = random.Random(tree.name)
    chosen = draw.sample(others, min(FOREIGN_QUESTIONS, len(others)))
    return tuple(Labelled(question.text, FOREIGN, (), question.exact) for question in chosen)


if __name__ == "__main__":
    sys.exit(main())
