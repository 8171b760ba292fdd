"""The command: fetch, index, ask, score, show."""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.quality.asking import ALL, CONFIGURATIONS, RESULTS
from benchmarks.quality.corpora import to_stderr
from benchmarks.quality.results import Run, read_run, without_foreign_words, write_run
from benchmarks.quality.running import Sources, run
from benchmarks.quality.summary import changes
from benchmarks.quality.tables import change_table, tables
from benchmarks.quality.unseen import Unseen
from rich.console import Console

from lurcher_index import Settings
from lurcher_index.errors import BadSetting


def make_parser() -> argparse.ArgumentParser:
    """The options."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality", description="Retrieval quality.")
    parser.add_argument("--data", type=Path, help="questions answered by files: corpora.json and queries/")
    parser.add_argument("--questions", type=Path, help="questions answered by lines: corpora.json and NAME.json")
    parser.add_argument("--trees", type=Path, required=True, help="folder for the fetched sources")
    parser.add_argument("--question-trees", type=Path, help="another folder for the sources of --questions")
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME", help="corpora to use (default: all)")
    parser.add_argument("--fetch", action="store_true", help="fetch and check the corpora, then leave")
    parser.add_argument("--store", type=Path, help="folder to keep the indexes in (default: none are kept)")
    parser.add_argument(
        "--configurations",
        nargs="+",
        choices=CONFIGURATIONS,
        default=list(CONFIGURATIONS),
        metavar="NAME",
        help=f"of {', '.join(CONFIGURATIONS)} (default: all; {ALL!r} is without the filters)",
    )
    parser.add_argument("--model", default=Settings().model, help="the setting `model` (default: %(default)s)")
    parser.add_argument(
        "--limit", type=int, default=RESULTS, metavar="N", help="results asked for (default: %(default)s)"
    )
    parser.add_argument("--unseen", type=Path, metavar="DIR", help="rankers and maps that have not seen a corpus")
    parser.add_argument("--json", type=Path, help="file for the result of every question")
    parser.add_argument("--results", type=Path, metavar="DIR", help="write result.json and pictures into DIR/DATE")
    parser.add_argument("--against", type=Path, help="result of an earlier run, to compare with")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Do what the options say."""
    parser = make_parser()
    options = parser.parse_args(arguments)
    if options.data is None and options.questions is None:
        parser.error("give --data, --questions or both")
    if options.model == "none":
        parser.error("without a model there is nothing to compare; the configuration `words` does not use it")
    try:
        before = read_run(options.against) if options.against else None
        settings = Settings(model=options.model)
        unseen = Unseen(options.unseen) if options.unseen else None
    except (OSError, ValueError, BadSetting) as error:
        parser.error(str(error))
    trees, question_trees = options.trees.resolve(), (options.question_trees or options.trees).resolve()
    for folder in (trees, question_trees):
        folder.mkdir(parents=True, exist_ok=True)
    only = tuple(options.only)
    sources = Sources(options.data, options.questions, trees, question_trees, only, with_missing=unseen is not None)
    if options.fetch:
        for corpus, questions in sources.read(to_stderr):
            print(f"{corpus.name:22} {len(questions):4} questions")
        return 0
    with _store(options.store) as store:
        chosen = [CONFIGURATIONS[name] for name in options.configurations]
        done = run(sources, chosen, settings, store, to_stderr, unseen, options.limit)
    if not done.questions:
        print("no question can be asked", file=sys.stderr)
        return 1
    _show(done, before)
    if options.json:
        write_run(done, options.json)
    if options.results:
        _keep(done, options.results)
    return 0


def _show(done: Run, before: Run | None) -> None:
    # As wide as the tables are: what is cut off cannot be read, and a pipe has no width.
    console = Console(width=None if sys.stdout.isatty() else 240)
    for table in tables(done):
        console.print(table, "")
    for name, told in done.configurations.items():
        if name.startswith("learned") and told.area is None and any(each.labels == "spans" for each in done.questions):
            console.print(f"{name}: nobody judged answerability, so rules ranked; is the ranker's file there?")
    if before is not None:
        found = changes(done, before)
        compared = max((change.count for change in found), default=0)
        console.print(f"compared with the earlier run: up to {compared} questions; unchanged measures are not shown")
        console.print(change_table(found))


def _keep(done: Run, results: Path) -> None:
    from benchmarks.quality.plots import draw

    folder = results / datetime.now(UTC).strftime("%Y-%m-%d-%H%M%S")
    folder.mkdir(parents=True)
    write_run(without_foreign_words(done), folder / "result.json")
    draw(done, folder)
    print(f"kept in {folder}")


@contextmanager
def _store(folder: Path | None) -> Iterator[Path]:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="lurcher-quality-") as temporary:
        yield Path(temporary)


if __name__ == "__main__":
    sys.exit(main())
