"""GitHub's code search, by its REST interface; also GitHub Enterprise.

It knows the default branch only and tells no lines: a hit is a whole file, from line 1 to `places.LAST_LINE`.
"""

import re
import threading
from collections.abc import Callable, Sequence
from typing import TypeVar
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import msgspec

from lurcher_index.errors import RemoteDenied, RemoteError, RemoteUnknown, RemoteUnreachable
from lurcher_index.remote.http.address import Base, within
from lurcher_index.remote.http.client import Call, Client, Reply, trusting
from lurcher_index.remote.http.decoding import decoded
from lurcher_index.remote.http.surroundings import Surroundings
from lurcher_index.remote.http.wire import Request
from lurcher_index.remote.interface import Checked, IndexedCommit, RemoteFound, Wanted
from lurcher_index.remote.providers.phrasing import Phrased, phrased
from lurcher_index.remote.providers.places import FoundFile, hits_of, other_commit
from lurcher_index.remote.providers.verdicts import verdict
from lurcher_index.remote.states import RepositoryState
from lurcher_index.secret import Secret

PAGE = 100
"""Results of one page: the most there can be."""

MOST_PAGES = 10
"""GitHub shows 1,000 results of a search, and allows ten searches a minute."""

MOST_WORDS = 6
"""Words of one search: GitHub takes five operators between them."""

MOST_CHARACTERS = 240
"""Characters of all words: GitHub takes 256, without filters; quotes and blanks are counted here as well."""

LINGUIST = {
    "c": "C", "cpp": "C++", "csharp": "C#", "css": "CSS", "elixir": "Elixir", "go": "Go", "haskell": "Haskell",
    "java": "Java", "javascript": "JavaScript", "kotlin": "Kotlin", "lua": "Lua", "php": "PHP", "python": "Python",
    "ruby": "Ruby", "rust": "Rust", "scala": "Scala", "swift": "Swift", "tsx": "TSX", "typescript": "TypeScript",
    "zig": "Zig",
}  # fmt: skip
"""What GitHub calls our languages; those of which the two mean different files are not here."""

Made = TypeVar("Made")

_MATCHES = "application/vnd.github.text-match+json"
_JSON = "application/vnd.github+json"
_VERSION = {"X-GitHub-Api-Version": "2022-11-28"}
_NAME = re.compile(r"(?P<host>[^/]+)/(?P<full>[\w.-]+/[\w.-]+)", re.ASCII)
_NEXT = re.compile(r'<([^<>]{1,2000})>\s*;[^,<>]*\brel="?next"?')
_LINK_CHARACTERS = 8_192


class _Named(msgspec.Struct):
    full_name: str = ""


class _Item(msgspec.Struct):
    path: str
    url: str = ""
    repository: _Named | None = None


class _Page(msgspec.Struct):
    items: list[_Item]
    total_count: int = 0
    incomplete_results: bool = False


class _Parent(msgspec.Struct):
    stargazers_count: int = 0


class _Repository(msgspec.Struct):
    full_name: str
    default_branch: str = ""
    size: int = 1
    disabled: bool = False
    fork: bool = False
    stargazers_count: int = 0
    parent: _Parent | None = None


class _Commit(msgspec.Struct):
    sha: str = ""


class _Branch(msgspec.Struct):
    commit: _Commit


class GitHub:
    """GitHub, or an Enterprise server."""

    def __init__(self, base: Base, token: Secret | None, world: Surroundings | None = None) -> None:
        """`base` may be the address of the web pages or that of the interface."""
        line = None if token is None else lambda: f"Bearer {token.reveal()}"
        api, self._host = _interface(base)
        who = f"GitHub at {base.shown}"
        # Searches are limited to ten a minute; that is no reason not to look at a repository.
        around = trusting(world or Surroundings(), api)
        self._searching = Client(who, api, line, token, around)
        self._looking = Client(who, api, line, token, around)
        self._has_token = token is not None
        self._turn = threading.Lock()
        self._known: dict[str, _Repository] = {}

    @property
    def name(self) -> str:
        """What and where it is."""
        return self._searching.who

    def check(self, repository: str) -> Checked:
        """The head of the default branch: GitHub does not tell how far its index is."""
        try:
            return self._checked(repository)
        except RemoteError as error:
            return verdict(error)

    def begin_index(self, repository: str, commit: str) -> bool:  # noqa: ARG002
        """Nobody: GitHub indexes what it likes."""
        return False

    def search(self, repository: str, commit: IndexedCommit, wanted: Wanted) -> RemoteFound:
        """Files that hold any of the words, in GitHub's order."""
        if not self._has_token:
            raise RemoteDenied(_TOKENLESS.format(self.name))
        said = _most_telling(wanted.words)
        if not said.words:
            return RemoteFound(alerts=said.alerts)
        about = self._repository(repository, wanted.cancelled)
        try:
            with self._searching.call(wanted.cancelled) as call:
                files, told, alerts = self._pages(call, about, said.words, wanted)
        except RemoteUnknown:
            self._forget(repository)  # It may have been renamed since.
            raise
        alerts = (*said.alerts, *alerts, *other_commit(self.name, commit.commit, told))
        return RemoteFound(hits_of(files, wanted.limit), alerts=alerts)

    def close(self) -> None:
        """Nothing is held between calls."""

    def _pages(
        self, call: Call, about: _Repository, words: Sequence[str], wanted: Wanted
    ) -> tuple[list[FoundFile], set[str], tuple[str, ...]]:
        """Files that pass, the commits they are of, and what to say, from as many pages as are needed."""
        files: list[FoundFile] = []
        told: set[str] = set()
        alerts: dict[str, None] = {}
        address: str | None = "/search/code?" + urlencode({"q": _query(about, words, wanted), "per_page": PAGE})
        for number in range(MOST_PAGES):
            if address is None or len(files) >= wanted.limit:
                break
            try:
                reply = call.fetch(Request(address, accept=_MATCHES, headers=_VERSION))
                page = decoded(reply.body, _Page, self.name)
            except RemoteError as error:
                if not number:
                    raise
                alerts[f"{error}; further results are left out"] = None
                break
            ours = [each for each in page.items if _is_of(each, about)]
            told |= {_commit_of(each) for each in ours}
            files += (FoundFile(each.path) for each in ours if wanted.accepts(each.path, ""))
            if page.incomplete_results:
                alerts[f"{self.name} cut its search short; its answer may lack files"] = None
            address = self._next(reply)
        return files, told, tuple(alerts)

    def _next(self, reply: Reply) -> str | None:
        found = _NEXT.search(reply.headers.get("link", "")[:_LINK_CHARACTERS])
        return within(self._searching.base, reply.url, found[1]) if found else None

    def _checked(self, repository: str) -> Checked:
        if not self._has_token:
            return Checked(RepositoryState.NOT_AUTHORIZED, detail=_TOKENLESS.format(self.name))
        self._forget(repository)
        about = self._repository(repository)
        if about.disabled:
            return Checked(RepositoryState.NOT_INDEXABLE, detail=f"{self.name} has turned off {about.full_name}")
        if about.fork and about.parent is not None and about.stargazers_count <= about.parent.stargazers_count:
            why = "a fork is searched by GitHub only if it has more stars than what it was forked from"
            return Checked(RepositoryState.NOT_INDEXABLE, detail=why)
        head = self._head(about)
        if head is None:
            return Checked(RepositoryState.READY, detail="the repository is empty")
        detail = "GitHub searches the default branch only, and does not tell how far its index is"
        return Checked(RepositoryState.READY, (IndexedCommit(head, branch=about.default_branch),), detail)

    def _repository(self, repository: str, cancelled: Callable[[], bool] = lambda: False) -> _Repository:
        """What GitHub says of it, asked for once. Here a renamed one has its old name too, in a search it has not."""
        named = _NAME.fullmatch(repository)
        if named is None or (self._host and named["host"] != self._host):
            raise RemoteUnknown(f"{self.name} has no repositories of the kind {repository}")
        with self._turn:
            known = self._known.get(repository)
        if known is None:
            known = self._looked(f"/repos/{named['full']}", _Repository, cancelled)
            if not re.fullmatch(r"[\w.-]+/[\w.-]+", known.full_name, re.ASCII):
                raise RemoteUnreachable(f"{self.name} names a repository in a way that is not understood")
            with self._turn:
                self._known[repository] = known
        return known

    def _forget(self, repository: str) -> None:
        with self._turn:
            self._known.pop(repository, None)

    def _head(self, about: _Repository) -> str | None:
        """The commit of the default branch; None if there is none yet."""
        if not about.default_branch:
            return None
        try:
            branch = quote(about.default_branch, safe="")
            return self._looked(f"/repos/{about.full_name}/branches/{branch}", _Branch).commit.sha
        except RemoteUnknown:
            if about.size:
                raise
            return None

    def _looked(self, path: str, kind: type[Made], cancelled: Callable[[], bool] = lambda: False) -> Made:
        with self._looking.call(cancelled) as call:
            return decoded(call.fetch(Request(path, accept=_JSON, headers=_VERSION)).body, kind, self.name)


_TOKENLESS = "{}: code search needs a token; make one that may read the repository and name its environment variable"


def _interface(base: Base) -> tuple[Base, str]:
    """Where the interface is, and the host in the names of its repositories; that is empty on this machine, where
    something stands in for the real one."""
    if base.host in ("github.com", "www.github.com"):
        return msgspec.structs.replace(base, host="api.github.com", path=""), "github.com"
    if base.host.startswith("api.") and not base.path:
        return base, base.shown.removeprefix("api.")
    path = base.path if base.path.endswith("/api/v3") else f"{base.path}/api/v3"
    return msgspec.structs.replace(base, path=path), "" if base.is_here else base.shown


def _most_telling(words: Sequence[str]) -> Phrased:
    """As many words as GitHub takes; names of code and long words before others, each in its place."""
    whole = phrased(word.translate(_NO_QUOTES) for word in words)
    kept: list[str] = []
    size = 0
    for word in sorted(whole.words, key=lambda word: (word.isalpha() and word.islower(), -len(word))):
        size += len(word) + len('"" OR ')
        if len(kept) < MOST_WORDS and size <= MOST_CHARACTERS:
            kept.append(word)
    if len(kept) == len(whole.words):
        return whole
    said = f"GitHub takes {MOST_WORDS} words at most; the others were not sent"
    return Phrased(tuple(word for word in whole.words if word in kept), (said,))


_NO_QUOTES = str.maketrans('"\\', "  ")
"""Everything between quotes is text; what could end them is left out, which GitHub passes over in any case."""


def _query(about: _Repository, words: Sequence[str], wanted: Wanted) -> str:
    """In its own language. Two folders or languages at once cannot be asked for; the filters here see to them."""
    parts = [" OR ".join(f'"{word}"' for word in words), f"repo:{about.full_name}"]
    if about.fork:
        parts.append("fork:true")
    if len(wanted.languages) == 1 and wanted.languages[0] in LINGUIST:
        parts.append(f'language:"{LINGUIST[wanted.languages[0]]}"')
    if len(wanted.below) == 1 and wanted.below[0] == wanted.below[0].translate(_NO_QUOTES):
        parts.append(f'path:"{wanted.below[0]}"')
    return " ".join(parts)


def _is_of(item: _Item, about: _Repository) -> bool:
    return item.repository is not None and item.repository.full_name.lower() == about.full_name.lower()


def _commit_of(item: _Item) -> str:
    """The commit in the address of a file's content; empty if there is none."""
    try:
        return parse_qs(urlsplit(item.url).query, max_num_fields=10).get("ref", [""])[0]
    except ValueError:
        return ""
