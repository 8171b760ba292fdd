"""A small workspace, tools that do as they are told, and engines over both."""

from collections.abc import Sequence
from pathlib import Path

from tests.files.trees import plant

from lurcher_index import MEMORY, Engine
from lurcher_index.locate.chains import Toolbox
from lurcher_index.locate.issue import Issue
from lurcher_index.locate.located import Located
from lurcher_index.locate.locating import Locator
from lurcher_index.locate.matches import Match, Wanted
from lurcher_index.locate.settings import LocateSettings
from lurcher_index.locate.sight import Sight
from lurcher_index.locate.tools.interface import ToolFailed
from lurcher_index.view import View

FILES = {
    "src/users.js": (
        "// Users of the shop.\n"
        "function getUserData(userId) {\n"
        "  const query = `SELECT * FROM users WHERE id = ${userId}`;\n"
        "  return run(query);\n"
        "}\n\n"
        "function run(query) {\n  return query;\n}\n"
    ),
    "src/orders.py": (
        "from users import load_user\n\n\n"
        "def place_order(user_id):\n"
        '    """Place an order."""\n'
        "    user = load_user(user_id)\n"
        "    if user is None:\n"
        '        raise ValueError("order without a user")\n'
        "    return user\n"
    ),
    "src/users.py": (
        "def load_user(user_id):\n    return {'id': user_id}\n\n\n"
        "class Store:\n    def load_user(self):\n        pass\n"
    ),
    "src/mail.py": "from users import load_user\n\n\ndef send_mail(user_id):\n    return load_user(user_id)\n",
    "tests/test_orders.py": "def test_order():\n    assert 'order without a user'\n",
    "README.md": "# Shop\n\nAn order without a user is refused.\n",
    ".gitignore": "build/\n",
    "build/out.py": "raise ValueError('order without a user')\n",
    ".env": "MESSAGE=order without a user\n",
}


def shop(folder: Path) -> Path:
    return plant(folder / "shop", FILES)


def opened(folder: Path) -> Engine:
    """An engine over it, by words alone: what is tested here does not need vectors."""
    engine = Engine.open([folder], store=MEMORY, embeddings=False)
    assert engine.build()
    return engine


def sight_of(engine: Engine) -> Sight:
    return Sight(View(engine.workspace))


class Scripted:
    """A tool that answers with what it was given, in turn; an exception is raised."""

    def __init__(self, name: str, *answers: Sequence[str] | Exception, probe: str = "") -> None:
        self.id = name
        self._answers = list(answers)
        self._probe = probe
        self.probes: list[float] = []
        self.runs: list[tuple[Wanted, float]] = []

    def probe(self, seconds: float, /) -> None:
        self.probes.append(seconds)
        if self._probe:
            raise ToolFailed(self._probe)

    def run(self, sight: Sight, wanted: Wanted, seconds: float, /) -> list[Match]:
        self.runs.append((wanted, seconds))
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, Exception):
            raise answer
        rows = [sight.row_at(path) for path in answer]
        return [Match(row, 1, 1, 0) for row in rows if row is not None]


class Clock:
    """Seconds that pass when told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def located(
    engine: Engine,
    issue: Issue,
    *tools: Scripted,
    settings: LocateSettings | None = None,
    locator: Locator | None = None,
) -> Located:
    """Locate with some tools in place of the real ones."""
    chosen = settings or LocateSettings(debug=True, fuse_chunks=False)
    asked = locator or Locator(lambda _: Toolbox(tools))
    return asked.locate(View(engine.workspace), issue, chosen, engine.ask)
