"""A publish that is disturbed: nothing is lost, nothing is half visible, and the next one completes."""

import random
import threading
import time
from collections.abc import Callable

import pytest
from tests.history.repositories import needs_git
from tests.remote.engines.milvus_server import MilvusServer
from tests.remote.faults.publications import NAME, Publication, Work
from tests.remote.faults.sites import MilvusSite, Site

from lurcher_index import Settings
from lurcher_index.dense.choice import own_model
from lurcher_index.errors import RemoteUnreachable
from lurcher_index.publishing.publisher import Publisher
from lurcher_index.publishing.source import find_commit
from lurcher_index.publishing.values import Progress, Step
from lurcher_index.remote.engines import milvus
from lurcher_index.remote.engines.interface import SharedIndex
from lurcher_index.remote.engines.milvus import MilvusIndex
from lurcher_index.remote.engines.postgres import limits as postgres
from lurcher_index.remote.engines.postgres.index import PostgresIndex

pytestmark = needs_git


def test_the_engine_is_killed(publication: Publication) -> None:
    publication.cut(0.3 + 0.6 * random.Random(6).random(), publication.site.kill)
    code, said = publication.run()
    assert code == 3, said
    told = " ".join(said.split())
    assert "did not answer; check that it runs and can be reached from here" in told
    assert "Nothing is lost and nothing half visible: run the same command again" in told
    assert "Traceback" not in said
    publication.check_and_finish()


def test_a_slow_line_that_is_cut_is_waited_for(publication: Publication) -> None:
    """And the command goes on by itself once the line is there again."""
    cuts: list[threading.Timer] = []

    def mend_soon() -> None:
        cuts.append(threading.Timer(0.8, publication.site.proxy.mend))
        cuts[0].start()

    publication.site.proxy.slow_down(0.002)
    publication.cut(0.6, mend_soon)
    code, said = publication.run(patience=60)
    assert (code, len(cuts)) == (0, 1), said
    assert "trying again" in said
    assert publication.seen() == publication.work.expected


def test_a_half_open_line_is_given_up(publication: Publication) -> None:
    """What is sent arrives, but nothing comes back: nobody waits for ever, and what arrived is not lost."""
    site, work = publication.site, publication.work
    index: SharedIndex
    if site.kind == "postgres":
        index = PostgresIndex(site.url, limits=postgres.Limits(connect=2, search=2.0, write=2.0, grace=0.5))
    else:
        index = MilvusIndex(site.url, limits=milvus.Limits(connect=2.0, search=2.0, write=2.0, claim=3.0))
    held: list[int] = []

    def report(now: Progress) -> None:
        if now.step is Step.SENDING and not held:
            held.append(1)
            site.proxy.hold_answers()

    publisher = Publisher(index, NAME, find_commit(work.checkout, work.second, "main"), Settings(workers=1))
    with pytest.raises(RemoteUnreachable, match="run the same command again"):
        publisher.publish(report, patience=0.0)
    index.close()
    assert held
    publication.check_and_finish()


def test_closing_ends_what_waits_for_an_answer(site: Site) -> None:
    """However long it would have waited."""
    site.renew()
    index: SharedIndex
    if site.kind == "postgres":
        index = PostgresIndex(site.url, limits=postgres.Limits(search=3_600.0))
    else:
        index = MilvusIndex(site.url, limits=milvus.Limits(search=3_600.0))
    index.prepare(own_model().dimension)
    assert index.publications(NAME) == []
    told: list[Exception] = []

    def look() -> None:
        try:
            index.publications(NAME)
        except RemoteUnreachable as error:
            told.append(error)

    sent = site.proxy.sent
    site.proxy.hold_answers()
    looking = threading.Thread(target=look)
    looking.start()
    while site.proxy.sent == sent:
        time.sleep(0.01)
    index.close()
    looking.join()
    assert len(told) == 1


def kill(publication: Publication, share: float) -> tuple[int, str]:
    """`kill -9` after a share of what is sent; the bytes of that moment arrive no more."""
    with publication.start() as process:
        publication.cut(share, process.kill)
        said = process.communicate(timeout=240)[0]
    return process.returncode, said


def test_the_publisher_is_killed(milvus_server: MilvusServer, works: Callable[[str], Work]) -> None:
    """With PostgreSQL the tests of the command do the same."""
    with MilvusSite(milvus_server) as site:
        publication = Publication(site, works("milvus"))
        code, said = kill(publication, 0.2 + 0.7 * random.Random(9).random())
        assert code == -9, said
        publication.check_and_finish()


@pytest.mark.heavy
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("victim", ["engine", "publisher", "line"])
def test_a_dozen_moments(publication: Publication, victim: str) -> None:
    """One after the other, and now and then twice, so that a run finds what two before it left."""
    chance = random.Random(12)
    for part in range(12):
        publication.site.renew()
        again = Publication(publication.site, publication.work)
        for attempt in range(chance.choice((1, 1, 2))):
            share = (part + chance.random()) / 12 * 0.97
            if victim == "publisher":
                # The second one finds most of it sent and may be done before; or the first one's claim is still there.
                code, said = kill(again, share)
                assert code == -9 or (attempt and code in (0, 3)), said
            else:
                again.cut(share, again.site.kill if victim == "engine" else lambda: None)
                code, said = again.run()
                assert code in (0, 3), said
            again.site.start()
        again.check_and_finish()
