"""Names with very many definitions: few of them are made, and the answers are those of all of them."""

import random
from pathlib import Path

import pytest
from tests.graph.trees import engine_over, write

from lurcher_index.graph import finding, namesakes
from lurcher_index.graph.files import GraphFile
from lurcher_index.graph.graph import Graph
from lurcher_index.graph.reading import GraphFiles
from lurcher_index.graph.values import Uses
from lurcher_index.store.catalog import StoredFile
from lurcher_index.view import View

PACKAGES = 12
NAMES = ("String", "close", "helper")


def _tree() -> dict[str, str]:
    """Packages that define the same names as methods, functions, types and variables, and call each other's."""
    chosen = random.Random(3)
    files: dict[str, str] = {}
    for number in range(PACKAGES):
        own, other = str(number), str(chosen.randrange(PACKAGES))
        for path, text in _PACKAGE.items():
            files[path.replace("A", own)] = text.replace("A", own).replace("B", other)
    return files


_PACKAGE = {
    "pA/type.go": """package pA

import "example.com/pB"

type tA struct { other *pB.tB }

func (t *tA) String() string { return t.other.String() + pB.String() }

func (t *tA) close() { t.other.close(); helper(); unknown.close() }
""",
    "pA/more.go": """package pA

func String() string { return tA{}.String() }

func helper() { var t tA; t.close(); String() }

type u struct {}

func (x u) String() string { return helper() }

func (x u) close() { for _, y := range xs { y.String() } }
""",
    "web/mA.js": """import { helper } from "./mB.js";
export const String = () => helper();
export class close { constructor() { this.helper(); } helper() { String(); new close(); } }
export function helper() { return unknown.helper(); }
""",
    "lib/mA.py": """from lib.mB import helper, close

class close:
    def __init__(self):
        self.String()

    def String(self):
        helper()
        close()
        thing.String()
""",
}


def _answers(view: View) -> dict[tuple[str, str], Uses]:
    graph = Graph(view)
    names = (*NAMES, "close.String", "t1.close", "p1/type.go:t1.String", "nothing")
    return {
        **{("callers", name): graph.callers(name, 500, least=0.0, thorough=True) for name in names},
        **{("near", name): graph.callers(name) for name in names},
        **{("references", name): graph.references(name, 500) for name in names},
        **{("callees", name): graph.callees(name, 500) for name in names},
    }


def test_few_are_made_and_the_answers_are_those_of_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with engine_over(write(tmp_path, _tree())) as engine:
        view = engine.graph().files.view
        answers = _answers(view)
        assert answers["callers", "String"].target_count > finding.LOOKED_AT
        assert answers["callers", "String"].total > PACKAGES
        # All are made, and looked at one by one.
        monkeypatch.setattr(finding, "LOOKED_AT", 10_000)
        monkeypatch.setattr(namesakes, "FEW", 10_000)
        assert _answers(view) == answers
        # All are chosen by their numbers.
        monkeypatch.setattr(finding, "LOOKED_AT", 0)
        monkeypatch.setattr(namesakes, "FEW", -1)
        assert _answers(view) == answers


def test_a_question_about_a_common_name_makes_few_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {f"p{number}/a.go": f"package p{number}\n\nfunc Common() {{}}\n" for number in range(200)}
    files["use/b.go"] = 'package use\n\nimport "example.com/p7"\n\nfunc run() { p7.Common() }\n'
    made: list[str] = []
    make = GraphFiles.file_of

    def counted(self: GraphFiles, stored: StoredFile) -> GraphFile:
        made.append(stored[2])
        return make(self, stored)

    monkeypatch.setattr(GraphFiles, "file_of", counted)
    with engine_over(write(tmp_path, files)) as engine:
        uses = engine.graph().callers("Common")
    assert uses.target_count == 200
    assert [(use.source.id, use.target and use.target.id) for use in uses.uses] == [("use/b.go:run", "p7/a.go:Common")]
    assert len(set(made)) < 30
