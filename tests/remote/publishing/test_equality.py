"""What is published of a commit is what a local index of a clean checkout holds: files, chunks, terms, vectors."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.history.repositories import Repository, git, needs_git
from tests.remote.publishing.memory_index import MemoryIndex

from lurcher_index import Engine, Settings
from lurcher_index.building.terms import chunk_terms
from lurcher_index.dense.choice import own_model
from lurcher_index.dense.vectors import quantise
from lurcher_index.files.reading import read_document
from lurcher_index.model import Document
from lurcher_index.publishing.publisher import Publisher
from lurcher_index.publishing.source import find_commit
from lurcher_index.publishing.values import Published
from lurcher_index.remote.engines.interface import SharedFile
from lurcher_index.remote.engines.marks import content_hash_of
from lurcher_index.store.vectors import VectorRows
from lurcher_index.text.terms import terms

pytestmark = needs_git

NAME = "example.com/team/app"
KEY = "AKIA" + "QWERTZUIOPASDFGH"

SERVER = 'class Server:\n    """Answers requests."""\n\n    def start(self, port):\n        listen(port)\n'

FILES: dict[str, str | bytes] = {
    "src/server.py": SERVER,
    "src/long.py": "".join(f"def step_{n}(value):\n    return value + {n}\n\n\n" for n in range(120)),
    "src/app.go": "package app\n\nfunc StartServer(port int) {\n\tlisten(port)\n}\n",
    "web/view.ts": "export function render(name: string): string {\n  return `Hello ${name}`;\n}\n",
    "docs/guide.md": "# Guide\n\nHow to start the server.\n\n## More\n\nText.\n",
    "src/copy of server.py": SERVER,
    "src/grüße.py": "def grüße():\n    return 'schön'\n",
    "src/latin.py": "# caf\xe9\nname = 1\n".encode("latin-1"),
    "src/wide.txt": "some wide text\nand more\n".encode("utf-16"),
    "src/dos.py": b"first = 1\r\nsecond = 2\r\n",
    "src/__init__.py": "",
    "config/settings.py": f'AWS_KEY = "{KEY}"\nDEBUG = True\n',
    "assets/model.psd2": "version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 12345\n",
    ".env": "PASSWORD=hunter2\n",
    "deploy/id_rsa": "key\n",
    "image.png": b"\x89PNG\r\n\x1a\n",
    "blob": b"\x00\x01\x02\xff" * 100,
    "lib/packed.js": "var a=1;" * 4_000 + "\n",
    "lib/huge.txt": "line of text\n" * 130_000,
    "node_modules/left/index.js": "module.exports = 1\n",
    "package-lock.json": "{}\n",
    ".gitignore": "*.gen.py\nbuild/\n!keep.gen.py\n",
    ".ignore": "!build/\nbuild/*.tmp\n",
    ".lurcherignore": "private/\n",
    "web/.gitignore": "*.css\n",
    "src/made.gen.py": "made = 1\n",
    "src/keep.gen.py": "kept = 1\n",
    "build/out.py": "built = 1\n",
    "build/out.tmp": "x\n",
    "private/notes.md": "# Notes\n",
    "web/style.css": "a { color: red }\n",
    "other/style.css": "a { color: blue }\n",
}


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    made = Repository(tmp_path_factory.mktemp("made") / "app")
    for path, content in FILES.items():
        place = made.folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
    (made.folder / "link.py").symlink_to("src/server.py")
    made.git("add", "-A", "-f")
    made.commit("All of it")
    return made


@pytest.fixture(scope="module")
def checkout(repository: Repository, tmp_path_factory: pytest.TempPathFactory) -> Path:
    top = tmp_path_factory.mktemp("checkout")
    git("clone", "-q", repository.folder.as_uri(), "app", cwd=top)
    return top / "app"


@pytest.fixture(scope="module")
def engine(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    with Engine.open([checkout], store=tmp_path_factory.mktemp("store")) as opened:
        assert opened.build_all(lambda _: None, lambda: False)
        yield opened


@pytest.fixture(scope="module")
def shared(repository: Repository) -> tuple[Published, dict[str, SharedFile]]:
    # What lies in the folder and is not committed is nobody's business.
    (repository.folder / "src" / "server.py").write_text("changed = True\n")
    (repository.folder / "src" / "app.go").unlink()
    (repository.folder / "untracked.py").write_text("new = 1\n")
    (repository.folder / ".gitignore").write_text("*\n")
    (repository.folder / "staged.py").write_text("staged = 1\n")
    repository.git("add", "-f", "staged.py")
    index = MemoryIndex()
    done = Publisher(index, NAME, find_commit(repository.folder), Settings()).publish()
    return done, index.files_of(NAME, done.commit)


def test_files_chunks_and_terms_are_those_of_a_checkout(
    engine: Engine, checkout: Path, shared: tuple[Published, dict[str, SharedFile]]
) -> None:
    done, files = shared
    catalog = engine.workspace.catalog
    rows = {row.path: row for row in catalog.all_files() if row.content_id is not None}
    assert files.keys() == rows.keys()
    assert len(files) > 15
    held = catalog.contents(row.content_id for row in rows.values() if row.content_id is not None)
    masked = 0
    for path, row in rows.items():
        document = read_document(checkout / path, path, Settings())
        assert isinstance(document, Document)
        assert row.content_id is not None
        outline = held[row.content_id].outline
        file = files[path]
        assert content_hash_of(file.content) == document.content_hash
        assert (file.language, file.path_terms) == (outline.language, terms(path.encode()))
        places = [(chunk.first_line, chunk.last_line, chunk.digest) for chunk in outline.chunks]
        assert [(chunk.first_line, chunk.last_line, chunk.digest) for chunk in file.chunks] == places
        assert tuple(chunk.terms for chunk in file.chunks) == chunk_terms(document.data, outline)
        masked += len(outline.masks)
    assert (done.files, done.chunks) == (len(rows), catalog.counts().chunks)
    assert done.masked == masked == 1
    assert all(KEY.lower() not in chunk.terms.body.lower() for file in files.values() for chunk in file.chunks)


def test_what_is_left_out_is_counted_as_a_local_index_does(
    engine: Engine, shared: tuple[Published, dict[str, SharedFile]]
) -> None:
    skipped = Counter(shared[0].skipped)
    assert skipped.pop("symbolic link") == 1
    # A local index does not count what it never lists.
    assert skipped.pop("ignored") == len(
        ["image.png", "left/index.js", "package-lock.json", "made.gen.py", "out.tmp", "notes.md", "web/style.css"]
    )
    assert skipped == engine.workspace.catalog.counts().skipped
    assert skipped == {"secret": 2, "binary": 1, "minified": 1, "too large": 1}


def test_vectors_are_those_of_a_checkout(engine: Engine, shared: tuple[Published, dict[str, SharedFile]]) -> None:
    model = own_model()
    workspace = engine.workspace
    stored = {
        each.content_id: np.frombuffer(each.rows, np.int8).reshape(-1, model.dimension)
        for each in VectorRows(workspace.catalog._database, model.name, model.dimension).newer(0)
    }
    rows = [row for row in workspace.catalog.all_files() if row.content_id is not None]
    shares = Counter(row.content_id for row in rows)
    compared = 0
    for row in rows:
        # Equal contents share the vectors that were made for one of their paths.
        file = shared[1][row.path]
        if shares[row.content_id] == 1 and file.chunks:
            assert file.vectors is not None
            assert file.vectors.shape == (len(file.chunks), model.dimension)
            np.testing.assert_array_equal(quantise(file.vectors), stored[row.content_id or 0])
            compared += 1
    assert compared > 12
    assert shared[0].model == model.name
