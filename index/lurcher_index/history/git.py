"""Runs git on a repository that may be hostile: nothing of its own is run, and output and time have an end."""

import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from lurcher_index.errors import BadFolder, HistoryError
from lurcher_index.files.repository import repository_root

RUN_SECONDS = 600.0
"""Longest time for one run of git, with what is done with its output. Writing a large tree takes a minute."""

MAX_OUTPUT_BYTES = 64 << 20
"""Most bytes taken from one run that lists something: half a million paths. A tree can be made to list without end."""

_SAID_BYTES = 2_000
_PIECE_BYTES = 1 << 16

_SWITCHES = (
    "--no-pager",
    "--no-replace-objects",
    "--no-optional-locks",
    "--literal-pathspecs",
    "-c",
    f"core.hooksPath={os.devnull}",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.alternateRefsCommand=",
    "-c",
    "diff.external=",
    "-c",
    "log.showSignature=false",
    "-c",
    "gc.auto=0",
    "-c",
    "maintenance.auto=false",
    "-c",
    "protocol.allow=never",
    "-c",
    "safe.bareRepository=explicit",
)
"""What a repository's own configuration could have run, switched off. The person's own configuration still holds, for
it names the repositories that git may open though they belong to somebody else."""


class GitObject(NamedTuple):
    """An object of the repository."""

    name: str
    data: bytes | None
    """None if it is larger than was asked for."""


class Git:
    """The git of this machine, for one repository."""

    def __init__(self, program: str, root: Path, seconds: float | None = None) -> None:
        """Use `Git.around`."""
        self.root = root
        self._program = program
        self._seconds = seconds

    @classmethod
    def around(cls, folder: Path, seconds: float | None = None) -> "Git":
        """Git for the repository that a folder lies in; the folder must be absolute.

        `seconds` is the longest time for one run, `RUN_SECONDS` if it is not given.
        """
        root = repository_root(folder)
        if root is None:
            raise BadFolder(f"{str(folder)!r} is in no git repository; name a folder of a checkout that has a history")
        program = shutil.which("git")
        # On Windows the current folder, which may be hostile, is looked into first.
        if program is None or not Path(program).is_absolute():
            raise GitMissing("git is not installed, or not on the search path; a history cannot be read without it")
        return cls(program, root, seconds)

    def output(self, *arguments: str, limit: int = MAX_OUTPUT_BYTES) -> bytes:
        """What a command prints; more than `limit` bytes are a failure."""
        with self._running(arguments) as stream:
            read = stream.read(limit + 1)
            if len(read) > limit:
                raise TooMuchOutput(f"git {arguments[0]} printed more than {limit:,} bytes; the history is not used")
        return read

    def objects(self, names: Iterable[str], largest: int) -> Generator[GitObject]:
        """Some objects in the order of their names. Of one that is larger than `largest` bytes there is no data."""
        with tempfile.TemporaryFile() as wanted:
            # A file and not a pipe: git waits for nobody to read before it reads on.
            wanted.write("".join(f"{name}\n" for name in names).encode())
            wanted.seek(0)
            with self._running(("cat-file", "--batch", "--buffer"), wanted) as stream:
                while header := stream.readline(_SAID_BYTES):
                    yield _read_object(stream, header, largest)

    @contextmanager
    def _running(self, arguments: Iterable[str], given: IO[bytes] | None = None) -> Generator[IO[bytes]]:
        """The output of a run. One that is not read to its end, or takes too long, is killed."""
        with tempfile.TemporaryFile() as said:
            try:
                process = subprocess.Popen(
                    [self._program, *_SWITCHES, *arguments],
                    cwd=self.root,
                    env=_environment(self.root),
                    stdin=given or subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=said,
                )
            except OSError as error:
                raise HistoryError(f"git cannot be run: {error}") from None
            late = threading.Timer(RUN_SECONDS if self._seconds is None else self._seconds, process.kill)
            late.daemon = True
            late.start()
            whole = False
            try:
                assert process.stdout is not None
                yield process.stdout
                whole = not process.stdout.read(1)
            finally:
                late.cancel()
                if not whole:
                    process.kill()
                assert process.stdout is not None
                process.stdout.close()
                code = process.wait()
            if code != 0:
                said.seek(0)
                raise GitFailed(code, said.read(_SAID_BYTES))


class GitMissing(HistoryError):
    """There is no git on this machine."""


class GitFailed(HistoryError):
    """Git ended with a code that is not 0."""

    def __init__(self, code: int, said: bytes) -> None:
        """`said` is what it wrote to its standard error."""
        super().__init__(_failure(code, said))
        self.code = code


class TooMuchOutput(HistoryError):
    """A list is too long to be one of a history that people wrote."""


def _environment(root: Path) -> dict[str, str]:
    """Variables of git are dropped: they name other repositories, programs to run and files to write."""
    kept = {name: value for name, value in os.environ.items() if not name.upper().startswith("GIT_")}
    return kept | {
        "GIT_CEILING_DIRECTORIES": str(root.parent),
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ATTR_NOSYSTEM": "1",
    }


def _read_object(stream: IO[bytes], header: bytes, largest: int) -> GitObject:
    name, _, rest = header.decode("ascii", "replace").strip().partition(" ")
    size = rest.rpartition(" ")[2]
    if not size.isdecimal():
        raise HistoryError(f"the repository lacks the object {name[:64]!r} ({rest[:64]}); fetch the whole history")
    left = int(size)
    data = stream.read(left) if left <= largest else None
    if data is None:
        while left and (piece := stream.read(min(left, _PIECE_BYTES))):
            left -= len(piece)
    # A line end closes every object.
    if (data is not None and len(data) < left) or stream.read(1) != b"\n":
        raise HistoryError("git ended in the middle of an object; try again, or check the repository with `git fsck`")
    return GitObject(name, data)


def _failure(code: int, said: bytes) -> str:
    text = " ".join(said.decode("utf-8", "replace").split())
    if "promisor" in text or "transport" in text:
        return f"this is a partial clone and nothing is fetched; fetch its objects first (git said: {text})"
    return f"git ended with {code}: {text or 'it was stopped, or took too long'}"
