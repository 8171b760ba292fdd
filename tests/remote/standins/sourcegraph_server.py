"""Stands in for Sourcegraph. No server of theirs runs here: this one was written from what the documentation of its
stream interface and its GraphQL schema say, and searches a small repository for real.
"""

import json
from collections.abc import Iterator

from tests.remote.standins.corpus import Matched, NotUnderstood, Query, Repository
from tests.remote.standins.serving import Asked, Handler, StandIn

TOKEN = "sgp_swordfish0123456789"
INDEXED = "indexed"


class SourcegraphServer(StandIn):
    """Answers searches as events, in portions that do not end where events do."""

    def __init__(self, *repositories: Repository) -> None:
        super().__init__()
        self.repositories = list(repositories)
        self.state = INDEXED
        """Or `cloning`, `uncloned`, `unindexed`, `indexing`, `empty`, `without index`."""
        self.extra: list[tuple[str, object]] = []
        """Events before the end: alerts, errors, progress."""
        self.is_cut = False
        """Whether the stream breaks off before `done`."""

    def answer(self, handler: Handler, asked: Asked) -> None:
        if asked.headers.get("authorization") not in (None, f"token {TOKEN}"):
            handler.reply(401, b"Invalid access token.\n", "text/plain; charset=utf-8")
        elif asked.path.startswith("/.api/search/stream?"):
            self._stream(handler, asked)
        elif asked.path == "/.api/graphql" and asked.method == "POST":
            name = json.loads(asked.body)["variables"]["name"]
            known = next((each for each in self.repositories if each.name == name), None)
            handler.reply_json({"data": {"repository": self._about(known) if known else None}})
        else:
            handler.reply(404, b"404 page not found\n", "text/plain; charset=utf-8")

    def _stream(self, handler: Handler, asked: Asked) -> None:
        handler.begin("text/event-stream", Cache_Control="no-cache")
        sent = "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in self._events(asked)).encode()
        for at in range(0, len(sent), 97):
            handler.portion(sent[at : at + 97])
        if not self.is_cut:
            handler.portion(b"")
        handler.close_connection = self.is_cut

    def _events(self, asked: Asked) -> Iterator[tuple[str, object]]:
        yield "filters", []
        try:
            query = Query(asked.query["q"], has_strings=False)
            found = [(each, match) for each in self.repositories for match in query.search(each)]
        except NotUnderstood as error:
            yield "alert", {"title": "Unable To Process Query", "description": str(error), "proposedQueries": None}
            yield "done", {}
            return
        shown = _displayed(found, int(asked.query["display"]))
        told = [self._match(each, match, asked.query.get("cm") == "t") for each, match in shown]
        for at in range(0, len(told), 2):
            yield "matches", told[at : at + 2]
        skipped = [{"reason": "display", "title": "display limit hit", "message": "", "severity": "info"}]
        progress = {"done": True, "matchCount": len(found), "durationMs": 3}
        yield "progress", {**progress, "skipped": skipped if len(shown) < len(found) else []}
        yield from self.extra
        if not self.is_cut:
            yield "done", {}

    def _match(self, repository: Repository, match: Matched, is_chunks: bool) -> dict[str, object]:
        told: dict[str, object] = {
            "type": "content" if match.lines else "path",
            "repository": repository.name,
            "repositoryID": 1,
            "path": match.path,
            "branches": [""],
            "commit": repository.commit,
        }
        if not match.lines:
            return told
        lines = match.text.split("\n")
        if is_chunks:
            told["chunkMatches"] = [
                {
                    "content": lines[number - 1],
                    "contentStart": {"offset": 0, "line": number - 1, "column": 0},
                    "ranges": [
                        {
                            "start": {"offset": 0, "line": number - 1, "column": 0},
                            "end": {"offset": 1, "line": number - 1, "column": 1},
                        }
                    ],
                }
                for number in match.lines
            ]
        else:
            told["lineMatches"] = [
                {"line": lines[number - 1], "lineNumber": number - 1, "offsetAndLengths": [[0, 1]]}
                for number in match.lines
            ]
        return told

    def _about(self, repository: Repository) -> dict[str, object]:
        state = self.state
        ref = {"displayName": repository.branch}
        is_indexed = state == INDEXED
        refs = [
            {"ref": {"displayName": "old"}, "indexed": True, "indexedCommit": {"oid": "0" * 40}},
            {"ref": ref, "indexed": True, "indexedCommit": {"oid": repository.commit}},
        ]
        waiting = [{"ref": ref, "indexed": False, "indexedCommit": None}]
        index = {
            "status": {"updatedAt": "2026-01-01T00:00:00Z"} if state in (INDEXED, "indexing") else None,
            "refs": refs if is_indexed else waiting,
        }
        return {
            "name": repository.name,
            "mirrorInfo": {
                "cloned": state not in ("cloning", "uncloned"),
                "cloneInProgress": state == "cloning",
            },
            "defaultBranch": None if state == "empty" else {**ref, "target": {"oid": repository.commit}},
            "textSearchIndex": None if state == "without index" else index,
        }


def _displayed(found: list[tuple[Repository, Matched]], most: int) -> list[tuple[Repository, Matched]]:
    """Every line that matches counts."""
    shown: list[tuple[Repository, Matched]] = []
    for each in found:
        if most <= 0:
            break
        most -= max(1, len(each[1].lines))
        shown.append(each)
    return shown
