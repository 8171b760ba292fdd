"""What a search answers: filters, order, text as it is on disk, secrets, several folders, outcomes."""

import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.engine.trees import contents, plant

from lurcher_index import Engine, Hit, Outcome, Settings
from lurcher_index.words.weights import PART_SCORE

TREE = {
    "src/db/pool.py": "def connect(): return anchor\n",
    "src/db_utils/pool.py": "def connect(): return anchor\n\n",
    "src/web/app.ts": "function connect() { return anchor }\n",
    "src/web/app.test.ts": "function connect() { return anchor + 1 }\n",
    "lib/a1.rb": "def anchor; end\n",
    "lib/b2.rb": "def anchor; 1 end\n",
    "docs/größe.md": "# anchor\n",
    "docs/new\nline.md": "# anchor two\n",
    "docs/[odd]{x}.md": "# anchor three\n",
    "README": "anchor\n",
}


@pytest.fixture(scope="module")
def filtered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """The same files half in the postings and half in memory."""
    top = tmp_path_factory.mktemp("filters")
    with Engine.open([plant(top / "tree", dict(list(TREE.items())[::2]))], store=top / "store") as engine:
        assert engine.build()
        engine.update([plant(top / "tree", {name: text}) / name for name, text in list(TREE.items())[1::2]])
        assert len(engine.workspace.snapshot().delta.files) == len(TREE) // 2
        yield engine


def paths(engine: Engine, query: str = "anchor", **filters: Any) -> list[str]:
    return sorted(hit.path for hit in engine.search(query, max_results=100, **filters).hits)


DB = ["src/db/pool.py"]
TS = ["src/web/app.test.ts", "src/web/app.ts"]
RB = ["lib/a1.rb", "lib/b2.rb"]
POOLS = ["src/db/pool.py", "src/db_utils/pool.py"]
DOCS = sorted(name for name in TREE if name.startswith("docs/"))


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, sorted(TREE)),
        ({"include": ["*.ts"]}, TS),
        ({"include": ["**/*.ts"]}, TS),
        ({"include": ["src/web/*.ts"]}, TS),
        ({"include": ["./src/web/*.ts"]}, TS),
        ({"include": ["/src/web"]}, TS),
        ({"include": ["web"]}, TS),
        ({"include": ["web/**"]}, []),
        ({"include": ["*.ts"], "exclude": ["*.test.ts"]}, ["src/web/app.ts"]),
        ({"include": ["*.ts"], "exclude": ["**"]}, []),
        ({"exclude": ["src/**", "docs", "lib/"]}, ["README"]),
        ({"include": ["{lib,nowhere}/*.rb"]}, RB),
        ({"include": ["src/{db,web}/*.{py,ts}"]}, DB + TS),
        ({"include": ["lib/[a-c][!2-9].rb"]}, ["lib/a1.rb"]),
        ({"include": ["lib/?2.rb"]}, ["lib/b2.rb"]),
        ({"include": ["docs/*.md"]}, DOCS),
        ({"include": ["docs/new?line.md"]}, ["docs/new\nline.md"]),
        ({"include": ["docs/gr??e.md"]}, ["docs/größe.md"]),
        ({"include": ["docs/\\[odd\\]\\{x\\}.md"]}, ["docs/[odd]{x}.md"]),
        ({"include": ["read*"]}, []),
        ({"include": ["READ*"]}, ["README"]),
        ({"paths": ["src/db"]}, DB),
        ({"paths": ["src/db/"]}, DB),
        ({"paths": ["./src/db", "src/db_utils"]}, POOLS),
        ({"paths": ["src/d"]}, []),
        ({"paths": ["src/db/pool.py"]}, DB),
        ({"paths": ["."]}, sorted(TREE)),
        ({"paths": ["docs/[odd]{x}.md"]}, ["docs/[odd]{x}.md"]),
        ({"languages": ["ruby"]}, RB),
        ({"languages": ["Ruby", "TypeScript"]}, RB + TS),
        ({"languages": ["ruby"], "exclude": ["b2.rb"]}, ["lib/a1.rb"]),
        ({"languages": ["ruby"], "paths": ["src"]}, []),
        ({"include": [f"nowhere/{'x' * 30}{n}/**/*.py" for n in range(100)] + ["*.rb"]}, RB),
        ({"paths": [f"nowhere/{'x' * 30}{n}" for n in range(200)] + ["lib"]}, RB),
    ],
)
def test_filters(filtered: Engine, filters: dict[str, Any], expected: Sequence[str]) -> None:
    assert paths(filtered, **filters) == sorted(expected)


def test_absolute_filters(filtered: Engine) -> None:
    (folder,) = filtered.status().folders
    assert paths(filtered, include=[f"{folder}/src/web/*.ts"]) == TS
    assert paths(filtered, paths=[f"{folder}/src/db"]) == DB
    assert paths(filtered, exclude=[folder]) == []
    assert paths(filtered, paths=[folder]) == sorted(TREE)
    assert paths(filtered, include=["/elsewhere/**"]) == []


def test_filters_agree_before_and_after_a_fold(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", {"seed.py": "seed\n"})
    filters: list[dict[str, Any]] = [
        {},
        {"include": ["*.ts", "docs/**"]},
        {"exclude": ["src/*/app*"]},
        {"languages": ["ruby", "markdown"]},
        {"paths": ["src/db", "docs"]},
    ]
    questions = ["anchor", "connect pool", "anch", "app.test", "größe"]
    with Engine.open([tree], store=tmp_path / "store") as engine:
        assert engine.build()
        engine.update([plant(tree, {name: text}) / name for name, text in TREE.items()])
        before = [paths(engine, query, **each) for query in questions for each in filters]
        assert engine.workspace.fold()
        assert [paths(engine, query, **each) for query in questions for each in filters] == before
        assert all(before[: len(filters)])


# -- order


def ask(top: Path, files: dict[str, str | bytes], query: str, settings: Settings | None = None) -> list[Hit]:
    with Engine.open([plant(top / "tree", files)], store=top / "store", settings=settings) as engine:
        assert engine.build()
        first = engine.search(query, max_results=50)
        assert engine.search(query, max_results=50).hits == first.hits, "the same question has the same answer"
        return list(first.hits)


def test_chunks_with_all_words_come_first(tmp_path: Path) -> None:
    often = "alpha alpha alpha alpha alpha alpha alpha alpha\n"
    hits = ask(
        tmp_path,
        {"often.txt": often, "alpha.txt": often, "all.txt": "some words, then alpha, more words and beta\n" * 3},
        "alpha beta",
    )
    assert hits[0].path == "all.txt"
    assert ["all words" in hit.reasons for hit in hits] == [True, False, False]


def test_the_last_word_may_be_unfinished(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"a.py": "def configure(): pass\n", "b.py": "def other(): pass\n"}
    assert [hit.path for hit in ask(tmp_path, files, "confi")] == ["a.py"]
    assert [hit.path for hit in ask(tmp_path, files, "co")] == []
    # A finished word is no beginning: what only holds it as a part fills up, and is worth as little as that.
    (part,) = ask(tmp_path, files, "confi ")
    assert (part.path, part.score) == ("a.py", PART_SCORE)


def test_words_close_together_are_lifted(tmp_path: Path) -> None:
    filler = " ".join(f"w{n}" for n in range(60))
    files: dict[str, str | bytes] = {
        "a_far.txt": f"alpha {filler} beta\n",
        "b_near.txt": f"alpha beta {filler}\n",
    }
    hits = ask(tmp_path, files, "alpha beta")
    assert [hit.path for hit in hits] == ["b_near.txt", "a_far.txt"]
    assert "words close together" in hits[0].reasons
    assert "words close together" not in hits[1].reasons


def test_equal_scores_have_a_fixed_order(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {f"f{n:02}.txt": "alpha\n" for n in range(30)}
    hits = ask(tmp_path, files, "alpha")
    assert [hit.path for hit in hits] == sorted(files)


# -- text


def test_lines_and_text_are_exact(tmp_path: Path) -> None:
    body = "def alpha():\n    return 'größe'\n\n\ndef beta():\n    return 'straße ÄÖÜ äöü'\n"
    files: dict[str, str | bytes] = {
        "lf.py": body,
        "crlf.py": body.replace("\n", "\r\n"),
        "cr.py": body.replace("\n", "\r"),
        "bom.py": b"\xef\xbb\xbf" + body.encode(),
        "utf16le.py": b"\xff\xfe" + body.encode("utf-16-le"),
        "utf16be.py": b"\xfe\xff" + body.encode("utf-16-be"),
        "latin.py": body.encode("latin-1"),
        "damaged.py": body.encode().replace(b"beta():", b"beta():  #\xff"),
    }
    hits = ask(tmp_path, files, "alpha beta", Settings(chunk_tokens=8))
    for word in ("alpha", "beta"):
        assert {hit.path for hit in hits if word in hit.text} == files.keys()
    for hit in hits:
        whole = body.replace("beta():", "beta():  #?") if hit.path == "damaged.py" else body
        end = {"crlf.py": "\r\n", "cr.py": "\r"}.get(hit.path, "\n")
        lines = whole.split("\n")[hit.first_line - 1 : hit.last_line]
        assert hit.text == end.join(lines), hit


def test_stale_text_is_never_shown(tmp_path: Path) -> None:
    tree = plant(
        tmp_path / "tree",
        {
            "a.py": "alpha one\n",
            "b.py": "alpha two\n",
            "c.py": "alpha three\n",
            "d.py": "alpha four\n".encode("utf-16"),
            "e.py": "alpha five\n",
        },
    )
    with Engine.open([tree], store=tmp_path / "store") as engine:
        assert engine.build()
        plant(tree, {"a.py": "alpha NEW\n", "b.py": "nothing here\n", "d.py": "alpha wide\n".encode("utf-16")})
        (tree / "c.py").unlink()
        (tree / "e.py").unlink()
        (tree / "e.py").symlink_to(tree / "a.py")
        result = engine.search("alpha")
        assert sorted(hit.text for hit in result.hits) == ["alpha NEW", "alpha wide"]
        assert [hit.path for hit in engine.search("nothing").hits] == ["b.py"], "it was followed, too"


# -- secrets

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
PASSWORD = "zX9-qW7!kJ3pL5vB"
SECRET_FILE = "hunterhunter7391"


def test_secrets_are_neither_shown_nor_found_nor_stored(tmp_path: Path) -> None:
    tree = plant(
        tmp_path / "tree",
        {
            "deploy.py": f"def deploy():\n    token = '{TOKEN}'\n    db_password = \"{PASSWORD}\"\n",
            ".env": f"API_KEY={SECRET_FILE}\n",
            "wide.py": f"token = '{TOKEN}'\n".encode("utf-16"),
        },
    )
    with Engine.open([tree], store=tmp_path / "store") as engine:
        assert engine.build()
        plant(tree, {"later.py": f"github = '{TOKEN}'  # later\n"})
        engine.update([tree / "later.py"])
        for _ in range(2):
            for query in ("deploy", "token", "password", "github later"):
                texts = [hit.text for hit in engine.search(query).hits]
                assert texts
                assert not any(secret in text for text in texts for secret in (TOKEN, PASSWORD, SECRET_FILE))
            for secret in (TOKEN, TOKEN[4:], TOKEN[4:12], PASSWORD, "kJ3pL5vB", SECRET_FILE):
                assert not engine.search(secret).hits, secret
            assert engine.workspace.fold()
        assert {masked.path for masked in engine.audit().masked} == {"deploy.py", "wide.py", "later.py"}
    stored = b"".join(path.read_bytes() for path in (tmp_path / "store").rglob("*") if path.is_file()).lower()
    assert b"deploy" in stored
    for secret in (TOKEN, TOKEN[4:], PASSWORD, "kJ3pL5vB", SECRET_FILE):
        for encoding in ("utf-8", "utf-16-le"):
            assert secret.lower().encode(encoding) not in stored


# -- contents


def test_renames_reuse_contents(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", {f"old/f{n}.py": f"def alpha_{n}(): pass\n" for n in range(5)})
    with Engine.open([tree], store=tmp_path / "store") as engine:
        assert engine.build()
        assert contents(engine) == 5
        (tree / "old").rename(tree / "new")
        engine.update([tree / "old", tree / "new"])
        (tree / "new/f1.py").rename(tree / "g.py")
        engine.update([tree / "new/f1.py", tree / "g.py"])
        assert contents(engine) == 5
        assert paths(engine, "alpha") == ["g.py", "new/f0.py", "new/f2.py", "new/f3.py", "new/f4.py"]


@pytest.mark.parametrize("by_git", [False, True])
def test_a_second_worktree_reuses_the_contents_of_the_first(tmp_path: Path, by_git: bool) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    files = {f"f{n}.py": f"def alpha_{n}(): pass\n" for n in range(5)}
    plant(one, files)
    if by_git:
        identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
        for command in (
            ["init", "-q"],
            ["add", "."],
            [*identity, "commit", "-qm", "x"],
            ["worktree", "add", "-q", two, "-b", "side"],
        ):
            subprocess.run(["git", *command], cwd=one, check=True, capture_output=True)
    else:
        plant(one, {".git/HEAD": "ref: refs/heads/main\n", ".git/worktrees/two/commondir": "../..\n"})
        plant(two, {**files, ".git": f"gitdir: {one}/.git/worktrees/two\n"})
    with Engine.open([one], store=tmp_path / "store") as engine:
        assert engine.build()
        # A mark that only a reused outline can have.
        with engine.workspace.catalog._database.transaction() as connection:
            connection.execute("UPDATE content SET encoding = 'marked'")
    with Engine.open([two], store=tmp_path / "store") as engine:
        assert engine.build()
        assert engine.status().indexed == 5
        rows = engine.workspace.catalog._database.read("SELECT DISTINCT encoding FROM content")
        assert rows == [("marked",)]


# -- several folders


def test_several_folders(tmp_path: Path) -> None:
    one = plant(tmp_path / "one", {"src/a.py": "alpha\n", "inner/src/b.py": "alpha\n", "inner/.gitignore": "no.py\n"})
    two = plant(tmp_path / "two", {"src/a.py": "alpha\n"})
    inner = plant(one / "inner", {"no.py": "alpha\n"})
    with Engine.open([one, two, inner], store=tmp_path / "store") as engine:
        assert engine.build()

        def found(**filters: Any) -> set[tuple[str, str]]:
            return {(hit.folder, hit.path) for hit in engine.search("alpha", **filters).hits}

        everything = {(str(one), "src/a.py"), (str(two), "src/a.py"), (str(inner), "src/b.py")}
        assert found() == everything, "what lies in a nested folder is found once, in that one"
        assert found(include=["src/**"]) == everything
        plant(inner, {"src/c.py": "alpha\n"})
        engine.update([inner / "src/c.py"])
        assert found() == everything | {(str(inner), "src/c.py")}
        (inner / "src/c.py").unlink()
        assert engine.build()
        assert found() == everything
    with Engine.open([inner, two, one], store=tmp_path / "store") as engine:
        assert engine.search("alpha").complete, "the order of the folders does not matter"


def test_absolute_filters_name_one_folder(tmp_path: Path) -> None:
    one, two = plant(tmp_path / "one", {"src/a.py": "alpha\n"}), plant(tmp_path / "two", {"src/a.py": "alpha\n"})
    inner = plant(one / "inner", {"src/b.py": "alpha\n"})
    with Engine.open([one, two, inner], store=tmp_path / "store") as engine:
        assert engine.build()
        for kind in ("include", "paths"):
            for folder, path in ((one, "src/a.py"), (two, "src/a.py"), (inner, "src/b.py")):
                filters: dict[str, Any] = {kind: [f"{folder}/src"]}
                hits = engine.search("alpha", **filters).hits
                assert [(hit.folder, hit.path) for hit in hits] == [(str(folder), path)], filters
        assert {hit.folder for hit in engine.search("alpha", exclude=[str(two)]).hits} == {str(one), str(inner)}


# -- outcomes


def test_a_reason_names_words_only_where_some_were_found_whole(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", {"a.py": "def hibernate(marmot):\n    return marmot.hibernating\n"})
    with Engine.open([tree], store=tmp_path / "store", embeddings=False) as engine:
        assert engine.build()
        assert [hit.reasons for hit in engine.search("hiberna marmo").hits] == [()]
        assert engine.search("marmot zebra").hits[0].reasons == ("words: marmot",)


def test_empty_answers_are_told_apart(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", {"a.py": "alpha\n"})
    with Engine.open([tree], store=tmp_path / "store") as engine:
        assert engine.search("alpha").outcome is Outcome.NOT_INDEXED
        assert engine.build()
        assert engine.search("alpha").outcome is Outcome.FOUND
        assert engine.search("beta").outcome is Outcome.NO_MATCH
        result = engine.search("alpha", include=["*.ts"])
        assert result.outcome is Outcome.ALL_EXCLUDED
        assert result.alerts == ("no indexed file matches '*.ts'",)
        assert engine.search("alpha", exclude=["*.py"]).outcome is Outcome.ALL_EXCLUDED
        os.remove(tree / "a.py")
        engine.update([tree / "a.py"])
        assert engine.search("alpha").outcome is Outcome.NOTHING_TO_SEARCH
