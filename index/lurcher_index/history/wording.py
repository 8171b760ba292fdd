"""What a commit's message asks, and which messages ask nothing. Pure functions."""

import re
from enum import StrEnum

from lurcher_index.query.question_words import QUESTION_WORDS
from lurcher_index.text.terms import analyse, words

MIN_CONTENT_WORDS = 3
"""Fewer words (question words and numbers not counted) describe no change: "Fix tests" fits half of a history."""


class LeftOut(StrEnum):
    """Why a commit is not asked about."""

    MERGE = "merge"
    FIRST = "nothing before it"
    BOT = "written by a bot"
    REVERT = "revert"
    RELEASE = "release or version bump"
    FORMATTING = "formatting or lint"
    UNFINISHED = "fixup or work in progress"
    FEW_WORDS = "fewer than three telling words"
    NO_FILES = "no file in this folder"
    MANY_FILES = "too many files"
    ONLY_NEW = "only new files, links or submodules"
    NOT_INDEXED = "no changed file is indexed"


_TYPE = re.compile(r"[a-z]{2,12}(?:\(([^()]{1,60})\))?!?:\s+", re.IGNORECASE)
_TYPES = frozenset(
    "build bug bugfix change chore ci cleanup deps doc docs enh feat feature fix fixes hotfix impr improvement maint "
    "misc perf refactor style test tests".split()
)
_TRAILER = re.compile(
    r"(?:[\w-]{1,40}-by|change-id|cc|closes|fixes|refs?|resolves|see|see-also|bug|issue|link|pr|pull-request|reviewed-on"
    r"|git-svn-id|backport|signed-off|ticket|depends-on|related):\s",
    re.IGNORECASE,
)
_CHERRY = re.compile(r"\(cherry picked from commit [0-9a-f]{7,64}\)")
_ISSUE = re.compile(
    r"\(?(?:\b(?:close|closes|closed|fix|fixes|fixed|resolve|resolves|resolved|refs?|see|issue|pr)[ :]+)?"
    r"(?:#|\bGH-)\d{1,9}\b\)?",
    re.IGNORECASE,
)
_URL = re.compile(r"\bhttps?://\S+")
_NOT_IN_NAMES = re.compile(r"[^\w.+-]+")
_BLANKS = re.compile(r"\s+")

_BOT = re.compile(
    r"\[bot\]|\bbot\b|\bdependabot|\brenovate|\bgreenkeeper|\bpre-commit-ci|\bgithub-actions", re.IGNORECASE
)
_LINTERS = (
    r"(?:black|ruff|isort|autopep8|yapf|flake8|pylint|prettier|eslint|gofmt|rustfmt|clippy|clang-format|rubocop"
    r"|pre-commit|(?:the |our )?(?:linters?|formatters?))"
)
_TROUBLE = r"(?: (?:errors?|issues?|warnings?|problems?|failures?|complaints?|fix(?:es)?))"
_BY_SUBJECT = (
    (LeftOut.REVERT, re.compile(r"(?:revert|reapply|back out|backed out)\b", re.IGNORECASE)),
    (LeftOut.UNFINISHED, re.compile(r"(?:fixup|squash|amend)!|\[?wip\b", re.IGNORECASE)),
    (
        LeftOut.RELEASE,
        re.compile(
            r"bump\b|releas(?:e|ing):? (?:v?\d|version\b|candidate\b|notes\b)|release$|(?:version )?v?\d+\.\d+"
            r"|prepare (?:for )?(?:the )?(?:next )?(?:release|version)\b|back to dev"
            r"|(?:set|update|change|increment) (?:the )?version(?: number)?(?: to\b|$)|(?:upgrade|update) dependenc",
            re.IGNORECASE,
        ),
    ),
    (
        LeftOut.FORMATTING,
        re.compile(
            r"(?:re)?format(?:ting|ted)?(?: (?:the |all )?(?:code|files|sources?|everything)| (?:with|by|using) .*)?$"
            rf"|(?:run|apply|satisfy|appease|please) {_LINTERS}\b"
            rf"|(?:fix |some |more )*(?:{_LINTERS}|lint(?:ing)?|code style|style){_TROUBLE}?$"
            rf"|(?:fix|clean up|remove|strip) (?:formatting|indentation|(?:trailing )?white ?spaces?){_TROUBLE}?$"
            r"|style: ",
            re.IGNORECASE,
        ),
    ),
)


def question_of(message: str, *, with_body: bool) -> str:
    """The message as somebody would ask for it: no trailers, issue numbers, addresses or `fix:` in front."""
    subject, body = split_message(message)
    lines = [_without_type(subject)]
    if with_body:
        lines += [line for line in body.splitlines() if not _TRAILER.match(line.strip())]
    text = "\n".join(lines)
    for noise in (_CHERRY, _URL, _ISSUE):
        text = noise.sub(" ", text)
    return _BLANKS.sub(" ", text).strip()


def split_message(message: str) -> tuple[str, str]:
    """The first line, and the rest."""
    subject, _, body = message.strip().partition("\n")
    return subject.strip(), body.strip()


def why_not(author: str, message: str) -> LeftOut | None:
    """What speaks against a commit by its author and message alone; None if nothing does."""
    if _BOT.search(author):
        return LeftOut.BOT
    subject, body = split_message(message)
    plain = _without_type(subject)
    for reason, pattern in _BY_SUBJECT:
        if pattern.match(subject) or pattern.match(plain):
            return reason
    if body.startswith("This reverts commit"):
        return LeftOut.REVERT
    return None


def is_telling(question: str) -> bool:
    """Whether a question holds enough words to look for."""
    asked = [word for word in words(question) if word.lower() not in QUESTION_WORDS and not word.isdecimal()]
    # Parts rather than words: one identifier may say enough, and Chinese has no blanks between its words.
    telling = {term for whole, parts in map(analyse, asked) for term in (parts or (whole,)) if term}
    return len(telling) >= MIN_CONTENT_WORDS


def names_a_file(question: str, paths: tuple[str, ...]) -> bool:
    """Whether the question names one of the files, by its name with the ending: then it is easily found."""
    spoken = {part.rstrip(".") for part in _NOT_IN_NAMES.split(question)}
    names = (path.rpartition("/")[2] for path in paths)
    return any("." in name and name in spoken for name in names)


def _without_type(subject: str) -> str:
    """`fix(parser): …` without the type; the scope stays, for it says where."""
    match = _TYPE.match(subject)
    if match is None or match[0].split("(")[0].strip(" :!").lower() not in _TYPES:
        return subject
    return f"{match[1] or ''} {subject[match.end() :]}".strip()
