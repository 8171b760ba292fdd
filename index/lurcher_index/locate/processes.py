"""Runs a program for its output: an argument list and never a shell, no input, and an end to time and output."""

import os
import subprocess
import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from lurcher_index.locate.tools.interface import ToolFailed

MAX_OUTPUT_BYTES = 8 << 20
"""Most bytes that are taken from one run; a hundred thousand matches. What comes after that is not read."""

ARGUMENT_BYTES = 30_000 if os.name == "nt" else 100_000
"""Bytes of paths that are given to one run. Windows takes 32,767 characters, others far more than this."""

_OWN_OPTIONS = frozenset({"RIPGREP_CONFIG_PATH", "GREP_OPTIONS", "GREP_COLOR", "GREP_COLORS"})
"""Variables through which programs take options that nobody here gave."""


def output_of(command: Sequence[str], folder: Path, seconds: float, good: Collection[int] = (0, 1)) -> bytes:
    """What a program prints. 1 is how those that search say that they found nothing."""
    if seconds <= 0:
        raise ToolFailed("there was no time left")
    try:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env={name: value for name, value in os.environ.items() if name not in _OWN_OPTIONS},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except (OSError, ValueError) as error:
        raise ToolFailed(f"it cannot be run: {error}") from None
    late = _Late(process, seconds)
    assert process.stdout is not None
    try:
        data = process.stdout.read(MAX_OUTPUT_BYTES + 1)
        cut = len(data) > MAX_OUTPUT_BYTES
    finally:
        # Nobody reads on: without this a program that prints without end would wait for ever.
        process.stdout.close()
        code = late.ended()
    if late.struck:
        raise ToolFailed(f"it took longer than {seconds:.1f} s")
    if cut:
        return data[: data.rfind(b"\n") + 1]
    if code not in good:
        raise ToolFailed(f"it ended with {code}")
    return data


class _Late:
    """Kills a process that takes too long."""

    def __init__(self, process: "subprocess.Popen[bytes]", seconds: float) -> None:
        self.struck = False
        self._process = process
        self._timer = threading.Timer(seconds, self._strike)
        self._timer.daemon = True
        self._timer.start()

    def ended(self) -> int:
        """Wait for the end; the timer goes on until then."""
        code = self._process.wait()
        self._timer.cancel()
        return code

    def _strike(self) -> None:
        self.struck = True
        self._process.kill()


def batches(paths: Iterable[str]) -> Iterator[list[str]]:
    """Paths in lists that fit on a command line, each written so that it cannot be taken for an option."""
    batch: list[str] = []
    size = 0
    for path in paths:
        written = path if path.startswith("/") or path[1:2] == ":" else f"./{path}"
        length = len(written.encode()) + 1
        if batch and size + length > ARGUMENT_BYTES:
            yield batch
            batch, size = [], 0
        batch.append(written)
        size += length
    if batch:
        yield batch
