"""A provider in this process: it searches an index of a clean clone, as a server of the team's would."""

from collections.abc import Callable
from pathlib import Path

from lurcher_index import Engine
from lurcher_index.meaning import Meaning
from lurcher_index.remote.interface import Checked, IndexedCommit, RemoteFound, RemoteHit, Statistics, Wanted
from lurcher_index.remote.states import RepositoryState
from lurcher_index.view import View
from lurcher_index.words.candidates import Candidate
from lurcher_index.words.filters import Filters
from lurcher_index.words.query import Group, WordQuery


class Mirror:
    """Really searches; what it says can be bent by a test."""

    name = "a mirror in the next room"

    def __init__(self, clone: Path, repository: str, commit: str) -> None:
        self.engine = Engine.open([clone], store=":memory:")
        self.engine.build_all()
        self.repository = repository
        model = self.meaning.embedder.name
        self._first = (IndexedCommit(commit, 1, "main", model, 1),)
        self.straighten()

    def straighten(self) -> None:
        """Forget what tests did to it."""
        self.state = RepositoryState.READY
        self.commits: tuple[IndexedCommit, ...] = self._first
        self.asked: list[Wanted] = []
        self.checks: list[str] = []
        self.begun: list[str] = []
        self.can_begin = False
        self.on_check: Callable[[], None] = lambda: None
        self.bend: Callable[[RemoteFound], RemoteFound] = lambda found: found
        self.closed = False

    @property
    def meaning(self) -> Meaning:
        return self.engine.meaning

    def check(self, repository: str) -> Checked:
        self.checks.append(repository)
        self.on_check()
        if repository != self.repository:
            return Checked(RepositoryState.NOT_YET_INDEXED, detail="nobody published it")
        ready = self.state is RepositoryState.READY
        return Checked(self.state, self.commits if ready else ())

    def begin_index(self, repository: str, commit: str) -> bool:
        assert commit
        self.begun.append(repository)
        return self.can_begin

    def search(self, repository: str, commit: IndexedCommit, wanted: Wanted) -> RemoteFound:
        assert repository == self.repository
        assert commit in self.commits
        self.asked.append(wanted)
        view = View(self.engine.workspace)
        query = WordQuery(
            " ".join(wanted.words), tuple(Group(term, term, ()) for term in wanted.terms), prefix="", cut=False
        )
        words = view.words(query, Filters(), 10 * wanted.limit)
        near: list[Candidate] = []
        if wanted.vector is not None:
            near = self.meaning.similar(view, wanted.vector, Filters(), 10 * wanted.limit)
        postings = view.snapshot.postings
        statistics = Statistics(
            postings.chunk_count, {term: postings.document_frequency("body", term) for term in wanted.terms}
        )
        return self.bend(RemoteFound(self._hits(view, words, wanted), self._hits(view, near, wanted), statistics))

    def close(self) -> None:
        self.closed = True

    def _hits(self, view: View, candidates: list[Candidate], wanted: Wanted) -> tuple[RemoteHit, ...]:
        rows = view.rows({each.file_id for each in candidates})
        contents = view.contents({each.content_id for each in candidates})
        found: list[RemoteHit] = []
        for each in candidates:
            row, outline = rows[each.file_id], contents[each.content_id].outline
            known = view.workspace.catalog.known_file(row.folder_id, row.path)
            assert known is not None
            if wanted.accepts(row.path, outline.language):
                chunk = outline.chunks[each.ordinal]
                found.append(
                    RemoteHit(
                        row.path,
                        chunk.first_line,
                        chunk.last_line,
                        each.score,
                        outline.language,
                        known.hash,
                        chunk.digest,
                    )
                )
        return tuple(found[: wanted.limit])
