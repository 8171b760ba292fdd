"""Sourcegraph: searches by its stream interface, what it knows of a repository by GraphQL."""

from collections.abc import Iterable
from urllib.parse import urlencode

import msgspec

from lurcher_index.errors import RemoteError, RemoteUnreachable
from lurcher_index.remote.http.address import Base
from lurcher_index.remote.http.client import Call, Client
from lurcher_index.remote.http.decoding import decoded
from lurcher_index.remote.http.events import Event, events_of
from lurcher_index.remote.http.surroundings import Surroundings
from lurcher_index.remote.http.wire import Request
from lurcher_index.remote.interface import Checked, IndexedCommit, RemoteFound, Wanted
from lurcher_index.remote.providers.phrasing import below_folder, exactly, in_languages, literal, phrased
from lurcher_index.remote.providers.places import FoundFile, Portion, Span, enough, hits_of, other_commit
from lurcher_index.remote.providers.verdicts import verdict
from lurcher_index.remote.states import RepositoryState
from lurcher_index.secret import Secret

_STREAM = "text/event-stream"

_OPERATORS = frozenset({"and", "or", "not"})

MATCHES_OF_A_FILE = 10
"""Matches that are asked for of each file, on average: it counts matches, not files."""

_MORE = frozenset({"display", "document-match-limit", "shard-match-limit"})
"""Reasons for leaving out results that mean: ask for more and there is more."""

_HARMLESS = _MORE | {"excluded-fork", "excluded-archive"}
"""Reasons that nobody has to know: we asked for no more, or they cannot concern one repository."""

_ABOUT = """
query LurcherRepository($name: String!) {
  repository(name: $name) {
    name
    mirrorInfo { cloned cloneInProgress }
    defaultBranch { displayName target { oid } }
    textSearchIndex { status { updatedAt } refs { ref { displayName } indexed indexedCommit { oid } } }
  }
}
"""


class _Position(msgspec.Struct):
    line: int = 0
    """From 0."""


class _Range(msgspec.Struct):
    start: _Position
    end: _Position


class _Chunk(msgspec.Struct):
    ranges: list[_Range] | None = None


class _Line(msgspec.Struct, rename="camel"):
    line_number: int = 0
    """From 0."""


class _Match(msgspec.Struct, rename="camel"):
    type: str
    repository: str = ""
    path: str = ""
    commit: str = ""
    chunk_matches: list[_Chunk] | None = None
    line_matches: list[_Line] | None = None


class _Skipped(msgspec.Struct):
    reason: str = ""
    title: str = ""


class _Progress(msgspec.Struct):
    skipped: list[_Skipped] | None = None


class _Said(msgspec.Struct):
    """An alert or an error."""

    title: str = ""
    description: str | None = None
    message: str = ""


class _Object(msgspec.Struct):
    oid: str = ""


class _Ref(msgspec.Struct, rename="camel"):
    display_name: str = ""
    target: _Object | None = None


class _IndexedRef(msgspec.Struct, rename="camel"):
    ref: _Ref
    indexed: bool = False
    indexed_commit: _Object | None = None


class _Index(msgspec.Struct):
    refs: list[_IndexedRef]
    status: dict[str, object] | None = None


class _Mirror(msgspec.Struct, rename="camel"):
    cloned: bool = True
    clone_in_progress: bool = False


class _Repository(msgspec.Struct, rename="camel"):
    name: str
    mirror_info: _Mirror = msgspec.field(default_factory=_Mirror)
    default_branch: _Ref | None = None
    text_search_index: _Index | None = None


class _Data(msgspec.Struct):
    repository: _Repository | None = None


class _Answer(msgspec.Struct):
    data: _Data | None = None
    errors: list[_Said] | None = None


class Sourcegraph:
    """A Sourcegraph server."""

    def __init__(self, base: Base, token: Secret | None, world: Surroundings | None = None) -> None:
        """Without a token only what is public is found, if the server allows that."""
        line = None if token is None else lambda: f"token {token.reveal()}"
        self._client = Client(f"Sourcegraph at {base.shown}", base, line, token, world)

    @property
    def name(self) -> str:
        """What and where it is."""
        return self._client.who

    def check(self, repository: str) -> Checked:
        """Whether it is cloned and indexed, and at which commits."""
        asked = msgspec.json.encode({"query": _ABOUT, "variables": {"name": repository}})
        try:
            with self._client.call() as call:
                answer = decoded(call.fetch(Request("/.api/graphql", body=asked)).body, _Answer, self.name)
        except RemoteError as error:
            return verdict(error)
        if answer.errors:
            said = self._client.quoted(answer.errors[0].message)
            return Checked(RepositoryState.COULD_NOT_CHECK, detail=f"{self.name} says: {said}")
        about = answer.data.repository if answer.data else None
        if about is None:
            why = f"{self.name} has no repository {repository}, or the token may not see it; ask who runs it to add it"
            return Checked(RepositoryState.NOT_INDEXABLE, detail=why)
        return self._state(about)

    def begin_index(self, repository: str, commit: str) -> bool:  # noqa: ARG002
        """Nobody: only those who run the server may ask for that."""
        return False

    def search(self, repository: str, commit: IndexedCommit, wanted: Wanted) -> RemoteFound:
        """Files that hold any of the words, in the order of the server."""
        said = phrased(wanted.words)
        if not said.words:
            return RemoteFound(alerts=said.alerts)
        query = _query(repository, commit, said.words, wanted)
        told: set[str] = set()
        with self._client.call(wanted.cancelled) as call:
            found = enough(
                wanted, lambda count: self._portion(call, query, count * MATCHES_OF_A_FILE, repository, told)
            )
        alerts = (*said.alerts, *found.alerts, *other_commit(self.name, commit.commit, told))
        return RemoteFound(hits_of(found.files, wanted.limit), alerts=alerts)

    def close(self) -> None:
        """Nothing is held between calls."""

    def _state(self, about: _Repository) -> Checked:
        if about.mirror_info.clone_in_progress:
            return Checked(RepositoryState.BUILDING, detail=f"{self.name} is cloning the repository")
        if not about.mirror_info.cloned:
            return Checked(RepositoryState.NOT_YET_INDEXED, detail=f"{self.name} has not cloned the repository yet")
        if about.default_branch is None:
            return Checked(RepositoryState.READY, detail="the repository is empty")
        head = about.default_branch
        if about.text_search_index is None:
            # Indexing is turned off: it searches every commit as it is, only slower.
            target = head.target.oid if head.target else ""
            return Checked(RepositoryState.READY, (IndexedCommit(target, branch=head.display_name),))
        commits = tuple(
            IndexedCommit(each.indexed_commit.oid if each.indexed_commit else "", branch=each.ref.display_name)
            for each in sorted(
                about.text_search_index.refs, key=lambda each: each.ref.display_name != head.display_name
            )
            if each.indexed
        )
        if commits:
            return Checked(RepositoryState.READY, commits)
        is_begun = about.text_search_index.status is not None
        state = RepositoryState.BUILDING if is_begun else RepositoryState.NOT_YET_INDEXED
        return Checked(state, detail=f"{self.name} has cloned the repository but not indexed it yet")

    def _portion(self, call: Call, query: str, count: int, repository: str, told: set[str]) -> Portion:
        asked = urlencode({"q": f"{query} count:{count}", "v": "V3", "display": count, "cm": "t"})
        request = Request(f"/.api/search/stream?{asked}", accept=_STREAM, kinds=(_STREAM,))
        heard = _Heard()
        with call.stream(request) as blocks:
            try:
                for event in events_of(blocks, self.name):
                    self._hear(event, heard, repository)
                    if heard.is_done:
                        break
                else:
                    raise RemoteUnreachable(f"{self.name} cannot be used: its answer broke off")
            except RemoteUnreachable as error:
                if not heard.files:
                    raise
                heard.alerts.append(f"{error}; what came until then is used")
                heard.is_cut = True
        told |= heard.commits
        is_all = heard.is_cut or not heard.has_more
        return Portion(tuple(heard.files), is_all, tuple(dict.fromkeys(heard.alerts)))

    def _hear(self, event: Event, heard: "_Heard", repository: str) -> None:
        match event.name:
            case "matches":
                for each in decoded(event.data, list[_Match], self.name):
                    if each.type in ("content", "path") and each.repository == repository:
                        heard.files.append(FoundFile(each.path, _spans(each)))
                        heard.commits.add(each.commit)
            case "progress":
                skipped = decoded(event.data, _Progress, self.name).skipped or ()
                heard.has_more = heard.has_more or any(each.reason in _MORE for each in skipped)
                titles = [each.title or each.reason for each in skipped if each.reason not in _HARMLESS]
                heard.alerts += (f"{self.name} left out results: {self._client.quoted(title)}" for title in titles)
            case "alert":
                said = decoded(event.data, _Said, self.name)
                line = self._client.quoted(f"{said.title} {said.description or ''}")
                heard.alerts.append(f"{self.name} says: {line}")
            case "error":
                said = decoded(event.data, _Said, self.name)
                raise RemoteUnreachable(f"{self.name} says: {self._client.quoted(said.message)}")
            case "done":
                heard.is_done = True
            case _:
                pass  # Filters, and what later versions may add.


class _Heard(msgspec.Struct):
    """What a stream has told so far."""

    files: list[FoundFile] = msgspec.field(default_factory=list[FoundFile])
    commits: set[str] = msgspec.field(default_factory=set[str])
    alerts: list[str] = msgspec.field(default_factory=list[str])
    is_done: bool = False
    is_cut: bool = False
    has_more: bool = False


def _query(repository: str, commit: IndexedCommit, words: Iterable[str], wanted: Wanted) -> str:
    """In its own language. Patterns hold letters, digits and escapes only: no word can be an operator or a filter."""
    revision = commit.commit or commit.branch or "HEAD"
    parts = [f"repo:{exactly(repository)}@{revision}", "type:file", "patterntype:regexp", "case:no", "fork:yes"]
    parts += ["archived:yes"]
    if pattern := in_languages(wanted.languages):
        parts.append(f"file:{pattern}")
    if wanted.below:
        parts.append(f"file:{'|'.join(map(below_folder, wanted.below))}")
    return f"{' '.join(parts)} ({' or '.join(map(_atom, words))})"


def _atom(word: str) -> str:
    pattern = literal(word)
    return f"\\x{{{ord(word[0]):x}}}{literal(word[1:])}" if pattern.lower() in _OPERATORS else pattern


def _spans(match: _Match) -> tuple[Span, ...]:
    return (
        *(Span(at.start.line + 1, at.end.line + 1) for each in match.chunk_matches or () for at in each.ranges or ()),
        *(Span(each.line_number + 1, each.line_number + 1) for each in match.line_matches or ()),
    )
