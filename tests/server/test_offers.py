"""What is offered for which languages: nothing twice beside a language's own server, and something where none is."""

from pathlib import Path
from typing import Any

import pytest
from tests.files.trees import plant
from tests.server.client import ABLE, Client, Message

from lurcher_server.lsp.offers import KNOWN, OWN_SERVERS, Feature, languages_of, selector_of
from lurcher_server.lsp.settings import read_settings
from lurcher_server.lsp.uris import uri_of

FILES = {
    "hound.py": "def track_scent():\n    pass\n\n\ntrack_scent()\n",
    "hound.sh": "track_scent() {\n  echo\n}\n\ntrack_scent\n",
}
DYNAMIC = {"dynamicRegistration": True}
REGISTERING: Message = {
    "workspace": {**ABLE["workspace"], "symbol": {**DYNAMIC, "resolveSupport": {"properties": ["location.range"]}}},
    "textDocument": {
        "definition": {**DYNAMIC, "linkSupport": True},
        "references": DYNAMIC,
        "callHierarchy": DYNAMIC,
        "documentSymbol": DYNAMIC,
    },
}
"""An editor that lets everything be registered, as VS Code does."""

NAMED = {"clientInfo": {"name": "Some Editor"}}
METHODS = {feature.value: feature.method for feature in Feature}


def asked(client: Client, tree: Path, name: str) -> dict[str, int]:
    """How much each feature finds in a file, all asked about the call at its end."""
    document = {"textDocument": {"uri": uri_of(tree / name)}}
    position = {"position": {"line": 4, "character": 1}, "context": {"includeDeclaration": True}}
    found = {
        feature.value: client.ask(feature.method, {**document, **position}) or []
        for feature in (Feature.DEFINITION, Feature.REFERENCES, Feature.CALL_HIERARCHY, Feature.DOCUMENT_SYMBOL)
    }
    symbols = client.ask("workspace/symbol", {"query": "track_scent"})
    found["workspaceSymbol"] = [each for each in symbols if each["location"]["uri"] == uri_of(tree / name)]
    return {name: len(answer) for name, answer in found.items()}


EVERYTHING = {"definition": 1, "references": 2, "callHierarchy": 1, "documentSymbol": 1, "workspaceSymbol": 1}
NOTHING = dict.fromkeys(EVERYTHING, 0)


def providers(answer: Message) -> set[str]:
    found = {name.removesuffix("Provider") for name, value in answer["capabilities"].items() if value}
    return found & METHODS.keys()


@pytest.mark.parametrize(
    ("settings", "more", "python", "bash"),
    [
        ({}, NAMED, NOTHING, EVERYTHING),
        ({}, {}, EVERYTHING, EVERYTHING),
        ({}, {"clientInfo": {"name": "Eglot"}}, EVERYTHING, EVERYTHING),
        ({"otherServers": []}, NAMED, EVERYTHING, EVERYTHING),
        ({"otherServers": ["shellscript"]}, {}, EVERYTHING, NOTHING),
        ({"references": "on"}, NAMED, NOTHING | {"references": 2}, EVERYTHING),
        ({"references": "off", "definition": "off"}, NAMED, NOTHING, EVERYTHING | {"references": 0, "definition": 0}),
        (dict.fromkeys(METHODS, "off"), {}, NOTHING, NOTHING),
    ],
)
def test_a_client_that_registers_nothing_gets_empty_answers_for_the_languages_of_others(
    tmp_path: Path, settings: Message, more: Message, python: Message, bash: Message
) -> None:
    tree = plant(tmp_path / "tree", FILES)
    with Client(tmp_path / "store", {"embeddings": False, **settings}) as client:
        assert providers(client.initialize([tree], **more)) == METHODS.keys()
        client.ready()
        assert asked(client, tree, "hound.py") == python
        assert asked(client, tree, "hound.sh") == bash


def test_what_the_first_settings_switch_off_is_not_offered(tmp_path: Path) -> None:
    options = {"store": ":memory:", "definition": "off", "callHierarchy": "off", "watch": "off"}
    with Client(tmp_path / "store") as client:
        answer = client.initialize([plant(tmp_path / "tree", FILES)], {}, initializationOptions={"lurcher": options})
        assert providers(answer) == {"references", "documentSymbol", "workspaceSymbol"}


def registrations(client: Client, since: int = 0) -> dict[str, Any]:
    """The newest options of everything of these that was registered, by its method."""
    heard = client.all_heard("client/registerCapability", since=since)
    listed = [each for params in heard for each in params["registrations"]]
    return {each["method"]: each["registerOptions"] for each in listed if each["method"] in METHODS.values()}


def test_registrations_follow_the_settings(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", FILES)
    with Client(tmp_path / "store", {"embeddings": False}) as client:
        assert providers(client.initialize([tree], REGISTERING, **NAMED)) == set()
        client.ready()
        first = "textDocument/definition"
        client.await_heard(
            "client/registerCapability", lambda params: first in {each["method"] for each in params["registrations"]}
        )
        held = registrations(client)
        assert held.keys() == set(METHODS.values())
        assert held["workspace/symbol"] == {"resolveProvider": True}
        for method in held.keys() - {"workspace/symbol"}:
            named = {each.get("language") for each in held[method]["documentSelector"]}
            assert {"shellscript", "lua", "sql", "zig"} <= named and not {"python", "go", "typescript"} & named
            assert {"scheme": "file", "pattern": "**/*.{zig,zon}"} in held[method]["documentSelector"]
        status = client.ready()
        since = len(client.heard)
        client.settings = {
            "store": str(tmp_path / "store"),
            "embeddings": False,
            "definition": "on",
            "references": "off",
        }
        client.tell("workspace/didChangeConfiguration", {"settings": None})
        taken = client.await_heard("client/unregisterCapability", since=since)["unregisterations"]
        assert {each["method"] for each in taken} == {"textDocument/definition", "textDocument/references"}
        client.await_heard("client/registerCapability", since=since)
        assert registrations(client, since) == {"textDocument/definition": {"documentSelector": [{"scheme": "file"}]}}
        assert client.ready()["store"] == status["store"]
        opened = client.all_heard(
            "workspace/chunkSearch/statusChanged", lambda each: each["state"] == "updating", since
        )
        assert not opened, "none of this needs another index"


def test_a_link_has_the_whole_definition_and_a_symbol_is_resolved_to_its_name(tmp_path: Path) -> None:
    tree = plant(tmp_path / "tree", FILES)
    name = {"start": {"line": 0, "character": 4}, "end": {"line": 0, "character": 15}}
    with Client(tmp_path / "store", {"embeddings": False}) as client:
        client.initialize([tree], REGISTERING)
        client.ready()
        document = {"uri": uri_of(tree / "hound.py")}
        place = {"textDocument": document, "position": {"line": 4, "character": 1}}
        (link,) = client.ask("textDocument/definition", place)
        assert (link["targetUri"], link["targetSelectionRange"]) == (document["uri"], name)
        assert link["targetRange"] == {"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 8}}
        symbols = client.ask("workspace/symbol", {"query": "track_scent"})
        (symbol,) = [each for each in symbols if each["location"]["uri"] == document["uri"]]
        assert client.ask("workspaceSymbol/resolve", symbol)["location"] == {**document, "range": name}
        client.show(tree / "hound.py", f"# 🐾\n\n{FILES['hound.py']}")
        moved = client.ask("workspaceSymbol/resolve", symbol)["location"]["range"]["start"]
        assert moved == {"line": 2, "character": 4}
        assert client.ask("workspaceSymbol/resolve", {**symbol, "name": "gone"})["name"] == "gone"


# -- the decision by itself


def test_languages_that_others_serve_are_known_ones() -> None:
    assert KNOWN.keys() > OWN_SERVERS


@pytest.mark.parametrize("feature", Feature)
def test_each_feature_has_its_setting(feature: Feature) -> None:
    for other in Feature:
        settings, complaints = read_settings({feature.value: "off"})
        assert not complaints
        offered = languages_of(other, settings, has_other_servers=False)
        assert offered == (frozenset() if other is feature else None)


def test_languages_may_be_named_as_the_client_names_them() -> None:
    settings, _ = read_settings({"otherServers": ["ShellScript", "typescriptreact", "cobol"]})
    offered = languages_of(Feature.REFERENCES, settings, has_other_servers=True)
    assert offered == frozenset(KNOWN) - {"bash", "tsx"}
    assert {"scheme": "file", "language": "typescriptreact"} not in selector_of(offered)
