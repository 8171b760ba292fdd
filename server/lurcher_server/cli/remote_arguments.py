"""`lurcher remote`: what can be typed, and the help that teaches it."""

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING

from lurcher_server.here import folder_name

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # pyright: ignore[reportPrivateUsage]
    Command = Callable[[Commands, str, str, str], argparse.ArgumentParser]

KINDS = ("postgres", "milvus", "zoekt", "sourcegraph", "github")
"""Those of `lurcher_index.remote.connection.Kind`, which a test compares."""


def add_remote(commands: "Commands", command: "Command") -> None:
    """Add the command with its actions; `command` makes a parser with its help."""
    parser = command(
        commands,
        "remote",
        "turn remote code search on or off for a folder, and see what it sends; it is off by default",
        "lurcher remote status\nlurcher remote allow zoekt https://zoekt.example.com\nlurcher remote forbid",
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    _status(actions, command)
    _allow(actions, command)
    _forbid(actions, command)
    _list(actions, command)


def _status(actions: "Commands", command: "Command") -> None:
    parser = command(
        actions,
        "status",
        "say whether remote code search is on for a folder, since when and for which address",
        "lurcher remote status\nlurcher remote status -w ~/work/api --check   ask the address what it knows, too",
    )
    _workspace(parser)
    parser.add_argument(
        "--check",
        action="store_true",
        help="ask the address which commits it knows; that sends the names of the folder's repositories",
    )
    parser.add_argument("--store", metavar="DIR", help="where indexes are kept, for --check")
    _json(parser)


def _allow(actions: "Commands", command: "Command") -> None:
    parser = command(
        actions,
        "allow",
        "say exactly what would be sent where and, if you agree, turn remote code search on for a folder",
        "lurcher remote allow postgres 'postgresql://reader@db.example.com/code?sslmode=verify-full'"
        " --token-variable CODE_PASSWORD\n"
        "lurcher remote allow zoekt https://zoekt.example.com -w ~/work/api\n"
        "lurcher remote allow github https://api.github.com --token-variable GITHUB_TOKEN\n\n"
        "Nothing in a workspace can do this: the answer is kept in your own configuration (LURCHER_CONFIG), for this\n"
        "folder and this address alone. It holds for editors too. A token is named here, never typed.",
    )
    parser.add_argument("kind", metavar="KIND", help=f"who is asked: {', '.join(KINDS)}")
    parser.add_argument("url", metavar="URL", help="its address, without a password; https unless it is this machine")
    parser.add_argument(
        "--token-variable", default="", metavar="VAR", help="environment variable that holds the token or password"
    )
    _workspace(parser)
    parser.add_argument("--yes", action="store_true", help="agree without being asked, for scripts")
    _json(parser)


def _forbid(actions: "Commands", command: "Command") -> None:
    parser = command(
        actions,
        "forbid",
        "turn remote code search off for a folder; from the next search on nothing is sent, in editors too",
        "lurcher remote forbid\nlurcher remote forbid -w ~/work/api --never   and have no editor ask again",
    )
    _workspace(parser)
    parser.add_argument("--never", action="store_true", help="do not let an editor ask for it again, either")
    _json(parser)


def _list(actions: "Commands", command: "Command") -> None:
    parser = command(
        actions,
        "list",
        "list every folder for which remote code search was allowed, or was answered with never",
        "lurcher remote list\nlurcher remote list --json | jq '.folders | keys'",
    )
    _json(parser)


def _workspace(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-w",
        "--workspace",
        action="append",
        type=folder_name,
        metavar="PATH",
        help="folder of the workspace (repeatable; default: this one)",
    )


def _json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text for people")
