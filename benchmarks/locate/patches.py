"""A patch as people of a distribution write it: what is said above the diff, and which lines the diff changes."""

import re
from pathlib import PurePosixPath

import msgspec

LEAST_WORDS = 5
"""Shorter descriptions ("fix crash") say nothing that could be looked for."""

MOST_CODE_FILES = 5
"""A patch that changes more sources is seldom one fix."""

CODE_ENDINGS = frozenset(
    """py pyx js mjs cjs ts tsx jsx go rs java kt rb php c h cc cpp cxx hpp hh cs swift scala ex exs lua sh bash hs zig
    pl pm""".split()
)
"""Endings of the files that count as sources."""

_FIX = re.compile(
    r"(?i)\b(fix(e[sd])?|bugs?|crash(es|ing)?|segfaults?|overflows?|leaks?|incorrect(ly)?|wrong(ly)?|broken|fail(s|ed|ure)?"
    r"|errors?|exceptions?|CVE-\d+|vulnerab\w+|regressions?|race|deadlocks?|hangs?|invalid|does ?n[o']t|avoid|prevent"
    r"|handle|injection|traversal|denial)\b"
)
_OTHER_MATTERS = r"""
    typos? spelling man\s?pages? manual documentation docs? privacy build(?:s|ing)? compil\w+ ftbfs tests? testsuite
    cross python\s?[23] ported porting gcc clang reproducib\w+ makefiles? cmake autotools autoconf soname lintian
    hyphens? shebang fonts? embedded packag\w+ copyright licen[cs]es? pkg-config install\w* deprecat\w+ warnings? debian
    hurd kfreebsd upgrade setup\.py requirements? dependenc\w+ translations? linking lib(?:64)?dir paths? compatib\w+
    version musl hardening timestamp\w*"""
_NO_FIX = re.compile("|".join(rf"\b{word}\b" for word in _OTHER_MATTERS.split()), re.IGNORECASE)
_ASIDE = re.compile(
    r"(^|/)(tests?|testing|spec|docs?|examples?|debian|build|cmake|m4|ci|\.github|scripts?|contrib|vendor|third_party)/"
    r"|(^|/)(setup\.py|conf\.py|rakefile|gruntfile\.js|gulpfile\.js|configure(\.ac|\.in)?|test_[^/]*|[^/]*[_.-]tests?\.\w+)$",
    re.IGNORECASE,
)
_FIELD = re.compile(r"^([A-Z][\w-]*):[ \t]*(.*)$")
_FIELDS = frozenset(
    """description subject author from date origin bug bug-debian bug-ubuntu bug-redhat bug-upstream forwarded
    last-update applied-upstream reviewed-by acked-by signed-off-by tested-by reported-by cc co-authored-by fixes closes
    upstream-bug vendor link id message-id debian-bug patch-name index content-type mime-version
    content-transfer-encoding cherry-picked-from gbp-pq gbp""".split()
)
_FOR_TOOLS = re.compile(
    r"[A-Z]\w*(?:-[\w-]+): |\W*https?://\S*\W*$|(?i:commit:?\s+[0-9a-f]{7,}|git-svn-id:|bug: |origin: )"
)
_DIFF = re.compile(r"^(--- \S|diff |Index: |={20,}|\*\*\* |@@ )")
_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@")
_LEAD = re.compile(r"^(\s*\[[^\]]*\])+\s*|^\d+[-_.]\s*")


class Change(msgspec.Struct, frozen=True):
    """One file that a patch changes, with the lines of the file as it was before: from 1, inclusive."""

    path: str
    lines: tuple[tuple[int, int], ...]


class Patch(msgspec.Struct, frozen=True):
    """What a patch says, and what it does."""

    title: str
    description: str
    changes: tuple[Change, ...]

    @property
    def code(self) -> tuple[Change, ...]:
        """The sources among the changed files: no tests, documents or build files."""
        return tuple(change for change in self.changes if is_code(change.path))

    @property
    def is_fix(self) -> bool:
        """Whether somebody mends behaviour here, and says so in enough words."""
        words = re.findall(r"[A-Za-z]{3,}", f"{self.title} {self.description}")
        told = f"{self.title}\n{self.description}"
        return (
            len(words) >= LEAST_WORDS
            and _FIX.search(told) is not None
            and _NO_FIX.search(self.title) is None
            and 1 <= len(self.code) <= MOST_CODE_FILES
        )


def is_code(path: str) -> bool:
    """Whether a file is a source that a fix can be in."""
    return PurePosixPath(path).suffix[1:].lower() in CODE_ENDINGS and _ASIDE.search(path) is None


def read_patch(text: str) -> Patch:
    """Read a patch with a header of git or of DEP-3."""
    head, diff = _split(text.splitlines())
    title, description = _told(head)
    return Patch(title, description, tuple(_changes(diff)))


def _split(lines: list[str]) -> tuple[list[str], list[str]]:
    at = next((number for number, line in enumerate(lines) if _DIFF.match(line)), len(lines))
    # What git counts below this line names the changed files: an issue does not.
    end = next((number for number, line in enumerate(lines[:at]) if line.rstrip() == "---"), at)
    return lines[:end], lines[at:]


def _told(head: list[str]) -> tuple[str, str]:
    title, body, field = "", list[str](), ""
    for line in head:
        found = _FIELD.match(line)
        if found and found[1].lower() in _FIELDS:
            field = found[1].lower()
            if field in ("description", "subject"):
                body += [title] if title else []
                title = _LEAD.sub("", found[2]).strip()
        elif line.startswith(("#", "From ", "## ")):
            field = "other"
        elif not line.strip():
            field = "body"
            body.append("")
        elif field == "subject" and line[0] in " \t":
            title = f"{title} {line.strip()}"
        elif field in ("description", "body", "") or not line.startswith((" ", "\t")):
            body.append("" if line.strip() == "." else line.strip())
    text = cleaned("\n".join(body))
    if not title:
        title, _, text = text.partition("\n")
    return title.strip(), text.strip()


def cleaned(text: str) -> str:
    """A description without the lines that only tools and archivists read: further fields, addresses, commits."""
    lines = [line for line in text.splitlines() if not _FOR_TOOLS.match(line)]
    return re.sub(r"\n{2,}", "\n\n", "\n".join(lines)).strip()


def _changes(diff: list[str]) -> list[Change]:
    found: dict[str, list[tuple[int, int]]] = {}
    path = before = ""
    for line in diff:
        if line.startswith("--- "):
            before = _path(line[4:])
        elif line.startswith("+++ "):
            # A file that the patch makes or takes away is nothing that could have been found or kept.
            path = _path(line[4:]) if before and _path(line[4:]) else ""
        elif path and (hunk := _HUNK.match(line)):
            first, count = int(hunk[1]), int(hunk[2] or "1")
            found.setdefault(path, []).append((max(1, first), max(1, first + count - 1)))
    return [Change(name, tuple(lines)) for name, lines in found.items()]


def _path(written: str) -> str:
    name = written.split("\t")[0].strip().removeprefix('"').removesuffix('"')
    if name == "/dev/null":
        return ""
    parts = PurePosixPath(name).parts[1:]
    return "" if ".." in parts else "/".join(parts)
