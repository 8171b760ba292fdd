"""How answers look: coloured text for people, one JSON object for programs. Only answers go to standard output."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as ProgressBar
from rich.syntax import Syntax
from rich.text import Text

from lurcher_index import Phase, Progress, Status
from lurcher_index.answers import Answer, Empty
from lurcher_index.auditing import Audit
from lurcher_index.building.progress import Report
from lurcher_index.explaining import Explanation
from lurcher_index.features.values import GROUP_PREFIX
from lurcher_index.featuring import FeatureNode, TreeListing
from lurcher_index.following import Followed
from lurcher_index.report import Entry, Extent, match_of, symbol_name
from lurcher_index.text.numbers import counted
from lurcher_server.cli.evaluated import evaluation_lines
from lurcher_server.cli.shared import SHORT_COMMIT
from lurcher_server.names import Names

if TYPE_CHECKING:
    from lurcher_index.evaluation.report import Evaluation
    from lurcher_index.locate.located import Located

_NOT_COMPILED = (
    "reading files takes twice as long without the compiled part: install Lurcher where there is a C compiler"
)
_NO_FILES = "There are no files to search here. `lurcher explain PATH` says why a file is left out."
_EMPTY = {
    Empty.NO_MATCH: ("no match", "Nothing here matches. Try other words, or fewer filters."),
    Empty.BELOW_SPREAD: ("no match", "Nothing here seems to answer this. Try other words, or a name."),
    Empty.NOT_INDEXED: ("not indexed yet", "The index is not complete yet. Run `lurcher index` and ask again."),
    Empty.NO_FILES: ("no files to search", _NO_FILES),
    Empty.ALL_EXCLUDED: (
        "everything excluded by the filters",
        "The filters (--glob, --lang, --path, --content, --scope) leave no file to search.",
    ),
    Empty.UNKNOWN_SCOPE: ("unknown scope", "What --scope names is not here; `lurcher tree` lists what there is."),
    Empty.ALL_SEEN: ("nothing new", "All that was found is known already."),
    Empty.NO_USES: ("no uses", "The call graph knows no use of this name."),
    Empty.FAILED: ("failed", "No way of searching had an answer; the notes above say why."),
}
"""What each kind of empty answer is called, and what to do next."""

MEND = "mend their permissions (`lurcher audit` lists them), then run `lurcher index`"
"""What to do about folders that cannot be opened."""


class Printer:
    """Writes what a command has to say."""

    def __init__(self, as_json: bool) -> None:
        """Choose between text and JSON."""
        self._as_json = as_json
        self._out = Console(highlight=False, soft_wrap=True)
        self._err = Console(stderr=True, highlight=False, soft_wrap=True)

    @contextmanager
    def progress(self) -> Generator[Report]:
        """A live bar while something is indexed; nothing at all if nothing had to be."""
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]:.0f} files/s"),
            TimeRemainingColumn(),
        )
        silent = self._as_json or not self._err.is_terminal
        with ProgressBar(*columns, console=self._err, transient=True, disable=silent) as bar:
            task = bar.add_task("looking for changes", total=None, rate=0.0, visible=False)

            def report(now: Progress) -> None:
                busy = now.phase is Phase.WAITING or now.total > 0
                total = now.total or None
                bar.update(
                    task, description=now.phase.value, completed=now.done, total=total, rate=now.rate, visible=busy
                )

            yield report

    @contextmanager
    def counting(self, what: str, first: str = "reading the history") -> Generator[Callable[[int, int], None]]:
        """A live bar for work that is counted."""
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        silent = self._as_json or not self._err.is_terminal
        with ProgressBar(*columns, console=self._err, transient=True, disable=silent) as bar:
            task = bar.add_task(first, total=None)

            def told(done: int, total: int) -> None:
                bar.update(task, description=what, completed=done, total=total)

            yield told

    def answer(self, answer: Answer, query: str, entries: Sequence[Entry], names: Names, own_advice: str = "") -> None:
        """The results, best first, the first two whole and the rest in short; or what an empty answer means, with
        advice of the caller's own if there is some."""
        if self._as_json:
            self._json(answer)
            return
        self._alerts(answer.alerts)
        if answer.empty is not None:
            headline, advice = _EMPTY[answer.empty]
            self._out.print(Text(f"{headline}: {_printable(query)}", style="bold"))
            self._out.print(own_advice or advice)
            self._nearby(answer, names)
            return
        for line in _searched(answer):
            self._out.print(Text(_printable(line), style="dim"))
        for entry in entries:
            self._entry(entry)
        self._nearby(answer, names)
        how = f"by {answer.strategy}" + (f" with {answer.model}" if answer.model else "")
        how += f", in the {answer.stage} stage" if answer.stage else ""
        took = f"{counted(len(entries), 'hit')} in {answer.timings['total']:.1f} ms, {how}"
        self._out.print(Text(took, style="dim"))

    def _nearby(self, answer: Answer, names: Names) -> None:
        """Where else to look: what is too weak to be shown."""
        if answer.nearby:
            self._out.print(Text("weaker, not shown (--weak shows them):", style="dim"))
        for place in answer.nearby:
            line = Text(f"   {_printable(names.shown(place.folder, place.path))}", style="cyan")
            line.append(f":{place.first_line}-{place.last_line}", style="cyan")
            if place.symbol:
                line.append(f"  {place.symbol.kind} {_printable(symbol_name(place.symbol))}", style="dim")
            self._out.print(line)
            self._out.print(Text(f"      {_printable(place.excerpt)}", style="dim"))

    def _entry(self, entry: Entry) -> None:
        chunk = entry.chunk
        line = Text(f"{entry.number}. ", style="dim")
        line.append(_printable(entry.where), style="bold cyan")
        line.append(f":{entry.first_line}-{entry.last_line}", style="cyan")
        if chunk.symbol:
            line.append(f"  {chunk.symbol.kind} {_printable(symbol_name(chunk.symbol))}", style="magenta")
        self._out.print(line)
        told = (f"score {chunk.score:.2f}", f"by {match_of(chunk)}", entry.extent.value, *chunk.reasons)
        self._out.print(Text("   " + " · ".join(map(_printable, told)), style="dim"))
        self._out.print(
            Syntax(
                _shown(entry.code),
                _LEXERS.get(chunk.language, chunk.language),
                # Of a skeleton lines are left out, so that they cannot be counted.
                line_numbers=entry.extent is not Extent.SKELETON,
                start_line=entry.first_line,
                theme="ansi_dark",
                background_color="default",
                word_wrap=False,
            )
        )
        self._out.print()

    def located(self, located: "Located", names: Names) -> None:
        """How it was looked for, and the places, best first."""
        if self._as_json:
            self._json(located)
            return
        self._alerts(located.alerts)
        for told in located.transcript:
            self._err.print(Text(_printable(told), style="dim"))
        decided = f"{located.primary} ({located.confidence}%), else {located.fallback}: {located.reasoning}"
        self._out.print(Text(_printable(decided), style="bold"))
        self._out.print(Text("looked for: " + ", ".join(map(_printable, located.search_patterns)), style="dim"))
        for number, place in enumerate(located.locations, 1):
            line = Text(f"{number}. ", style="dim")
            line.append(_printable(names.shown(place.folder, place.path)), style="bold cyan")
            line.append(f":{place.first_line}-{place.last_line}", style="cyan")
            if place.symbol:
                container = f"{place.symbol.container}." if place.symbol.container else ""
                line.append(f"  {place.symbol.kind} {_printable(container + place.symbol.name)}", style="magenta")
            self._out.print(line)
            self._out.print(Text(f"   score {place.score:.2f} · {_printable(place.reason)}", style="dim"))
        if located.locations:
            how = f"found with {located.tool_used} via {located.strategy_used}"
            how += ", ordered together with chunk search" if located.fused else ""
            how += f"; {located.left_out:,} more were left out" if located.left_out else ""
            self._out.print(Text(how, style="dim"))
        else:
            self._out.print(located.why_empty)

    def status(self, status: Status, after_build: bool | None = None) -> None:
        """What is indexed, and where."""
        if self._as_json:
            self._json(status)
            return
        self._alerts(status.alerts)
        head = {None: "", True: "indexed ", False: "stopped early; indexed "}[after_build]
        self._out.print(f"{head}{counted(status.indexed, 'file')}, {counted(status.chunks, 'chunk')}", end="")
        self._out.print(f", {status.bytes_on_disk / 1e6:.1f} MB" if status.bytes_on_disk else "")
        if status.vectors_ready < 1 and status.model and status.chunks:
            self._out.print(f"{int(100 * status.vectors_ready)} % of the chunks can be found by meaning yet")
        if status.pending > status.unseen:
            waiting = counted(status.pending - status.unseen, "file")
            self._out.print(f"not searchable yet: {waiting}; run `lurcher index`")
        if status.unseen:
            self._out.print(
                f"not searchable: {counted(status.unseen, 'file')} in folders that cannot be opened; {MEND}"
            )
        if status.skipped:
            left = ", ".join(f"{count:,} {reason}" for reason, count in sorted(status.skipped.items()))
            self._out.print(f"left out: {left} (`lurcher audit` lists them)")
        if after_build is None:
            self._out.print(_completeness(status))
            self._out.print(Text("folders: " + ", ".join(_printable(folder) for folder in status.folders)))
            self._out.print(Text(f"kept in: {_printable(status.store)}"))
            if not status.compiled:
                self._out.print(_NOT_COMPILED)
        elif not status.indexed and status.complete:
            self._out.print(_NO_FILES)

    def explanation(self, explanation: Explanation, names: Names) -> None:
        """Why a file is, or is not, in the index."""
        if self._as_json:
            self._json(explanation)
            return
        style = "green" if explanation.indexed else "yellow"
        path = names.shown(explanation.folder, explanation.path)
        self._out.print(Text(f"{_printable(path)}: {explanation.reason}", style=style))
        self._out.print(Text(_printable(explanation.detail)))
        if explanation.language:
            counts = (
                counted(explanation.chunks, "chunk"),
                counted(explanation.symbols, "symbol"),
                counted(explanation.masked, "masked secret"),
            )
            self._out.print(f"{explanation.language}: {', '.join(counts)}")
        if explanation.hint:
            self._out.print(Text(explanation.hint, style="dim"))

    def audit(self, audit: Audit) -> None:
        """What is deliberately not in the index."""
        if self._as_json:
            self._json(audit)
            return
        left_out = [(each.reason, each.path, each.rule) for each in audit.left_out]
        masked = [("masked", f"{each.path}:{each.line}", each.rule) for each in audit.masked]
        for title, rows in (("left out of the index", left_out), ("masked inside indexed files", masked)):
            self._out.print(Text(f"{title}: {len(rows)}", style="bold"))
            # Lines, not a table: a path that is cut to fit says nothing.
            for reason, path, rule in rows:
                line = Text(f"  {reason:11} ", style="yellow")
                line.append(_printable(path), style="default")
                line.append(f"  ({_printable(rule)})", style="dim")
                self._out.print(line)

    def cleared(self, store: str, files: int | None = None) -> None:
        """That an index was deleted, of so many files; None if its folder is gone and nobody has counted them."""
        if self._as_json:
            self._json({"cleared": store, "files": files})
        else:
            what = "a folder that is no longer there" if files is None else counted(files, "file")
            self._out.print(Text(f"deleted the index of {what} in {_printable(store)}"))

    def followed(self, followed: Followed) -> None:
        """One batch of changes, while watching."""
        if self._as_json:
            self._json(followed)
        elif followed.rescanned:
            self._out.print(
                Text(f"looked at everything again ({followed.note})" if followed.note else "looked at everything again")
            )
        elif not followed.paths:
            self._out.print(Text(_printable(followed.note)))
        else:
            self._out.print(Text("updated " + ", ".join(_printable(path) for path in followed.paths)))

    def tree(self, listing: TreeListing) -> None:
        """The feature tree, or a part of it."""
        if self._as_json:
            self._json(listing)
            return
        if listing.unknown:
            self._out.print(Text(f"no such file, folder or feature: {_printable(listing.unknown)}", style="bold"))
            self._out.print("`lurcher tree` without a name shows all features.")
            return
        for node in listing.nodes:
            self._node(node, 0)
        counts = f"{counted(listing.files, 'file')} in {counted(listing.groups, 'group')}"
        self._out.print(Text(counts, style="dim"))

    def _node(self, node: FeatureNode, depth: int) -> None:
        is_group = node.id.startswith(GROUP_PREFIX)
        line = Text("  " * depth)
        if is_group:
            line.append(_printable(node.label), style="bold cyan")
            line.append(f"  {counted(node.files, 'file')}", style="cyan")
        else:
            line.append(_printable(node.label), style="default" if node.kind == "file" else "magenta")
        if node.feature:
            line.append(f"  {_printable(node.feature)}", style="dim" if is_group else "green")
        if is_group:
            line.append(f"  {node.id}", style="dim")
        self._out.print(line)
        for child in node.children:
            self._node(child, depth + 1)

    def evaluation(self, evaluation: "Evaluation") -> None:
        """How well the search does on a history."""
        if self._as_json:
            self._json(evaluation)
            return
        for line in evaluation_lines(evaluation):
            self._out.print(Text(_printable(line)))

    def outcome(self, value: object, lines: Sequence[str]) -> None:
        """What a command has done: a value for programs, and the same in words for people."""
        if self._as_json:
            self._json(value)
            return
        for line in lines:
            self._out.print(Text(_printable(line)))

    def note(self, text: str) -> None:
        """Something for people only."""
        if not self._as_json:
            self._err.print(Text(_printable(text), style="dim"))

    def error(self, text: str) -> None:
        """What went wrong."""
        if self._as_json:
            self._json({"error": text})
        else:
            self._err.print(Text(f"lurcher: {_printable(text)}", style="red"))

    def agrees(self, question: str) -> bool:
        """Ask the person at the terminal; only a clear yes is one."""
        try:
            answer = self._err.input(Text(f"{question} [y/N] ", style="bold"))
        except EOFError:
            return False
        return answer.strip().lower() in ("y", "yes")

    def _alerts(self, alerts: tuple[str, ...]) -> None:
        for alert in alerts:
            self._err.print(Text(f"note: {_printable(alert)}", style="yellow"))

    def _json(self, value: object) -> None:
        print(msgspec.json.encode(value).decode(), flush=True)


_LEXERS = {"csharp": "csharp", "tsx": "tsx", "text": "text", "bash": "bash"}


def _completeness(status: Status) -> str:
    """Whether everything can be found, and what to do if it cannot."""
    if status.complete:
        return "complete"
    if not status.compared:
        return "not complete"
    if status.unseen:
        return "not complete: folders cannot be opened"
    return "not complete; run `lurcher index`" if status.was_completed else "never completed; run `lurcher index`"


def _searched(answer: Answer) -> list[str]:
    """What the answer is an answer of."""
    if not answer.remote:
        return [f"{counted(answer.freshness.indexed, 'file')} searched"]
    return [
        f"{each.repository} searched elsewhere at {each.commit[:SHORT_COMMIT] or 'a commit that is not told'},"
        f" and {counted(each.changed, 'changed file')} here"
        for each in answer.remote
    ]


def _shown(code: str) -> str:
    """Code as it may be sent to a terminal: lines and tabs stay, commands do not."""
    return "".join(char if char.isprintable() or char in "\n\t" else "\N{REPLACEMENT CHARACTER}" for char in code)


def _printable(text: str) -> str:
    """Names may hold line ends or terminal commands; they are shown, not obeyed."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
