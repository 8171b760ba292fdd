"""`lurcher publish` and `lurcher collect` as a person or a script uses them: real processes, a real server."""

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.cli.test_cli import environment, run
from tests.history.repositories import Repository, git, needs_git
from tests.remote.engines.postgres_server import PostgresServer

from lurcher_index import Settings
from lurcher_index.publishing.publisher import Publisher
from lurcher_index.publishing.source import find_commit
from lurcher_index.publishing.values import Published
from lurcher_index.remote.engines.interface import Where
from lurcher_index.remote.engines.postgres.index import PostgresIndex
from lurcher_index.remote.interface import Wanted
from lurcher_server.cli import main

pytestmark = needs_git

NAME = "example.com/team/app"

SLOWLY = (
    "import sys; from lurcher_index.publishing import making; making.BATCH_BYTES = 6_000;"
    " from lurcher_server.cli import main; sys.exit(main())"
)
"""The command with so small batches that there are many moments to be killed at."""


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "app")
    files: dict[str, str | bytes | None] = {
        f"src/part_{n}.py": f"def stretch_{n}(rope):\n    return rope * {n}\n" for n in range(40)
    }
    key = "AKIA" + "QWERTZUIOPASDFGH"
    made.commit("One", files | {".env": "KEY=abc\n", "settings.py": f'KEY = "{key}"\n', "app.log": "noise\n"})
    made.git("remote", "add", "origin", f"ssh://git@{NAME}.git")
    return made


def command(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return run(*arguments, store=cwd / "unused", cwd=cwd)


def published(repository: Repository, url: str, *more: str) -> dict[str, Any]:
    done = command("publish", "--to", url, "--json", *more, cwd=repository.folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return dict(json.loads(done.stdout))


def publish_here(repository: Repository, url: str) -> Published:
    """The same in this process, where the command is not what is tested."""
    index = PostgresIndex(url)
    try:
        return Publisher(index, NAME, find_commit(repository.folder), Settings(workers=1)).publish()
    finally:
        index.close()


def test_people_are_told_what_is_sent_where_before_and_after(repository: Repository, database_url: str) -> None:
    done = command("publish", "--to", database_url, cwd=repository.folder)
    assert done.returncode == 0, done.stderr
    commit = repository.git("rev-parse", "HEAD")[:12]
    where = "PostgreSQL at " + database_url.partition("@")[2]
    told = done.stderr.splitlines()
    assert told[0] == f"{NAME} at {commit} (main) to {where}"
    assert told[1].startswith("to be sent of 41 out of 41 files, which hold")
    assert told[1].endswith("no source text")
    assert told[2] == "kept back: 1 ignored, 1 secret"
    lines = done.stdout.splitlines()
    assert lines[0].startswith(f"published {commit} (main) of {NAME}: 41 files, 41 chunks, in ")
    assert lines[1].startswith("sent: 41 files, 41 chunks, about ")
    assert lines[2:] == ["kept back: 1 ignored, 1 secret", "masked before that: 1 secret inside files"]
    again = command("publish", "--to", database_url, cwd=repository.folder)
    already = f"{commit} (main) of {NAME} was published already, and nothing was sent"
    assert (again.stdout, again.stderr) == (f"{already}: 41 files, 41 chunks\n", "")
    assert not (repository.folder / "unused").exists()


def test_a_dry_run_sends_nothing(repository: Repository, database_url: str) -> None:
    preview = published(repository, database_url, "--dry-run")
    assert (preview["repository"], preview["send_files"], preview["is_published"]) == (NAME, 41, False)
    index = PostgresIndex(database_url)
    assert (index.publications(NAME), index.last_generation(NAME)) == ([], 0)
    index.close()
    assert publish_here(repository, database_url).sent_files == 41
    assert published(repository, database_url, "--dry-run")["is_published"]


def test_programs_get_one_object_and_choose_what_is_published(
    repository: Repository, database_url: str, tmp_path: Path
) -> None:
    first = repository.git("rev-parse", "HEAD")
    repository.commit("Two", {"src/part_0.py": "def changed(): pass\n"})
    git("clone", "-q", "--bare", repository.folder.as_uri(), "bare.git", cwd=tmp_path)
    chosen = ("--repository", "Other.example.com/x", "--commit", "HEAD^", "--branch", "old", "--model", "none")
    done = published(repository, database_url, *chosen, str(tmp_path / "bare.git"))
    assert (done["repository"], done["commit"], done["branch"]) == ("other.example.com/x", first, "old")
    assert (done["model"], done["sent_files"], done["was_published"]) == ("", 41, False)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--commit", "nothing"), 2, "there is no commit 'nothing'"),
        (("--repository", "https://x"), 2, "host/owner/name"),
        (("nowhere",), 2, "is not a folder"),
        (("..",), 2, "no git repository"),
        (("--model", "endpoint:https://example.com"), 2, "source text would be sent"),
        (("--model", "magic"), 2, "a model is one of"),
        (("--to", "postgresql://me@127.0.0.1:9/none", "--patience", "0"), 3, "did not answer"),
        (("--to", "postgresql://me:word@127.0.0.1:9/none"), 3, "holds a password"),
        (("--to", "postgresql://me@db.example.com/none"), 3, "sslmode=verify-full"),
        (("--to", "ftp://x"), 3, "names no engine"),
    ],
)
def test_every_failure_has_its_words_and_its_code(
    repository: Repository,
    arguments: tuple[str, ...],
    code: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In this process: to start a dozen takes longer than the rest."""
    monkeypatch.chdir(repository.folder)
    assert main(["publish", "--to", "postgresql://me@127.0.0.1:9/none", *arguments]) == code
    told = " ".join(capsys.readouterr().err.split())
    assert said in told
    assert "word" not in told.replace("password", "")


def test_a_variable_without_a_token_is_told_before_anything_is_sent(repository: Repository, database_url: str) -> None:
    done = command("publish", "--to", database_url, "--token-variable", "LURCHER_NO_TOKEN", cwd=repository.folder)
    assert done.returncode in (2, 3)
    assert "LURCHER_NO_TOKEN" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_repository_without_a_remote_needs_a_name(repository: Repository, database_url: str) -> None:
    repository.git("remote", "remove", "origin")
    done = command("publish", "--to", database_url, cwd=repository.folder)
    assert done.returncode == 2
    assert "--repository host/owner/name" in done.stderr


def start(repository: Repository, url: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", SLOWLY, "publish", "--to", url],
        cwd=repository.folder,
        env=environment(repository.folder / "unused"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def seen(url: str) -> tuple[object, ...]:
    """What others see of the newest commit, and what is open."""
    index = PostgresIndex(url)
    (newest, *older) = index.publications(NAME)
    where = Where(NAME, newest.generation)
    hits = index.by_words(where, Wanted(words=("stretch",), terms={"stretch": 1.0}, limit=1_000))
    places = sorted((hit.path, hit.first_line, hit.last_line, hit.content, hit.digest) for hit in hits)
    versions = sorted((each.path, each.content, each.chunks) for each in index.open_versions(NAME))
    index.close()
    return newest.commit, newest.files, newest.chunks, len(older), places, versions


def test_killed_at_any_moment_the_next_run_finishes(
    repository: Repository, postgres_server: PostgresServer, published_template: str
) -> None:
    chance = random.Random(29)
    first = repository.git("rev-parse", "HEAD")
    before = postgres_server.new_database(published_template)
    publish_here(repository, postgres_server.url(before))
    changed: dict[str, str | bytes | None] = {
        f"src/part_{n}.py": f"def stretch_more_{n}(rope):\n    return rope * {n}\n" for n in range(0, 40, 2)
    }
    repository.commit("Two", changed | {"src/part_1.py": None})
    calm = postgres_server.url(postgres_server.new_database(before))
    started = time.monotonic()
    with start(repository, calm) as process:
        assert process.wait() == 0, process.stdout.read() if process.stdout else ""
    whole = time.monotonic() - started
    expected = seen(calm)
    interrupted = 0
    for part in range(6):
        url = postgres_server.url(postgres_server.new_database(before))
        with start(repository, url) as process:
            # The first third of the time nothing is sent yet: Python starts, the commit is read.
            time.sleep(whole * (0.3 + 0.7 * (part + chance.random()) / 6))
            interrupted += process.poll() is None
            process.kill()
        index = PostgresIndex(url)
        commits = [each.commit for each in index.publications(NAME)]
        assert commits in ([first], [expected[0], first])
        old = Where(NAME, 1)
        assert len(index.by_words(old, Wanted(words=("stretch",), terms={"stretch": 1.0}, limit=1_000))) == 40
        index.close()
        again = publish_here(repository, url)
        assert again.sent_files + again.reused_files == 40
        assert seen(url) == expected
    assert interrupted >= 3, "the kills came too late"


def test_ctrl_c_ends_it_cleanly_and_it_goes_on(repository: Repository, database_url: str) -> None:
    with start(repository, database_url) as process:
        index = PostgresIndex(database_url)
        end = time.monotonic() + 60
        while process.poll() is None and not list(index.open_versions(NAME)) and time.monotonic() < end:
            time.sleep(0.01)
        index.close()
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)[0]
    assert process.returncode in (0, 130), said
    if process.returncode == 130:
        assert "the same command goes on from here" in said
        assert "Traceback" not in said
    done = publish_here(repository, database_url)
    assert (done.files, done.was_published) == (41, process.returncode == 0)
    assert done.reused_files > 0


def test_of_two_commands_at_once_one_is_told(repository: Repository, database_url: str) -> None:
    index = PostgresIndex(database_url)
    with index.claim(NAME, "other"):
        done = command("publish", "--to", database_url, "--patience", "0", cwd=repository.folder)
    index.close()
    assert done.returncode == 3
    assert f"somebody else is publishing {NAME}" in done.stderr
    assert publish_here(repository, database_url).sent_files == 41


def test_old_commits_are_collected(repository: Repository, database_url: str) -> None:
    commits = [repository.git("rev-parse", "HEAD")]
    publish_here(repository, database_url)
    for number in range(2):
        commits.append(repository.commit("Change", {"src/part_0.py": f"changed = {number}\n"}))
        publish_here(repository, database_url)
    arguments = ("collect", "--to", database_url, "--all", "--keep", "1", "--older-than", "0")
    dry = command(*arguments, "--dry-run", cwd=repository.folder)
    names = f"{commits[1][:12]}, {commits[0][:12]}"
    assert (dry.returncode, dry.stdout) == (0, f"{NAME}: would forget {names}; 1 commit kept\n")
    kept = command("collect", "--to", database_url, "--repository", NAME, cwd=repository.folder)
    assert kept.stdout == f"{NAME}: forgot nothing; 3 commits kept\n"
    done = command(*arguments, "--json", cwd=repository.folder)
    (collected,) = json.loads(done.stdout)["repositories"]
    assert (collected["kept"], collected["forgotten"]) == (1, [commits[1], commits[0]])
    assert (collected["versions"], collected["chunks"]) == (2, 2)
    assert publish_here(repository, database_url).was_published


@pytest.mark.parametrize(("name", "taught"), [("publish", "no source"), ("collect", "lurcher collect --to")])
def test_help_teaches(name: str, taught: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    told = capsys.readouterr().out
    assert taught in told
    assert "--dry-run" in told
