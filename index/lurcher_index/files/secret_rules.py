"""Secrets by their shape. Every expression is bounded and starts at a marker, so that no text can make it slow."""

import re
from typing import NamedTuple


class TokenRule(NamedTuple):
    """A vendor's token: a literal that begins it, and what it looks like from there. Group 1 is the secret."""

    name: str
    marker: bytes
    expression: bytes

    @property
    def regex(self) -> re.Pattern[bytes]:
        """Compiled when a text holds the marker, and kept by `re`: all of them at once take 4 ms of every process."""
        return re.compile(self.expression)


def _rule(name: str, marker: str, rest: str) -> TokenRule:
    # The look-behind has two uses: no token starts inside a word, and a run of word characters is tried only once.
    regex = rf"(?<![A-Za-z0-9_-])({re.escape(marker)}{rest})"
    return TokenRule(name, marker.encode(), regex.encode())


_END = r"(?![A-Za-z0-9_-])"

RUN = 20
"""Letters and digits in a row that every token of `RUN_RULES` holds."""

RUN_RULES = (
    _rule("aws key", "AKIA", rf"[A-Z0-9]{{16}}{_END}"),
    _rule("aws key", "ASIA", rf"[A-Z0-9]{{16}}{_END}"),
    *(_rule("github token", f"gh{kind}_", r"[A-Za-z0-9]{36,255}+") for kind in "pousr"),
    _rule("github token", "github_pat_", r"(?=[A-Za-z0-9]{20})[A-Za-z0-9_]{22,255}+"),
    _rule("slack token", "xox", r"[abeoprs]-(?=[A-Za-z0-9-]{0,60}?[A-Za-z0-9]{20})[A-Za-z0-9-]{20,250}+"),
    _rule("slack webhook", "hooks.slack.com/services/", r"T[A-Z0-9]{6,20}/B[A-Z0-9]{6,20}/[A-Za-z0-9]{20,40}+"),
    _rule("stripe key", "sk_live_", r"[A-Za-z0-9]{20,250}+"),
    _rule("stripe key", "rk_live_", r"[A-Za-z0-9]{20,250}+"),
    _rule("stripe key", "sk_test_", r"[A-Za-z0-9]{20,250}+"),
    _rule("stripe key", "whsec_", r"[A-Za-z0-9]{24,250}+"),
    _rule("npm token", "npm_", rf"[A-Za-z0-9]{{36}}{_END}"),
    _rule("twilio key", "SK", rf"[0-9a-f]{{32}}{_END}"),
    _rule(
        "json web token",
        "eyJ",
        r"(?=[A-Za-z0-9]{17})[A-Za-z0-9_-]{8,4000}+\.eyJ[A-Za-z0-9_-]{8,8000}+\.[A-Za-z0-9_-]{16,2000}+",
    ),
)

OTHER_RULES = (
    _rule("gitlab token", "glpat-", r"[A-Za-z0-9_.-]{20,300}+"),
    _rule("google key", "AIza", rf"[A-Za-z0-9_-]{{35}}{_END}"),
    _rule("google secret", "GOCSPX-", rf"[A-Za-z0-9_-]{{28}}{_END}"),
    _rule("anthropic key", "sk-ant-", r"[A-Za-z0-9_-]{24,250}+"),
    _rule(
        "openai key", "sk-", r"(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{32,300}+|[A-Za-z0-9]{48}(?![A-Za-z0-9_-]))"
    ),
    _rule("pypi token", "pypi-", r"AgE[A-Za-z0-9_-]{40,500}+"),
    _rule("sendgrid key", "SG.", rf"[A-Za-z0-9_-]{{16,32}}\.[A-Za-z0-9_-]{{16,64}}{_END}"),
)
"""Tokens whose alphabet has dashes and underscores, so that no run of letters and digits is certain."""

PEM_BEGIN = re.compile(rb"-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
PEM_BODY = re.compile(rb"[A-Za-z0-9+/=\s\\\"'`,:;.#*>|()-]*+")
"""What may stand in a key in source: base64, headers such as `DEK-Info: …`, escapes, quotes, comment signs."""
PEM_RUN = re.compile(rb"[A-Za-z0-9+/]{32}")
PEM_END = re.compile(rb"-----END [A-Z0-9 ]{1,60}-----")

URL_PASSWORD = re.compile(rb"://[^\s:/@\"'`<>()\[\]{}$%*|\\]{0,64}:([^\s:/@\"'`<>{}$|\\]{4,128})@[A-Za-z0-9.\[-]")

KEYWORDS: tuple[bytes, ...] = (
    *(b"passw", b"passphrase", b"secret", b"token"),
    *(b"api_key", b"apikey", b"api-key", b"access_key", b"accesskey", b"private_key"),
    *(b"auth_key", b"encryption_key", b"signing_key"),
)

_NAME = (
    rb"(?i:passw(?:or)?d|passphrase|secret|token|api[_-]?key|access_?key|private_key|auth_key|encryption_key|signing_key)"
    rb"(?i:[_-]?(?:access[_-]?key|key|value|base64))?"
)
_SIGN = rb"[\"'\])]{0,2}[ \t]{0,20}(?::[ \t]{0,4}[A-Za-z]{1,20}[ \t]{0,4}(?==))?(?::=|=>|==|=|:|,)[ \t]{0,20}"
_QUOTED = rb"[rbufRBUF@]{0,2}([\"'`])(?P<quoted>[^\"'`\s]{8,256})\1"
_BARE = rb"(?P<bare>[A-Za-z0-9+/_=.~-]{16,256}+)(?=[ \t]{0,8}(?:[\r\n#;]|$))"

ASSIGNMENT = re.compile(_NAME + _SIGN + rb"(?:" + _QUOTED + rb"|" + _BARE + rb")")
"""A name that means a secret, and the value given to it, in quotes or at the end of a line."""
