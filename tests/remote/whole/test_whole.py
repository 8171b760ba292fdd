"""From a commit to an answer, through real programs: publish, allow, search in an editor, with a real engine each."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from tests.history.repositories import Repository, needs_git
from tests.remote.joining.shops import FILES
from tests.remote.whole.teams import Team, cloned
from tests.server.client import Client, Message

from lurcher_index import Engine
from lurcher_index.asking import Ask
from lurcher_server.lsp.uris import path_of, uri_of

pytestmark = needs_git

SHOP, TOOLS = "code.example.org/team/shop", "code.example.org/team/tools"

HAMMER = """package tools

// SwingHammer drives a nail into a board.
func SwingHammer(nail int) int {
	return nail
}
"""

TOOL_FILES = {
    "src/hammer.go": HAMMER,
    "src/saw.go": "package tools\n\n// CutBoard saws a board.\nfunc CutBoard(length int) int { return length / 2 }\n",
    "README.md": "# Tools\n\nHammers and saws for carpenters.\n",
}

CHANGED = {"shop/money.py", "shop/mail.py", "shop/cart.py", "shop/basket.py", "shop/bank.py", "web/login.ts"}

QUESTIONS = (
    "round a price",
    "how do I add an item to the shopping cart",
    "checkPassword",
    "drive a nail into a board",
    "CutBoard",
    "thalers",
    "charge a credit card",
    "greetWizard",
    "mail the receipt to a customer",
)


class Work:
    """Two checkouts in which things have changed since they were published."""

    def __init__(self, team: Team) -> None:
        self.team = team
        shop, tools = Repository(team.folder / "shop.src"), Repository(team.folder / "tools.src")
        self.first = shop.commit("first", FILES)
        tools.commit("first", TOOL_FILES)
        self.shop = cloned(shop, SHOP, team.folder / "shop")
        self.tools = cloned(tools, TOOLS, team.folder / "tools")
        self.folders = (self.shop, self.tools)
        team.publish(self.shop)
        team.publish(self.tools)
        team.allow(*self.folders)

    def change(self) -> None:
        """Changed, deleted, renamed and new files."""
        (self.shop / "shop/money.py").write_text("def round_price(price):\n    '''In thalers.'''\n    return price\n")
        (self.shop / "shop/mail.py").unlink()
        (self.shop / "shop/cart.py").rename(self.shop / "shop/basket.py")
        (self.shop / "shop/bank.py").write_text("def pay(card):\n    '''Charge a credit card.'''\n    return card\n")

    unsaved = "export function greetWizard() { return 'wand' }\n"


@pytest.fixture
def work(team: Team) -> Work:
    return Work(team)


@pytest.fixture
def editor(work: Work) -> Iterator[Client]:
    with work.team.client() as client:
        client.initialize(work.folders)
        yield client


Shown = tuple[str, str]


def shown(work: Work, answer: Message) -> list[Shown]:
    chunks: list[Any] = answer["chunks"]
    return [(_inside(work, each["uri"]), each["rawText"]) for each in chunks]


def _inside(work: Work, uri: str) -> str:
    """A path in its checkout."""
    root = next(folder for folder in work.folders if uri.startswith(uri_of(folder) + "/"))
    path = path_of(uri)
    assert path is not None
    return path.relative_to(root).as_posix()


def attempt(answer: Message) -> Message:
    found: Message = next(each for each in answer["attempts"] if each["strategy"] == "codeSearch")
    return found


def test_what_changed_is_found_here_and_the_rest_there_as_a_whole_index_would(work: Work, editor: Client) -> None:
    work.change()
    editor.show(work.shop / "web/login.ts", work.unsaved, 7)
    with Engine.open(work.folders, store=":memory:") as whole:
        whole.build_all()
        whole.show(work.shop / "web/login.ts", work.unsaved, 7)
        for question in QUESTIONS:
            answer = editor.search(question, sync=True)
            assert answer["strategy"] == "codeSearch", (question, answer["attempts"])
            assert answer["complete"], answer["alerts"]
            here = asyncio.run(whole.ask(Ask(text=question, max_results=10, strategies=("embeddings",))))
            local = [(each.path, each.raw_text) for each in here.chunks]
            found = shown(work, answer)
            # How much is shown follows from how likely an answer is, which leans on words that stand nowhere. Some of
            # these the shared index still counts, in files that are others here by now. The order is the same.
            both = min(len(found), len(local))
            most = max(found, local, key=len)
            ours = [each for each in found[:both] if each[0] in CHANGED]
            assert ours == [each for each in local[:both] if each[0] in CHANGED], question
            assert found[: min(3, both)] == local[: min(3, both)], question
            assert len(most) - both <= 1, question
            # Whatever is shown is on this disk, or on this screen.
            for path, text in found:
                root = work.shop if (work.shop / path).exists() else work.tools
                there = work.unsaved if path == "web/login.ts" else (root / path).read_text()
                assert text in there
    assert {each["repository"] for each in answer["remote"]} == {SHOP, TOOLS}


def test_a_second_commit_is_published_and_searched_exactly(work: Work, editor: Client) -> None:
    """Until it is published, what it changed is searched here; afterwards nothing differs."""
    work.change()
    Repository.at(work.shop).commit("second")
    before = editor.search("thalers", sync=True)
    assert (shown(work, before)[0][0], before["remote"][0]["changed"]) == ("shop/money.py", 3)
    sent = work.team.publish(work.shop)
    assert sent["sent_files"] == 3, sent
    editor.ask("workspace/chunkSearch/remote", {"action": "check"})
    after = editor.search("thalers", sync=True)
    assert shown(work, after) == shown(work, before)
    assert [each["changed"] for each in after["remote"] if each["repository"] == SHOP] == [0]


def test_without_consent_nothing_is_asked(work: Work) -> None:
    work.team.lurcher("remote", "forbid", "--workspace", str(work.shop), "--workspace", str(work.tools))
    with work.team.client() as client:
        client.initialize(work.folders)
        answer = client.search("round a price")
        assert attempt(answer)["outcome"] == "cannot search"
        assert not answer["remote"]


def test_the_command_line_searches_there_without_an_index_here(work: Work) -> None:
    told = work.team.lurcher("search", "round a price to cents", "--workspace", str(work.shop), "--json")
    assert '"strategy":"codeSearch"' in told.replace(" ", "")
    assert "shop/money.py" in told
