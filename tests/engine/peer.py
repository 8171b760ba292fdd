"""The program behind `trees.Peer`: an engine that takes its orders as lines of JSON."""

import json
import sys
import traceback
from collections.abc import Callable
from typing import Any

from lurcher_index import Engine, Settings


def main() -> None:
    folder, store, settings = sys.argv[1:4]
    with Engine.open([folder], store=store, settings=Settings.from_dict(json.loads(settings))) as engine:
        _say({"answer": "open"})
        for line in sys.stdin:
            verb, *arguments = json.loads(line)
            try:
                _say({"answer": _VERBS[verb](engine, *arguments)})
            except Exception:  # noqa: BLE001 - the test that asked shows it
                _say({"error": traceback.format_exc()})


def _build(engine: Engine, halt_at: str = "") -> dict[str, Any]:
    """Build; at its first step into one phase say so and go on with the next line, whatever that holds."""
    phases: list[str] = []
    read = 0

    def report(progress: Any) -> None:
        nonlocal read
        read = progress.done
        if progress.phase.name not in phases:
            phases.append(progress.phase.name)
            if progress.phase.name == halt_at:
                _say({"answer": halt_at})
                sys.stdin.readline()

    complete = engine.build(report)
    return {"complete": complete, "phases": phases, "read": read}


def _search(engine: Engine, query: str) -> dict[str, Any]:
    result = engine.search(query, max_results=1_000)
    hits = [[hit.path, hit.text] for hit in result.hits]
    return {"hits": hits, "outcome": result.outcome.value, "pending": result.pending, "alerts": list(result.alerts)}


def _updates(engine: Engine, paths: list[str], step: int) -> None:
    for at in range(0, len(paths), step):
        engine.update(paths[at : at + step])


def _alerts(engine: Engine) -> list[str]:
    return list(engine.status().alerts)


_VERBS: dict[str, Callable[..., Any]] = {
    "build": _build,
    "search": _search,
    "update": lambda engine, paths: engine.update(paths) and None,
    "updates": _updates,
    "fold": lambda engine: engine.workspace.fold(),
    "delta": lambda engine: len(engine.workspace.snapshot().delta.hidden()),
    "alerts": _alerts,
    "store": lambda engine: engine.status().store,
}


def _say(message: object) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
