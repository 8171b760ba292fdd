"""Addresses of PostgreSQL servers: what is refused, and what is never repeated."""

import pytest

from lurcher_index.errors import RemoteError
from lurcher_index.remote.engines.postgres.address import read_address
from lurcher_index.remote.engines.postgres.index import PostgresIndex


@pytest.mark.parametrize(
    ("url", "host", "port", "options"),
    [
        ("postgresql://me@localhost/code", "localhost", 5432, {}),
        ("postgres://me@127.0.0.1:6000/code", "127.0.0.1", 6000, {}),
        ("postgresql://me@[::1]/code?sslmode=disable", "::1", 5432, {"sslmode": "disable"}),
        ("postgresql://me@/code?host=/run/postgresql", "/run/postgresql", 5432, {}),
        ("postgresql://me@db.example.com/code?sslmode=require", "db.example.com", 5432, {"sslmode": "require"}),
        (
            "postgresql://me@db.example.com/code?sslmode=verify-full&sslrootcert=/etc/ca.pem",
            "db.example.com",
            5432,
            {"sslmode": "verify-full", "sslrootcert": "/etc/ca.pem"},
        ),
    ],
)
def test_addresses_that_are_taken(url: str, host: str, port: int, options: dict[str, str]) -> None:
    address = read_address(url)
    assert (address.host, address.port, address.options) == (host, port, options)
    assert (address.user, address.database) == ("me", "code")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "https://me@localhost/code",
        "postgresql://localhost/code",
        "postgresql://me@localhost",
        "postgresql://me@localhost/",
        "postgresql://me@localhost/a/b",
        "postgresql://me@/code",
        "postgresql://me@one.example.com,two.example.com/code?sslmode=require",
        "postgresql://me@localhost:port/code",
        "postgresql://me@localhost:99999/code",
        "postgresql://me@localhost/code#part",
        "postgresql://me@localhost/co de",
        "postgresql://me@localhost/code%00",
        "postgresql://me@localhost/code?options=-c%20x=1",
        "postgresql://me@localhost/code?hostaddr=10.0.0.1",
        "postgresql://me@localhost/code?sslmode=disable&sslmode=require",
        "postgresql://me@localhost/code?sslmode=never",
        "postgresql://me@localhost/code?host=/run/postgresql",
        "postgresql://me@/code?host=db.example.com",
        "postgresql://me@[::1/code",
    ],
)
def test_addresses_that_are_refused(url: str) -> None:
    with pytest.raises(RemoteError, match="postgresql://user@host:5432/database"):
        read_address(url)


@pytest.mark.parametrize("host", ["db.example.com", "10.0.0.7", "localhost.example.com", "128.0.0.1"])
@pytest.mark.parametrize("mode", ["", "?sslmode=disable", "?sslmode=allow", "?sslmode=prefer"])
def test_other_machines_need_encryption(host: str, mode: str) -> None:
    with pytest.raises(RemoteError, match="sslmode=verify-full"):
        read_address(f"postgresql://me@{host}/code{mode}")


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://me:hunter2@localhost/code",
        "postgresql://me:hunter2@db.example.com/code?sslmode=require",
        "postgresql://me@localhost/code?password=hunter2",
        "postgresql://me@localhost/code?sslpassword=hunter2",
        "postgresql://me:hunter2@localhost:port/code",
    ],
)
def test_a_password_in_an_address_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(RemoteError) as caught:
        PostgresIndex(url)
    assert "hunter2" not in str(caught.value)
    assert "hunter2" not in repr(caught.value)
