"""Places that a pasted text names, such as the frames of a stack trace: file, line and function, innermost first."""

import re
from collections.abc import Iterator

import msgspec

MAX_CHARACTERS = 60_000
"""What is read of a text: its first and its last half of so many. Innermost frames stand at either end."""

MAX_LINE_CHARACTERS = 1_000
"""What is read of one line."""

MAX_LINE_PLACES = 8
"""Places of one line; compilers and people write one or two."""

MAX_FRAMES = 40
"""Frames that are kept, the innermost ones: what lies further out says how it came there."""


class Frame(msgspec.Struct, frozen=True):
    """One place, as a program or a person writes it."""

    path: str
    """With forward slashes; of Java and its kin the package is the folder. It need not exist here."""
    line: int
    """From 1; 0 if none is given."""
    function: str = ""
    """Bare name of the function around it; empty if none is given, or one without a name."""
    owner: str = ""
    """What stands before that name: a type, mostly."""
    is_exact: bool = False
    """Whether the path is no longer than it has to be: a file that only ends alike is another one."""


def frames_of(text: str) -> tuple[Frame, ...]:
    """The places that a text names, each once: a stack trace's from the innermost outwards, others as they stand."""
    sections: list[list[Frame]] = [[]]
    is_outermost_first = "most recent call last" in text
    before = ""
    for line in _lines(text):
        if line.lstrip().startswith("Caused by:"):
            sections.append([])
        elif found := _PYTHON.search(line) or _PYTEST.match(line):
            is_outermost_first = True
            sections[-1].append(_frame(found["path"], found["line"], found["function"] or ""))
        else:
            sections[-1] += _in_line(line, before)
        before = line
    frames = [frame for section in reversed(sections) for frame in section]
    if is_outermost_first:
        frames.reverse()
    return tuple(dict.fromkeys(frame for frame in frames if frame.path))[:MAX_FRAMES]


def only_place(text: str) -> Frame | None:
    """The place that is all there is in a text: `app/cart.py:20`, `cart.py line 20`; None if it says anything else."""
    if len(text) > MAX_LINE_CHARACTERS:
        return None
    found = _ANYWHERE.fullmatch(text.strip().rstrip(":"))
    return _frame(found["path"], found["line"]) if found else None


_PYTHON = re.compile(r'File "(?P<path>[^"\n]{1,500})", line (?P<line>[0-9]{1,7})(?:, in (?P<function>.{1,200}))?')
_PYTEST = re.compile(r"(?P<path>[^\s:]{1,400}\.py):(?P<line>[0-9]{1,7}): in (?P<function>\S{1,200})")
_RUBY = re.compile(
    r"(?:^|\s)(?P<path>(?:[A-Za-z]:)?[^\s:'\"`]{1,400}):(?P<line>[0-9]{1,7}):in [`'](?P<function>[^'\n]{1,200})'"
)
_DOTNET = re.compile(r"(?P<function>[^\n]{1,400}?) in (?P<path>[^\n]{1,500}?):line (?P<line>[0-9]{1,7})")
_JVM = re.compile(r"(?P<function>[^\s()]{1,400})\((?P<inside>[\w$-]{1,200}\.\w{1,10}:[0-9]{1,7})\)")
_PLACE = re.compile(r"(?P<path>[^\n]{1,500}?):(?P<line>[0-9]{1,7})(?::[0-9]{1,7})?")
_FIREFOX = re.compile(r"(?P<function>[^@\s]{0,200})@(?P<path>\S{1,500}?):(?P<line>[0-9]{1,7}):[0-9]{1,7}")
_DEBUGGER = re.compile(r"\s*#[0-9]{1,4}\s+(?:0x[0-9a-fA-F]+ in )?(?P<function>[A-Za-z_~][\w:~<>*&,$]{0,200})\s")
_ANYWHERE = re.compile(
    # A word is looked at from its beginning only, so that a long one costs no more than its length.
    r"(?<![\w./\\@+~$()\[\]-])(?P<path>(?:[A-Za-z]:(?=[/\\]))?[\w./\\@+~$()\[\]-]{1,400}\.[^\W\d]\w{0,11})"
    r"(?:\?[\w=&.%-]{1,100})?(?::|\(|#L|:line |,? (?:at |on )?line )(?P<line>[0-9]{1,7})"
    r"(?:[:,][0-9]{1,7})?(?:-L?[0-9]{1,7})?\)?(?!\w)"
)
_HOST = re.compile(r"\b[A-Za-z][\w+-]{0,30}://[^/\s]{0,200}")
_GO_ADDRESS = re.compile(r" \+0x[0-9a-fA-F]+\s*$")
_NUMBERED = re.compile(r"\s*[0-9]{1,5}:\s+(?:0x[0-9a-fA-F]+ - )?(?=\S)")
_ARGUMENTS = re.compile(r"\[[^\[\]]{0,200}\]|\([^()]{0,300}\)\s*$| in goroutine [0-9]+\s*$|^created by ")
_INSIDE = re.compile(r"^(?:block|rescue|ensure)\b[^\n]{0,40}? in ")
_GENERIC = re.compile(r"`[0-9]+|<[^<>]{0,200}>")
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_NAMELESS = re.compile(
    r"(?:anonymous|closure|module|lambda|listcomp|genexpr|dictcomp|setcomp|eval|main_thread|locals|top|required|frozen"
    r"|new|async|await|block|rescue|ensure|levels|Object|MoveNext|fm|func[0-9]+|[a-z]__[0-9_]+|h[0-9a-f]{16})"
)
"""What runtimes write in place of a name, or beside one."""

_ENDING_OF_PACKAGES = (".java", ".kt", ".scala", ".groovy")


def _lines(text: str) -> Iterator[str]:
    if len(text) > MAX_CHARACTERS:
        text = text[: MAX_CHARACTERS // 2] + "\n" + text[-MAX_CHARACTERS // 2 :]
    for line in text.splitlines():
        yield _HOST.sub("", line[:MAX_LINE_CHARACTERS])


def _in_line(line: str, before: str) -> list[Frame]:
    """What one line names; some runtimes write the function on the line before."""
    bare = line.strip()
    if bare.startswith("at ") and (frame := _after_at(bare[3:].strip(), before)):
        return [frame]
    if found := _FIREFOX.fullmatch(bare) or _RUBY.search(line):
        return [_frame(found["path"], found["line"], found["function"])]
    if line[:1].isspace() and (found := _PLACE.fullmatch(_GO_ADDRESS.sub("", bare))) and found["path"].endswith(".go"):
        return [_frame(found["path"], found["line"], before)]
    told = _DEBUGGER.match(line)
    function = told["function"] if told else ""
    places = (found for _, found in zip(range(MAX_LINE_PLACES), _ANYWHERE.finditer(line), strict=False))
    return [_frame(found["path"], found["line"], function) for found in places]


def _after_at(rest: str, before: str) -> Frame | None:
    """A frame as JavaScript, Java, .NET and Rust write it, behind its "at"."""
    if found := _DOTNET.match(rest):
        return _frame(found["path"], found["line"], found["function"])
    if "(" in rest:
        if jvm := _JVM.match(rest):
            function, inside = jvm["function"], jvm["inside"]
        else:
            function, _, inside = rest.partition(" (" if " (" in rest else "(")
            inside = inside.rpartition(")")[0]
        found = _PLACE.fullmatch(inside)
        if found is None:
            return None
        path = found["path"]
        if path.endswith(_ENDING_OF_PACKAGES) and "/" not in path:
            package = function.rpartition("/")[2].split(".")[:-2]
            return _frame("/".join((*package, path)), found["line"], function, is_exact=path.endswith(".java"))
        return _frame(path, found["line"], function)
    found = _PLACE.fullmatch(rest.removeprefix("async "))
    if found is None:
        return None
    numbered = _NUMBERED.match(before)
    return _frame(found["path"], found["line"], before[numbered.end() :] if numbered else "")


def _frame(path: str, line: str, function: str = "", *, is_exact: bool = False) -> Frame:
    owner, name = _named(function)
    # A bracket that only opens stands before the path, not in it.
    path = path.replace("\\", "/").lstrip("([" if path.count("(") + path.count("[") > path.count(")") else "")
    return Frame(path.strip().partition("?")[0], int(line), name, owner, is_exact)


def _named(function: str) -> tuple[str, str]:
    """The owner and the bare name in what a runtime calls a function."""
    bare = _INSIDE.sub("", _ARGUMENTS.sub("", function.strip()[:400]))
    if bare.endswith("<clinit>"):
        return "", ""
    is_made = bare.endswith(("<init>", ".ctor"))
    # C#'s `<Total>d__5.MoveNext` keeps the name in what is left out elsewhere.
    bare = bare if "MoveNext" in bare else _GENERIC.sub("", bare)
    names = [name for name in _IDENTIFIER.findall(bare) if not _NAMELESS.fullmatch(name)]
    if is_made and names and names[-1] == "ctor":
        names.pop()
    if is_made and names:
        # A constructor is called as its type is.
        names = [names[-1]]
    return (names[-2] if len(names) > 1 else "", names[-1]) if names else ("", "")
