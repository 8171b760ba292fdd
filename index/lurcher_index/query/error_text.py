"""Pasted errors: whether a text is one, and the fixed words in it that stand in some source file."""

import re

MAX_LINES = 200
"""Lines of a pasted text that are looked at, the last ones: the message stands at the end of a traceback."""

MAX_LINE_CHARACTERS = 1_000
"""Of each of them."""

_SIGNS = re.compile(
    r"^[ \t]*Traceback \(most recent call last\)"
    r'|^[ \t]*File "[^"\n]{1,300}", line [0-9]+'
    r"|^[ \t]*at [\w$.<>/\[\] ]{1,200}\([^()\n]{0,200}\)\s*$"
    r"|^[ \t]*(?:Caused by|Exception in thread|Uncaught|Unhandled)\b"
    r"|(?<![\w.])(?:[\w$]{1,80}[.:]{1,2}){0,12}[A-Z]\w{0,80}(?:Error|Exception|Warning|Fault|Panic)(?:\s*\[\w+\])?:(?:\s|$)"
    r"|^[ \t]*(?:[\w$]+\.){1,12}\w{0,80}(?:Error|Exception)\s*$"
    r"|\bpanicked at\b|^[ \t]*(?:panic|fatal error|fatal|error|warning|err)(?:\[\w{1,12}\])?: \S"
    r"|^[ \t]*error (?:TS|CS|C|LNK|MSB)[0-9]{3,5}:|^goroutine [0-9]+ \["
    r"|^[ \t]*\[?[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}[T ,][0-9]{2}:[0-9]{2}"
    r"|^[ \t]*\[?(?:ERROR|WARN|WARNING|FATAL|CRITICAL|SEVERE|PANIC)\]?(?::| \S+ \S+)"
    r"|^\S{1,200}:[0-9]+(?::[0-9]+)?: (?:fatal )?(?:error|warning|note)\b"
    r"|\b[Ss]egmentation fault\b|\bcore dumped\b|\b[Uu]ndefined reference to\b|\bNo such file or directory\b"
    r"|\b[Nn]o module named\b|\bhas no attribute\b|\bis not a function\b|\bis not defined\s*$|: command not found\b"
    r"|\bCannot read propert(?:y|ies)\b|\b[Cc]annot find (?:module|symbol|name)\b|\bnull pointer dereference\b"
    r"|^[ \t]*(?:Cannot|Could not|Couldn't|Unable to|Failed to|Permission denied|Connection refused)\b"
    r"(?=.*(?:['\"`:]|\d))",
    re.MULTILINE,
)

_PLACES = re.compile(
    r'\s*File "[^"\n]{1,300}", line [0-9]+.*'
    r"|\s*at [\w$.<>/\[\] ]{1,200}\(.*"
    r"|\s*Traceback \(most recent call last\):?"
    r"|\s*goroutine [0-9]+ \[.*"
    r"|\s*[~^]+\s*"
)
"""Lines that say where, not what."""

_LEAD = re.compile(
    r"\s*(?:\[?[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}[T ,][0-9:.,+Z-]{5,20}\]?\s*)?"
    r"(?:\[?(?:ERROR|WARN|WARNING|FATAL|CRITICAL|SEVERE|INFO|DEBUG|TRACE|PANIC)\]?\s*[:-]?\s*)?"
    r"(?:(?:Uncaught|Unhandled|Caused by:|Exception in thread \S+)\s+)?"
    r"(?:(?:error|warning|fatal error|fatal|panic|err)(?:\[\w{1,12}\]| (?:TS|CS|C|LNK|MSB)[0-9]{3,5})?:\s+)?"
    r"(?:(?:[\w$]{1,80}[.:]{1,2}){0,12}[A-Z]\w{0,80}(?:Error|Exception|Warning|Fault|Panic)(?:\s*\[\w+\])?:\s*)?"
)
"""Time, level and class in front of a message."""

_VARIABLE = re.compile(
    r"\"[^\"]{0,300}\"|'[^']{0,300}'|`[^`]{0,300}`|“[^”]{0,300}”|<[^<>]{1,300}>|\[[^\[\]]{1,300}\]|\{[^{}]{0,300}\}"
    r"|\b\w{1,12}://\S+|(?<!\w)(?:[A-Za-z]:)?[/\\~][^\s,;:()]+|(?<!\S)[^\s/,;:()]{1,80}/\S+|(?<!\S)\S{1,80}\.\w{1,5}:[0-9]+\S*"
    r"|\b0x[0-9A-Fa-f]+\b|\b[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\b|\b[0-9A-Fa-f]{12,64}\b"
    r"|[-+]?\b[0-9][0-9.,:_]*(?:\s?(?:%|ms|s|bytes|kB|KB|MB|GB))?(?!\w)"
)
"""What a program fills in: quoted values, addresses of all kinds, numbers."""

_WORDS = re.compile(r"[^\W\d_]{2,}")
_SENTENCE_END = re.compile(r"[;:()|=]|\.(?:\s|$)|,\s| - ")
_EDGES = " \t.,;:!?()[]{}<>|=-–—*#\"'`"


def is_error_text(text: str) -> bool:
    """Whether a text was pasted from an error, a traceback or a log."""
    return bool(_SIGNS.search("\n".join(_lines(text))))


def fixed_phrases(text: str) -> tuple[str, ...]:
    """The parts of an error of at least two words that are the same whenever it is raised, in the order of the text."""
    found: dict[str, None] = {}
    for line in _lines(text):
        if _PLACES.fullmatch(line):
            continue
        lead = _LEAD.match(line)
        rest = _VARIABLE.sub("\n", line[lead.end() if lead else 0 :])
        for piece in _SENTENCE_END.sub("\n", rest).split("\n"):
            phrase = " ".join(piece.strip(_EDGES).split())
            if len(_WORDS.findall(phrase)) > 1:
                found[phrase] = None
    return tuple(found)


def without_places(text: str) -> str:
    """A pasted text without the lines of a traceback that say where, which all tracebacks have in common."""
    return "\n".join(line for line in text.splitlines() if not _PLACES.fullmatch(line[:MAX_LINE_CHARACTERS]))


def _lines(text: str) -> list[str]:
    return [line[:MAX_LINE_CHARACTERS] for line in text.splitlines()[-MAX_LINES:]]
