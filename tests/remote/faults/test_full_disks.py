"""Full disks, real ones: the engine's, that of this machine's index, and that of the person's configuration."""

import os
import secrets
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.history.repositories import needs_git
from tests.remote.engines.milvus_server import MilvusServer
from tests.remote.engines.postgres_server import PostgresServer
from tests.remote.faults.desks import QUESTION, Desk, shown
from tests.remote.faults.disks import Disk, small_disk
from tests.remote.faults.publications import Publication, Work
from tests.remote.faults.sites import MilvusSite, PostgresSite

from lurcher_index.remote.connection import Connection, Kind
from lurcher_index.remote.consent import Consents

pytestmark = needs_git


class TablespaceSite(PostgresSite):
    """A database on a disk of its own."""

    space = ""

    def renew(self) -> None:
        super().renew()
        assert isinstance(self.server, PostgresServer)
        name = self.direct.rpartition("/")[2]
        self.server.administer(f"ALTER DATABASE {name} SET TABLESPACE {self.space}")


@pytest.fixture
def postgres_disk(postgres_server: PostgresServer) -> Iterator[tuple[TablespaceSite, Disk]]:
    with small_disk(20) as disk:
        place = disk.folder / "space"
        place.mkdir()
        owner = (postgres_server.folder / "data").stat()
        os.chown(place, owner.st_uid, owner.st_gid)
        space = f"small_{secrets.token_hex(4)}"
        postgres_server.administer(f"CREATE TABLESPACE {space} LOCATION '{place}'")
        TablespaceSite.space = space
        with TablespaceSite(postgres_server) as site:
            yield site, disk
            disk.free()
        postgres_server.administer(
            f"DROP DATABASE {site.direct.rpartition('/')[2]} WITH (FORCE)", f"DROP TABLESPACE {space}"
        )


def test_the_disk_of_postgresql_is_full(
    postgres_disk: tuple[TablespaceSite, Disk], works: Callable[[str], Work]
) -> None:
    site, disk = postgres_disk
    publication = Publication(site, works("postgres"))
    disk.fill()
    code, said = publication.run()
    assert code == 3, said
    told = " ".join(said.split())
    assert "has no room on its disk; free some, as `lurcher collect` does, and publish again" in told
    assert "Traceback" not in said
    assert publication.seen()["commits"] == publication.work.before["commits"]
    disk.free()
    publication.check_and_finish()


@pytest.fixture
def milvus_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[MilvusSite, Disk]]:
    with small_disk(64) as disk:
        monkeypatch.setattr(tempfile, "tempdir", str(disk.folder))
        server = MilvusServer()
        monkeypatch.undo()
        try:
            with MilvusSite(server) as site:
                yield site, disk
                disk.free()
        finally:
            server.remove()


@pytest.mark.heavy
def test_the_disk_of_milvus_is_full(milvus_disk: tuple[MilvusSite, Disk], works: Callable[[str], Work]) -> None:
    site, disk = milvus_disk
    publication = Publication(site, works("milvus"))
    disk.fill()
    code, said = publication.run()
    assert code == 3, said
    assert "has no room on its disk; free some, as `lurcher collect` does" in " ".join(said.split())
    assert "Traceback" not in said
    disk.free()
    # The server may have died of it.
    site.kill()
    publication.check_and_finish()


def test_the_disk_of_the_configuration_is_full(tmp_path: Path, postgres_desk: Desk) -> None:
    """What was allowed stays allowed, nothing else is, and nothing half lies there."""
    desk = postgres_desk
    with small_disk(1) as disk:
        desk.team.config = disk.folder / "config"
        Consents(desk.team.config).allow(desk.checkout, Connection(kind=Kind.POSTGRES, url=desk.site.url))
        before = {each.name: each.read_bytes() for each in desk.team.config.iterdir()}
        disk.fill()
        other = tmp_path / "other"
        other.mkdir()
        desk.team.lurcher("remote", "allow", "postgres", desk.site.url, "--workspace", str(other), "--yes", code=3)
        assert {each.name: each.read_bytes() for each in desk.team.config.iterdir()} == before
        told = desk.team.lurcher("search", QUESTION, "--workspace", str(desk.checkout), "--json")
        assert '"strategy":"codeSearch"' in told.replace(" ", "")
        disk.free()
        desk.team.lurcher("remote", "allow", "postgres", desk.site.url, "--workspace", str(other), "--yes")


def test_the_disk_of_the_index_is_full(postgres_desk: Desk) -> None:
    """What is named elsewhere has to be read into the index here, which cannot grow. The answer
    says that it is not complete, and why; once there is room it is whole."""
    desk = postgres_desk
    questions = (QUESTION, "mail the receipt to a customer", "checkPassword")
    with desk.editor(indexOnStart=False) as calm:
        calm.initialize([desk.checkout])
        expected = {each: shown(calm.search(each)) for each in questions}
    with small_disk(8) as disk:
        desk.team.folder = disk.folder
        with desk.editor(indexOnStart=False) as editor:
            editor.initialize([desk.checkout])
            editor.ask("workspace/chunkSearch/status")
            disk.fill()
            for question in questions:
                answer = editor.search(question)
                why = next(each["detail"] for each in answer["attempts"] if each["strategy"] == "codeSearch")
                assert (answer["complete"], "disk is full" in why) == (False, True), answer
            disk.free()
            for question in questions:
                answer = editor.search(question)
                assert shown(answer) == expected[question]
