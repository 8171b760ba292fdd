"""`python -m training.ranker --questions DIR --question-trees DIR [--earlier DIR] [--data DIR --trees DIR] --work DIR`.

Trains the ranker from our own questions, which lines or files answer, from described definitions of the same sources
and, if its labels are there, from the field's benchmark; writes `ranker.json` and its card into the package. First it
learns from the same questions what the embedding model turns them by, and in the end writes the model anew.
"""

import argparse
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

import msgspec

from lurcher_index.dense.static.modelfile import read_model, write_model
from lurcher_index.judging import shipped_evidence
from training.export import Release
from training.query_map import Floats
from training.ranker.card import card
from training.ranker.collect import Group
from training.ranker.crew import Crew, Task
from training.ranker.heads import Lessons
from training.ranker.labels import FOREIGN, Labelled, Tree, asked_in, benchmark_trees, filed_trees, own_trees
from training.ranker.release import release
from training.ranker.turning import turn
from training.ranker.unseen import keep_unseen

PACKAGE = Path(__file__).resolve().parents[2] / "index" / "lurcher_index"
STATIC = PACKAGE / "dense" / "static"
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
    parser.add_argument("--model-name", help="of the model that is written: another one if other questions teach it")
    parser.add_argument("--processes", type=int, default=2, help="trees that are indexed and asked at the same time")
    parser.add_argument("--out", type=Path, help="folder for model, ranker and cards (default: the package)")
    parser.add_argument("--unseen", type=Path, help="folder for rankers without a fold each, to ask the product with")
    options = parser.parse_args(arguments)
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)  # Now, and not after minutes of learning.
    path = options.model or next(STATIC.glob("*.safetensors"))
    model = read_model(path)
    # Vectors are kept by the model's name, and while one is made several tables have the same.
    work = options.work / sha256(model.table.tobytes() + model.query_weights.tobytes()).hexdigest()[:12]
    own = list(own_trees(options.questions, options.question_trees))
    filed = list(filed_trees(options.questions, options.question_trees))
    benchmark = list(benchmark_trees(options.data, options.trees)) if options.data else []
    with Crew(path, options.processes) as crew:
        in_files = {tree.name: tree.questions for tree in filed}
        asked = crew.look_up(
            [
                (tree, (*tree.questions, *in_files.get(tree.name, ())), work / kind / tree.name)
                for kind, trees in (("benchmark", benchmark), ("own", own))
                for tree in trees
            ]
        )
        turned = turn(model, asked, options.model_name or model.facts.name)
        tasks = list(_tasks(benchmark, own, filed, turned.maps, work))
        collected: dict[str, list[Group]] = {kind: [] for kind, _ in tasks}
        for (kind, task), groups in zip(tasks, crew.collect([task for _, task in tasks]), strict=True):
            collected[kind] += groups
            print(f"{kind} {task.tree.name}: {len(groups)} questions", file=sys.stderr)
    every = [*collected.get("benchmark", ()), *collected["own"]]
    lessons = Lessons(
        [group for group in every if group.targets and not group.exact],
        [group for group in every if group.targets and group.exact],
        collected["described"],
        collected.get("filed", []),
    )
    earlier = asked_in(options.earlier) if options.earlier else frozenset[tuple[str, str]]()
    unanswered = [group for group in every if not group.targets]
    evidence = shipped_evidence()
    if evidence.model != turned.model.facts.name:
        print(
            f"{evidence.name} is for {evidence.model}: it tells nothing; run training.evidence first", file=sys.stderr
        )
    name = turned.model.facts.name
    released = release(lessons, unanswered, name, evidence.name, earlier, with_unseen=options.unseen is not None)
    if options.unseen:
        keep_unseen(options.unseen, released.unseen, turned.maps)
    ranking, static = (options.out, options.out) if options.out else (PACKAGE / "ranking", STATIC)
    Release(turned.model, write_model(turned.model), static).write()
    (ranking / "ranker.json").write_bytes(msgspec.json.format(msgspec.json.encode(released.data), indent=0))
    (ranking / "RANKER_CARD.md").write_text(card(released, lessons), encoding="utf-8")
    print(msgspec.json.encode(released.scores).decode())
    return 0


def _tasks(
    benchmark: Sequence[Tree], own: Sequence[Tree], filed: Sequence[Tree], maps: Mapping[str, Floats], work: Path
) -> Iterator[tuple[str, Task]]:
    """Everything that is asked, by kind. What files answer is asked of indexes that are there by then."""
    asked = [(tree.name, question) for tree in (*own, *benchmark) for question in tree.questions if question.targets]
    for kind, trees in (("benchmark", benchmark), ("own", own)):
        for tree in trees:
            yield kind, Task(tree, maps[tree.name], work / kind / tree.name, _foreign(tree, asked))
    for tree in filed:
        yield "filed", Task(tree, maps[tree.name], work / "own" / tree.name)
    for tree in (*benchmark, *own):
        store, copy = work / "described" / tree.name, work / "copies" / tree.name
        yield "described", Task(tree, maps[tree.name], store, copy=copy)


def _foreign(tree: Tree, asked: Sequence[tuple[str, Labelled]]) -> tuple[Labelled, ...]:
    others = [question for name, question in asked if name != tree.name]
    draw = random.Random(tree.name)
    chosen = draw.sample(others, min(FOREIGN_QUESTIONS, len(others)))
    return tuple(Labelled(question.text, FOREIGN, (), question.exact) for question in chosen)


if __name__ == "__main__":
    sys.exit(main())
