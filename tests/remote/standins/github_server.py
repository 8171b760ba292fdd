"""Stands in for GitHub's REST interface, as an Enterprise server has it (`/api/v3`). No server of theirs runs here:
this one was written from what their documentation says of code search, and searches a small repository for real.
"""

import re
from urllib.parse import quote, unquote, urlencode, urlsplit

from tests.remote.standins.corpus import Repository
from tests.remote.standins.serving import Asked, Handler, StandIn

TOKEN = "ghp_swordfish0123456789"
NOW = 1_700_000_000


class GitHubServer(StandIn):
    """Repositories are named `owner/name` there."""

    def __init__(self, *repositories: Repository) -> None:
        super().__init__()
        self.repositories = {each.name.split("/", 1)[1]: each for each in repositories}
        self.renamed: dict[str, str] = {}
        self.about: dict[str, object] = {}
        """What its repositories have in addition, as `fork` and `parent`."""
        self.remaining = 10
        """Searches that are left in this minute."""
        self.is_incomplete = False

    def answer(self, handler: Handler, asked: Asked) -> None:
        path = unquote(urlsplit(asked.path).path).removeprefix("/api/v3")
        if asked.headers.get("authorization") != f"Bearer {TOKEN}":
            handler.reply_json({"message": "Bad credentials", "status": "401"}, 401)
        elif path == "/search/code":
            self._search(handler, asked)
        elif found := re.fullmatch(r"/repos/([^/]+/[^/]+)(/branches/.+)?", path):
            self._repository(handler, found[1], found[2] or "")
        elif found := re.fullmatch(r"/repositories/(\d+)", path):
            self._repository(handler, list(self.repositories)[int(found[1]) - 1], "")
        else:
            _not_found(handler)

    def _repository(self, handler: Handler, name: str, rest: str) -> None:
        if name in self.renamed:
            number = list(self.repositories).index(self.renamed[name]) + 1
            location = f"{self.url}/api/v3/repositories/{number}"
            handler.reply_json({"message": "Moved Permanently", "url": location}, 301, Location=location)
            return
        known = self.repositories.get(name)
        if known is None or (rest and (not known.files or rest != f"/branches/{known.branch}")):
            _not_found(handler)
        elif rest:
            handler.reply_json({"name": known.branch, "commit": {"sha": known.commit}, "protected": False})
        else:
            told = {"id": 1, "full_name": name, "default_branch": known.branch, "size": len(known.files), **self.about}
            handler.reply_json(told)

    def _search(self, handler: Handler, asked: Asked) -> None:
        if self.remaining <= 0:
            said = {"message": "API rate limit exceeded for user ID 1."}
            handler.reply_json(said, 403, **self._limits())
            return
        self.remaining -= 1
        words, filters = _parsed(asked.query["q"])
        name = next((value for field, value in filters if field == "repo"), "")
        if not words or name not in self.repositories:
            handler.reply_json({"message": "Validation Failed", "errors": [{"code": "invalid"}]}, 422)
            return
        found = self._found(self.repositories[name], words, filters)
        size, page = int(asked.query.get("per_page", "30")), int(asked.query.get("page", "1"))
        if page * size > 1_000:
            handler.reply_json({"message": "Only the first 1000 search results are available"}, 422)
            return
        items = [self._item(self.repositories[name], name, path) for path in found[(page - 1) * size : page * size]]
        headers = self._limits()
        if page * size < min(len(found), 1_000):
            following = urlencode({**asked.query, "page": str(page + 1)})
            last = urlencode({**asked.query, "page": str(-(-min(len(found), 1_000) // size))})
            address = f"{self.url}/api/v3/search/code"
            headers["Link"] = f'<{address}?{following}>; rel="next", <{address}?{last}>; rel="last"'
        told = {"total_count": len(found), "incomplete_results": self.is_incomplete, "items": items}
        handler.reply_json(told, 200, **headers)

    def _found(self, repository: Repository, words: list[str], filters: list[tuple[str, str]]) -> list[str]:
        scores: dict[str, int] = {}
        for path, text in repository.files.items():
            folders = [value for field, value in filters if field == "path"]
            languages = [value for field, value in filters if field == "language"]
            if any(not path.startswith(f"{folder}/") for folder in folders):
                continue
            if any(not path.endswith({"Python": ".py", "Go": ".go"}[language]) for language in languages):
                continue
            if score := sum(word.lower() in text.lower() for word in words):
                scores[path] = score
        return sorted(scores, key=lambda path: (-scores[path], path))

    def _item(self, repository: Repository, name: str, path: str) -> dict[str, object]:
        return {
            "name": path.rpartition("/")[2],
            "path": path,
            "sha": "b" * 40,
            "url": f"{self.url}/api/v3/repositories/1/contents/{quote(path)}?ref={repository.commit}",
            "repository": {"id": 1, "full_name": name, "private": True},
            "score": 1.0,
            "text_matches": [
                {
                    "object_type": "FileContent",
                    "property": "content",
                    "fragment": repository.files[path][:100],
                    "matches": [{"text": "x", "indices": [0, 1]}],
                }
            ],
        }

    def _limits(self) -> dict[str, str]:
        return {
            "X_RateLimit_Limit": "10",
            "X_RateLimit_Remaining": str(self.remaining),
            "X_RateLimit_Reset": str(NOW + 42),
            "X_RateLimit_Resource": "code_search",
        }


def _not_found(handler: Handler) -> None:
    handler.reply_json({"message": "Not Found", "status": "404"}, 404)


def _parsed(query: str) -> tuple[list[str], list[tuple[str, str]]]:
    """Words, and filters as `field:value` or `field:"value"`."""
    words: list[str] = []
    filters: list[tuple[str, str]] = []
    for field, quoted, plain in re.findall(r'(?:(\w+):)?(?:"([^"]*)"|(\S+))', query):
        if field:
            filters.append((field, quoted or plain))
        elif quoted or plain != "OR":
            words.append(quoted or plain)
    return words, filters
