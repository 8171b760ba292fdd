"""What can be typed: commands, options, and the help that teaches them."""

import argparse
from datetime import date
from typing import TYPE_CHECKING

from lurcher_server import __version__
from lurcher_server.cli.remote_arguments import add_remote
from lurcher_server.here import folder_name

# argparse names the type of what `add_subparsers` returns only privately.
if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # pyright: ignore[reportPrivateUsage]

_EXAMPLES = """\
examples:
  lurcher index                                  index the folder you are in
  lurcher search "where are retries configured"  ask it; the index is built first if there is none
  lurcher search parseHTTPRequest -n 5           look for a name
  lurcher search "open file" --lang python --glob 'src/**' --glob '!**/test_*'
  lurcher search timeout --json | jq -r '.chunks[].path'
  lurcher tree                                   what is in this folder, by areas and features
  lurcher locate "validateInput function is not defined"   from an issue to its places
  lurcher explain build/out.js                   why is this file not found?
  lurcher evaluate                               how well does the search do on this folder's history?
  lurcher publish --to postgresql://ci@db.example.com/code   share the index of a commit with a team

exit codes:
  0  done, something was found     1  nothing found     2  wrong usage or unknown folder
  3  the index, git or a server failed   130  stopped by Ctrl-C (what was done until then is kept)
"""


def make_parser() -> argparse.ArgumentParser:
    """The parser of `lurcher`."""
    parser = argparse.ArgumentParser(
        prog="lurcher",
        description="Find the right code in a workspace: offline, fresh, fast.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"lurcher {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    _index(commands)
    _search(commands)
    _locate(commands)
    _status(commands)
    _explain(commands)
    _audit(commands)
    add_remote(commands, _command)
    _clear(commands)
    _watch(commands)
    _tree(commands)
    _evaluate(commands)
    _publish(commands)
    _collect(commands)
    _serve(commands)
    _mcp(commands)
    return parser


def _command(commands: "Commands", name: str, summary: str, examples: str) -> argparse.ArgumentParser:
    return commands.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        epilog="examples:\n" + "\n".join("  " + line for line in examples.splitlines()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def _serve(commands: "Commands") -> None:
    parser = _command(
        commands,
        "serve",
        "run the language server that editors start",
        "lurcher serve              talk to an editor through standard input and output\n"
        "lurcher serve --tcp 7355   listen on this machine, with a session for each connection",
    )
    parser.add_argument("--tcp", metavar="PORT", type=int, help="listen on a port instead; 0 lets the system choose")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on; only those of this machine")
    # Clients of other servers pass this by habit; it is what happens anyway.
    parser.add_argument("--stdio", action="store_true", help="talk through standard input and output, as is usual")


def _mcp(commands: "Commands") -> None:
    parser = _command(
        commands,
        "mcp",
        "run the server that chat assistants start (Model Context Protocol; needs the extra `mcp`)",
        "lurcher mcp                     the folders the assistant has open, else this one\n"
        "lurcher mcp -w ~/work/api       one folder, whatever the assistant has open",
    )
    parser.add_argument(
        "-w",
        "--workspace",
        action="append",
        type=folder_name,
        default=[],
        metavar="PATH",
        help="folder of the workspace (repeatable; default: the client's, else this one)",
    )
    parser.add_argument(
        "--model",
        default="lurcher",
        metavar="MODEL",
        help="embedding model: lurcher, none, onnx:FOLDER or model2vec:FOLDER (default: lurcher)",
    )
    _common(parser, has_json=False)


def _index(commands: "Commands") -> None:
    parser = _command(
        commands,
        "index",
        "build the index of one or more folders, or bring it up to date",
        "lurcher index\nlurcher index ~/work/api ~/work/web      one workspace of two folders\n"
        "lurcher index --exclude 'legacy/' --include-ignored vendor/ours",
    )
    parser.add_argument(
        "folders", nargs="*", type=folder_name, metavar="PATH", help="folders of the workspace (default: this one)"
    )
    parser.add_argument("--rebuild", action="store_true", help="forget the index and start anew")
    _common(parser)


def _search(commands: "Commands") -> None:
    parser = _command(
        commands,
        "search",
        "answer a question or find some words",
        'lurcher search "how are sessions expired"\nlurcher search HTTPServer -w ~/work/api -n 3\n'
        "lurcher search 'def test' --lang python --path tests\n"
        "lurcher search cache --glob '*.ts' --glob '!dist/**' --json",
    )
    parser.add_argument("query", metavar="QUERY", help="a question, some words or a name")
    _workspace(parser)
    parser.add_argument("-n", "--max-results", type=_positive, default=10, metavar="N", help="how many (default: 10)")
    parser.add_argument(
        "--lang", action="append", default=[], metavar="NAME", help="only this language: go, golang, py (repeatable)"
    )
    parser.add_argument(
        "--glob",
        action="append",
        default=[],
        metavar="GLOB",
        help="only files that match; with ! only those that do not",
    )
    parser.add_argument(
        "--path",
        action="append",
        default=[],
        metavar="PREFIX",
        help="only below this path; of several folders, theirs begin with the folder's name (repeatable)",
    )
    parser.add_argument(
        "--content",
        choices=("all", "code", "docs", "config"),
        default="all",
        help="only code, documents or configuration (default: all)",
    )
    parser.add_argument(
        "--scope",
        action="append",
        default=[],
        metavar="SCOPE",
        help="only in this file, folder, symbol (src/app.py:Server.start) or feature, see lurcher tree (repeatable)",
    )
    parser.add_argument(
        "--mode",
        choices=("snippets", "features", "auto"),
        default="snippets",
        help="compare with everything (snippets, the default), with names, documentation and paths alone (features), or"
        " with these first and the rest only if they do not suffice (auto)",
    )
    parser.add_argument("--weak", action="store_true", help="show what is too weak, too, which is only named otherwise")
    parser.add_argument("--words", action="store_true", help="by words alone, without an embedding model")
    parser.add_argument("--no-update", action="store_true", help="do not look for changed files first")
    remote = parser.add_mutually_exclusive_group()
    remote.add_argument(
        "--remote",
        action="store_const",
        const=True,
        help="ask the remote code search that is allowed for this folder first (`lurcher remote allow`); with"
        " --no-update nothing has to be indexed before. Without this option it is asked while the index is incomplete",
    )
    remote.add_argument(
        "--no-remote", dest="remote", action="store_const", const=False, help="send nothing, whatever is allowed"
    )
    _common(parser)


def _locate(commands: "Commands") -> None:
    parser = _command(
        commands,
        "locate",
        "find the places that an issue is about: a bug report, a finding of a linter, a task",
        'lurcher locate "validateUserInput function is not defined"\n'
        'lurcher locate "SQL injection in getUserData" --category "SQL Injection" --snippet query.js\n'
        'pbpaste | lurcher locate "same mistake elsewhere?" --snippet - --goal find-duplicates\n'
        'lurcher locate "rename parse_config" --goal analyze-impact --debug\n\n'
        "Text in quotes, names (parse_config, getUserData) and code are looked for; without these, longer words.\n"
        "--debug shows which strategy and tools were chosen, and why. The environment can choose, too:\n"
        "PREFERRED_SEARCH_TOOL, PREFERRED_SEMANTIC_TOOL, PREFERRED_PATTERN_TOOL, FORCE_SEARCH_STRATEGY,\n"
        "LITERAL_STRING_WEIGHT, SYMBOL_NAME_WEIGHT, DEBUG_SEARCH_STRATEGY.",
    )
    parser.add_argument("description", metavar="DESCRIPTION", help="what is wrong, in words")
    parser.add_argument("--title", default="", metavar="TEXT", help="the issue's title, if it has one")
    parser.add_argument("--category", default="", metavar="TEXT", help='its kind, for example "SQL Injection"')
    parser.add_argument("--snippet", metavar="FILE", help="file with the code it is about; - for standard input")
    parser.add_argument(
        "--goal",
        choices=("find-location", "analyze-impact", "find-duplicates", "verify-fix"),
        default="find-location",
        help="what the places are wanted for (default: find-location)",
    )
    parser.add_argument("--debug", action="store_true", help="show how strategy and tools were chosen")
    _workspace(parser)
    parser.add_argument("-n", "--max-results", type=_positive, default=10, metavar="N", help="how many (default: 10)")
    parser.add_argument("--no-update", action="store_true", help="do not look for changed files first")
    _common(parser)


def _status(commands: "Commands") -> None:
    parser = _command(
        commands, "status", "show what is indexed, and where", "lurcher status\nlurcher status -w ~/work/api --json"
    )
    _workspace(parser)
    _common(parser)


def _explain(commands: "Commands") -> None:
    parser = _command(
        commands,
        "explain",
        "say why a file is, or is not, in the index",
        "lurcher explain src/app.py\nlurcher explain node_modules/left-pad/index.js",
    )
    parser.add_argument("path", metavar="PATH", help="a file or folder")
    _workspace(parser)
    _common(parser)


def _audit(commands: "Commands") -> None:
    parser = _command(
        commands,
        "audit",
        "list what was kept out of the index, and secrets that were masked, by rule",
        "lurcher audit\nlurcher audit --json | jq '.masked'\n"
        "lurcher audit --remote                what leaves this machine, where to, and what never does",
    )
    _workspace(parser)
    parser.add_argument(
        "--remote",
        action="store_true",
        help="show instead, for each folder, whether remote code search is on, since when, what it sends where, what a"
        " publish would send, what is never sent, and which repositories it concerns",
    )
    _common(parser)


def _clear(commands: "Commands") -> None:
    parser = _command(
        commands,
        "clear",
        "delete the index of a workspace, also of a folder that is no longer there",
        "lurcher clear\nlurcher clear -w ~/work/api",
    )
    _workspace(parser)
    _common(parser)


def _watch(commands: "Commands") -> None:
    parser = _command(
        commands,
        "watch",
        "keep the index fresh until Ctrl-C, for use without an editor",
        "lurcher watch\nlurcher watch ~/work/api ~/work/web",
    )
    parser.add_argument(
        "folders", nargs="*", type=folder_name, metavar="PATH", help="folders of the workspace (default: this one)"
    )
    _common(parser)


def _tree(commands: "Commands") -> None:
    parser = _command(
        commands,
        "tree",
        "show the feature tree: areas, categories and subcategories, and what each file and definition is for",
        "lurcher tree\nlurcher tree src/db                   the part of it that is made of a folder\n"
        "lurcher tree runtime/task --depth 2   a feature, and two levels below it\n"
        "lurcher tree src/app.py               the features of a file's definitions",
    )
    parser.add_argument(
        "target", nargs="?", default="", metavar="PATH|FEATURE", help="a file, a folder, or a feature's path or id"
    )
    parser.add_argument("--depth", type=_positive, metavar="N", help="levels to show, of groups, files and definitions")
    _workspace(parser)
    parser.add_argument("--no-update", action="store_true", help="do not look for changed files first")
    _common(parser)


def _evaluate(commands: "Commands") -> None:
    parser = _command(
        commands,
        "evaluate",
        "judge the search on the folder's own git history: does a commit's message find the files it changed?",
        "lurcher evaluate\nlurcher evaluate -w ~/work/api --commits 500 --since 2025-01-01\n"
        "lurcher evaluate --strategy tfidf --strategy race --json | jq '.strategies'",
    )
    parser.add_argument(
        "-w", "--workspace", type=folder_name, metavar="PATH", help="folder of a git checkout (default: this one)"
    )
    parser.add_argument(
        "--commits", type=_positive, default=200, metavar="N", help="commits to ask about, the newest (default: 200)"
    )
    parser.add_argument("--since", type=_day, metavar="DATE", help="only commits since this day, as in 2025-01-31")
    parser.add_argument(
        "--strategy",
        action="append",
        default=[],
        metavar="NAME",
        help="only this one: tfidf, tfidfSemantic, embeddings or race, all together (repeatable)",
    )
    parser.add_argument("--body", action="store_true", help="ask the whole message, not its first line alone")
    parser.add_argument(
        "--max-files",
        type=_positive,
        default=10,
        metavar="N",
        help="leave out commits that change more files (default: 10)",
    )
    parser.add_argument("--seed", type=_count, default=7, metavar="N", help="seed of the intervals (default: 7)")
    _common(parser, keeps_index=False)


def _publish(commands: "Commands") -> None:
    parser = _command(
        commands,
        "publish",
        "share the index of a commit with a team: what their server lacks of it is sent there",
        "lurcher publish --to postgresql://ci@db.example.com/code?sslmode=verify-full\n"
        "lurcher publish --to https://milvus.example.com:19530 --token-variable MILVUS_TOKEN --branch main\n"
        "lurcher publish --to postgresql://me@localhost/code --commit v2.1 --dry-run      what would be sent\n"
        "lurcher publish --to postgresql://me@localhost/code --repository example.com/team/app app.git\n\n"
        "Published is the commit, not what lies in the folder: the same files that `lurcher index` would read in a\n"
        "clean checkout, without secrets and ignored files. Terms, places, hashes and vectors are sent, no source\n"
        "text. Nobody sees a publish before all of it is there. One that was stopped or killed is run again, and\n"
        "sends only what is missing; a commit that is there already costs nothing.",
    )
    parser.add_argument(
        "path",
        nargs="?",
        type=folder_name,
        metavar="PATH",
        help="folder of a checkout, or a bare repository (this one)",
    )
    parser.add_argument(
        "--repository", metavar="NAME", help="host/owner/name it is known by (default: from its git remote)"
    )
    parser.add_argument("--commit", default="HEAD", metavar="REV", help="commit, branch or tag (default: HEAD)")
    parser.add_argument("--branch", default="", metavar="NAME", help="branch it is on (default: if checked out)")
    parser.add_argument(
        "--model",
        default="lurcher",
        metavar="MODEL",
        help="embedding model: lurcher, none, onnx:FOLDER or model2vec:FOLDER (default: lurcher)",
    )
    parser.add_argument("--workers", type=_positive, metavar="N", help="worker processes (default: 2)")
    _shared(parser)
    parser.add_argument("--dry-run", action="store_true", help="say what would be sent where, and send nothing")


def _collect(commands: "Commands") -> None:
    parser = _command(
        commands,
        "collect",
        "forget old commits that were published",
        "lurcher collect --to postgresql://ci@db.example.com/code --repository github.com/team/app\n"
        "lurcher collect --to https://milvus.example.com:19530 --all --keep 5 --older-than 7 --dry-run\n\n"
        "The newest commits of each repository stay, and all that were published lately.",
    )
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--repository", metavar="NAME", help="of this repository")
    which.add_argument("--all", action="store_true", help="of every repository")
    parser.add_argument("--keep", type=_positive, default=20, metavar="N", help="newest commits to keep (default: 20)")
    parser.add_argument(
        "--older-than",
        type=_count,
        default=30,
        metavar="DAYS",
        help="forget only what was published so long ago (default: 30)",
    )
    _shared(parser)
    parser.add_argument("--dry-run", action="store_true", help="say what would be forgotten, and forget nothing")


def _shared(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--to", required=True, metavar="URL", help="address of the shared index, without a password")
    parser.add_argument(
        "--kind", choices=("postgres", "milvus"), help="what the address leads to (default: by its beginning)"
    )
    parser.add_argument(
        "--token-variable", default="", metavar="VAR", help="environment variable with the password or token"
    )
    parser.add_argument(
        "--patience",
        type=_count,
        default=30,
        metavar="SECONDS",
        help="how long to try again while the server is away or another publishes (default: 30)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text for people")


def _workspace(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-w",
        "--workspace",
        action="append",
        type=folder_name,
        metavar="PATH",
        help="folder of the workspace (repeatable; default: this one)",
    )


def _common(parser: argparse.ArgumentParser, keeps_index: bool = True, has_json: bool = True) -> None:
    if has_json:
        parser.add_argument("--json", action="store_true", help="print one JSON object instead of text for people")
    if keeps_index:
        parser.add_argument(
            "--store", metavar="DIR", help="where indexes are kept (default: LURCHER_CACHE or the user's cache)"
        )
    parser.add_argument("--workers", type=_positive, metavar="N", help="worker processes (default: 2)")
    shape = parser.add_argument_group(
        "settings that shape the index", "An index made with other values is another index: give them each time."
    )
    shape.add_argument(
        "--exclude", action="append", default=[], metavar="RULE", help=".gitignore rule, for the index only"
    )
    shape.add_argument(
        "--include-ignored",
        action="append",
        default=[],
        metavar="PATH",
        help="index this folder although it is ignored",
    )
    shape.add_argument(
        "--max-file-bytes",
        type=_positive,
        metavar="N",
        help="largest file to index (default: 1.5 MiB; at most 1 GiB)",
    )


def _positive(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, not {number}")
    return number


def _count(text: str) -> int:
    return 0 if text == "0" else _positive(text)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a day such as 2025-01-31") from None
