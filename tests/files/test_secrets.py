"""Secrets: every rule with one text that it masks and one that it leaves. All tokens are made up, and put together
from pieces here, so that no scanner mistakes this file for a leak."""

import sysconfig
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lurcher_index.files.secrets import mask, secret_file

RANDOM = "Zk3vQ9xT7bLm2RwY8nHc5PfJ4sGd6KaV1uEo0iXyBqNtCzWr"
"""Letters and digits as a vendor would draw them."""

KEY = "-----BEGIN {0}PRIVATE " + "KEY-----\n{1}\n-----END {0}PRIVATE " + "KEY-----"


def check(text: str, secret: str, rule: str) -> None:
    """`secret` is the only part of `text` that is masked, by `rule`."""
    data, masks = mask(text.encode())
    hidden = "".join(char if char in "\r\n" else "*" for char in secret)
    assert data.decode() == text.replace(secret, hidden)
    assert {found.rule for found in masks} == {rule}
    assert masks[0].line == text[: text.index(secret)].count("\n") + 1


TOKENS = [
    ("aws key", "AKIA" + "Q3EGRZ7KX2LMN5TP"),
    ("aws key", "ASIA" + "Q3EGRZ7KX2LMN5TP"),
    *(("github token", f"gh{kind}_" + RANDOM[:36]) for kind in "pousr"),
    ("github token", "github_pat_" + RANDOM[:22] + "_" + RANDOM[:40]),
    ("gitlab token", "glpat-" + RANDOM[:8] + "-_" + RANDOM[:10]),
    ("slack token", "xoxb-" + "123456789012-" + RANDOM[:24]),
    ("slack webhook", "hooks.slack.com/services/" + "T12345678/B12345678/" + RANDOM[:24]),
    ("stripe key", "sk_live_" + RANDOM[:24]),
    ("stripe key", "rk_live_" + RANDOM[:24]),
    ("stripe key", "sk_test_" + RANDOM[:24]),
    ("stripe key", "whsec_" + RANDOM[:32]),
    ("google key", "AIza" + RANDOM[:20] + "_-" + RANDOM[:13]),
    ("google secret", "GOCSPX-" + RANDOM[:28]),
    ("anthropic key", "sk-ant-" + "api03-" + RANDOM + "-" + RANDOM),
    ("openai key", "sk-" + RANDOM),
    ("openai key", "sk-proj-" + RANDOM + "_" + RANDOM[:9]),
    ("npm token", "npm_" + RANDOM[:36]),
    ("pypi token", "pypi-" + "AgEIcHlwaS5vcmc" + RANDOM),
    ("sendgrid key", "SG." + RANDOM[:22] + "." + RANDOM[:43]),
    ("twilio key", "SK" + "0a1b2c3d4e5f60718293a4b5c6d7e8f9"),
    ("json web token", "eyJ" + "hbGciOiJIUzI1NiJ9" + ".eyJ" + "zdWIiOiIxIn0" + "." + RANDOM[:43]),
]


@pytest.mark.parametrize(("rule", "token"), TOKENS)
def test_tokens(rule: str, token: str) -> None:
    check(f"line one\nvalue({token})\nlast", token, rule)
    check(token, token, rule)


@pytest.mark.parametrize(("rule", "token"), TOKENS)
def test_what_only_resembles_a_token(rule: str, token: str) -> None:
    for text in (token[:12], f"x{token}"[:24], "a" + token):
        assert mask(text.encode()) == (text.encode(), ()), text


def test_documented_examples_stay() -> None:
    text = b"AKIAIOSFODNN7" + b"EXAMPLE and ghp_" + b"x" * 36 + b" and sk-" + b"0" * 48
    assert mask(text) == (text, ())


BODY = "\n".join([f"MIIE{RANDOM}{RANDOM[:12]}"] * 5)


@pytest.mark.parametrize("kind", ["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "])
def test_private_keys(kind: str) -> None:
    block = KEY.format(kind, BODY)
    check(f"before\n{block}\nafter", block, "private key")
    check(f"a\r\n{block.replace(chr(10), chr(13) + chr(10))}\r\nb", block.replace("\n", "\r\n"), "private key")
    quoted = block.replace("\n", "\\n")
    check(f'{{"key": "{quoted}"}}', quoted, "private key")


def test_private_key_that_is_cut_off() -> None:
    block = KEY.format("", BODY).partition("-----END")[0]
    data, masks = mask(f"x\n{block}".encode())
    assert data.count(b"\n") == block.count("\n") + 1
    assert set(data[2:]) <= set(b"*\n")
    assert len(masks) == 1


def test_private_key_headers_that_are_only_mentioned() -> None:
    code = f'if text.startswith("{KEY[:11]}PRIVATE KEY-----"):\n    load_something(text, with_a_long_name_here=True)\n'
    assert mask(code.encode()) == (code.encode(), ())
    public = KEY.format("", BODY).replace("PRIVATE", "PUBLIC").encode()
    assert mask(public) == (public, ())


def test_url_passwords() -> None:
    check("db = 'postgres://admin:hunter22@db.internal/x'", "hunter22", "password in a URL")
    for text in (
        "http://localhost:8080/@scope",
        "https://user:password@host",
        "redis://:${REDIS_PASS}@host",
        "git@github.com:a/b",
        "mailer://USER:API_KEY@default",
        "http://admin:admin@host",
        "see https://a.b/c:d and mail x@y.z",
    ):
        assert mask(text.encode()) == (text.encode(), ()), text


@pytest.mark.parametrize(
    "template",
    [
        'password = "{}"',
        "PASSWORD='{}'",
        'api_key: "{}"',
        '"apiKey": "{}"',
        'token := "{}"',
        "db_password={}\n",
        'self.secret_key = b"{}"',
        'client_secret: str = "{}"',
        "aws_secret_access_key = {}\n",
        "config['auth_token'] = '{}'",
        "'password' => '{}',",
    ],
)
def test_assignments(template: str) -> None:
    check("x = 1\n" + template.format(RANDOM[:40]), RANDOM[:40], "secret in an assignment")


def test_short_password() -> None:
    check('password = "k9#Lm2$vQx"', "k9#Lm2$vQx", "secret in an assignment")


@pytest.mark.parametrize(
    "text",
    [
        'password = "password"',
        'password = "password123"',
        'secret = "changeme-2024"',
        'api_key = "YOUR_API_KEY_1"',
        'api_key = "<insert key 1 here>"',
        'token = os.environ["TOKEN_2"]',
        'password = "${DB_PASSWORD_1}"',
        'token = "{{ vault_token_1 }}"',
        "token = self.get_next_token2(stream)",
        "token: TokenKind2",
        'tokens = ["a1B2c3D4e5F6g7H8"]',
        'secret = "test-secret-1"',
        'token_type = "Bearer2Authorization"',
        'password_label = "forms.user2.passwordLabel"',
        "secret = compute_sha256_of_something_long_enough",
        'token = "oauth2/v2.0/authorize"',
        'password: "Must have 8 characters"',
        "password = hunter2",
    ],
)
def test_assignments_of_no_secret(text: str) -> None:
    assert mask(text.encode()) == (text.encode(), ())


@given(st.binary(max_size=400), st.sampled_from([token for _, token in TOKENS]))
def test_length_and_line_ends_stay(noise: bytes, token: str) -> None:
    raw = noise + b" " + token.encode() + b" " + noise
    data, masks = mask(raw)
    assert len(data) == len(raw)
    assert token.encode() not in data
    assert masks
    assert [at for at, byte in enumerate(data) if byte in b"\r\n"] == [
        at for at, byte in enumerate(raw) if byte in b"\r\n"
    ]


SIZE = 1_500_000


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "unit",
    [
        "eyJ",
        "eyJaaaaaaaaaaaaaaaaaaaaaaaaa.",
        "://a:",
        "password=",
        "secret : ",
        "token='",
        "sk-",
        "AKIA",
        "xoxb-",
        "SG.",
        "a",
        "-----BEGIN ",
        "-----BEGIN PRIVATE KEY-----",
        "glpat-",
        "ghp_",
        "-",
        'password = "aB3$efg9"\n',
        "api_key:" + " " * 40,
    ],
)
def test_hostile_text_takes_linear_time(unit: str) -> None:
    """A quadratic rule would need hours here; the limit above is far from what the machine needs."""
    data = (unit * (SIZE // len(unit)) + " PRIVATE KEY @ " + "a" * 40).encode()
    assert len(mask(data)[0]) == len(data)


def test_real_code_is_left_alone() -> None:
    """The standard library holds thousands of passwords and tokens by name, and next to no secret."""
    found: list[str] = []
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")):
        _, masks = mask(path.read_bytes())
        found += [f"{path.name}:{one.line} {one.rule}" for one in masks]
    assert len(found) <= 2, found


@pytest.mark.parametrize(
    "name",
    [
        ".env",
        "a/.env",
        ".env.local",
        ".env.production",
        "prod.env",
        ".envrc",
        "id_rsa",
        "x/.ssh/id_ed25519",
        "id_rsa.bak",
        "server.pem",
        "a.KEY",
        "cert.crt",
        "store.jks",
        "a.p12",
        "a.pfx",
        ".netrc",
        ".pypirc",
        ".pgpass",
        ".aws/credentials",
        "kubeconfig",
        ".kube/config",
        "terraform.tfstate",
        "terraform.tfstate.backup",
        "credentials.json",
        ".git-credentials",
    ],
)
def test_secret_names(name: str) -> None:
    assert secret_file(name)


@pytest.mark.parametrize(
    "name",
    [
        ".env.example",
        ".env.sample",
        "a/.env.template",
        "env.py",
        "environment.ts",
        "env.d.ts",
        ".env.d.ts",
        "id_rsa.pub",
        "id_card.py",
        "key.py",
        "keys/a.py",
        ".npmrc",
        "kube/config.go",
        "credentials.py",
        "src/config",
        "README.env.md",
        "monkey",
        "pem.c",
    ],
)
def test_names_that_are_not_secret(name: str) -> None:
    assert secret_file(name) is None
