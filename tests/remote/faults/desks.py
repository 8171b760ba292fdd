"""Somebody who works with a checkout, while the engine that the team shares has its troubles."""

from pathlib import Path

from tests.history.repositories import Repository
from tests.remote.faults.sites import Site
from tests.remote.joining.shops import FILES
from tests.remote.whole.teams import Team, cloned
from tests.server.client import Client, Message

from lurcher_index import Settings
from lurcher_index.publishing.publisher import Publisher
from lurcher_index.publishing.source import find_commit
from lurcher_index.remote.connection import Connection, Kind
from lurcher_index.remote.consent import Consents

NAME = "code.example.org/team/shop"
QUESTION = "round a price to whole cents"
Shown = list[tuple[str, str]]


class Desk:
    """A checkout whose commit is published, and that is indexed here too."""

    def __init__(self, site: Site, folder: Path) -> None:
        self.site = site
        self.team = Team(folder, site.kind, site.url)
        source = Repository(folder / "source")
        source.commit("first", FILES)
        self.checkout = cloned(source, NAME, folder / "shop")
        index = site.open()
        Publisher(index, NAME, find_commit(self.checkout), Settings(workers=1)).publish()
        index.close()
        connection = Connection(kind=Kind(site.kind), url=site.url)
        Consents(self.team.config).allow(str(self.checkout.resolve()), connection)

    def editor(self, **settings: object) -> Client:
        return self.team.client({"indexOnStart": True, **settings})

    def open(self, editor: Client) -> Shown:
        """Wait until everything is ready, and what it finds then, elsewhere and here."""
        editor.initialize([self.checkout])
        editor.ready()
        answer = editor.search(QUESTION)
        assert answer["strategy"] == "codeSearch", answer["attempts"]
        return shown(answer)


def shown(answer: Message) -> Shown:
    return [(each["uri"], each["rawText"]) for each in answer["chunks"]]
