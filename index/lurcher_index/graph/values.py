"""What the graph answers: frozen values that become JSON as they are. Lines count from 1, columns are bytes from 0."""

from enum import StrEnum

import msgspec

from lurcher_index.query.parsed import Relation


class LinkKind(StrEnum):
    """How two nodes hang together."""

    CONTAINS = "contains"
    INHERITS = "inherits"
    INVOKES = "invokes"
    IMPORTS = "imports"
    COMPOSES = "composes"
    """A type holds or makes values of another type."""


class Direction(StrEnum):
    """Which way the links of a node are followed."""

    UP = "up"
    """To what contains, calls, imports or inherits it."""
    DOWN = "down"
    """To what it contains, calls, imports or inherits."""
    BOTH = "both"


class Node(msgspec.Struct, frozen=True, kw_only=True):
    """A file, a folder or a definition."""

    id: str
    kind: str
    """A value of `SymbolKind`, or `file`, or `folder`."""
    name: str
    container: str = ""
    """The names of what it lies in, joined by dots."""
    folder: str
    """The workspace folder, absolute."""
    path: str
    """Inside that folder, with forward slashes."""
    language: str = ""
    first_line: int = 0
    """Where it begins with its comments and decorators; 0 for a folder."""
    last_line: int = 0
    start: int = 0
    end: int = 0
    """Bytes of the document, as the lines."""
    name_start: int = 0
    name_end: int = 0


class Place(msgspec.Struct, frozen=True):
    """Where a name is used."""

    line: int
    column: int
    """Bytes before it on its line; -1 if not known."""


class Use(msgspec.Struct, frozen=True, kw_only=True):
    """One definition or file uses another: all uses of the same kind and the same words together."""

    source: Node
    """The definition in which the use stands; the file, if it stands in none."""
    target: Node | None
    """What is used, as far as it is known; None for what is not defined in the workspace."""
    kind: str
    """`call`, `inherit` or `import`."""
    name: str
    """As written where it is used, which can be an alias."""
    qualifier: str = ""
    """What stands before it, as written: `os.path` in `os.path.join(…)`."""
    line: int
    """Of the first use."""
    places: tuple[Place, ...] = ()
    """All of them, in the order of the text."""
    confidence: float = 1.0
    """How sure it is that `target` is meant, 0 to 1."""
    reason: str = ""
    """Why, in words: "imported", "same class", …"""
    others: tuple[str, ...] = ()
    """Ids of other definitions that may be meant as well, likeliest first; a few of them."""
    other_count: int = 0
    """How many there are."""


class Uses(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to "who calls X", "what does X call" or "where is X used"."""

    asked: str
    relation: Relation
    targets: tuple[Node, ...] = ()
    """The definitions that were asked about; empty if the name is defined nowhere in the workspace."""
    target_count: int = 0
    """How many there are, listed or not."""
    uses: tuple[Use, ...] = ()
    """Surest first, then by place."""
    total: int = 0
    """How many there are, shown or not; at least so many if `truncated` and the search was not thorough."""
    unsure: int = 0
    """How many more may be meant, below the confidence that was asked for."""
    truncated: bool = False
    """Whether there are more than are shown."""
    explanation: str = ""
    """A sentence for people: why there is nothing, or what to keep in mind."""


class Occurrence(msgspec.Struct, frozen=True, kw_only=True):
    """An exact place in the text of a file, as an editor shows it or as it is on disk."""

    folder: str
    path: str
    version: int | None
    """The editor's version of the document, if it shows one."""
    line: int
    before: str
    """What stands before it on its line, so that columns can be counted in any unit."""
    text: str
    """What is marked."""
    node: str
    """Id of the definition or file in which it stands."""
    kind: str
    """`call`, `inherit`, `import` or `definition`."""
    confidence: float = 1.0


class Fetched(msgspec.Struct, frozen=True, kw_only=True):
    """A node with its code."""

    node: Node
    code: str = ""
    """The lines of a definition or the whole file, secrets masked; empty for a folder."""
    container: Node | None = None
    members: tuple[Node, ...] = ()
    """What it directly contains, in the order of the text or of the paths."""
    changed: bool = False
    """Whether the file has changed on disk since it was indexed, so that no code can be shown."""
    feature_paths: tuple[str, ...] = ()


class FetchedNodes(msgspec.Struct, frozen=True, kw_only=True):
    """Nodes in the order asked for, and ids that name nothing."""

    nodes: tuple[Fetched, ...] = ()
    unknown: tuple[str, ...] = ()


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """One edge between two nodes, from the user to the used and from the container to the contained."""

    source: str
    target: str
    """Id of a node; for what is not in the workspace its name."""
    kind: LinkKind
    line: int = 0
    confidence: float = 1.0
    external: bool = False
    """Whether the target is not in the workspace."""


class Explored(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the graph: the nodes asked for, what is around them, and how it hangs together."""

    roots: tuple[str, ...] = ()
    nodes: tuple[Node, ...] = ()
    """Nearest first."""
    links: tuple[Link, ...] = ()
    unknown: tuple[str, ...] = ()
    truncated: bool = False
    """Whether nodes were left out because there are too many."""
    hidden: int = 0
    """How many neighbours of the shown nodes were left out, as far as they were counted."""
