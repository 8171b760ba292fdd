"""What ripgrep and grep have in common: each pattern is one argument, each run gets some files, lines come back."""

from collections.abc import Sequence
from pathlib import Path
from time import monotonic

from lurcher_index.locate.literal_search import in_shown
from lurcher_index.locate.matches import MAX_MATCHES, Match, Wanted
from lurcher_index.locate.processes import batches, output_of
from lurcher_index.locate.sight import DiskFolder, Sight, with_slashes


class TextProgram:
    """A program that searches files for a literal text."""

    def __init__(self, program: str, options: Sequence[str], ignore_case: str) -> None:
        """`options` come before the pattern; `ignore_case` is the one for patterns without capitals."""
        self.program = program
        self._options = options
        self._ignore_case = ignore_case

    def probe(self, seconds: float) -> None:
        """Whether it can be started at all."""
        output_of([self.program, "--version"], Path.cwd(), seconds, good=(0,))

    def run(self, sight: Sight, wanted: Wanted, seconds: float) -> list[Match]:
        """Its matches on disk, and ours in unsaved documents."""
        end = monotonic() + seconds
        found = in_shown(sight, wanted)
        for number, pattern in enumerate(wanted.patterns):
            matches: list[Match] = []
            for folder in sight.on_disk:
                for batch in batches(row.path for row in folder.files):
                    if len(matches) < MAX_MATCHES:
                        command = self.command(pattern, batch)
                        printed = output_of(command, folder.path, end - monotonic(), good=(0, 1, 2))
                        matches += _read(printed, sight, folder, number)
            found += matches[:MAX_MATCHES]
        return found

    def command(self, pattern: str, paths: Sequence[str]) -> list[str]:
        """The argument list. The pattern stands behind `=` and the paths behind `--`: neither can be an option."""
        case = [self._ignore_case] if pattern == pattern.lower() else []
        return [self.program, *self._options, *case, f"--regexp={pattern}", "--", *paths]


def _read(printed: bytes, sight: Sight, folder: DiskFolder, number: int) -> list[Match]:
    """Lines of the form `path NUL line : …`; a path may hold line ends, what is printed of a line cannot.

    A path that is not of the index is passed over.
    """
    found: dict[tuple[bytes, int], Match] = {}
    path, *rest = printed.split(b"\0")
    for piece in rest:
        written, _, after = piece.partition(b":")
        if written.isdigit():
            row = sight.row(folder.path, with_slashes(path.decode("utf-8", "replace")).removeprefix("./"))
            if row is not None:
                found.setdefault((path, int(written)), Match(row, int(written), int(written), number))
        path = after.partition(b"\n")[2]
    return list(found.values())
