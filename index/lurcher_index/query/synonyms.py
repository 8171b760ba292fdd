"""Words that programmers use for one another, as a fixed table: it works without any model."""

PRINTED: dict[str, tuple[str, ...]] = {
    "auth": ("authentication", "authenticate", "login", "session"),
    "handler": ("handler", "Handler", "http.Handler", "HandlerFunc"),
    "error": ("error", "err", "Error", "exception", "panic"),
    "config": ("config", "configuration", "settings", "options"),
}
"""The four rows that seed 003 prints, as printed."""

SYNONYMS: dict[str, tuple[str, ...]] = PRINTED | {
    "authentication": ("auth", "authenticate", "login", "session"),
    "authenticate": ("auth", "authentication", "login"),
    "authorization": ("auth", "authorize", "permission"),
    "cfg": ("config", "configuration"),
    "configuration": ("config", "settings", "options"),
    "settings": ("config", "configuration", "options"),
    "exception": ("error", "err"),
    "db": ("database",),
    "database": ("db",),
    "ctx": ("context",),
    "context": ("ctx",),
    "msg": ("message",),
    "message": ("msg",),
    "req": ("request",),
    "request": ("req",),
    "resp": ("response",),
    "response": ("resp", "res"),
    "cmd": ("command",),
    "command": ("cmd",),
    "conn": ("connection",),
    "connection": ("conn",),
    "env": ("environment",),
    "environment": ("env",),
    "param": ("parameter",),
    "parameter": ("param",),
    "arg": ("argument",),
    "argument": ("arg",),
    "func": ("function",),
    "function": ("func", "fn"),
    "pkg": ("package",),
    "package": ("pkg",),
    "dir": ("directory",),
    "directory": ("dir", "folder"),
    "init": ("initialize",),
    "initialize": ("init",),
    "delete": ("remove", "del"),
    "remove": ("delete",),
    "async": ("asynchronous",),
    "asynchronous": ("async",),
}
"""With rows of our own: the other way round, and abbreviations that are the same in every code base. Keys are whole
words in lower case, in the singular."""
