"""Zoekt, by the JSON interface of its web server (`zoekt-webserver -rpc`)."""

from base64 import b64encode
from collections.abc import Callable, Iterable

import msgspec

from lurcher_index.errors import RemoteError, RemoteUnknown
from lurcher_index.remote.http.address import Base
from lurcher_index.remote.http.client import Call, Client
from lurcher_index.remote.http.decoding import decoded
from lurcher_index.remote.http.surroundings import SEARCH_LIMITS, Surroundings
from lurcher_index.remote.http.wire import Request
from lurcher_index.remote.interface import Checked, IndexedCommit, RemoteFound, Wanted
from lurcher_index.remote.providers.phrasing import below_folder, exactly, in_languages, literal, phrased
from lurcher_index.remote.providers.places import FoundFile, Portion, Span, enough, hits_of, other_commit
from lurcher_index.remote.providers.verdicts import verdict
from lurcher_index.remote.states import RepositoryState
from lurcher_index.secret import Secret

MATCHES_OF_A_FILE = 50
"""Matches that are wanted of each file, on average: about one for each chunk of a file of 1,000 lines."""

WALL_NANOSECONDS = int(0.8 * SEARCH_LIMITS.overall * 1e9)
"""How long the server may search; after that it answers what it has, and there is time to read it."""


class _Location(msgspec.Struct, rename="pascal"):
    line_number: int = 0


class _Range(msgspec.Struct, rename="pascal"):
    start: _Location
    end: _Location


class _Chunk(msgspec.Struct, rename="pascal"):
    ranges: list[_Range] | None = None
    file_name: bool = False
    score: float = 0.0


class _Line(msgspec.Struct, rename="pascal"):
    line_number: int = 0
    file_name: bool = False
    score: float = 0.0


class _File(msgspec.Struct, rename="pascal"):
    file_name: str
    repository: str
    version: str = ""
    branches: list[str] | None = None
    score: float = 0.0
    chunk_matches: list[_Chunk] | None = None
    line_matches: list[_Line] | None = None


class _Result(msgspec.Struct, rename="pascal"):
    files: list[_File] | None = None
    file_count: int = 0
    crashes: int = 0
    shards_skipped: int = 0
    files_skipped: int = 0


class _Found(msgspec.Struct, rename="pascal"):
    result: _Result


class _Branch(msgspec.Struct, rename="pascal"):
    name: str = ""
    version: str = ""


class _Repository(msgspec.Struct, rename="pascal"):
    name: str
    branches: list[_Branch] | None = None


class _Stats(msgspec.Struct, rename="pascal"):
    documents: int = 1


class _Entry(msgspec.Struct, rename="pascal"):
    repository: _Repository
    stats: _Stats = msgspec.field(default_factory=_Stats)


class _List(msgspec.Struct, rename="pascal"):
    repos: list[_Entry] | None = None
    crashes: int = 0


class _Listed(msgspec.Struct, rename="pascal"):
    list: _List


class Zoekt:
    """A Zoekt server. It has no tokens of its own; one that is given is for what stands before it."""

    def __init__(self, base: Base, token: Secret | None, world: Surroundings | None = None) -> None:
        """A token is sent as a bearer's; one with a colon in it is a name and password."""
        self._client = Client(f"Zoekt at {base.shown}", base, _authorization(token), token, world)

    @property
    def name(self) -> str:
        """What and where it is."""
        return self._client.who

    def check(self, repository: str) -> Checked:
        """The commits of its branches that are indexed."""
        asked = msgspec.json.encode({"Q": f"repo:{_quoted(exactly(repository))}"})
        try:
            with self._client.call() as call:
                listed = decoded(call.fetch(Request("/api/list", body=asked)).body, _Listed, self.name).list
        except RemoteUnknown as error:
            return verdict(RemoteUnknown(f"{error}; it must run with `-rpc`"))
        except RemoteError as error:
            return verdict(error)
        entries = [entry for entry in listed.repos or () if entry.repository.name == repository]
        if not entries:
            if listed.crashes:
                return Checked(RepositoryState.COULD_NOT_CHECK, detail=f"{self.name} cannot read a part of its index")
            detail = f"{self.name} has no repository {repository}; let its indexer fetch it"
            return Checked(RepositoryState.NOT_YET_INDEXED, detail=detail)
        if all(entry.stats.documents == 0 for entry in entries):
            return Checked(RepositoryState.READY, detail="the repository is empty")
        # A large repository has several entries, which name the same branches.
        branches = dict.fromkeys(
            (each.name, each.version) for entry in entries for each in entry.repository.branches or ()
        )
        commits = tuple(IndexedCommit(version, branch=name) for name, version in branches)
        return Checked(RepositoryState.READY, commits or (IndexedCommit(""),))

    def begin_index(self, repository: str, commit: str) -> bool:  # noqa: ARG002
        """Nobody: its indexer has no interface for that."""
        return False

    def search(self, repository: str, commit: IndexedCommit, wanted: Wanted) -> RemoteFound:
        """Files that hold any of the words, best first by BM25."""
        said = phrased(wanted.words)
        if not said.words:
            return RemoteFound(alerts=said.alerts)
        query = _query(repository, commit, said.words, wanted)
        told: set[str] = set()
        with self._client.call(wanted.cancelled) as call:
            found = enough(wanted, lambda count: self._portion(call, query, count, (repository, commit.branch), told))
        alerts = (*said.alerts, *found.alerts, *other_commit(self.name, commit.commit, told))
        return RemoteFound(hits_of(found.files, wanted.limit), alerts=alerts)

    def close(self) -> None:
        """Nothing is held between calls."""

    def _portion(self, call: Call, query: str, count: int, where: tuple[str, str], told: set[str]) -> Portion:
        options = {
            "MaxDocDisplayCount": count,
            "MaxMatchDisplayCount": count * MATCHES_OF_A_FILE,
            "MaxWallTime": WALL_NANOSECONDS,
            "ChunkMatches": True,
            "UseBM25Scoring": True,
        }
        asked = msgspec.json.encode({"Q": query, "Opts": options})
        result = decoded(call.fetch(Request("/api/search", body=asked)).body, _Found, self.name).result
        repository, branch = where
        shown = result.files or []
        ours = [
            each for each in shown if each.repository == repository and (not branch or branch in (each.branches or ()))
        ]
        told |= {each.version for each in ours}
        files = tuple(FoundFile(each.file_name, _spans(each), each.score) for each in ours)
        return Portion(files, len(shown) >= result.file_count, self._complaints(result))

    def _complaints(self, result: _Result) -> tuple[str, ...]:
        if result.crashes:
            return (f"{self.name} could not read a part of its index; its answer may lack files",)
        if result.shards_skipped or result.files_skipped:
            return (f"{self.name} cut its search short; its answer may lack files",)
        return ()


def _query(repository: str, commit: IndexedCommit, words: tuple[str, ...], wanted: Wanted) -> str:
    """In its own language: quoted strings are regular expressions, and nothing in quotes is an operator."""
    parts = [f"repo:{_quoted(exactly(repository))}"]
    if commit.branch:
        parts.append(f"branch:{_quoted(commit.branch)}")
    if pattern := in_languages(wanted.languages):
        parts.append(f"file:{_quoted(pattern)}")
    if wanted.below:
        parts.append(_any_of(f"file:{_quoted(below_folder(folder))}" for folder in wanted.below))
    parts.append(_any_of(_quoted(literal(word)) for word in words))
    return " ".join(parts)


def _any_of(atoms: Iterable[str]) -> str:
    return f"({' or '.join(atoms)})"


def _quoted(text: str) -> str:
    """A string of its language, in which a backslash takes the meaning from what follows."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _spans(file: _File) -> tuple[Span, ...]:
    chunks = [each for each in file.chunk_matches or () if not each.file_name]
    lines = [each for each in file.line_matches or () if not each.file_name]
    return (
        *(Span(at.start.line_number, at.end.line_number, each.score) for each in chunks for at in each.ranges or ()),
        *(Span(each.line_number, each.line_number, each.score) for each in lines),
    )


def _authorization(token: Secret | None) -> Callable[[], str] | None:
    if token is None:
        return None
    if ":" in token.reveal():
        return lambda: f"Basic {b64encode(token.reveal().encode()).decode()}"
    return lambda: f"Bearer {token.reveal()}"
