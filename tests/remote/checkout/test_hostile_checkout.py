"""A repository can ask git to run programs whenever its files are looked at; none of them runs."""

import os
import sys
from pathlib import Path

import pytest
from tests.history.repositories import Repository, needs_git
from tests.history.test_hostile import plant
from tests.remote.checkout.checkouts import ask, checkout, compare, listed

from lurcher_index.checkout import differences as comparing
from lurcher_index.checkout import identity
from lurcher_index.checkout.choosing import choose
from lurcher_index.checkout.stamps import stamp
from lurcher_index.checkout.values import Unknown, Why

pytestmark = [needs_git, pytest.mark.skipif(sys.platform == "win32", reason="the planted programs are scripts")]

RUN = (
    "core.fsmonitor",
    "core.pager",
    "core.editor",
    "core.sshCommand",
    "core.alternateRefsCommand",
    "core.gitProxy",
    "credential.helper",
    "diff.external",
    "diff.evil.textconv",
    "diff.evil.command",
    "filter.evil.smudge",
    "filter.evil.clean",
    "filter.evil.process",
    "gpg.program",
    "merge.evil.driver",
    "uploadpack.packObjectsHook",
    "remote.origin.uploadpack",
)
COMMANDS = ("rev-parse", "config", "symbolic-ref", "for-each-ref", "ls-tree", "ls-files", "merge-base", "rev-list")
HOOKS = ("post-checkout", "post-index-change", "reference-transaction", "pre-auto-gc", "fsmonitor-watchman")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "r")
    made.commit("Begin", {"a.txt": "a\n", "b.txt": "b\n"})
    made.commit("Second", {"a.txt": "aa\n"})
    return made


def test_nothing_that_the_repository_names_is_run(repository: Repository, tmp_path: Path) -> None:
    program, mark = plant(tmp_path)
    old = repository.git("rev-parse", "HEAD~1")
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for hook in HOOKS:
        (hooks / hook).symlink_to(program)
    for key in RUN:
        repository.git("config", key, str(program))
    for command in COMMANDS:
        repository.git("config", f"alias.{command}", f"!{program}")
        repository.git("config", f"pager.{command}", str(program))
    for key, value in {
        "core.hooksPath": str(hooks),
        "core.untrackedCache": "true",
        "filter.evil.required": "true",
        "log.showSignature": "true",
        "remote.origin.url": f"ext::{program}",
        "remote.origin.promisor": "true",
        "remote.second.url": "ssh://-oProxyCommand=evil/x",
        "branch.main.remote": "origin",
        "branch.main.merge": "refs/heads/main",
        "include.path": "more",
    }.items():
        repository.git("config", key, value)
    (repository.folder / ".git" / "more").write_text(f"[core]\n\tfsmonitor = {program}\n")
    (repository.folder / ".gitattributes").write_text("* diff=evil filter=evil merge=evil text=auto\n")
    (repository.folder / ".git" / "info").mkdir(exist_ok=True)
    (repository.folder / ".git" / "info" / "attributes").write_text("* diff=evil filter=evil\n")
    (repository.folder / "a.txt").write_text("A\n")
    os.utime(repository.folder / "b.txt", ns=(1, 1))
    mark.unlink(missing_ok=True)
    one = checkout(repository.folder)
    assert one.names == ()
    found = compare(repository.folder, old)
    assert (found.changed, found.gone) == (frozenset({"a.txt", ".gitattributes"}), frozenset())
    assert isinstance(ask(repository.folder, "1" * 40), Unknown)
    choose(one, ["1" * 40, old])
    stamp(one)
    assert not mark.exists()
    # The same repository does run the program where nobody takes care.
    os.system(f"cd '{repository.folder}' && git status >{os.devnull} 2>&1")
    assert mark.exists()


def test_a_configuration_without_end_is_given_up(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    one, paths, commit = checkout(repository.folder), listed(repository.folder), repository.git("rev-parse", "HEAD")
    os.mkfifo(repository.folder / ".git" / "pipe")
    repository.git("config", "include.path", "pipe")
    monkeypatch.setattr(identity, "ASK_SECONDS", 0.2)
    monkeypatch.setattr(comparing, "ASK_SECONDS", 0.2)
    (refused,) = identity.repositories_of(repository.folder, paths).unnamed
    assert refused.why is Why.REFUSED
    assert isinstance(comparing.differences(one, commit, paths), Unknown)


def test_a_damaged_index_is_said_so(repository: Repository) -> None:
    (repository.folder / ".git" / "index").write_bytes(b"DIRC" + b"\xff" * 100)
    found = ask(repository.folder, repository.git("rev-parse", "HEAD"))
    assert isinstance(found, Unknown)
    assert "cannot be read" in found.reason
