"""Nodes with their code, what they lie in and what they hold."""

from collections.abc import Sequence

from lurcher_index.graph.files import GraphFile
from lurcher_index.graph.finding import by_node_id
from lurcher_index.graph.reading import GraphFiles
from lurcher_index.graph.values import Fetched, FetchedNodes


def fetch(files: GraphFiles, ids: Sequence[str]) -> FetchedNodes:
    """Some nodes in the order asked for; ids that name nothing are reported, never guessed."""
    found: list[Fetched] = []
    unknown: list[str] = []
    for each in dict.fromkeys(ids):
        definition = by_node_id(files, each)
        if definition is not None:
            found.append(_fetched(files, *definition))
        elif members := files.in_folder(each.rstrip("/")):
            found.append(Fetched(node=files.folder_node(each.rstrip("/")), members=members))
        else:
            unknown.append(each)
    return FetchedNodes(nodes=tuple(found), unknown=tuple(unknown))


def _fetched(files: GraphFiles, file: GraphFile, at: int) -> Fetched:
    is_current = file.row.file_id < 0 or files.view.is_unchanged(file.row)
    text = files.view.text_of(file.row) if is_current else None
    node = file.node(at)
    code = b"" if text is None else text.data if at < 0 else text.data[node.start : node.end]
    members = tuple(file.node(other) for other, each in enumerate(file.outline.symbols) if each.container == at)
    container = None if at < 0 else file.node(file.outline.symbols[at].container)
    return Fetched(
        node=node,
        code=code.decode("utf-8", "replace"),
        container=container,
        members=members,
        changed=text is None,
    )
