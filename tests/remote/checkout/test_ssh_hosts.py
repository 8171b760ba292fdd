"""Names of hosts in the person's ssh configuration."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from lurcher_index.checkout.ssh_hosts import MAX_FILES, SshHosts


def check(home: Path, files: str | Mapping[str, str], expected: Mapping[str, str]) -> None:
    for path, text in ({"config": files} if isinstance(files, str) else files).items():
        place = home / ".ssh" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    hosts = SshHosts(home)
    assert {name: hosts.real_host(name) for name in expected} == expected


def test_no_configuration(home: Path) -> None:
    assert SshHosts(home).real_host("work") == "work"


def test_the_first_block_with_a_host_says_it(home: Path) -> None:
    text = """
    # HostName comment
    Host work other
      User git
    host=work
      hostname = git.example.com   # said in another way
    Host work
      HostName late.example.com
    Host "quoted name"
      HostName "quoted.example.com"
    """
    check(home, text, {"work": "git.example.com", "other": "other", "quoted name": "quoted.example.com"})


def test_patterns_negation_and_the_name_itself(home: Path) -> None:
    text = """
    Host *.corp !secret.corp gi?
      HostName %h.example.com
    Host [ab]
      HostName brackets
    Host *
      User git
    """
    expected = {"a.corp": "a.corp.example.com", "A.CORP": "A.CORP.example.com", "secret.corp": "secret.corp"}
    check(home, text, expected | {"git": "git.example.com", "gi": "gi", "a": "a", "[ab]": "brackets"})


def test_what_stands_before_all_blocks_holds_for_all(home: Path) -> None:
    check(home, "HostName everywhere\nHost x\nHostName y\n", {"x": "everywhere"})


def test_no_condition_of_match_is_tried_but_all(home: Path) -> None:
    mark = home / "mark"
    text = f"""
    Match exec "touch {mark}"
      HostName wrong
    Match host x
      HostName wrong
    Match all
      HostName right
    """
    check(home, text, {"x": "right"})
    assert not mark.exists()


def test_included_files_belong_to_the_block_around_them(home: Path) -> None:
    files = {
        "config": f"Host a b\nInclude more/* ~/.ssh/own\nInclude {home}/.ssh/full\nHost d\nHostName after\n",
        "more/1": "Host a\nHostName one\nHost c\nHostName never\n",
        "more/2": "User git\nHost z\n",
        "own": "Host b\n",
        "full": "HostName full\n",
    }
    check(home, files, {"a": "one", "b": "full", "c": "c", "d": "after"})


def test_a_file_that_includes_itself_has_an_end(home: Path) -> None:
    check(home, "Include config config\nHost a\nHostName b\n", {"a": "b"})
    assert MAX_FILES < 1_000


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes with names")
def test_pipes_and_odd_bytes_do_no_harm(home: Path) -> None:
    (home / ".ssh").mkdir()
    os.mkfifo(home / ".ssh" / "pipe")
    (home / ".ssh" / "config").write_bytes(b'Include pipe\nHost \xff "open\nHostName x\nHost a\nHostName b\n')
    assert SshHosts(home).real_host("a") == "b"
