"""Feature trees over a few lines of text, without an index."""

from collections.abc import Mapping

from lurcher_index.chunking.languages import language_of
from lurcher_index.chunking.outline import outline
from lurcher_index.features.digests import Digests, features_of
from lurcher_index.features.growing import Grower
from lurcher_index.features.values import FeatureTree, TreeFile


def files_of(texts: Mapping[str, str], folder_id: int = 1) -> list[TreeFile]:
    """Files as a tree takes them, in the order of paths; the number follows the text."""
    found: list[TreeFile] = []
    for path in sorted(texts):
        data = texts[path].encode()
        kept = features_of(data, outline(data, language_of(path, data)))
        found.append(TreeFile(folder_id, path, hash(texts[path]), Digests().read(kept.digest)))
    return found


def grown(texts: Mapping[str, str], grower: Grower | None = None) -> FeatureTree:
    """The tree of one folder."""
    return (grower or Grower()).grown(files_of(texts), {1: ""})


def labels(tree: FeatureTree) -> dict[str, list[str]]:
    """Feature path of every group → the files that are in it and in no group below."""
    return {group.path: [key.partition("/")[2] for key in group.files] for group in tree.groups.values()}


SHOP = {
    "README.md": "# Shop\n",
    "pyproject.toml": "[project]\nname = 'shop'\n",
    "src/shop/__init__.py": "",
    "src/shop/db/store.py": "class Store:\n    def save(self, row): ...\n",
    "src/shop/db/query.py": "class Query:\n    def select(self, table): ...\n",
    "src/shop/db_utils/quoting.py": "def quote(name): ...\n",
    "src/shop/db_utils/escaping.py": "def escape(name): ...\n",
    "src/shop/web/session.py": "class Session:\n    def load(self, cookie): ...\n",
    "src/shop/web/cookies.py": "class CookieJar:\n    def set_cookie(self, name): ...\n",
    "tests/test_db.py": "def test_save(): ...\n",
    "tests/test_web.py": "def test_session(): ...\n",
}
"""A project with one package, and folders whose names begin alike."""


def flat_package() -> dict[str, str]:
    """Sixteen files in one folder: half about invoices, half about robots, which import their like."""
    texts = {"README.md": "# Flat\n", "NOTES.md": "# Notes\n"}
    for topic, parts in (
        ("invoice", ("tax", "total", "discount", "address", "payment", "refund", "ledger", "invoice")),
        ("robot", ("arm", "wheel", "sensor", "battery", "planner", "gripper", "camera", "robot")),
    ):
        for part in parts:
            lines = [] if part == topic else [f"from .{topic} import {topic.title()}"]
            lines += [f"class {topic.title()}{part.title()}:", f"    def check_{topic}_{part}(self): ..."]
            texts[f"lib/{part}.py"] = "\n".join(lines) + "\n"
    return texts
