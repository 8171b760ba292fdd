"""Stands in for `zoekt-webserver -rpc`. No server of theirs runs here: this one was written from what its documentation
and its interface say, searches a small repository for real, and knows of the query language what is in `corpus`.
"""

import json
from base64 import b64encode

from tests.remote.standins.corpus import Matched, NotUnderstood, Query, Repository
from tests.remote.standins.serving import Asked, Handler, StandIn


class ZoektServer(StandIn):
    """Repositories that are indexed. Bodies of matches are base64, as Go writes bytes; empty lists are null."""

    def __init__(self, *repositories: Repository) -> None:
        super().__init__()
        self.repositories = list(repositories)
        self.tells_chunks = True
        """Whether it knows the option ChunkMatches; older ones tell lines in any case."""
        self.crashes = 0

    def answer(self, handler: Handler, asked: Asked) -> None:
        if asked.method != "POST" or asked.path not in ("/api/search", "/api/list"):
            handler.reply(404, b"404 page not found\n", "text/plain; charset=utf-8")
            return
        try:
            given = json.loads(asked.body)
            query = Query(given["Q"], has_strings=True)
            if asked.path == "/api/search":
                handler.reply_json({"Result": self._search(query, given.get("Opts") or {})})
            else:
                handler.reply_json({"List": self._list(query)})
        except NotUnderstood as error:
            handler.reply_json({"Error": f"parse error: {error}"}, 400)

    def _search(self, query: Query, options: dict[str, int]) -> dict[str, object]:
        found = [(each, match) for each in self.repositories for match in query.search(each)]
        shown = found[: options.get("MaxDocDisplayCount") or len(found)]
        is_chunks = bool(options.get("ChunkMatches")) and self.tells_chunks
        return {
            "ContentBytesLoaded": 0,
            "Crashes": self.crashes,
            "Duration": 1_000_000,
            "FileCount": len(found),
            "FilesSkipped": 0,
            "ShardsSkipped": 0,
            "MatchCount": sum(len(match.lines) for _, match in found),
            "Files": [self._file(each, match, is_chunks) for each, match in shown] or None,
            "RepoURLs": {},
            "LineFragments": {},
        }

    def _file(self, repository: Repository, match: Matched, is_chunks: bool) -> dict[str, object]:
        told: dict[str, object] = {
            "FileName": match.path,
            "Repository": repository.name,
            "Version": repository.commit,
            "Branches": [repository.branch],
            "Language": "",
            "Score": float(match.atoms * 100 + len(match.lines)),
            "Checksum": "",
        }
        if is_chunks:
            told["ChunkMatches"] = [_chunk(match, number) for number in match.lines] or [_named_chunk(match)]
        else:
            told["LineMatches"] = [_line(match, number) for number in match.lines] or [_named_line(match)]
        return told

    def _list(self, query: Query) -> dict[str, object]:
        pattern = query.fields["repo"][0]
        named = Query(f'repo:"{pattern}"'.replace("\\", "\\\\"), has_strings=True)
        empty = {"README": ""}
        known = [
            each for each in self.repositories if named.search(Repository(each.name, each.commit, each.branch, empty))
        ]
        entries = [
            {
                "Repository": {
                    "ID": number,
                    "Name": each.name,
                    "Branches": [{"Name": each.branch, "Version": each.commit}],
                },
                "IndexMetadata": {"IndexFormatVersion": 16},
                "Stats": {"Repos": 1, "Shards": 1, "Documents": len(each.files)},
            }
            for number, each in enumerate(known, 1)
        ]
        return {"Repos": entries or None, "Crashes": self.crashes, "Stats": {"Repos": len(entries)}, "ReposMap": None}


def _base64(text: str) -> str:
    return b64encode(text.encode()).decode()


def _chunk(match: Matched, number: int) -> dict[str, object]:
    line = match.text.split("\n")[number - 1]
    return {
        "Content": _base64(line + "\n"),
        "ContentStart": {"ByteOffset": 0, "LineNumber": number, "Column": 1},
        "Ranges": [{"Start": {"LineNumber": number, "Column": 1}, "End": {"LineNumber": number, "Column": 2}}],
        "FileName": False,
        "SymbolInfo": None,
        "Score": 1.0,
        "BestLineMatch": number,
    }


def _named_chunk(match: Matched) -> dict[str, object]:
    ranges = [{"Start": {"LineNumber": 1, "Column": 1}, "End": {"LineNumber": 1, "Column": 2}}]
    return {"Content": _base64(match.path), "Ranges": ranges, "FileName": True, "Score": 1.0}


def _line(match: Matched, number: int) -> dict[str, object]:
    line = match.text.split("\n")[number - 1]
    return {
        "Line": _base64(line),
        "LineNumber": number,
        "LineStart": 0,
        "LineEnd": len(line),
        "FileName": False,
        "Score": 1.0,
        "LineFragments": [{"LineOffset": 0, "Offset": 0, "MatchLength": 1}],
    }


def _named_line(match: Matched) -> dict[str, object]:
    return {"Line": _base64(match.path), "LineNumber": 0, "FileName": True, "Score": 1.0, "LineFragments": None}
