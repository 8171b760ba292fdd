"""What leaves the machine with remote code search, and what never does, in sentences for people. No code reads them
but to compare: `consent` keeps the lines that a person agreed to, and a line that is new has to be agreed to anew."""

from lurcher_index.remote.connection import Connection, Kind

NEVER_SENT = (
    "the text of your files, saved or not",
    "files that ignore rules, secrets rules or your settings leave out of the index, and their names",
    "anything of folders for which remote code search is not allowed",
)
"""True of every kind, for searching and for publishing."""

_OF_EVERY_SEARCH = (
    "the names of the workspace's repositories (as github.com/owner/name), also to see whether they can be searched,"
    " and the commit or branch that is",
    "the languages, endings of file names and folders that the search is limited to",
)

_OF_A_SHARED_INDEX = (
    "the terms of the question: its words, taken apart and shortened, with their weights",
    "the question's vector, as the embedding model on this machine makes it",
)

_OF_A_CODE_SEARCH = ("the words of the question as you wrote them, without those that only ask",)

_OF_A_PUBLISH = (
    "the name of the repository, the commit, its branch, and the name of the embedding model",
    "of every file that the index of this machine would have: its path, its language and a hash of its content",
    "of every chunk: its lines, a hash of its text, its terms (words and names that stand in it) with their counts, and"
    " its vector",
)

_NOT_OF_A_SHARED_INDEX = "the question itself, as you wrote it"


def what_is_sent(kind: Kind, token_variable: str = "") -> tuple[str, ...]:
    """What leaves the machine with every search, one line each."""
    own = _OF_A_SHARED_INDEX if kind.is_shared_index else _OF_A_CODE_SEARCH
    return (*own, *_OF_EVERY_SEARCH, *_signing_in(kind, token_variable))


def what_is_published(kind: Kind) -> tuple[str, ...]:
    """What `lurcher publish` would send, which nothing does by itself; empty where nothing can be published."""
    return _OF_A_PUBLISH if kind.is_shared_index else ()


def what_is_never_sent(kind: Kind) -> tuple[str, ...]:
    """What stays on this machine, whatever is searched or published."""
    return (_NOT_OF_A_SHARED_INDEX, *NEVER_SENT) if kind.is_shared_index else NEVER_SENT


def described(connection: Connection) -> tuple[str, ...]:
    """What a person agrees to with a connection: what is sent with every search."""
    return what_is_sent(connection.kind, connection.token_variable)


def _signing_in(kind: Kind, token_variable: str) -> tuple[str, ...]:
    what = "password" if kind is Kind.POSTGRES else "token"
    where = f"in the environment variable {token_variable}" if token_variable else "that you give in the editor, if any"
    return (f"the {what} {where}, to that address alone",)
