"""Everybody who has a clone of a repository comes to the same name."""

import pytest

from lurcher_index.checkout.names import MAX_ADDRESS_CHARACTERS, repository_name

SAME = {
    "github.com/owner/name": [
        "https://github.com/owner/name.git",
        "https://github.com/owner/name",
        "https://github.com/owner/name/",
        "https://github.com/owner/name.git/",
        "https://github.com//owner//name.git",
        "https://someone:secret@github.com/owner/name.git",
        "https://token@github.com:443/owner/name",
        "http://github.com:80/owner/name",
        "HTTPS://GitHub.COM/Owner/Name.git",
        "https://www.github.com/owner/name",
        "https://github.com./owner/name",
        "git://github.com/owner/name.git",
        "git://github.com:9418/owner/name.git",
        "ssh://git@github.com/owner/name.git",
        "ssh://git@github.com:22/owner/name.git",
        "ssh://git@ssh.github.com:443/owner/name.git",
        "git+ssh://git@github.com/owner/name.git",
        "git@github.com:owner/name.git",
        "github.com:owner/name",
        "git@github.com:/owner/name.git",
    ],
    "git.example.com/Team/Sub group/x": [
        "https://git.example.com/Team/Sub%20group/x.git",
        "git@git.example.com:Team/Sub group/x.git",
    ],
    "gitlab.example.com/group/sub/deeper/project": ["https://gitlab.example.com/group/sub/deeper/project.git"],
    "git.example.com:8443/x/y": ["https://git.example.com:8443/x/y.git"],
    "git.example.com:2222/x/y": ["ssh://git@git.example.com:2222/x/y.git"],
    "git.example.com/PROJ/repo": [
        "https://git.example.com/scm/PROJ/repo.git",
        "ssh://git@git.example.com:7999/PROJ/repo.git",
    ],
    "git.example.com/scm": ["https://git.example.com/scm"],
    "[2001:db8::1]/x/y": [
        "https://[2001:db8:0::1]/x/y.git",
        "ssh://git@[2001:DB8::1]:22/x/y",
        "git@[2001:db8::1]:x/y.git",
    ],
    "[2001:db8::1]:8080/x/y": ["http://[2001:db8::1]:8080/x/y.git"],
    "dev.azure.com/org/project/repo": [
        "https://dev.azure.com/org/project/_git/repo",
        "https://org@dev.azure.com/Org/Project/_git/repo",
        "https://org.visualstudio.com/project/_git/repo",
        "https://org.visualstudio.com/DefaultCollection/project/_git/repo",
        "git@ssh.dev.azure.com:v3/org/project/repo",
        "org@vs-ssh.visualstudio.com:v3/org/project/repo",
    ],
    "dev.azure.com/org/repo/repo": ["https://dev.azure.com/org/_git/repo", "https://org.visualstudio.com/_git/repo"],
    "xn--bcher-kva.example/x/y": ["https://bücher.example/x/y.git"],
    "host/repo": ["host:repo.git", "ssh://host/repo"],
    "git.example.com/~ada/dot.files": ["https://git.example.com/~ada/dot.files.git"],
}


@pytest.mark.parametrize(("name", "address"), [(name, each) for name, all_ in SAME.items() for each in all_])
def test_one_name_for_many_addresses(name: str, address: str) -> None:
    assert repository_name(address) == name


@pytest.mark.parametrize(
    "address",
    [
        "",
        "/srv/git/x.git",
        "../x",
        "./a:b",
        "x",
        "file:///srv/git/x.git",
        "C:/git/x",
        "C:\\git\\x",
        "\\\\server\\share\\x",
        "ext::sh -c touch% x",
        "codecommit::eu-west-1://x",
        "ftp://example.com/x/y",
        "https://",
        "https:///x/y",
        "https://example.com",
        "https://example.com/.git",
        "https://example.com/?repository=x",
        "https://example.com/x/y#z",
        "https://example.com/x/../../y",
        "https://example.com/x/%2e%2e/y",
        "https://example.com/x/%00y",
        "https://example.com/x/%ffy",
        "https://example.com/x/a%5Cb",
        "https://example.com:99999/x/y",
        "https://[::g]/x/y",
        "https://exa mple.com/x/y",
        "https://-example.com/x/y",
        "https://example.com/x/y\n",
        "git@host:",
        "git@:x",
        "https://example.com/" + "x" * MAX_ADDRESS_CHARACTERS,
    ],
)
def test_folders_of_this_machine_and_nonsense_have_no_name(address: str) -> None:
    assert repository_name(address) is None


def test_case_of_the_path_is_kept_where_it_may_matter() -> None:
    assert repository_name("https://git.example.com/Team/X") != repository_name("https://git.example.com/team/x")


def test_names_of_the_ssh_configuration_hold_for_ssh_only() -> None:
    def real_host(name: str) -> str:
        return {"work": "Git.Example.com"}.get(name, name)

    assert repository_name("work:team/x.git", real_host) == "git.example.com/team/x"
    assert repository_name("ssh://git@work/team/x.git", real_host) == "git.example.com/team/x"
    assert repository_name("https://work/team/x.git", real_host) == "work/team/x"
