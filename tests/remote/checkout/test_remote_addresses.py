"""Addresses of remotes, in order of preference and rewritten as git would."""

from lurcher_index.checkout.remotes import addresses, read_configuration


def check(configuration: list[tuple[str, str]], expected: list[str], branch: str | None = "main") -> None:
    raw = "".join(f"{key}\n{value}\0" for key, value in configuration).encode()
    assert list(addresses(read_configuration(raw), branch)) == expected


def test_the_remote_of_the_branch_comes_first_then_those_that_others_know() -> None:
    remotes = [(f"remote.{name}.url", f"https://h/{name}") for name in ("z", "upstream", "a", "origin", "dotted.name")]
    rest = ["https://h/a", "https://h/dotted.name"]
    check(remotes, ["https://h/origin", "https://h/upstream", *rest, "https://h/z"])
    followed = [*remotes, ("branch.main.remote", "z")]
    check(followed, ["https://h/z", "https://h/origin", "https://h/upstream", *rest])
    check(followed, ["https://h/origin", "https://h/upstream", *rest, "https://h/z"], branch="other")
    check(followed, ["https://h/origin", "https://h/upstream", *rest, "https://h/z"], branch=None)


def test_a_branch_may_follow_an_address_or_this_repository() -> None:
    origin = ("remote.origin.url", "https://h/o")
    check([("branch.main.remote", "https://h/x"), origin], ["https://h/x", "https://h/o"])
    check([("branch.main.remote", "."), origin], ["https://h/o"])
    check([("branch.main.remote", "lost"), origin], ["https://h/o"])


def test_the_longest_beginning_is_rewritten_and_what_is_written_comes_last() -> None:
    check(
        [
            ("remote.origin.url", "https://github.com/team/x"),
            ("url.https://mirror/github/.insteadof", "https://github.com/"),
            ("url.https://mirror/team/.insteadof", "https://github.com/team/"),
            ("url.nowhere.insteadof", "https://github.com/teams/"),
        ],
        ["https://mirror/team/x", "https://github.com/team/x"],
    )


def test_short_forms_are_no_addresses_themselves() -> None:
    check(
        [
            ("remote.origin.url", "gh:team/x"),
            ("url.git@github.com:.insteadof", "gh:"),
            ("url.git@github.com:.insteadof", "github:"),
        ],
        ["git@github.com:team/x"],
    )


def test_where_is_pushed_to_comes_after_where_is_fetched_from() -> None:
    check(
        [
            ("remote.origin.url", "https://h/x"),
            ("remote.origin.url", "https://h/second"),
            ("remote.origin.pushurl", "p:x"),
            ("url.ssh://push/.insteadof", "p:"),
            ("url.ssh://unused/.pushinsteadof", "https://h/"),
        ],
        ["https://h/x", "https://h/second", "ssh://push/x"],
    )
    check(
        [("remote.origin.url", "https://h/x"), ("url.ssh://git@h/.pushinsteadof", "https://h/")],
        ["https://h/x", "ssh://git@h/x"],
    )


def test_odd_configurations() -> None:
    assert read_configuration(b"core.bare\0a.b\nx\ny\0") == {"core.bare": ["true"], "a.b": ["x\ny"]}
    check([("remote..url", "https://h/x"), ("remote.url", "https://h/y")], [])
    assert addresses(read_configuration(b"remote.o.url\nhttps://h/\xff\0"), None) == ("https://h/\ufffd",)
