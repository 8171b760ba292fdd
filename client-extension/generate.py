"""Writes what the extension repeats of the server: `src/protocol.ts`, and the settings in `package.json`.

The server's `protocol.py` and `settings.py` are the source. Run this after a change of them; with `--check` nothing is
written, and the exit code says whether something would be.
"""

import ast
import inspect
import json
import re
import sys
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec

from lurcher_server import __version__
from lurcher_server.lsp import protocol, wire
from lurcher_server.lsp.settings import SECTION, ServerSettings, read_settings
from lurcher_server.lsp.wire import Wire

HERE = Path(__file__).parent
PROTOCOL = HERE / "src" / "protocol.ts"
PACKAGE = HERE / "package.json"

Message = tuple[type[Wire] | None, type[Wire] | None]

MESSAGES: dict[str, Message] = {
    "CHUNK_SEARCH": (protocol.ChunkSearchParams, protocol.ChunkSearchAnswer),
    "STATUS": (None, protocol.StatusAnswer),
    "BUILD": (None, protocol.DoneAnswer),
    "REBUILD": (None, protocol.DoneAnswer),
    "CLEAR": (None, protocol.DoneAnswer),
    "EXPLAIN": (protocol.ExplainParams, protocol.ExplainAnswer),
    "METRICS": (None, None),
    "REMOTE": (protocol.RemoteParams, protocol.RemoteAnswer),
    "FETCH_NODE": (protocol.FetchNodeParams, protocol.FetchNodeAnswer),
    "EXPLORE_GRAPH": (protocol.ExploreGraphParams, protocol.ExploreGraphAnswer),
    "TREE": (protocol.TreeParams, protocol.TreeAnswer),
    "LOCATE": (protocol.LocateParams, protocol.LocateAnswer),
}
"""What each request of ours takes and answers, by the name of its constant; the server has that in its handlers only.
The answer to METRICS is a plain map."""

TOO_MUCH = 10**15
"""More than the upper limit of any setting that has one."""

OWN_SETTINGS: dict[str, dict[str, Any]] = {
    "serverPath": {
        "type": ["string", "null"],
        "default": None,
        "scope": "machine-overridable",
        "markdownDescription": "The program `lurcher` to start, as a whole path. By default it is looked for: in the"
        " extension, in the workspace's virtual environment, on the search path, and where this extension set it up.",
    },
    "serverPackage": {
        "type": "string",
        "default": "",
        "scope": "machine",
        "markdownDescription": "What pip installs when a private server is set up: a wheel, a folder with a checkout,"
        " or a requirement. By default the wheel that comes with the extension.",
    },
    "python": {
        "type": "string",
        "default": "",
        "scope": "machine",
        "markdownDescription": "The Python, 3.11 or newer, that a private server is set up with. By default the newest"
        " one on the search path.",
    },
    "registerMcpServer": {
        "type": "boolean",
        "default": True,
        "scope": "window",
        "markdownDescription": "Whether `lurcher mcp` is offered to this editor's assistants besides the tool"
        " `#lurcher`.",
    },
}
"""Settings that the extension reads itself; they are not sent to the server, which would complain of them."""

HARMLESS = {
    "exclude",
    "embeddings",
    "indexOnStart",
    "watch",
    "deadlineSeconds",
    "definition",
    "references",
    "callHierarchy",
    "documentSymbol",
    "workspaceSymbol",
    "otherServers",
    "logLevel",
    "registerMcpServer",
}
"""What a workspace that nobody trusts may set. Everything else names programs, folders, addresses or the size of work,
and so does, until somebody thinks about it, every new setting."""


def main(arguments: list[str]) -> int:
    """Write both files, or compare them."""
    made = {PROTOCOL: typescript(), PACKAGE: package(PACKAGE.read_text("utf-8"))}
    stale = [path for path, text in made.items() if not path.exists() or path.read_text("utf-8") != text]
    for path in stale:
        if "--check" in arguments:
            print(f"{path.name} is not what the server says: run client-extension/generate.py")
        else:
            path.write_text(made[path], "utf-8")
            print(f"{path.name} is written")
    return 1 if stale and "--check" in arguments else 0


# -- protocol.ts


def typescript() -> str:
    """The whole of `protocol.ts`."""
    structs = _in_order(_reachable())
    parts = [
        "// Made by generate.py from the server's protocol.py and settings.py; do not edit.\n",
        f'export const SERVER_VERSION = "{__version__}";\n',
        *(f'export const {name} = "{getattr(protocol, name)}" as const;' for name in (*MESSAGES, "STATUS_CHANGED")),
        "\n/** Commands that the client registers for the server by itself: names that the extension cannot have. */",
        _listed("SERVER_COMMANDS", list(protocol.COMMANDS)),
        "\n/** Names of the settings that are sent to the server. */",
        _listed("SERVER_SETTINGS", [field.encode_name for field in msgspec.structs.fields(ServerSettings)]),
        *(interface(struct) for struct in structs),
        "\n/** What each request takes and answers. */\nexport interface Requests {",
        *(_request(name, *message) for name, message in MESSAGES.items()),
        "}\n",
    ]
    return "\n".join(parts)


def interface(struct: type[Wire]) -> str:
    """One type; what a client may leave out of params is optional."""
    is_params = struct.__name__.endswith("Params")
    said = _docstrings(struct)
    lines = [f"\n/** {inspect.getdoc(struct)} */", f"export interface {struct.__name__} {{"]
    for field in msgspec.structs.fields(struct):
        if field.name in said:
            lines.append(f"  /** {said[field.name]} */")
        optional = "?" if is_params and not field.required else ""
        lines.append(f"  {field.encode_name}{optional}: {type_of(field.type)};")
    return "\n".join([*lines, "}"])


def type_of(kind: Any) -> str:
    """A type of Python's as TypeScript writes it."""
    plain = {str: "string", int: "number", float: "number", bool: "boolean", Any: "unknown", type(None): "null"}
    if kind in plain:
        return plain[kind]
    inside = get_args(kind)
    match get_origin(kind):
        case origin if origin is Annotated:
            return type_of(inside[0])
        case origin if origin in (UnionType, Union):
            return " | ".join(dict.fromkeys(type_of(each) for each in inside))
        case origin if origin is Literal:
            return " | ".join(json.dumps(each) for each in inside)
        case origin if origin is tuple:
            element = type_of(inside[0])
            return f"readonly ({element})[]" if " " in element else f"readonly {element}[]"
        case origin if origin is dict:
            return f"Readonly<Record<string, {type_of(inside[1])}>>"
        case _:
            return str(kind.__name__)


def _request(name: str, params: type[Wire] | None, answer: type[Wire] | None) -> str:
    taken = params.__name__ if params else "undefined"
    given = answer.__name__ if answer else "Readonly<Record<string, unknown>>"
    return f"  [{name}]: {{ params: {taken}; answer: {given} }};"


def _reachable() -> set[type[Wire]]:
    """Everything that our own messages are made of; those of the standard's are known to every client."""
    todo: list[Any] = [struct for message in MESSAGES.values() for struct in message if struct]
    found: set[type[Wire]] = set()
    while todo:
        kind = todo.pop()
        if isinstance(kind, type) and issubclass(kind, Wire):
            if kind not in found:
                found.add(kind)
                todo += [field.type for field in msgspec.structs.fields(kind)]
        else:
            todo += [each for each in get_args(kind) if each is not kind]
    return found


def _in_order(structs: set[type[Wire]]) -> list[type[Wire]]:
    """As they stand in `wire.py` and `protocol.py`."""
    named = {**vars(wire), **vars(protocol)}.values()
    return [each for each in named if isinstance(each, type) and each in structs]


def _listed(name: str, values: list[str]) -> str:
    return f"export const {name}: readonly string[] = [\n" + "".join(f'  "{each}",\n' for each in values) + "];"


# -- package.json


def package(text: str) -> str:
    """`package.json` with the settings and the version of now; the rest is as it was."""
    manifest = json.loads(text)
    properties = {**_server_properties(), **OWN_SETTINGS}
    manifest["version"] = __version__
    manifest.setdefault("contributes", {})["configuration"] = {
        "title": "Lurcher",
        "properties": {f"{SECTION}.{name}": schema for name, schema in properties.items()},
    }
    restricted = [f"{SECTION}.{name}" for name in properties if name not in HARMLESS]
    trust = manifest.setdefault("capabilities", {}).setdefault("untrustedWorkspaces", {})
    trust["restrictedConfigurations"] = restricted
    return json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"


def _server_properties() -> dict[str, dict[str, Any]]:
    schema = msgspec.json.schema_components([ServerSettings])[1][ServerSettings.__name__]
    said = _docstrings(ServerSettings)
    return {
        field.encode_name: {
            **_plain(schema["properties"][field.encode_name]),
            **_limits(field.encode_name),
            "scope": "window" if field.encode_name in HARMLESS else "machine-overridable",
            "markdownDescription": said[field.name],
        }
        for field in msgspec.structs.fields(ServerSettings)
    }


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """The settings editor shows an input for `type: [a, null]`, and none for `anyOf` or what has no type."""
    if "anyOf" not in schema:
        return {"type": "string", **schema} if "enum" in schema else schema
    merged = {key: value for key, value in schema.items() if key != "anyOf"}
    for each in schema["anyOf"]:
        merged.update({key: value for key, value in each.items() if key != "type"})
    return {**merged, "type": [each["type"] for each in schema["anyOf"]]}


def _limits(name: str) -> dict[str, Any]:
    """Limits as the server itself tells them: by refusing a value."""
    limits: dict[str, Any] = {}
    if any("greater than 0" in complaint for complaint in read_settings({name: 0})[1]):
        limits["exclusiveMinimum"] = 0
    for most in re.findall(r"must be at most (\d+)", " ".join(read_settings({name: TOO_MUCH})[1])):
        limits["maximum"] = int(most)
    return limits


def _docstrings(struct: type[msgspec.Struct]) -> dict[str, str]:
    """What stands below each field; Python itself forgets that."""
    (definition,) = ast.parse(inspect.getsource(struct)).body
    assert isinstance(definition, ast.ClassDef)
    said: dict[str, str] = {}
    for field, below in zip(definition.body, definition.body[1:], strict=False):
        is_text = isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and is_text:
            said[field.target.id] = " ".join(str(below.value.value).split())  # type: ignore[attr-defined]
    return said


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
