"""What the documents tell people to type works: Python blocks run, commands parse, make targets exist."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lurcher_index.chunking.languages import LANGUAGES
from lurcher_server.cli.arguments import make_parser

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "client-extension/README.md", "fixtures/README.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_COMMANDS = {
    "index", "search", "status", "explain", "audit", "clear", "watch", "tree", "locate", "evaluate", "serve", "mcp",
    "remote",
    "publish", "collect",
}  # fmt: skip


_NAME = re.compile(r"lurcher remote (status|allow|forbid|list)")


def blocks(path: Path, *languages: str) -> list[str]:
    return [body for language, body in _FENCE.findall(path.read_text("utf-8")) if language in languages]


def shell_lines(path: Path) -> Iterator[str]:
    """Lines that people would type: all of an `sh` block, those behind a `$` of a `console` block."""
    for body in blocks(path, "sh"):
        yield from filter(None, map(str.strip, body.splitlines()))
    for body in blocks(path, "console"):
        yield from (line[2:] for line in body.splitlines() if line.startswith("$ "))


def inline(path: Path) -> list[str]:
    prose = _FENCE.sub("", path.read_text("utf-8"))
    return re.findall(r"`([^`\n]+)`", prose)


def words_of(line: str) -> list[str]:
    """The first command of a line, without what it is piped into and without comments."""
    words = shlex.split(line, comments=True)
    return words[: words.index("|")] if "|" in words else words


def lurcher_lines() -> list[tuple[str, str]]:
    found = [(path, line) for path in DOCUMENTS for line in shell_lines(path)]
    # In a table a command is whole; in a sentence `lurcher search` and `lurcher remote allow` only name it.
    for path in DOCUMENTS:
        whole = [code for code in inline(path) if len(code.split()) > 2 and not _NAME.fullmatch(code)]
        found += [(path, code) for code in whole if code.startswith("lurcher ")]
    return [(path.name, line) for path, line in found if line.split()[0].endswith("lurcher")]


@pytest.mark.parametrize(("document", "line"), lurcher_lines())
def test_lurcher_commands_parse(document: str, line: str) -> None:
    options = make_parser().parse_args(words_of(line)[1:])
    assert options.command in _COMMANDS


def test_commands_named_in_sentences_exist() -> None:
    named = [(path.name, code.split()[1]) for path in DOCUMENTS for code in inline(path) if code.startswith("lurcher ")]
    assert {command for _, command in named} <= _COMMANDS
    assert {command for document, command in named if document == "README.md"} == _COMMANDS


def targets_of(folder: Path) -> set[str]:
    """What can be made in a folder."""
    return set(re.findall(r"^([a-z-]+):", (folder / "Makefile").read_text("utf-8"), re.MULTILINE))


def test_make_targets_exist() -> None:
    targets = targets_of(ROOT)
    typed = [line for path in DOCUMENTS for line in (*shell_lines(path), *inline(path))]
    hooks = re.findall(r"entry: (make [\w-]+)", (ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    named = {line.split()[1] for line in (*typed, *hooks) if re.match(r"make (?!-C)", line)}
    elsewhere = [line.split()[2:4] for line in typed if line.startswith("make -C ")]
    assert all(target in targets_of(ROOT / folder) for folder, target in elsewhere)
    assert {"demo", "test", "check", "lint", "types", "contracts"} <= named <= targets


def test_programs_and_scripts_exist() -> None:
    """Scripts that a document runs with the environment's Python are there."""
    for path in DOCUMENTS:
        for line in (*shell_lines(path), *inline(path)):
            words = words_of(line) if line.startswith(".venv/bin/python ") else []
            assert not words or words[1] == "-m" or (ROOT / words[1]).is_file(), f"{path.name}: {line}"


def test_the_readme_lists_every_language_with_a_grammar() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    listed = re.search(r"with symbols and references: (.*?)\. These", text, re.DOTALL)
    assert listed is not None
    assert re.findall(r"`([a-z]+)`", listed[1]) == sorted(row.id for row in LANGUAGES if row.grammar)


def test_the_answer_shown_in_the_readme_quotes_real_code() -> None:
    """Line numbers and scores may move with every change; the file and its lines must be there."""
    (shown,) = blocks(ROOT / "README.md", "console")
    header = re.search(r"^1\. (\S+):\d+-\d+ ", shown, re.MULTILINE)
    assert header is not None
    source = (ROOT / header[1]).read_text("utf-8").splitlines()
    quoted = re.findall(r"^ +\d+ (.*)$", shown, re.MULTILINE)
    assert quoted
    assert [line for line in quoted if line not in source] == []


def python_blocks() -> list[tuple[str, str]]:
    return [(path.name, body) for path in DOCUMENTS for body in blocks(path, "python")]


@pytest.mark.parametrize(("document", "code"), python_blocks())
def test_python_blocks_run(document: str, code: str, tmp_path: Path) -> None:
    """As a script of its own, in a small tree: what a reader would do."""
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "settings.py").write_text("def read_settings(path):\n    return path.read_text()\n", "utf-8")
    (tree / "notes.md").write_text("# Notes\n\nNothing to see.\n", "utf-8")
    roots = os.pathsep.join((str(ROOT / "index"), str(ROOT / "server")))
    environment = {**os.environ, "LURCHER_CACHE": str(tmp_path / "cache"), "PYTHONPATH": roots}
    script = tmp_path / "example.py"
    script.write_text(code, "utf-8")
    done = subprocess.run(
        [sys.executable, str(script)], cwd=tree, env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    if "engine.search" in code and "print(f" in code:
        assert done.stdout.startswith("found True\nsettings.py:1-2 ")
