"""The documents agree with the code and with each other.

`docs/cli.md` is made from the parser; after a change run this file as a script to rewrite it.
"""

import argparse
import re
import shutil
import subprocess
from pathlib import Path

import msgspec
import pytest

from lurcher_index import Settings
from lurcher_server.cli.arguments import make_parser
from lurcher_server.lsp.settings import SECTION, ServerSettings

ROOT = Path(__file__).parents[2]
CLI = ROOT / "docs" / "cli.md"
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")

HOME = re.compile(
    r"/(?:home|Users)/(?!user\b|me\b|you\b)[A-Za-z][\w.-]*/|[A-Z]:\\+Users\\+\w"
    r"|/root/[\w.]|(?<!~)/work/(?:main|shared)|/mnt/\w"
)
"""Absolute paths of somebody's machine; made-up people in examples are fine."""

_HOSTS = ("registry.npm" + "js.org", "pypi" + ".org", "pythonhosted" + ".org", "deb.debian" + ".org", "crates" + ".io")
HOST = re.compile("|".join(map(re.escape, _HOSTS)) + r"|--(?:extra-)?index-url|\b(?:artifactory|nexus)\.")
"""Package registries: each tool asks the one it is configured for."""


def documents() -> list[Path]:
    found = {*ROOT.glob("*.md"), *(path for folder in _FOLDERS for path in (ROOT / folder).rglob("*.md"))}
    return sorted(path for path in found if "node_modules" not in path.parts)


_FOLDERS = ("docs", "benchmarks", "client-extension", "server", "index")


def tracked() -> list[Path]:
    """Files that are, or would be, committed."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        pytest.skip("not a checkout")
    command = [git, "ls-files", "-co", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, timeout=60).stdout.decode()
    return [path for name in listed.split("\0")[:-1] if (path := ROOT / name).is_file()]


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_resolve(path: Path) -> None:
    for target in LINK.findall(re.sub(r"```.*?```", "", path.read_text("utf-8"), flags=re.DOTALL)):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        there = (path.parent / name).resolve() if name else path
        assert there.exists(), f"{target} leads nowhere"
        if anchor:
            headings = re.findall(r"^#+ (.+)$", there.read_text("utf-8"), re.MULTILINE)
            assert anchor in {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


def test_every_decision_is_listed_in_order() -> None:
    folder = ROOT / "docs" / "decisions"
    records = sorted(path.name for path in folder.glob("[0-9]*.md"))
    assert LINK.findall((folder / "README.md").read_text("utf-8")) == records
    assert [int(name[:4]) for name in records] == list(range(1, len(records) + 1))


def test_settings_are_documented_with_their_defaults() -> None:
    text = (ROOT / "docs" / "settings.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| `([^`]+)` \|", text, re.MULTILINE))
    defaults = Settings()
    assert rows == {name: repr(getattr(defaults, name)) for name in Settings.__struct_fields__}


def test_settings_that_shape_the_index_are_marked() -> None:
    text = (ROOT / "docs" / "settings.md").read_text("utf-8")
    marked = dict(re.findall(r"^\| `(\w+)` \| `[^`]+` \|[^|]*\| (yes|no) \|", text, re.MULTILINE))
    other = {
        "max_file_bytes": 1,
        "chunk_tokens": 1,
        "workers": 1,
        "parse_seconds": 1.0,
        "file_seconds": 1.0,
        "exclude": ["a"],
        "include_ignored": ["a"],
        "use_ripgrep": False,
        "model": "none",
        "endpoint_model": "small",
        "endpoint_key_variable": "KEY",
        "endpoint_dimensions": 1,
        "vector_cache_bytes": 1,
    }
    for name, value in other.items():
        shapes = Settings.from_dict({name: value}).shape() != Settings().shape()
        assert marked[name] == ("yes" if shapes else "no"), name
    assert marked.keys() == other.keys()


def test_settings_name_their_options() -> None:
    text = (ROOT / "docs" / "settings.md").read_text("utf-8")
    named = set(re.findall(r"\| `(--[a-z-]+)` \|", text))
    options = {option for action in commands()["index"]._actions for option in action.option_strings}
    assert named == {f"--{name.replace('_', '-')}" for name in Settings.__struct_fields__} & options


def test_variables_are_documented() -> None:
    sources = [path.read_text("utf-8") for root in ("index", "server") for path in (ROOT / root).rglob("*.py")]
    read = {name for text in sources for name in re.findall(r"\"(LURCHER_[A-Z]+)\"", text)}
    text = (ROOT / "docs" / "settings.md").read_text("utf-8")
    assert set(re.findall(r"^\| `(LURCHER_[A-Z]+)` \|", text, re.MULTILINE)) == read


def test_the_command_line_is_documented() -> None:
    assert CLI.read_text("utf-8") == render_cli(), "run this file as a script to rewrite docs/cli.md"


def test_settings_of_the_server_are_documented_with_their_defaults() -> None:
    rows = re.findall(
        rf"^\| `{SECTION}\.(\w+)` \| `(.+?)` \|", (ROOT / "docs" / "settings.md").read_text("utf-8"), re.M
    )
    fields = msgspec.structs.fields(ServerSettings)
    assert rows == [(field.encode_name, msgspec.json.encode(field.default).decode()) for field in fields]


def test_no_machine_is_named() -> None:
    found: list[str] = []
    for path in tracked():
        text = path.read_bytes().decode("utf-8", "replace")
        for pattern in (HOME, HOST):
            found += [f"{path.relative_to(ROOT)}: {match[0]}" for match in pattern.finditer(text)]
    assert not found


# -- docs/cli.md


def commands() -> dict[str, argparse.ArgumentParser]:
    """By what is typed for them: `index`, `remote allow`."""
    found = below(make_parser())
    assert found, "the parser has no commands"
    return found


def below(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    made: dict[str, argparse.ArgumentParser] = {}
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, each in action.choices.items():
                made |= {f"{name} {inner}": parser for inner, parser in below(each).items()} or {name: each}
    return made


def render_cli() -> str:
    """Own text rather than argparse's: that one looks different in every version of Python."""
    parsers = commands()
    everywhere = set.intersection(*({_signature(a) for a in parser._actions} for parser in parsers.values()))
    parts = ["# The command line", _NOTE, "## Options of every command", _table(parsers["index"], everywhere, True)]
    for name, parser in parsers.items():
        operands = "".join(f" {each}" for each in (*_required(parser), *_operands(parser)))
        own = _table(parser, everywhere, False)
        text = f"## `lurcher {name}{operands}`\n\n{parser.description}\n\n{own}"
        parts += [text.rstrip(), _examples(parser)]
    return "\n\n".join(parts) + "\n"


_NOTE = """Made from the parser by `tests/repository/test_docs.py`; each command's `--help` says the same. Exit codes
are in the [README](../README.md#exit-codes), settings in [settings.md](settings.md)."""


def _signature(action: argparse.Action) -> str:
    value = "" if action.nargs == 0 else f" {action.metavar or action.dest.upper()}"
    return ", ".join(f"`{option}{value}`" for option in action.option_strings) or f"`{_operand(action)}`"


def _required(parser: argparse.ArgumentParser) -> list[str]:
    """The options without which a command does nothing; of those that exclude each other, the first."""
    groups = [group._group_actions[0] for group in parser._mutually_exclusive_groups if group.required]
    wanted = [action for action in parser._actions if action.option_strings and (action.required or action in groups)]
    return [f"{action.option_strings[0]} {action.metavar}" for action in wanted]


def _operands(parser: argparse.ArgumentParser) -> list[str]:
    return [_operand(action) for action in parser._actions if not action.option_strings]


def _operand(action: argparse.Action) -> str:
    return f"[{action.metavar} ...]" if action.nargs == "*" else str(action.metavar)


def _table(parser: argparse.ArgumentParser, everywhere: set[str], common: bool) -> str:
    rows = [(_signature(a), a.help) for a in parser._actions if (_signature(a) in everywhere) == common]
    body = "".join(f"| {signature} | {text} |\n" for signature, text in rows)
    return f"| | |\n|---|---|\n{body}".rstrip() if rows else ""


def _examples(parser: argparse.ArgumentParser) -> str:
    lines = [line.strip() for line in (parser.epilog or "").splitlines()[1:]]
    typed = [re.sub(r" {3,}(\S)", r"  # \1", line) for line in lines]
    return "```sh\n" + "\n".join(typed) + "\n```"


if __name__ == "__main__":
    CLI.write_text(render_cli(), "utf-8")
