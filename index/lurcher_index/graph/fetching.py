"""Nodes with their code, what they lie in and what they hold."""

import re
from collections.abc import Sequence

import msgspec

from lurcher_index.graph.files import GraphFile
from lurcher_index.graph.finding import by_node_id
from lurcher_index.graph.reading import GraphFiles
from lurcher_index.graph.values import Fetched, FetchedNodes
from lurcher_index.text.lines import line_starts

_RANGE = re.compile(r"(.+):(\d{1,9})(?:-(\d{1,9}))?", re.DOTALL)


def fetch(files: GraphFiles, ids: Sequence[str]) -> FetchedNodes:
    """Some nodes in the order asked for; ids that name nothing are reported, never guessed."""
    found: list[Fetched] = []
    unknown: list[str] = []
    for each in dict.fromkeys(ids):
        definition = by_node_id(files, each)
        if definition is not None:
            found.append(_fetched(files, *definition))
        elif (lines := _lines(files, each)) is not None:
            found.append(lines)
        elif members := files.in_folder(each.rstrip("/")):
            found.append(Fetched(node=files.folder_node(each.rstrip("/")), members=members))
        else:
            unknown.append(each)
    return FetchedNodes(nodes=tuple(found), unknown=tuple(unknown))


def _lines(files: GraphFiles, written: str) -> Fetched | None:
    """Lines of a file, `src/app.py:10-20` or `src/app.py:10`; None unless the path is exact and the first is there."""
    match = _RANGE.fullmatch(written)
    definition = by_node_id(files, match[1]) if match else None
    if match is None or definition is None or definition[1] >= 0:
        return None
    file = definition[0]
    whole = _fetched(files, file, -1)
    first, last = int(match[2]), min(int(match[3] or match[2]), file.outline.line_count)
    if not 1 <= first <= last:
        return None
    around = [at for at, each in enumerate(file.outline.symbols) if each.first_line <= first and last <= each.last_line]
    inner = max(around, key=lambda at: file.outline.symbols[at].start, default=-1)
    return Fetched(
        node=msgspec.structs.replace(whole.node, id=written, first_line=first, last_line=last),
        code=_between(whole.code.encode(), first, last),
        container=file.node(inner),
        changed=whole.changed,
    )


def _between(data: bytes, first: int, last: int) -> str:
    # A file that has changed shows no code at all.
    starts = [*line_starts(data), len(data)] if data else [0]
    return data[starts[min(first - 1, len(starts) - 1)] : starts[min(last, len(starts) - 1)]].decode()


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
